// SPDX-License-Identifier: MIT
/* Tests of lib/analysis/bands.c: adjacent pages of one home that the same nodes access. */
#include <stdlib.h>

#include "lib/analysis/bands.h"
#include "tests/unit/view_fixture.h"

static void rows_of(struct rows *rows, struct Monitor **mon, const struct smile_record *records,
		    size_t count)
{
	*mon = recording_opened(records, count);
	assert_int_equal(rows_load(rows, *mon), 0);
	bands_sort(rows);
}

static void bands_next_joins_accessed_pages_of_one_home(void **state)
{
	/* Pages 4, 6 and 9 are on home 0, page 5 on home 2, as after a round-robin placement. */
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE(5), 1, 7),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(6), 1, 20),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(9), 1, 3),
	};
	struct Monitor *mon;
	struct rows rows;
	struct band band;
	uint64_t cold = 0;
	size_t at = 0;

	rows_of(&rows, &mon, records, 4);
	assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 1);
	assert_true(band.first.rows->home == 0 && band.first.rows->page == 4 && band.last == 9);
	assert_true(band.pages == 3 && band.accesses == 33 && band.first.count == 1);
	assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 1);
	assert_true(band.first.rows->home == 2 && band.last == 5);
	assert_true(band.pages == 1 && band.accesses == 7);
	assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 0);
	rows_free(&rows);
	Monitor_close(mon);
}

static void bands_next_begins_a_band_where_the_nodes_differ(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 2, 0, PAGE(4), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 3, 0, PAGE(5), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 3, 0, PAGE(6), 1, 1),
	};
	struct Monitor *mon;
	struct rows rows;
	struct band band;
	uint64_t cold = 0;
	size_t at = 0;

	rows_of(&rows, &mon, records, 5);
	for (uint64_t page = 4; page <= 6; page++) {
		assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 1);
		assert_true(band.last == page && band.pages == 1);
		assert_int_equal(band.first.count, page == 6 ? 1 : 2);
	}
	assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 0);
	rows_free(&rows);
	Monitor_close(mon);
}

/* With caches, page 5 has as many transactions as page 4, but fewer accesses. */
static void bands_next_counts_accesses_apart_from_transactions(void **state)
{
	const struct smile_record transactions[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
	};
	const struct smile_record accesses[] = {
		record_dynamic(SMILE_TYPE_READ, 0, 0, PAGE(4), 1, 60),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 40),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 30),
	};
	struct Monitor *mon, *other;
	struct rows rows, exact;
	struct rows_page page;
	struct band band;
	uint64_t cold = 0;
	size_t at = 0;

	rows_of(&exact, &other, accesses, 3);
	Monitor_close(other);
	rows_of(&rows, &mon, transactions, 2);
	assert_int_equal(bands_next(&rows, &exact, &at, 50, &band, &cold), 1);
	assert_true(band.pages == 1 && band.accesses == 100 && band.transactions == 10);
	assert_true(band.first.count == 1 && band.first.rows->source == 1);
	assert_int_equal(bands_next(&rows, &exact, &at, 50, &band, &cold), 0);
	assert_int_equal(cold, 1);
	assert_int_equal(rows_find(&exact, 5, 0, &page), 1);
	assert_int_equal(page.accesses, 30);
	assert_int_equal(rows_find(&exact, 5, 1, &page), 0);
	assert_true(page.count == 0 && page.accesses == 0);
	assert_int_equal(rows_find(&exact, 6, 0, &page), 0);
	rows_free(&rows);
	rows_free(&exact);
	Monitor_close(mon);
}

static void bands_next_of_no_rows_finds_none(void **state)
{
	struct Monitor *mon;
	struct rows rows;
	struct band band;
	uint64_t cold = 0;
	size_t at = 0;

	rows_of(&rows, &mon, NULL, 0);
	assert_int_equal(bands_next(&rows, NULL, &at, 0, &band, &cold), 0);
	rows_free(&rows);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bands_next_joins_accessed_pages_of_one_home),
		cmocka_unit_test(bands_next_begins_a_band_where_the_nodes_differ),
		cmocka_unit_test(bands_next_counts_accesses_apart_from_transactions),
		cmocka_unit_test(bands_next_of_no_rows_finds_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
