/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of Monitor_advise_new(), in lib/analysis/advise/advise.c. The recordings have no variables.
 * An access costs: local 1, read 1000, write 20, lock 1000 cycles.
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

/* Pages 10 and 11 cost least on node 1, page 12 on node 2. All nodes read page 20 equally often. */
static struct Monitor *usual(void)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(10), 1, 100),
		record_dynamic(READ, 1, 0, PAGE(11), 1, 50),
		record_dynamic(READ, 2, 0, PAGE(12), 1, 10),
		record_dynamic(READ, 1, 0, PAGE(20), 1, 4),
		record_dynamic(READ, 2, 0, PAGE(20), 1, 3),
		record_dynamic(READ, 3, 0, PAGE(20), 1, 3),
	};

	return recording_opened(records, 6);
}

static struct Monitor_advise *advised(struct Monitor *mon, uint64_t min_gain)
{
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;

	options.machine = machine;
	options.min_gain = min_gain;
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), 0);
	return advise;
}

static void pages_are_joined_into_runs(void **state)
{
	struct Monitor *mon = usual();
	struct Monitor_advise *advise = advised(mon, 1);

	assert_int_equal(advise->nodes, 4);
	assert_int_equal(advise->count, 4);
	assert_int_equal(advise->run_count, 3);
	assert_int_equal(advise->runs[0].first, 0);
	assert_int_equal(advise->runs[0].count, 2);
	assert_int_equal(advise->runs[0].cycles, 150000);
	assert_int_equal(advise->runs[0].advised_cycles, 150);
	assert_int_equal(advise->rows[advise->runs[1].first].node, 2);
	assert_true(advise->rows[advise->runs[2].first].flags & MONITOR_ADVICE_SHARED);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void sums_are_those_of_the_rows(void **state)
{
	struct Monitor *mon = usual();
	struct Monitor_advise *advise = advised(mon, 1);

	assert_int_equal(advise->count, 4);
	assert_int_equal(advise->sums.moved, 4);
	assert_int_equal(advise->sums.wrong, 3);
	assert_int_equal(advise->sums.shared, 1);
	assert_int_equal(advise->sums.accesses, 170);
	assert_int_equal(advise->sums.cycles, 170000);
	/* The advice leaves 160 local reads; of page 20, four local and six remote reads. */
	assert_int_equal(advise->sums.advised_cycles, 160 + 4 + 6000);
	assert_int_equal(advise->data_count, 1);
	assert_null(advise->data[0].variable);
	assert_int_equal(advise->data[0].sums.cycles, 170000);
	/* The recording has no run time. */
	assert_false(advise->time.known);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void a_page_that_saves_too_little_stays(void **state)
{
	struct Monitor *mon = usual();
	struct Monitor_advise *advise = advised(mon, 20000);

	assert_int_equal(advise->sums.moved, 2);
	assert_int_equal(advise->rows[2].node, 0);
	assert_int_equal(advise->rows[2].advised_cycles, advise->rows[2].cycles);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void a_placement_file_has_a_line_for_each_run(void **state)
{
	struct Monitor *mon = usual();
	struct Monitor_advise *advise = advised(mon, 1);
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(Monitor_advise_placement(advise, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_non_null(strstr(text, "\npages 10-11 node 1 #"));
	assert_non_null(strstr(text, "\npages 12 node 2 #"));
	assert_non_null(strstr(text, "\npages 20 node 1 # truly shared, 40.0%"));
	free(text);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void a_page_on_two_nodes_has_no_placement(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(10), 1, 100),
		record_dynamic(READ, 1, 2, PAGE(10), 1, 100),
	};
	struct Monitor *mon = recording_opened(records, 2);
	struct Monitor_advise *advise = advised(mon, 1);
	FILE *out = fopen("/dev/null", "w");

	assert_non_null(out);
	assert_int_equal(Monitor_advise_placement(advise, out), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "page 10 is there on nodes 0 and 2"));
	fclose(out);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

/*
 * The page was freed and allocated a second time, and first touch put it on two nodes. In another
 * run, first touch will do the same.
 */
static void a_page_that_first_touch_put_on_two_nodes_is_left_to_it(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(10), 1, 100),
		record_dynamic(READ, 1, 2, PAGE(10), 1, 100),
		record_dynamic(READ, 1, 0, PAGE(20), 1, 100),
	};
	struct Monitor *mon = recording_opened(records, 3);
	struct Monitor_advise *advise;
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	assert_int_equal(Monitor_parameters_set(mon, "{\"schema\": \"smile.run/2\", "
						     "\"placement\": \"first-touch\"}"),
			 0);
	advise = advised(mon, 1);
	assert_non_null(out);
	assert_int_equal(advise->sums.moved, 1);
	assert_int_equal(Monitor_advise_placement(advise, out), 0);
	assert_int_equal(fclose(out), 0);
	assert_null(strstr(text, "pages 10"));
	assert_non_null(strstr(text, "\npages 20 node 1"));
	free(text);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void what_cannot_be_advised_is_an_error(void **state)
{
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;
	struct Monitor *mon = usual();

	/* The recording of a card contains no latency model. */
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "no latency model"));
	assert_int_equal(Monitor_advise_new(mon, NULL, &advise), -ENODATA);
	options.machine = machine;
	options.phase = "sweep";
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "no phase 'sweep'"));
	options.phase = NULL;
	options.shared_below = 1.5;
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), -EINVAL);
	assert_null(advise);
	Monitor_close(mon);
	mon = recording_opened(NULL, 0);
	options.shared_below = 0.5;
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "nothing was accessed"));
	Monitor_close(mon);
	Monitor_advise_free(NULL);
}

