/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/sweep/sweep_card.c. Cards of known configurations receive requests of node
 * 1 to page 5 of node 0; the tests compare the cards' records.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>

#include "lib/analysis/sweep/sweep_card.h"
#include "tests/unit/lib_fixture.h"

static const struct sweep_ops quiet = {0};

/* A read of a word of page 5. */
static struct sweep_event read_of(unsigned int offset)
{
	return (struct sweep_event){
		.bd1 = htole64(SMILE_PUT(BLINK_BD1_SOURCE, 1ULL) |
			       SMILE_PUT(BLINK_BD1_TARGET, 0ULL) |
			       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)BLINK_READSB + 3)),
		.bd2 = htole64(SMILE_PUT(BLINK_BD2_ADDRESS, 5ULL * SMILE_PAGE_BYTES + offset)),
	};
}

/*
 * Read, in this order: the first word, the second word, the first word; then a word of another
 * line, twice.
 */
static struct sweep_event events[] = {{0}, {0}, {0}, {0}, {0}};

static const struct sweep_traffic traffic = {.events = events, .count = 5};

static int events_make(void **state)
{
	static const unsigned int offsets[] = {0, 4, 0, 256, 256};

	for (size_t i = 0; i < 5; i++)
		events[i] = read_of(offsets[i]);
	return 0;
}

static struct sweep_point passed(unsigned int counters, unsigned int range_bytes)
{
	struct sweep_point point = {0};
	struct Monitor *mon;

	assert_int_equal(sweep_card_new(&mon, 0, SMILE_MODE_TYPED_TAGS, counters, range_bytes), 0);
	assert_int_equal(sweep_card_pass(mon, &traffic, &quiet, &point), 0);
	Monitor_close(mon);
	return point;
}

static void one_counter_writes_each_request(void **state)
{
	struct sweep_point point = passed(1, 4);

	assert_int_equal(point.flushes, 5);
	assert_int_equal(point.drained, 0);
	assert_int_equal(point.extensions, 0);
}

static void counters_count_words_of_their_own(void **state)
{
	struct sweep_point point = passed(16, 4);

	assert_int_equal(point.flushes, 3);
	assert_int_equal(point.drained, 3);
	assert_int_equal(point.extensions, 0);
}

static void ranges_grow_by_neighbouring_words(void **state)
{
	struct sweep_point point = passed(16, 8);

	assert_int_equal(point.flushes, 2);
	assert_int_equal(point.drained, 2);
	assert_int_equal(point.extensions, 1);
}

static int interrupted(void)
{
	return 1;
}

static void a_caller_ends_it(void **state)
{
	const struct sweep_ops ops = {.interrupted = interrupted};
	struct Monitor *mon;

	assert_int_equal(sweep_card_new(&mon, 0, 0, 16, 4), 0);
	assert_int_equal(sweep_card_pass(mon, &traffic, &ops, NULL), -EINTR);
	assert_string_equal(Monitor_error_message(), "interrupted");
	Monitor_close(mon);
}

static void a_configuration_that_no_card_has_is_refused(void **state)
{
	struct Monitor *mon;

	assert_true(sweep_card_new(&mon, 0, 0, SMILE_ENTRIES_MAX + 1, 4) < 0);
	assert_null(mon);
}

static void rates_need_a_time(void **state)
{
	const struct sweep_point point = {.flushes = 4};

	assert_true(sweep_bytes_per_second(&point, 0.5) == 4 * 16 / 0.5);
	assert_true(sweep_bytes_per_second(&point, 0) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_counter_writes_each_request),
		cmocka_unit_test(counters_count_words_of_their_own),
		cmocka_unit_test(ranges_grow_by_neighbouring_words),
		cmocka_unit_test(a_caller_ends_it),
		cmocka_unit_test(a_configuration_that_no_card_has_is_refused),
		cmocka_unit_test(rates_need_a_time),
	};

	return cmocka_run_group_tests(tests, events_make, NULL);
}
