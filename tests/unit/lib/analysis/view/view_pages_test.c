/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/analysis/view: the rows of view_rows.c, and the pages of view_pages.c. */
#include <stdlib.h>

#include "tests/unit/view_fixture.h"

/* Page 5 of node 0 costs node 1 10,000 cycles and node 2 2000 cycles. The other pages cost less. */
static struct Monitor *opened(void)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 10),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(5), 1, 100),
		record_dynamic(SMILE_TYPE_LOCK, 1, 0, PAGE(6), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 3, PAGE(5), 1, 1),
	};

	return recording_opened(records, sizeof(records) / sizeof(records[0]));
}

static void local_add(struct Monitor *mon, uint64_t page, uint32_t node, uint32_t phase,
		      uint64_t reads)
{
	const struct Monitor_local local = {
		.page = page, .node = node, .phase = phase, .reads = reads};

	assert_int_equal(Monitor_local_add(mon, &local), 0);
}

static void pages_cost_what_remote_accesses_do(void **state)
{
	struct view_model model = view_loaded(opened());

	assert_int_equal(model.page_count, 3);
	assert_int_equal(model.rows.nodes, 4);
	assert_true(model.pages[0].number == 5 && model.pages[0].home == 0);
	assert_true(model.pages[0].rows == 2 && model.pages[0].row == 0);
	assert_true(model.pages[0].lost == 12000 && model.pages[0].gain == 10000);
	assert_true(model.pages[0].best == 1 && model.pages[0].misplaced);
	assert_true(model.pages[1].number == 5 && model.pages[1].home == 3);
	assert_true(model.pages[1].lost == 1000 && model.pages[1].row == 2);
	assert_true(model.pages[2].number == 6 && model.pages[2].lost == 500);
	assert_int_equal(model.pages[2].region, VIEW_NO_REGION);
	assert_false(model.own_known);
	view_closed(&model);
}

static void untyped_accesses_cost_as_reads(void **state)
{
	const struct smile_record record = record_dynamic(SMILE_TYPE_ANY, 1, 0, PAGE(5), 1, 4);
	struct view_model model = view_loaded(recording_opened(&record, 1));

	assert_true(model.pages[0].lost == 4000 && model.rows.untyped);
	view_closed(&model);
}

/* Node 0 reads its own page 9 times, in two phases. Moving the page to node 1 saves one read. */
static void own_accesses_keep_a_page_at_its_home(void **state)
{
	struct Monitor *mon = opened();
	struct view_model model;

	local_add(mon, 5, 0, 0, 4);
	local_add(mon, 5, 0, 1, 5);
	model = view_loaded(mon);
	assert_int_equal(model.page_count, 3);
	assert_int_equal(model.pages[0].rows, 3);
	assert_true(model.rows.rows[0].source == 0 && model.rows.rows[0].reads == 9);
	assert_true(model.pages[0].lost == 12000 && model.pages[0].gain == 1000);
	/* 10,000 is less than half of 21,000, so the page is not misplaced. */
	assert_true(model.pages[0].best == 1 && !model.pages[0].misplaced);
	view_closed(&model);
}

static void own_accesses_make_pages_and_nodes(void **state)
{
	struct Monitor *mon = opened();
	struct view_model model;

	local_add(mon, 4, 7, 0, 2);
	for (unsigned int node = 0; node < 8; node++)
		assert_int_equal(Monitor_local_node_add(mon, node), 0);
	model = view_loaded(mon);
	assert_int_equal(model.rows.nodes, 8);
	assert_true(model.own_known);
	assert_int_equal(model.page_count, 4);
	assert_true(model.pages[0].number == 4 && model.pages[0].home == 7);
	assert_true(model.pages[0].lost == 0 && model.pages[0].gain == 0);
	assert_int_equal(model.pages[0].best, 7);
	view_closed(&model);
}

/*
 * The accesses of nodes to their own pages that a run records are complete. They replace those that
 * a card counted.
 */
static void a_run_replaces_what_a_card_saw_of_own_accesses(void **state)
{
	const struct smile_record record = record_dynamic(SMILE_TYPE_READ, 0, 0, PAGE(5), 1, 3);
	struct Monitor *mon = recording_opened(&record, 1);
	struct view_model model;

	local_add(mon, 5, 0, 0, 9);
	model = view_loaded(mon);
	assert_int_equal(model.rows.count, 1);
	assert_int_equal(model.rows.rows[0].reads, 9);
	view_closed(&model);
}

static void pages_are_found_by_number_and_home(void **state)
{
	struct view_model model = view_loaded(opened());

	assert_int_equal(view_page_find(&model, 5, 0), 0);
	assert_int_equal(view_page_find(&model, 5, 3), 1);
	assert_int_equal(view_page_find(&model, 6, 0), 2);
	assert_int_equal(view_page_find(&model, 5, 1), VIEW_NO_PAGE);
	assert_int_equal(view_page_find(&model, 7, 0), VIEW_NO_PAGE);
	view_closed(&model);
}

/*
 * Pages 2i and 2i + 1 have equal losses. The kept pages must always be the first pages of the
 * complete order.
 */
