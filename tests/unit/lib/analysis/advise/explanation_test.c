/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/advise/explanation.c and roles.c. They compare the work of the threads in
 * the recording with their work in the run with the advised placement. An access costs: local 1,
 * read 1000, write 20, lock 1000 cycles.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/advise.h"

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define READ SMILE_TYPE_READ

static const struct Monitor_advise_machine machine = {
	.name = "test", .weights = {1, 1000, 20, 1000}, .frequency_hz = 1000000000};

/* Nodes @a, @b and @c access pages 10 to 12, one page each. All nodes access page 20. */
static struct Monitor *work_of(unsigned a, unsigned b, unsigned c)
{
	const struct smile_record records[] = {
		record_dynamic(READ, a, 0, PAGE(10), 1, 100),
		record_dynamic(READ, b, 0, PAGE(11), 1, 100),
		record_dynamic(READ, c, 0, PAGE(12), 1, 100),
		record_dynamic(READ, 1, 0, PAGE(20), 1, 5),
		record_dynamic(READ, 2, 0, PAGE(20), 1, 5),
		record_dynamic(READ, 3, 0, PAGE(20), 1, 5),
	};

	return recording_opened(records, 6);
}

static struct Monitor_advise *advised(struct Monitor *mon)
{
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;

	options.machine = machine;
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), 0);
	return advise;
}

/* The text of Monitor_advise_explain() for the first run and a second run. */
static void explained(struct Monitor *second, char *text)
{
	struct Monitor *first = work_of(1, 2, 3);
	struct Monitor_advise *advise = advised(first);

	assert_int_equal(Monitor_advise_explain(advise, second, text), 0);
	Monitor_advise_free(advise);
	Monitor_close(first);
	Monitor_close(second);
}

static void the_same_work_on_other_nodes_is_found(void **state)
{
	char text[MONITOR_SENTENCE_BYTES];

	explained(work_of(1, 3, 2), text);
	assert_non_null(strstr(text, "the work of node 2 now runs on node 3"));
	/* 100 of 300 accesses to pages 10 to 12, and 15 of 15 to page 20: 115 of 315. */
	assert_non_null(strstr(text, "37% of the accesses come from the same nodes as before, "
				     "100% if the nodes are exchanged"));
	assert_non_null(strstr(text, "No lock or atomic operation"));
}

static void other_work_is_no_exchange(void **state)
{
	char text[MONITOR_SENTENCE_BYTES];

	/* Node 1 makes nearly all accesses. */
	explained(work_of(1, 1, 1), text);
	assert_non_null(strstr(text, "the nodes did other work: 37%"));
	assert_null(strstr(text, "exchanged"));
}

static void the_same_footprints_are_no_reason(void **state)
{
	char text[MONITOR_SENTENCE_BYTES];

	explained(work_of(1, 2, 3), text);
	assert_null(strstr(text, "other"));
}

static void runs_of_other_machines_are_not_compared(void **state)
{
	const struct smile_record record = record_dynamic(READ, 7, 0, PAGE(10), 1, 1);
	struct Monitor *first = work_of(1, 2, 3);
	struct Monitor *second = recording_opened(&record, 1);
	struct Monitor_advise *advise = advised(first);
	char text[MONITOR_SENTENCE_BYTES];

	assert_int_equal(Monitor_advise_explain(advise, second, text), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "4 and 8 nodes"));
	Monitor_advise_free(advise);
	Monitor_close(first);
	Monitor_close(second);
}

/* ---- roles ----------------------------------------------------------------------------------- */

static struct Monitor_advise *advised_with(struct Monitor *mon, const char *roles)
{
	char text[512];

	snprintf(text, sizeof(text),
		 "{\"schema\": \"smile.run/1\", \"nodes\": 4, \"by_thread\": [{\"node\": 0}, "
		 "{\"node\": 1}, {\"node\": 2}, {\"node\": 0}], \"roles\": [%s]}",
		 roles);
	assert_int_equal(Monitor_parameters_set(mon, text), 0);
	return advised(mon);
}

static void an_order_goes_into_the_placement_file(void **state)
{
	struct Monitor *mon = work_of(1, 2, 3);
	struct Monitor_advise *advise = advised_with(
		mon, "{\"lock\": 28672, \"site\": 4096, \"turns\": 3, \"threads\": [2, 0, 1]}");
	char *text = NULL, words[MONITOR_SENTENCE_BYTES];
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_int_equal(advise->role_count, 1);
	assert_string_equal(advise->roles[0].name, "0x7000");
	assert_string_equal(advise->roles[0].call, "0x1000");
	Monitor_advise_role_sentence(&advise->roles[0], words);
	assert_non_null(strstr(words, "under the lock 0x7000 (0x1000), in the order 2, 0, 1:"));
	assert_non_null(out);
	assert_int_equal(Monitor_advise_placement(advise, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "\norder 0x7000 threads 2,0,1 # 0x7000, taken at 0x1000\n"));
	free(text);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

/*
 * If there are several locks, the text names the one that was taken most often. The order in which
 * the threads take that lock is not kept.
 */
static void later_locks_may_hand_out_work(void **state)
{
	struct Monitor *mon = work_of(1, 2, 3);
	struct Monitor_advise *advise = advised_with(
		mon, "{\"lock\": 28672, \"turns\": 50, \"later\": true, \"threads\": [2, 0, 1]}, "
		     "{\"lock\": 32768, \"turns\": 90, \"later\": true, \"threads\": [2, 0, 1]}");
	char *text = NULL, words[MONITOR_SENTENCE_BYTES];
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_int_equal(advise->role_count, 1);
	Monitor_advise_role_sentence(&advise->roles[0], words);
	assert_non_null(strstr(words, "threads come together under the lock 0x8000 90 times"));
	assert_non_null(out);
	assert_int_equal(Monitor_advise_placement(advise, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_null(strstr(text, "\norder"));
	free(text);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void a_queue_is_no_single_number(void **state)
{
	struct Monitor *mon = work_of(1, 2, 3);
	struct Monitor_advise *advise = advised_with(
		mon, "{\"lock\": 28672, \"site\": 0, \"turns\": 1000, \"threads\": [2, 0, 1]}");
	char words[MONITOR_SENTENCE_BYTES];

	Monitor_advise_role_sentence(&advise->roles[0], words);
	assert_non_null(strstr(words, "take work under the lock 0x7000 1,000 times"));
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void an_order_on_one_node_does_not_matter(void **state)
{
	struct Monitor *mon = work_of(1, 2, 3);
	struct Monitor_advise *advise = advised_with(
		mon, "{\"lock\": 28672, \"site\": 0, \"turns\": 2, \"threads\": [3, 0]}");

	assert_int_equal(advise->role_count, 0);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void nonsense_in_a_recording_is_no_order(void **state)
{
	struct Monitor *mon = work_of(1, 2, 3);
	struct Monitor_advise *advise =
		advised_with(mon, "7, {}, {\"lock\": \"x\", \"threads\": [9, -1, \"a\"]}");

	assert_int_equal(advise->role_count, 0);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_work_on_other_nodes_is_found),
		cmocka_unit_test(other_work_is_no_exchange),
		cmocka_unit_test(the_same_footprints_are_no_reason),
		cmocka_unit_test(runs_of_other_machines_are_not_compared),
		cmocka_unit_test(an_order_goes_into_the_placement_file),
		cmocka_unit_test(later_locks_may_hand_out_work),
		cmocka_unit_test(a_queue_is_no_single_number),
		cmocka_unit_test(an_order_on_one_node_does_not_matter),
		cmocka_unit_test(nonsense_in_a_recording_is_no_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
