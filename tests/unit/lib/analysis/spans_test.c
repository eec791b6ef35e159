// SPDX-License-Identifier: MIT
/* Tests of lib/analysis/spans.c: accesses to parts of the address space. */
#include <stdlib.h>

#include "lib/analysis/spans.h"
#include "tests/unit/view_fixture.h"

static void spans_count_has_the_accesses_of_each_span(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 10),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(4) + 64, 1, 5),
		/* An access between the spans. */
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4) + 256, 1, 7),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(5), 1, 3),
	};
	struct Monitor *mon = recording_opened(records, 4);
	struct spans spans;

	assert_int_equal(spans_new(&spans, 4, 3), 0);
	spans_add(&spans, PAGE(4), PAGE(4) + 64);
	spans_add(&spans, PAGE(4) + 64, PAGE(4) + 128);
	spans_add(&spans, PAGE(5), PAGE(6));
	assert_int_equal(spans_count(&spans, mon), 0);
	assert_int_equal(spans.count, 3);
	assert_true(spans.structures[0].all == 10 && spans.structures[0].all_reads == 10);
	assert_true(spans.structures[0].accesses[1] == 10 && spans.structures[0].homes[0] == 10);
	assert_true(spans.structures[1].all == 5 && spans.structures[1].accesses[2] == 5);
	assert_true(spans.structures[2].all == 3 && spans.structures[2].all_locks == 3);
	spans_free(&spans);
	Monitor_close(mon);
}

static void spans_count_keeps_ranges_over_a_bound_apart(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4) + 60, 2, 9),
	};
	struct Monitor *mon = recording_opened(records, 1);
	struct spans spans;

	assert_int_equal(spans_new(&spans, 2, 2), 0);
	spans_add(&spans, PAGE(4), PAGE(4) + 64);
	assert_int_equal(spans_count(&spans, mon), 0);
	assert_true(spans.structures[0].all == 0 && spans.structures[0].straddling == 9);
	spans_free(&spans);
	Monitor_close(mon);
}

static void spans_add_ignores_empty_spans_and_those_without_room(void **state)
{
	struct spans spans;

	assert_int_equal(spans_new(&spans, 1, 1), 0);
	spans_add(&spans, 64, 64);
	assert_int_equal(spans.count, 0);
	spans_add(&spans, 64, 128);
	spans_add(&spans, 128, 192);
	assert_int_equal(spans.count, 1);
	assert_int_equal(spans.ends[0], 128);
	spans_free(&spans);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spans_count_has_the_accesses_of_each_span),
		cmocka_unit_test(spans_count_keeps_ranges_over_a_bound_apart),
		cmocka_unit_test(spans_add_ignores_empty_spans_and_those_without_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
