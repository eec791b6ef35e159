// SPDX-License-Identifier: MIT
/*
 * Tests of lib/analysis/state/state_file.c: a file that grows while it is read, and invalid files.
 */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <base/file_lock.h>
#include <smile/monitor.h>

#include "lib/analysis/state/state_file.h"

static char path[] = "/tmp/state_file_test.XXXXXX";

static FILE *written(const char *text)
{
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	fputs(text, out);
	fflush(out);
	return out;
}

static void more(FILE *out, const char *text)
{
	fputs(text, out);
	fflush(out);
}

static void growing_file_is_taken_in_by_whole_intervals(void **state)
{
	int fd = file_lock_open(path, O_WRONLY, NULL);
	FILE *out = fd < 0 || file_lock_empty(fd) < 0 ? NULL : fdopen(fd, "w");
	const struct state_columns *columns;
	struct state_file *file;

	assert_non_null(out);
	more(out, STATE_FILE_HEADER "\n");
	assert_true(state_file_is(path));
	assert_int_equal(state_file_open(&file, path), 0);
	assert_string_equal(state_file_path(file), path);
	columns = state_file_columns(file);
	assert_int_equal(state_file_poll(file), 0);
	/* The number of events is known only when the next interval begins. */
	more(out, "1,0.5,\"a,1\",10,10,0\n1,0.5,b,,,\n");
	assert_int_equal(state_file_poll(file), 0);
	more(out, "2,0.5,\"a,1\",,12,");
	assert_int_equal(state_file_poll(file), 0);
	more(out, "3\n");
	assert_int_equal(state_file_poll(file), 1);
	assert_int_equal(columns->intervals, 1);
	/* From here on, an interval is complete when its last event has been read. */
	more(out, "2,0.5,b,4,4,0\n");
	assert_int_equal(state_file_poll(file), 1);
	assert_int_equal(columns->intervals, 2);
	assert_string_equal(columns->events[0]->name, "a,1");
	assert_true(columns->events[0]->now.rate == 24 && columns->events[1]->now.rate == 8);
	assert_true(!(columns->events[1]->cells[0].known_s > 0));
	assert_int_equal(state_file_poll(file), 0);
	assert_false(state_file_ended(file));
	/* The last, incomplete interval is used at the end of the file. */
	more(out, "3,0.25,b,1,1,0\n");
	assert_int_equal(state_file_poll(file), 0);
	fclose(out);
	assert_int_equal(state_file_poll(file), 1);
	assert_true(state_file_ended(file));
	assert_int_equal(columns->intervals, 3);
	assert_int_equal(state_file_poll(file), 0);
	state_file_close(file);
}

/* The prediction of the next interval is ignored. A file without predictions is also valid. */
static void predictions_are_passed_over(void **state)
{
	FILE *out = written(STATE_FILE_HEADER STATE_FILE_NEXT "\n");
	struct state_file *file;

	more(out, "1,0.5,a,10,10,0,11,2\n2,0.5,a,,12,3,,\n");
	assert_true(state_file_is(path));
	assert_int_equal(state_file_open(&file, path), 0);
	assert_int_equal(state_file_poll(file), 2);
	assert_true(state_file_columns(file)->events[0]->now.rate == 24);
	more(out, "3,0.5,a,1,1,0\n");
	fclose(out);
	assert_int_equal(state_file_poll(file), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), ":4: this is not a row of 8 cells"));
	state_file_close(file);
}

static void file_of_a_cluster_says_which_node_differs(void **state)
{
	FILE *out = written(STATE_FILE_HEADER STATE_FILE_NEXT STATE_FILE_DIFFERS "\n");
	const struct state_columns *columns;
	struct state_file *file;

	more(out, "1,1,node 0: a,10,10,0,11,2,0\n1,1,node 1: a,,12,3,,,1\n");
	assert_int_equal(state_file_open(&file, path), 0);
	columns = state_file_columns(file);
	assert_int_equal(state_file_poll(file), 0);
	more(out, "2,1,node 0: a,10,10,0,11,2,1\n");
	assert_int_equal(state_file_poll(file), 1);
	assert_true(!columns->events[0]->differs && columns->events[1]->differs);
	more(out, "2,1,node 1: a,1,1,0,1,2,0\n");
	assert_int_equal(state_file_poll(file), 1);
	assert_true(columns->events[0]->differs && !columns->events[1]->differs);
	more(out, "3,1,node 0: a,10,10,0,11,2,2\n");
	fclose(out);
	assert_int_equal(state_file_poll(file), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), ":6: differs '2' is neither 0 nor 1"));
	state_file_close(file);
}