static void the_fallback_is_for_recordings_without_a_machine(void **state)
{
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;
	struct Monitor *mon = usual();

	options.fallback = machine;
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), 0);
	assert_false(advise->machine_recorded);
	assert_string_equal(advise->machine.name, "test");
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

#define TABLE_PAGES 16
#define TABLE_NODES 4

/*
 * All nodes read the table nearly equally often, node 2 a little more. Its pages are placed
 * round-robin.
 */
static struct Monitor *table(void)
{
	struct smile_record records[TABLE_PAGES * (TABLE_NODES - 1)];
	struct Monitor *mon;
	size_t count = 0;

	for (unsigned int page = 0; page < TABLE_PAGES; page++)
		for (unsigned int node = 0; node < TABLE_NODES; node++)
			if (node != page % TABLE_NODES)
				records[count++] =
					record_dynamic(READ, node, page % TABLE_NODES, PAGE(page),
						       1, node == 2 ? 110 : 100);
	mon = recording_opened(records, count);
	for (unsigned int page = 0; page < TABLE_PAGES; page++) {
		const struct Monitor_local own = {.page = page,
						  .node = page % TABLE_NODES,
						  .reads = page % TABLE_NODES == 2 ? 110 : 100};

		assert_int_equal(Monitor_local_add(mon, &own), 0);
	}
	return mon;
}

/*
 * The cycles of the busiest node, with the homes of @advise. If @advise is NULL, use the recorded
 * homes.
 */
static uint64_t busiest(struct Monitor *mon, const struct Monitor_advise *advise)
{
	uint64_t cycles[TABLE_NODES], most = 0;
	struct Monitor_home homes[TABLE_PAGES];
	size_t count = advise ? advise->count : 0;

	for (size_t i = 0; i < count; i++)
		homes[i] = (struct Monitor_home){
			.page = advise->rows[i].page, .pages = 1, .node = advise->rows[i].node};
	assert_int_equal(
		Monitor_cycles(mon, &machine.weights, homes, count, cycles, NULL, 1, TABLE_NODES),
		1);
	for (size_t n = 0; n < TABLE_NODES; n++)
		most = cycles[n] > most ? cycles[n] : most;
	return most;
}

