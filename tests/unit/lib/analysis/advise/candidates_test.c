/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/advise/candidates.c: simple placements of whole variables. The recordings
 * name no variables, so all pages are one variable. Four nodes; every page is on node 0. An access
 * costs: local 1, read 1000, write 20, lock 1000 cycles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/advise.h"

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define READ SMILE_TYPE_READ
#define WRITE SMILE_TYPE_WRITE
#define PAGES 16
#define RECORDS 512

static const struct Monitor_advise_machine machine = {
	.name = "test", .weights = {1, 1000, 20, 1000}, .frequency_hz = 1000000000};

/**
 * struct traffic - The records of a recording.
 */
struct traffic {
	struct smile_record records[RECORDS];
	size_t count;
};

static void access_add(struct traffic *traffic, unsigned type, unsigned source, unsigned page,
		       unsigned count)
{
	assert_true(traffic->count < RECORDS);
	traffic->records[traffic->count++] = record_dynamic(type, source, 0, PAGE(page), 1, count);
}

static void phase_ends(struct traffic *traffic, uint64_t time_ns)
{
	traffic->records[traffic->count++] = record_mark(0, 1, time_ns);
}

static struct Monitor_advise *advised(const struct traffic *traffic, struct Monitor **mon)
{
	struct Monitor_advise_options options = ADVISE_OPTIONS;
	struct Monitor_advise *advise = NULL;

	*mon = recording_opened(traffic->records, traffic->count);
	options.machine = machine;
	assert_int_equal(Monitor_advise_new(*mon, &options, &advise), 0);
	assert_int_equal(advise->data_count, 1);
	return advise;
}

