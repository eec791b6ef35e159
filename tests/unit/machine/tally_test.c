/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of emu/machine/tally.c: the counts are compared with those in an array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/field.h>
#include <base/random.h>

#include "emu/machine/tally.h"
#include "tests/unit/no_memory.h"

#define NODES 3U
#define PAGES 40U
#define BYTES (PAGES * SMILE_PAGE_BYTES)
#define BLOCKS (BYTES / 4)

static uint64_t state = 11;

static uint64_t what_of(unsigned source, unsigned home, unsigned type, uint64_t address)
{
	return SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)home) |
	       SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)type) | address;
}

/* struct sums - Counts for each source, home, type and block. */
struct sums {
	unsigned block_bytes;
	uint64_t counts[NODES][NODES][SMILE_TYPE_COUNT][BLOCKS];
	uint64_t last_page; /* pages of a source must come in ascending order */
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
	/* A call has counts of one page only. */
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

/* Add up counts at any address. */
static void far_take(void *opaque, unsigned source, unsigned home, uint64_t request,
		     const uint32_t *counts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		far_sum += counts[i];
}

/*
 * @sparse: only single blocks, which need no chunk
 */
static void count_random(int sparse)
{
	static const unsigned lengths[] = {4, 8, 64, 1024, 4096};
	struct sums *wanted = calloc(1, sizeof(*wanted)), *got = calloc(1, sizeof(*got));

	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		struct tally *tally = tally_create(NODES, lengths[l]);

		assert_non_null(tally);
		tally->used_most = sparse ? 0 : 3 * NODES * NODES * BYTES;
		/* The second turn must not include counts of the first turn. */
		for (int turn = 0; turn < 2; turn++) {
			uint64_t blocks, pages, used = 0;

			memset(wanted, 0, sizeof(*wanted));
			memset(got, 0, sizeof(*got));
			got->block_bytes = lengths[l];
			for (unsigned i = 0; i < 100000; i++) {
				unsigned source = random_below(&state, NODES),
					 home = random_below(&state, NODES);
				unsigned type = SMILE_TYPE_READ + random_below(&state, 3);
				uint64_t address = random_below(
					&state, random_below(&state, 2) ? BYTES : 9000);

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

/*
 * Count one word of each page. It needs no chunk until its count is too large or another word of
 * the page is counted.
 */
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
	/* The count of one word is too large, so the chunk also has the other block of the page. */
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

/* If memory is missing, the request is not counted. The earlier counts can be delivered. */
static void tally_without_memory_hands_out_its_counts(void **unused)
{
	for (unsigned sparse = 0; sparse < 2; sparse++) {
		struct tally *tally = tally_create(NODES, 4);
		uint64_t passed = 0;
		bool counted = true;

		if (sparse)
			tally->used_most = 0;
		while (counted) {
			/* Count blocks of three pages, and later of other pages. */
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
		/* After the delivery, counting continues. */
		assert_true(tally_count(tally, tally_shape(tally), 1,
					what_of(1, 2, SMILE_TYPE_READ, 4)));
		far_sum = 0;
		tally_deliver(tally, far_take, NULL);
		assert_int_equal(far_sum, 1);
		tally_destroy(tally);
	}
}

/* Some counts are above 2^16; one is above 2^32. */
static void tally_wrapped_counts_are_kept(void **unused)
{
	struct sums *got = calloc(1, sizeof(*got));
	struct tally *tally = tally_create(NODES, 4);
	uint64_t what = what_of(1, 2, SMILE_TYPE_WRITE, 4092);
	uint64_t other = what_of(2, 2, SMILE_TYPE_WRITE, 4092);

	for (unsigned turn = 0; turn < 2; turn++) {
		struct tally_wraps *wraps;

		memset(got, 0, sizeof(*got));
		got->block_bytes = 4;
		got->last_source = NODES;
		/* A count of another source wraps to 0, and the count next to it is above 2^16. */
		for (unsigned i = 0; i < 70000; i++)
			assert_true(tally_count(tally, tally_shape(tally), 1, what) &&
				    (i > UINT16_MAX ||
				     tally_count(tally, tally_shape(tally), 2, other)) &&
				    tally_count(tally, tally_shape(tally), 2, other - 4));
		wraps = hash_table_find(&tally->sources[1].wraps, (what & TALLY_WHAT) / 4 + 1,
					sizeof(*wraps));
		assert_true(wraps && wraps->count == 1);
		/* Set the number of wraps as after many more requests. */
		wraps->count += (uint64_t)turn << 17;
		tally_deliver(tally, sums_take, got);
		assert_true(got->counts[1][2][SMILE_TYPE_WRITE][4092 / 4] ==
			    70000 + ((uint64_t)turn << 33));
		assert_int_equal(got->counts[2][2][SMILE_TYPE_WRITE][4092 / 4], 65536);
		assert_int_equal(got->counts[2][2][SMILE_TYPE_WRITE][4088 / 4], 70000);
		assert_int_equal(got->counts[0][2][SMILE_TYPE_WRITE][4092 / 4], 0);
	}
	tally_destroy(tally);
	free(got);
}

/* When the counts use all permitted memory, they are delivered, and counting continues. */
static void tally_keeps_its_limit(void **unused)
{
	const uint64_t limit = 64ULL << 20;

	for (unsigned dense = 0; dense < 2; dense++) {
		struct tally *tally = tally_create(NODES, 4);
		uint64_t passed = 0, handed = 0, before = 0;

		tally_limit(tally, limit);
		far_sum = 0;
		while (handed < 3) {
			uint64_t what = what_of(1, 2, SMILE_TYPE_READ,
						dense ? passed * 32 : passed * SMILE_PAGE_BYTES);

			if (tally_count(tally, tally_shape(tally), 1, what)) {
				passed++;
				continue;
			}
			assert_true(tally->slabs_count * (2ULL << 20) +
					    tally->sources[1].sparse.size * 8 +
					    tally->sources[1].size * 16 <=
				    limit);
			/* Deliveries are rare. */
			assert_true(passed - before > 100000);
			before = passed;
			handed++;
			tally_deliver(tally, far_take, NULL);
			assert_int_equal(far_sum, passed);
		}
		tally_destroy(tally);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tally_random_requests_are_all_counted),
		cmocka_unit_test(tally_random_requests_are_counted_one_by_one),
		cmocka_unit_test(tally_far_blocks_take_little),
		cmocka_unit_test(tally_without_memory_hands_out_its_counts),
		cmocka_unit_test(tally_wrapped_counts_are_kept),
		cmocka_unit_test(tally_keeps_its_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