static void truly_shared_pages_are_spread_by_load(void **state)
{
	struct Monitor *mon = table();
	struct Monitor_advise *advise = advised(mon, 1);
	size_t on_two = 0;

	assert_int_equal(advise->count, TABLE_PAGES);
	assert_int_equal(advise->sums.shared, TABLE_PAGES);
	for (size_t i = 0; i < advise->count; i++)
		on_two += advise->rows[i].node == 2;
	/*
	 * Each page costs least on node 2. If all pages were there, the other nodes would wait for
	 * node 2.
	 */
	assert_in_range(on_two, 4, 6);
	assert_true(busiest(mon, advise) <= busiest(mon, NULL));
	/*
	 * Of the 16 pages, node 2 reads 12 from other nodes, and 11 if one more page lies on node
	 * 2.
	 */
	assert_int_equal(busiest(mon, NULL), 12 * 110 * 1000 + 4 * 110);
	assert_true(advise->sums.advised_cycles <= advise->sums.cycles);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

/* All pages lie on one node that does not access them most, so moving them saves time. */
static void truly_shared_pages_on_one_node_are_dealt_out(void **state)
{
	struct smile_record records[TABLE_PAGES * (TABLE_NODES - 1)];
	struct Monitor_advise *advise;
	struct Monitor *mon;
	size_t count = 0, on[TABLE_NODES] = {0};

	for (unsigned int page = 0; page < TABLE_PAGES; page++)
		for (unsigned int node = 1; node < TABLE_NODES; node++)
			records[count++] = record_dynamic(READ, node, 0, PAGE(page), 1, 100);
	mon = recording_opened(records, count);
	for (unsigned int page = 0; page < TABLE_PAGES; page++) {
		const struct Monitor_local own = {.page = page, .node = 0, .reads = 90};

		assert_int_equal(Monitor_local_add(mon, &own), 0);
	}
	advise = advised(mon, 1);
	for (size_t i = 0; i < advise->count; i++)
		on[advise->rows[i].node]++;
	for (size_t n = 0; n < TABLE_NODES; n++)
		assert_in_range(on[n], 2, 6);
	assert_true(busiest(mon, advise) * 5 < busiest(mon, NULL) * 4);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

/*
 * The advised node of a page that nodes 1 and 3 read most, and node 2 less. @rows: text of
 * read_cycles, or empty.
 */
static uint32_t page_between(const char *rows)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(10), 1, 110),
		record_dynamic(READ, 2, 0, PAGE(10), 1, 90),
		record_dynamic(READ, 3, 0, PAGE(10), 1, 100),
	};
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;
	struct Monitor *mon = recording_opened(records, 3);
	char parameters[512];
	uint32_t node;

	snprintf(parameters, sizeof(parameters),
		 "{\"schema\": \"smile.run/2\", \"latency\": {\"model\": \"ring\", "
		 "\"local_cycles\": 100, \"frequency_hz\": 1000000000, \"remote_cycles\": "
		 "{\"read\": 300, \"write\": 300, \"lock\": 300}%s}}",
		 rows);
	assert_int_equal(Monitor_parameters_set(mon, parameters), 0);
	assert_int_equal(Monitor_advise_new(mon, &options, &advise), 0);
	assert_true(advise->machine_recorded);
	assert_int_equal(advise->count, 1);
	node = advise->rows[0].node;
	Monitor_advise_free(advise);
	Monitor_close(mon);
	return node;
}

/*
 * If all distances are equal, the node with the most accesses is best. If not, the distances of the
 * other nodes have an effect.
 */
static void pages_lie_near_those_that_are_far_from_each_other(void **state)
{
	assert_int_equal(page_between(""), 1);
	assert_int_equal(page_between(", \"read_cycles\": [[100, 200, 600, 200], "
				      "[200, 100, 200, 600], [600, 200, 100, 200], "
				      "[200, 600, 200, 100]]"),
			 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_joined_into_runs),
		cmocka_unit_test(sums_are_those_of_the_rows),
		cmocka_unit_test(a_page_that_saves_too_little_stays),
		cmocka_unit_test(a_placement_file_has_a_line_for_each_run),
		cmocka_unit_test(a_page_on_two_nodes_has_no_placement),
		cmocka_unit_test(a_page_that_first_touch_put_on_two_nodes_is_left_to_it),
		cmocka_unit_test(what_cannot_be_advised_is_an_error),
		cmocka_unit_test(truly_shared_pages_are_spread_by_load),
		cmocka_unit_test(truly_shared_pages_on_one_node_are_dealt_out),
		cmocka_unit_test(the_fallback_is_for_recordings_without_a_machine),
		cmocka_unit_test(pages_lie_near_those_that_are_far_from_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