static void closed(struct Monitor *mon, struct Monitor_advise *advise)
{
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

/*
 * In the first phase, one node reads each quarter of the pages; in the second phase, the next node
 * reads it.
 */
static void phases_that_disagree(struct traffic *traffic, unsigned first, unsigned second)
{
	for (unsigned page = 0; page < PAGES; page++)
		access_add(traffic, READ, page / 4, page, first);
	phase_ends(traffic, 1000);
	for (unsigned page = 0; page < PAGES; page++)
		access_add(traffic, READ, (page / 4 + 1) % 4, page, second);
}

static void one_phase_has_its_way_if_phases_disagree(void **state)
{
	struct traffic traffic = {.count = 0};
	char text[MONITOR_SENTENCE_BYTES];
	struct Monitor_advise *advise;
	struct Monitor *mon;

	phases_that_disagree(&traffic, 100, 100);
	/* The pages are also written, so copies are no candidate. */
	for (unsigned page = 0; page < PAGES; page++)
		access_add(&traffic, WRITE, (page / 4 + 1) % 4, page, 1);
	advise = advised(&traffic, &mon);
	for (size_t i = 4; i < advise->count; i++)
		assert_true(advise->rows[i].node == advise->rows[i].page / 4 ||
			    advise->rows[i].node == (advise->rows[i].page / 4 + 1) % 4);
	/* In one of the phases, all accesses are local. */
	assert_true(advise->sums.advised_cycles < advise->sums.cycles);
	assert_int_equal(advise->data[0].layout, MONITOR_LAYOUT_BLOCKS);
	assert_non_null(Monitor_advise_action(advise, &advise->data[0], text));
	assert_non_null(strstr(text, "let a thread of each part's node write that part first"));
	assert_null(strstr(text, "copy"));
	closed(mon, advise);
}

static void a_list_of_pages_becomes_interleaving_if_that_is_as_good(void **state)
{
	/* The best nodes of the pages have no pattern, and the accesses differ little. */
	static const unsigned best[PAGES] = {2, 1, 3, 0, 3, 0, 2, 1, 0, 0, 1, 3, 2, 2, 3, 1};
	struct traffic traffic = {.count = 0};
	char text[MONITOR_SENTENCE_BYTES];
	struct Monitor_advise *advise;
	struct Monitor *mon;

	for (unsigned page = 0; page < PAGES; page++)
		for (unsigned node = 0; node < 4; node++) {
			access_add(&traffic, READ, node, page, best[page] == node ? 102 : 100);
			access_add(&traffic, WRITE, node, page, 5);
		}
	advise = advised(&traffic, &mon);
	assert_int_equal(advise->data[0].choice, MONITOR_CHOICE_INTERLEAVE);
	for (size_t i = 0; i < advise->count; i++)
		assert_int_equal(advise->rows[i].node, advise->rows[i].page % 4);
	assert_int_equal(advise->data[0].layout, MONITOR_LAYOUT_CYCLIC);
	assert_non_null(Monitor_advise_action(advise, &advise->data[0], text));
	assert_string_equal(text, "interleave its pages over all nodes");
	closed(mon, advise);
}

static void a_list_that_gains_stays_a_list(void **state)
{
	static const unsigned best[PAGES] = {2, 1, 3, 0, 3, 0, 2, 1, 0, 0, 1, 3, 2, 2, 3, 1};
	struct traffic traffic = {.count = 0};
	char text[MONITOR_SENTENCE_BYTES];
	struct Monitor_advise *advise;
	struct Monitor *mon;

	for (unsigned page = 0; page < PAGES; page++)
		access_add(&traffic, READ, best[page], page, 100);
	advise = advised(&traffic, &mon);
	assert_int_equal(advise->data[0].choice, MONITOR_CHOICE_PAGES);
	for (size_t i = 0; i < advise->count; i++)
		assert_int_equal(advise->rows[i].node, best[advise->rows[i].page]);
	assert_non_null(Monitor_advise_action(advise, &advise->data[0], text));
	assert_non_null(strstr(text, "let each thread write the parts that it uses first"));
	closed(mon, advise);
}

/* All nodes read 16 pages. Copies on three nodes cost 16 x 3 x 64 reads. */
static void read_only_data_is_worth_copies(void **state)
{
	struct traffic traffic = {.count = 0};
	char text[MONITOR_SENTENCE_BYTES];
	struct Monitor_advise *advise;
	struct Monitor *mon;

	for (unsigned page = 0; page < PAGES; page++)
		for (unsigned node = 0; node < 4; node++)
			access_add(&traffic, READ, node, page, 1000);
	advise = advised(&traffic, &mon);
	assert_int_equal(advise->data[0].copies_bytes, 3 * PAGES * SMILE_PAGE_BYTES);
	/*
	 * A node reads 12 of 16 pages from other nodes: 12,000 reads of 999 more cycles, less 768
	 * reads.
	 */
	assert_in_range(advise->data[0].copies_gain, 12000 * 999 - 768 * 1000 - 1000,
			12000 * 999 - 768 * 1000 + 1000);
	assert_non_null(Monitor_advise_action(advise, &advise->data[0], text));
	assert_non_null(strstr(text, "give each node a copy"));
	closed(mon, advise);
}

static void data_that_is_written_gets_no_copies(void **state)
{
	struct traffic traffic = {.count = 0};
	struct Monitor_advise *advise;
	struct Monitor *mon;

	for (unsigned page = 0; page < PAGES; page++)
		for (unsigned node = 0; node < 4; node++) {
			access_add(&traffic, READ, node, page, 1000);
			access_add(&traffic, WRITE, node, page, 2);
		}
	advise = advised(&traffic, &mon);
	assert_int_equal(advise->data[0].copies_gain, 0);
	closed(mon, advise);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_phase_has_its_way_if_phases_disagree),
		cmocka_unit_test(a_list_of_pages_becomes_interleaving_if_that_is_as_good),
		cmocka_unit_test(a_list_that_gains_stays_a_list),
		cmocka_unit_test(read_only_data_is_worth_copies),
		cmocka_unit_test(data_that_is_written_gets_no_copies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
