/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/map/clocks.c: a time of the card's clock is converted to its host's time. The clocks
 * have random rates, and are read with random errors. The true time must be within the reported
 * bounds. In some tests, the time cannot be known.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/map/map.h"
#include "lib/map/trailer.h"
#include "tests/unit/lib_fixture.h"

static const unsigned char boot[CLOCKS_BOOT_BYTES] = "0123456789abcde";
static const unsigned char other_boot[CLOCKS_BOOT_BYTES] = "0123456789abcdf";

static void add(struct clocks *clocks, const unsigned char *id, uint64_t card_ns, uint64_t raw_ns)
{
	const struct clock_pair pair = {card_ns, raw_ns, 10, raw_ns + 1000, CLOCKS_UNKNOWN};

	assert_int_equal(smile_clocks_add(clocks, 3, id, &pair), 0);
}

static void add_real(struct clocks *clocks, uint64_t card_ns, uint64_t real_ns)
{
	const struct clock_pair pair = {card_ns, card_ns, 10, real_ns, 10};

	assert_int_equal(smile_clocks_add(clocks, 3, boot, &pair), 0);
}

/* A random number from -@bound to @bound. */
static int64_t random_within(int64_t bound)
{
	return lrand48() % (2 * bound + 1) - bound;
}

/*
 * Between two pairs of times, the clock has a constant rate. At each step, the card's time is the
 * true time.
 */
static void one_clock(int real)
{
	int64_t drift = real ? CLOCKS_DRIFT_REAL : CLOCKS_DRIFT_RAW;
	int64_t offset = lrand48(), host = lrand48(), card = 0;
	struct clocks clocks = {0};
	int64_t hosts[64], cards[64];

	for (int i = 0; i < 64; i++) {
		int64_t step = lrand48() % 1000000000, bound = lrand48() % 5000 + 1;
		int64_t error = random_within(bound);
		struct clock_pair pair = {.card_ns = (uint64_t)card};

		hosts[i] = host + offset;
		cards[i] = card;
		pair.raw_ns = real ? (uint64_t)card : (uint64_t)(hosts[i] + error);
		pair.raw_bound_ns = (uint64_t)bound;
		pair.real_ns = (uint64_t)(hosts[i] + error);
		pair.real_bound_ns = real ? (uint64_t)bound : CLOCKS_UNKNOWN;
		/* A pair of times is read at even steps. Marks are at odd steps. */
		if (i % 2 == 0)
			assert_int_equal(smile_clocks_add(&clocks, 3, boot, &pair), 0);
		card += step;
		/* The rate is often the highest or the lowest possible rate. */
		host += step + step *
				       (lrand48() % 3	? random_within(drift)
					: lrand48() % 2 ? drift
							: -drift) /
				       1000000000;
	}
	for (int i = 0; i < 64; i++) {
		struct clock_span span;

		assert_null(smile_clocks_convert(smile_clocks_of(&clocks, 3), (uint64_t)cards[i],
						 real, &span));
		assert_true(span.first_ns <= hosts[i] && hosts[i] <= span.last_ns);
		/* At the time of a pair, the only uncertainty is that of the reading. */
		if (i % 2 == 0)
			assert_true(span.last_ns - span.first_ns <= 2 * 5001);
	}
	smile_clocks_free(&clocks);
}

static void the_truth_is_within_the_bound(void **state)
{
	srand48(56);
	for (int i = 0; i < 2000; i++)
		one_clock(i % 2);
}

static void farther_from_a_pair_is_less_certain(void **state)
{
	struct clock_span span;
	struct clocks clocks = {0};

	add(&clocks, boot, 1000, 5000);
	assert_non_null(smile_clocks_convert(smile_clocks_of(&clocks, 3), 1000, 0, &span));
	add(&clocks, boot, 1000000001000, 1000000005000);
	assert_null(smile_clocks_convert(smile_clocks_of(&clocks, 3), 1000, 0, &span));
	assert_int_equal(span.first_ns, 4989);
	assert_int_equal(span.last_ns, 5011);
	/* In 0.1 s, a clock with an error of 500 ppm gains 50 us. */
	assert_null(smile_clocks_convert(smile_clocks_of(&clocks, 3), 100001000, 0, &span));
	assert_int_equal(span.first_ns, 100005000 - 50011);
	assert_int_equal(span.last_ns, 100005000 + 50011);
	/* This time is before the first pair. */
	assert_null(smile_clocks_convert(smile_clocks_of(&clocks, 3), 0, 0, &span));
	assert_int_equal(span.first_ns, 4000 - 11);
	smile_clocks_free(&clocks);
}

