/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/base/slab.c: small blocks of memory, grouped by size.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/slab.h"
#include "tests/unit/no_memory.h"

#define BLOCKS 3000U

static unsigned char *blocks[BLOCKS];

static size_t bytes_of(size_t i)
{
	return 1 + i * 37 % (SLAB_MOST + 100);
}

static int is_zero(const unsigned char *block, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (block[i])
			return 0;
	return 1;
}

static void get(struct slab *slab, size_t i)
{
	blocks[i] = smile_slab_get(slab, bytes_of(i));
	assert_non_null(blocks[i]);
	assert_true(is_zero(blocks[i], bytes_of(i)));
	memset(blocks[i], 1 + (int)(i % 255), bytes_of(i));
}

/* Each block must have kept its contents: blocks do not overlap. */
static void check(size_t first, size_t step)
{
	for (size_t i = first; i < BLOCKS; i += step)
		for (size_t k = 0; k < bytes_of(i); k++)
			assert_int_equal(blocks[i][k], 1 + i % 255);
}

static void slab_blocks_are_zero_and_apart(void **state)
{
	struct slab slab = {0};

	for (size_t i = 0; i < BLOCKS; i++)
		get(&slab, i);
	check(0, 1);
	/* Free every second block, and allocate it anew. */
	for (size_t i = 0; i < BLOCKS; i += 2)
		smile_slab_put(&slab, blocks[i], bytes_of(i));
	check(1, 2);
	for (size_t i = 0; i < BLOCKS; i += 2)
		get(&slab, i);
	check(0, 1);
	for (size_t i = 0; i < BLOCKS; i++)
		smile_slab_drop(blocks[i], bytes_of(i));
	smile_slab_free(&slab);
	assert_null(slab.chunks);
}

static void slab_blocks_that_are_given_back_are_used_again(void **state)
{
	struct slab slab = {0};
	size_t bytes;

	for (size_t i = 0; i < 1000; i++)
		blocks[i] = smile_slab_get(&slab, 64);
	bytes = slab.bytes;
	for (unsigned int round = 0; round < 1000; round++) {
		for (size_t i = 0; i < 1000; i++)
			smile_slab_put(&slab, blocks[i], 64);
		for (size_t i = 0; i < 1000; i++)
			blocks[i] = smile_slab_get(&slab, 64);
	}
	assert_int_equal(slab.bytes, bytes);
	/* A block of 64 bytes must not cross a line of the processor's cache. */
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal((uintptr_t)blocks[i] % 64, 0);
	smile_slab_put(&slab, NULL, 64);
	smile_slab_free(&slab);
}

/* One small block needs little memory; many blocks need little more than their own size. */
static void slab_takes_little_more_than_its_blocks(void **state)
{
	struct slab slab = {0};

	assert_non_null(smile_slab_get(&slab, 32));
	assert_true(slab.bytes <= 65536);
	for (size_t i = 0; i < 200000; i++)
		assert_non_null(smile_slab_get(&slab, 128));
	assert_true(slab.bytes < 200000 * 128 * 5 / 4);
	smile_slab_free(&slab);
}

static void slab_without_memory_has_no_block(void **state)
{
	struct slab slab = {0};
	unsigned int got = 0;

	no_memory = 1;
	assert_null(smile_slab_get(&slab, 32));
	assert_null(smile_slab_get(&slab, SLAB_MOST + 1));
	no_memory = 0;
	assert_non_null(smile_slab_get(&slab, 32));
	no_memory = 1;
	while (smile_slab_get(&slab, 96))
		got++;
	assert_true(got > 100);
	no_memory = 0;
	assert_non_null(smile_slab_get(&slab, 96));
	smile_slab_free(&slab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slab_blocks_are_zero_and_apart),
		cmocka_unit_test(slab_blocks_that_are_given_back_are_used_again),
		cmocka_unit_test(slab_takes_little_more_than_its_blocks),
		cmocka_unit_test(slab_without_memory_has_no_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
