/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/machine/tally.c, against counts in a plain array.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/field.h>

#include "emu/machine/tally.h"
#include "tests/unit/no_memory.h"

#define NODES 3U
#define PAGES 40U
#define BYTES (PAGES * SMILE_PAGE_BYTES)
#define BLOCKS (BYTES / 4)

static uint64_t state = 11;

static uint32_t random_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % limit;
}

static uint64_t what_of(unsigned source, unsigned home, unsigned type, uint64_t address)
{
	return SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)home) |
	       SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)type) | address;
}

/* By source, home, type and block. */
struct sums {
	unsigned block_bytes;
	uint64_t counts[NODES][NODES][SMILE_TYPE_COUNT][BLOCKS];
	uint64_t last_page; /* pages of one source come in ascending order */
	unsigned last_source;
};

static void sums_take(void *opaque, unsigned source, unsigned home, uint64_t request,
		      const uint32_t *counts, size_t count)
{
	struct sums *sums = opaque;
	uint64_t address = request & BLINK_REQUEST_ADDRESS;

	assert_int_equal(SMILE_GET(BLINK_REQUEST_SOURCE, request), source);
	assert_int_equal(SMILE_GET(BLINK_REQUEST_TARGET, request), home);
	assert_int_equal(address % sums->block_bytes, 0);
	/* All in one page. */
	assert_int_equal(address / SMILE_PAGE_BYTES,
			 (address + (count - 1) * sums->block_bytes) / SMILE_PAGE_BYTES);
	if (sums->last_source == source)
		assert_true(address / SMILE_PAGE_BYTES >= sums->last_page);
	sums->last_source = source;
	sums->last_page = address / SMILE_PAGE_BYTES;
	for (size_t i = 0; i < count; i++)
		sums->counts[source][home][SMILE_GET(BLINK_REQUEST_TYPE, request)]
			    [address / sums->block_bytes + i] += counts[i];
}

static uint64_t far_sum;

/* Anywhere in memory. */
static void far_take(void *opaque, unsigned source, unsigned home, uint64_t request,
		     const uint32_t *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		far_sum += counts[i];
}

/* @sparse: no chunk is made for a single block. */
static void count_random(int sparse)
{
	static const unsigned lengths[] = {4, 8, 64, 1024, 4096};
	struct sums *wanted = calloc(1, sizeof(*wanted)), *got = calloc(1, sizeof(*got));

	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		struct tally *tally = tally_create(NODES, lengths[l]);

		assert_non_null(tally);
		tally->used_most = sparse ? 0 : 3 * NODES * NODES * BYTES;
		/* A second time, what was handed out is forgotten. */
		for (int turn = 0; turn < 2; turn++) {
			uint64_t blocks, pages, used = 0;

			memset(wanted, 0, sizeof(*wanted));
			memset(got, 0, sizeof(*got));
			got->block_bytes = lengths[l];
			for (unsigned i = 0; i < 100000; i++) {
				unsigned source = random_below(NODES), home = random_below(NODES);
				unsigned type = SMILE_TYPE_READ + random_below(3);
				uint64_t address = random_below(random_below(2) ? BYTES : 9000);

				assert_true(tally_count(tally, tally_shape(tally), source,
							what_of(source, home, type, address)));
				wanted->counts[source][home][type][address / lengths[l]]++;
			}
			for (unsigned i = 0; i < NODES * NODES; i++)
				for (unsigned b = 0; b < BLOCKS; b++)
					used += wanted->counts[i / NODES][i % NODES][1][b] ||
						wanted->counts[i / NODES][i % NODES][2][b] ||
						wanted->counts[i / NODES][i % NODES][3][b];
			assert_int_equal(tally_size(tally, &blocks, &pages), 0);
			if (sparse)
				assert_in_range(blocks, used, 3 * used);
			else
				assert_int_equal(blocks, used);
			assert_int_equal(pages, NODES * NODES * PAGES);
			got->last_source = NODES;
			tally_deliver(tally, sums_take, got);
			assert_memory_equal(wanted->counts, got->counts, sizeof(got->counts));
			assert_int_equal(tally_size(tally, &blocks, &pages), 0);
			assert_true(!blocks && !pages);
		}
		tally_destroy(tally);
	}
	free(wanted);
	free(got);
}

static void tally_random_requests_are_all_counted(void **unused)
{
	count_random(0);
}

static void tally_random_requests_are_counted_one_by_one(void **unused)
{
	count_random(1);
}

