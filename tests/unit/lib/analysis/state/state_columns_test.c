// SPDX-License-Identifier: MIT
/*
 * Tests of lib/analysis/state/state_columns.c: cells whose values were computed by hand, and
 * columns that are combined.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "lib/analysis/state/state_columns.h"

static int near(double a, double b)
{
	return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

#define NEAR(a, b) assert_true(near(a, b))

static void add(struct state_columns *columns, double seconds, int read, double estimate,
		double deviation)
{
	const struct state_row row = {.read = read, .estimate = estimate, .deviation = deviation};

	state_columns_add(columns, seconds, &row, 1);
}

static void an_interval_is_a_column_with_its_band(void **state)
{
	struct state_columns columns = {0};
	const struct state_cell *cells;

	assert_int_equal(state_columns_event(&columns, "a"), 0);
	assert_int_equal(state_columns_event(&columns, "b"), 1);
	assert_int_equal(state_columns_event(&columns, "a"), 0);
	cells = columns.events[0]->cells;
	add(&columns, 0.5, 1, 100, 0);
	add(&columns, 0.25, 0, 50, 10);
	add(&columns, 0.25, 0, 5, 10);
	add(&columns, 0.25, 0, NAN, NAN);
	assert_int_equal(columns.columns, 4);
	NEAR(columns.time_s, 1.25);
	NEAR(cells[0].rate, 200);
	NEAR(cells[0].low, 200);
	NEAR(cells[0].high, 200);
	NEAR(cells[0].read_s, 0.5);
	NEAR(cells[1].rate, 200);
	NEAR(cells[1].low, 4 * (50 - 19.6));
	NEAR(cells[1].high, 4 * (50 + 19.6));
	NEAR(cells[1].read_s, 0);
	/* The lower bound of a count is at least 0. */
	NEAR(cells[2].low, 0);
	NEAR(cells[2].high, 4 * (5 + 19.6));
	NEAR(cells[3].known_s, 0);
	NEAR(columns.events[0]->now.known_s, 0);
	NEAR(columns.events[0]->all.read_s, 0.5);
	NEAR(columns.events[1]->all.known_s, 0);
	state_columns_free(&columns);
}

static void a_long_run_is_folded_and_its_bands_contain_all(void **state)
{
	struct state_columns columns = {0};
	size_t n = 4 * STATE_COLUMNS_MAX + 3;
	double time_s = 0, known_s = 0, sum = 0;

	state_columns_event(&columns, "a");
	for (size_t t = 0; t < n; t++)
		add(&columns, 1, t % 3 == 0, (double)(t % 7), t % 3 ? 2 : 0);
	assert_int_equal(columns.intervals, n);
	assert_int_equal(columns.each, 8);
	assert_true(columns.columns <= STATE_COLUMNS_MAX &&
		    columns.columns > STATE_COLUMNS_MAX / 2);
	for (size_t k = 0; k < columns.columns; k++) {
		const struct state_cell *cell = &columns.events[0]->cells[k];

		time_s += columns.seconds[k];
		known_s += cell->known_s;
		sum += cell->rate * cell->known_s;
		if (k + 1 < columns.columns)
			NEAR(columns.seconds[k], 8);
		for (size_t t = 8 * k; t < 8 * k + 8 && t < n; t++) {
			double band = t % 3 ? 2 * ESTIMATE_BAND_95 : 0, value = (double)(t % 7);

			assert_true(cell->low <= fmax(value - band, 0));
			assert_true(cell->high >= value + band);
		}
	}
	NEAR(time_s, (double)n);
	NEAR(known_s, (double)n);
	for (size_t t = 0; t < n; t++)
		sum -= (double)(t % 7);
	assert_true(fabs(sum) < 1e-6);
	state_columns_free(&columns);
}

static void json_has_what_is_known_and_null_for_the_rest(void **state)
{
	struct state_columns columns = {0};
	json_t *json, *event;
	char *text;

	state_columns_event(&columns, "a,\"b\"");
	add(&columns, 0.5, 1, 100, 0);
	add(&columns, 0.5, 0, NAN, NAN);
	json = state_columns_json(&columns, "file.csv", 0);
	assert_non_null(json);
	event = json_array_get(json_object_get(json, "events"), 0);
	assert_string_equal(json_string_value(json_object_get(event, "event")), "a,\"b\"");
	text = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6));
	assert_non_null(strstr(text, "\"read_share\":0.5,\"now\":null,\"rate\":[200.0,null],"
				     "\"low_95\":[200.0,null],\"high_95\":[200.0,null],"
				     "\"read\":[1,0]"));
	free(text);
	json_decref(json);
	json = state_columns_json(&columns, "file.csv", 1);
	assert_null(json_object_get(json, "seconds"));
	json_decref(json);
	state_columns_free(&columns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_is_a_column_with_its_band),
		cmocka_unit_test(a_long_run_is_folded_and_its_bands_contain_all),
		cmocka_unit_test(json_has_what_is_known_and_null_for_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