static void the_dearest_pages_are_the_first_of_all(void **state)
{
	struct smile_record records[19];
	struct view_model model;

	for (unsigned int k = 0; k < 19; k++)
		records[k] =
			record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5 + k), 1, 1 + k * 7 % 19 / 2);
	model = view_loaded(recording_opened(records, 19));
	for (size_t most = 0; most <= 19; most++) {
		size_t count, *order = view_pages_dearest(&model, most, &count);

		assert_non_null(order);
		assert_int_equal(count, most);
		for (size_t i = 0; i < count; i++) {
			size_t before = 0;

			for (size_t k = 0; k < 19; k++)
				before += model.pages[k].lost > model.pages[order[i]].lost ||
					  (model.pages[k].lost == model.pages[order[i]].lost &&
					   k < order[i]);
			assert_int_equal(before, i);
		}
		free(order);
	}
	view_closed(&model);
}

static void pages_are_ordered_by_loss(void **state)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(6), 1, 3),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(7), 1, 1),
	};
	struct view_model model = view_loaded(recording_opened(records, 3));
	size_t count, *order = view_pages_dearest(&model, 4, &count);

	assert_non_null(order);
	assert_int_equal(count, 3);
	assert_true(order[0] == 1 && order[1] == 0 && order[2] == 2);
	free(order);
	order = view_pages_dearest(&model, 2, &count);
	assert_non_null(order);
	assert_int_equal(count, 2);
	assert_true(order[0] == 1 && order[1] == 0);
	free(order);
	view_closed(&model);
}

static void nothing_counted_has_no_pages(void **state)
{
	struct view_model model = view_loaded(recording_opened(NULL, 0));

	assert_int_equal(model.page_count, 0);
	assert_int_equal(view_page_find(&model, 5, 0), VIEW_NO_PAGE);
	view_closed(&model);
}

static int walked(const struct Monitor_count *count, void *opaque)
{
	uint64_t *accesses = opaque;

	assert_int_equal(count->source, count->home);
	assert_int_equal(count->bytes, SMILE_PAGE_BYTES);
	assert_true(count->phase < 2);
	accesses[count->phase] += count->accesses;
	return 0;
}

static void own_accesses_are_walked_if_their_phase_is_known(void **state)
{
	struct Monitor *mon = opened();
	uint64_t accesses[2] = {0};
	struct view_model model;

	local_add(mon, 5, 0, 0, 4);
	local_add(mon, 6, 0, 1, 5);
	local_add(mon, 5, 0, MONITOR_PHASE_UNKNOWN, 100);
	model = view_loaded(mon);
	view_locals_walk(&model, walked, accesses);
	assert_true(accesses[0] == 4 && accesses[1] == 5);
	view_closed(&model);
}

/* Node n (1 to 6) reads page 5 of node 0 n times. Node 7 writes the page 200 times. */
static void few_rows_are_the_dearest_and_the_others(void **state)
{
	struct smile_record records[7];
	struct Monitor_histogram_row rows[VIEW_ROWS_FEW];
	struct Monitor *mon;
	struct view_model model;

	for (unsigned int n = 1; n < 7; n++)
		records[n - 1] = record_dynamic(SMILE_TYPE_READ, n, 0, PAGE(5), 1, n);
	records[6] = record_dynamic(SMILE_TYPE_WRITE, 7, 0, PAGE(5), 1, 200);
	mon = recording_opened(records, 7);
	model = view_loaded(mon);
	assert_int_equal(model.pages[0].rows, 7);
	/*
	 * The rows cost 6000, 5000, 4000 and 4000 cycles. If two rows cost the same, the lower node
	 * comes first.
	 */
	assert_int_equal(view_rows_few(&model, &model.pages[0], rows), 4);
	assert_true(rows[0].source == 6 && rows[1].source == 5 && rows[2].source == 4);
	assert_true(rows[3].source == 8 && rows[3].reads == 1 + 2 + 3 && rows[3].writes == 200);
	assert_int_equal(rows[3].accesses, 206);
	view_model_free(&model);
	/* The row of the home node is kept in addition. */
	local_add(mon, 5, 0, 0, 1);
	model = view_loaded(mon);
	assert_int_equal(view_rows_few(&model, &model.pages[0], rows), 5);
	assert_true(rows[0].source == 0 && rows[0].accesses == 1 && rows[1].source == 6);
	assert_int_equal(rows[4].accesses, 206);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_cost_what_remote_accesses_do),
		cmocka_unit_test(untyped_accesses_cost_as_reads),
		cmocka_unit_test(own_accesses_keep_a_page_at_its_home),
		cmocka_unit_test(own_accesses_make_pages_and_nodes),
		cmocka_unit_test(a_run_replaces_what_a_card_saw_of_own_accesses),
		cmocka_unit_test(pages_are_found_by_number_and_home),
		cmocka_unit_test(pages_are_ordered_by_loss),
		cmocka_unit_test(the_dearest_pages_are_the_first_of_all),
		cmocka_unit_test(nothing_counted_has_no_pages),
		cmocka_unit_test(few_rows_are_the_dearest_and_the_others),
		cmocka_unit_test(own_accesses_are_walked_if_their_phase_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