/* A word for each page: no chunk is made for it, until it has too many to count, or neighbours. */
static void tally_far_blocks_take_little(void **unused)
{
	struct sums *got = calloc(1, sizeof(*got));
	struct tally *tally = tally_create(NODES, 4);
	const struct sparse *sparse = &tally->sources[1].sparse;
	uint64_t sum = 0;

	tally->used_most = 0;
	for (unsigned page = 0; page < PAGES; page++)
		for (unsigned i = 0; i < 1000; i++)
			assert_true(tally_count(tally, tally_shape(tally), 1,
						what_of(1, 2, SMILE_TYPE_READ,
							page * SMILE_PAGE_BYTES + 4ULL * page)));
	assert_int_equal(tally->used, 0);
	assert_int_equal(sparse->used, PAGES);
	for (unsigned i = 0; i < 24; i++)
		assert_true(tally_count(tally, tally_shape(tally), 1,
					what_of(1, 2, SMILE_TYPE_READ, 8)));
	assert_int_equal(tally->used, 0);
	for (unsigned i = 0; i < 1000; i++)
		assert_true(tally_count(tally, tally_shape(tally), 1,
					what_of(1, 2, SMILE_TYPE_READ, SMILE_PAGE_BYTES + 4)));
	/* That one has too many; the page's other block is in its chunk. */
	assert_int_equal(tally->used, 1);
	assert_int_equal(sparse->used, PAGES);
	for (uint64_t word = 0; word < 32; word++)
		assert_true(tally_count(tally, tally_shape(tally), 1,
					what_of(1, 2, SMILE_TYPE_READ, 4 * word)));
	assert_int_equal(tally->used, 2);
	assert_int_equal(sparse->used, PAGES - 2);
	got->block_bytes = 4;
	got->last_source = NODES;
	tally_deliver(tally, sums_take, got);
	for (unsigned block = 0; block < BLOCKS; block++)
		sum += got->counts[1][2][SMILE_TYPE_READ][block];
	assert_int_equal(sum, 1000 * PAGES + 24 + 1000 + 32);
	assert_int_equal(got->counts[1][2][SMILE_TYPE_READ][1025], 2000);
	assert_int_equal(got->counts[1][2][SMILE_TYPE_READ][2], 25);
	assert_true(tally->used == 0 && sparse->used == 0);
	tally_destroy(tally);
	free(got);
}

/* Without memory, a request is not counted; what was counted before it is handed out. */
static void tally_without_memory_hands_out_its_counts(void **unused)
{
	for (unsigned sparse = 0; sparse < 2; sparse++) {
		struct tally *tally = tally_create(NODES, 4);
		uint64_t passed = 0;
		bool counted = true;

		if (sparse)
			tally->used_most = 0;
		while (counted) {
			/* Two blocks of a page, then those of other pages. */
			uint64_t address = passed % 3 * 4096 + passed / 3 * (1ULL << 20);

			assert_true(passed < 1000000);
			no_memory = passed > 5000;
			counted = tally_count(tally, tally_shape(tally), 1,
					      what_of(1, 2, SMILE_TYPE_READ, address));
			passed += counted;
		}
		far_sum = 0;
		tally_deliver(tally, far_take, NULL);
		assert_true(passed > 5000);
		assert_int_equal(far_sum, passed);
		no_memory = 0;
		/* And it goes on. */
		assert_true(tally_count(tally, tally_shape(tally), 1,
					what_of(1, 2, SMILE_TYPE_READ, 4)));
		far_sum = 0;
		tally_deliver(tally, far_take, NULL);
		assert_int_equal(far_sum, 1);
		tally_destroy(tally);
	}
}

/* A count that passes 2^32. */
static void tally_overflow_is_kept(void **unused)
{
	struct sums *got = calloc(1, sizeof(*got));
	struct tally *tally = tally_create(NODES, 4);
	uint64_t what = what_of(1, 2, SMILE_TYPE_WRITE, 4092);
	uint64_t key = ((what & TALLY_WHAT) >> tally->key_shift) + 1;
	struct tally_slot *slot;

	assert_true(tally_count(tally, tally_shape(tally), 1, what));
	slot = tally_cached(&tally->sources[1], key, what);
	assert_true(slot->key == key);
	slot->counts[4092 / 4 % 128] = UINT32_MAX;
	assert_true(tally_count(tally, tally_shape(tally), 1, what) &&
		    tally_count(tally, tally_shape(tally), 1, what));
	got->block_bytes = 4;
	got->last_source = NODES;
	tally_deliver(tally, sums_take, got);
	assert_true(got->counts[1][2][SMILE_TYPE_WRITE][4092 / 4] == (1ULL << 32) + 1);
	tally_destroy(tally);
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tally_random_requests_are_all_counted),
		cmocka_unit_test(tally_random_requests_are_counted_one_by_one),
		cmocka_unit_test(tally_far_blocks_take_little),
		cmocka_unit_test(tally_without_memory_hands_out_its_counts),
		cmocka_unit_test(tally_overflow_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