static void expect_unknown(struct clocks *clocks, int real, const char *why)
{
	struct clock_span span;
	const char *unknown = smile_clocks_convert(smile_clocks_of(clocks, 3), 1500, real, &span);

	assert_non_null(unknown);
	assert_non_null(strstr(unknown, why));
	smile_clocks_free(clocks);
}

static void clocks_that_jump_are_unknown(void **state)
{
	struct clocks clocks = {0};

	add(&clocks, boot, 1000, 5000);
	add(&clocks, boot, 2000, 6000);
	expect_unknown(&clocks, 1, "not synchronised");
	add(&clocks, boot, 1000, 5000);
	add(&clocks, boot, 2000, 900000);
	expect_unknown(&clocks, 0, "does not run");
	/* The host's clock advances, but the card's does not. */
	add(&clocks, boot, 1000, 5000);
	add(&clocks, boot, 1000, 6000);
	expect_unknown(&clocks, 0, "does not run");
	add_real(&clocks, 1000, 5000);
	add_real(&clocks, 2000, 9000);
	expect_unknown(&clocks, 1, "time of day has jumped");
	add(&clocks, boot, 1000, 5000);
	add(&clocks, boot, 900, 6000);
	expect_unknown(&clocks, 0, "restarted");
	add(&clocks, boot, 1000, 5000);
	add(&clocks, other_boot, 2000, 6000);
	expect_unknown(&clocks, 0, "several boots");
	assert_null(smile_clocks_of(&clocks, 3));
}

static void impossible_pairs_are_refused(void **state)
{
	const struct clock_pair good = {1, 2, 3, 4, 5}, bad = {UINT64_MAX, 2, 3, 4, 5};
	struct clocks clocks = {0};

	assert_int_equal(smile_clocks_add(&clocks, 3, boot, &bad), -EINVAL);
	assert_int_equal(smile_clocks_add(&clocks, 0x10000, boot, &good), -EINVAL);
	assert_int_equal(clocks.count, 0);
	smile_clocks_free(&clocks);
}

static void the_last_pair_is_kept(void **state)
{
	struct clocks clocks = {0};

	for (uint64_t i = 0; i < CLOCKS_PAIRS_MAX + 5; i++)
		add(&clocks, boot, i, i);
	assert_int_equal(clocks.nodes[0].pairs_count, CLOCKS_PAIRS_MAX);
	assert_int_equal(clocks.nodes[0].pairs[CLOCKS_PAIRS_MAX - 1].card_ns, CLOCKS_PAIRS_MAX + 4);
	smile_clocks_free(&clocks);
}

/*
 * Write pairs of times into a trailer, and read them. If the trailer is cut, it is refused or lacks
 * pairs.
 */
static void pairs_are_in_the_trailer(void **state)
{
	struct map map = {0}, got;
	char *data;
	size_t bytes;
	FILE *file = open_memstream(&data, &bytes);

	assert_non_null(file);
	add(&map.clocks, boot, 1000, 5000);
	add(&map.clocks, boot, 2000, 6000);
	assert_false(smile_map_is_empty(&map));
	smile_trailer_write(file, &map);
	fclose(file);
	assert_null(smile_trailer_parse(&got, (unsigned char *)data, bytes));
	assert_int_equal(got.clocks.count, 1);
	assert_int_equal(got.clocks.nodes[0].node, 3);
	assert_memory_equal(got.clocks.nodes[0].boot, boot, sizeof(boot));
	assert_int_equal(got.clocks.nodes[0].pairs_count, 2);
	assert_memory_equal(got.clocks.nodes[0].pairs, map.clocks.nodes[0].pairs,
			    2 * sizeof(struct clock_pair));
	smile_map_free(&got);
	/* The length of the field is at offset 4, the length of a pair at 12. */
	data[4] ^= 8;
	assert_non_null(smile_trailer_parse(&got, (unsigned char *)data, bytes));
	data[4] ^= 8;
	data[12] = 0;
	assert_string_equal(smile_trailer_parse(&got, (unsigned char *)data, bytes),
			    "its pairs of times are cut off");
	free(data);
	smile_map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_truth_is_within_the_bound),
		cmocka_unit_test(farther_from_a_pair_is_less_certain),
		cmocka_unit_test(clocks_that_jump_are_unknown),
		cmocka_unit_test(impossible_pairs_are_refused),
		cmocka_unit_test(the_last_pair_is_kept),
		cmocka_unit_test(pairs_are_in_the_trailer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