static void rates_are_as_they_are_written(void **state)
{
	FILE *out = written(RATES_FILE_HEADER "\n");
	const struct state_columns *columns;
	struct state_file *file;

	more(out, "1,0.5,hits,,0.75,0.125,0.5,1,0\n1,0.5,bandwidth,MB/s,80,0,80,80,0\n");
	more(out, "2,0.25,hits,,,,,,0\n2,0.25,bandwidth,MB/s,40,0,40,40,0\n");
	assert_true(state_file_is(path));
	assert_int_equal(state_file_open(&file, path), 0);
	columns = state_file_columns(file);
	assert_int_equal(state_file_poll(file), 2);
	assert_true(columns->rates);
	assert_string_equal(columns->events[0]->name, "hits");
	assert_string_equal(columns->events[1]->name, "bandwidth, MB/s");
	assert_true(columns->events[0]->cells[0].rate == 0.75);
	assert_true(columns->events[0]->cells[0].low == 0.75 - ESTIMATE_BAND_95 * 0.125);
	assert_true(!(columns->events[0]->cells[0].read_s > 0));
	assert_true(!(columns->events[0]->now.known_s > 0));
	assert_true(columns->events[1]->now.rate == 40 && columns->events[1]->now.read_s == 0.25);
	more(out, "3,0.5,hits,,0.75,-1,0.5,1,0\n");
	fclose(out);
	assert_int_equal(state_file_poll(file), -EPROTO);
	assert_non_null(strstr(Monitor_error_message(), ":6: sd '-1' is below 0"));
	state_file_close(file);
}

static const struct {
	const char *rows, *message;
} wrongs[] = {
	{"1,0.5,a,1,1\n", ":3: this is not a row of 6 cells"},
	{"1,0.5,\"a,1,1,0\n", ":3: this is not a row of 6 cells"},
	{"0,0.5,a,1,1,0\n", ":3: interval '0' is no number from 1 on"},
	{"x,0.5,a,1,1,0\n", ":3: interval 'x' is no number from 1 on"},
	{"2,0,a,1,1,0\n", ":3: dt_s '0': an interval must be longer than 0"},
	{"2,,a,1,1,0\n", ":3: dt_s '': an interval must be longer than 0"},
	{"3,1,a,1,1,0\n2,1,a,1,1,0\n", ":4: interval 2 comes after interval 3"},
	{"2,1,a,1,one,0\n", ":3: estimate 'one' is no number up to 1e100"},
	{"2,1,a,1,1,nan\n", ":3: sd 'nan' is no number up to 1e100"},
	{"2,1,a,1,1,-1\n", ":3: sd '-1' is below 0"},
	{"2,1,,1,1,0\n", ":3: a row without an event"},
	{"1,1,z,1,1,0\n", ":3: event z is in this interval already"},
};

static void rows_that_make_no_sense_are_named_with_their_line(void **state)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(wrongs[0]); i++) {
		FILE *out = written(STATE_FILE_HEADER "\n1,1,z,1,1,0\n");
		struct state_file *file;

		more(out, wrongs[i].rows);
		fclose(out);
		assert_int_equal(state_file_open(&file, path), 0);
		assert_int_equal(state_file_poll(file), -EPROTO);
		if (!strstr(Monitor_error_message(), wrongs[i].message))
			fail_msg("%s is not in: %s", wrongs[i].message, Monitor_error_message());
		state_file_close(file);
	}
}

static void other_files_are_no_state_files(void **state)
{
	static const char *const texts[] = {"", "interval,dt_s,event,value\n1,1,a,1\n", "SMILEREC"};
	struct state_file *file;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fclose(written(texts[i]));
		assert_false(state_file_is(path));
		assert_int_equal(state_file_open(&file, path), -EPROTO);
	}
	assert_false(state_file_is("/nonexistent"));
	assert_int_equal(state_file_open(&file, "/nonexistent"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growing_file_is_taken_in_by_whole_intervals),
		cmocka_unit_test(predictions_are_passed_over),
		cmocka_unit_test(file_of_a_cluster_says_which_node_differs),
		cmocka_unit_test(rates_are_as_they_are_written),
		cmocka_unit_test(rows_that_make_no_sense_are_named_with_their_line),
		cmocka_unit_test(other_files_are_no_state_files),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
