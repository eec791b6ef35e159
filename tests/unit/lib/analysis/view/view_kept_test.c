/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_kept.c: after an update, a kept model must equal a new model,
 * whatever records were added.
 *
 * What lives here: a recording that is read in batches of BATCH records.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/analysis/view/view_kept.h"
#include "tests/unit/view_fixture.h"

#define BATCH 4096U
#define BATCHES_MAX 16
#define FIRST 3000U

/*
 * The steps of a test. A step is a batch of records. The last record is repeated to fill the batch.
 */
struct steps {
	struct smile_record records[BATCHES_MAX * BATCH];
	size_t count;
	size_t batches;
};

static struct steps steps;

static void add(struct smile_record record)
{
	steps.records[steps.count++] = record;
}

static void step_end(void)
{
	steps.batches++;
	while (steps.count < steps.batches * BATCH) {
		steps.records[steps.count] = steps.records[steps.count - 1];
		steps.count++;
	}
	assert_int_equal(steps.count, steps.batches * BATCH);
}

static int begin(void **state)
{
	memset(&steps, 0, sizeof(steps));
	return 0;
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static void same_pages(const struct view_model *kept, const struct view_model *fresh)
{
	assert_int_equal(kept->page_count, fresh->page_count);
	assert_int_equal(kept->rows.count, fresh->rows.count);
	assert_int_equal(kept->rows.nodes, fresh->rows.nodes);
	assert_int_equal(kept->rows.untyped, fresh->rows.untyped);
	assert_int_equal(kept->region_count, fresh->region_count);
	assert_int_equal(kept->own_known, fresh->own_known);
	for (size_t i = 0; i < fresh->page_count; i++) {
		const struct view_page *a = &kept->pages[i], *b = &fresh->pages[i];

		assert_int_equal(a->number, b->number);
		assert_int_equal(a->home, b->home);
		assert_int_equal(a->region, b->region);
		assert_int_equal(a->best, b->best);
		assert_int_equal(a->accesses, b->accesses);
		assert_true(a->lost == b->lost && a->gain == b->gain);
		assert_int_equal(a->misplaced, b->misplaced);
		assert_int_equal(a->rows, b->rows);
		assert_memory_equal(&kept->rows.rows[a->row], &fresh->rows.rows[b->row],
				    b->rows * sizeof(*fresh->rows.rows));
	}
}

static void same_sums(const struct view_model *kept, const struct view_model *fresh)
{
	struct view_sums a = view_sums_all(kept), b = view_sums_all(fresh);
	struct view_sums regions[2][8] = {{{0}}};

	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(fresh->region_count <= 8);
	view_sums_regions(kept, regions[0]);
	view_sums_regions(fresh, regions[1]);
	assert_memory_equal(regions[0], regions[1], sizeof(regions[0]));
}

static void same_groups(const struct view_model *kept, const struct view_model *fresh)
{
	struct view_groups a = {0}, b = {0};

	assert_int_equal(view_groups_load(&a, kept), 0);
	assert_int_equal(view_groups_load(&b, fresh), 0);
	assert_true(a.shift == b.shift && a.count == b.count && a.columns == b.columns);
	assert_memory_equal(a.by_node, b.by_node, b.count * fresh->rows.nodes * sizeof(*b.by_node));
	assert_memory_equal(a.by_phase, b.by_phase, b.count * b.columns * sizeof(*b.by_phase));
	view_groups_free(&a);
	view_groups_free(&b);
}

static void same_first(const struct view_model *kept, const struct view_model *fresh)
{
	for (size_t capacity = 1; capacity < 3000; capacity *= 7) {
		size_t a_count, b_count, a_hot[3000], b_hot[3000];
		size_t *a = view_pages_dearest(kept, capacity, &a_count);
		size_t *b = view_pages_dearest(fresh, capacity, &b_count);

		assert_int_equal(a_count, b_count);
		assert_memory_equal(a, b, b_count * sizeof(*b));
		a_count = view_hot_pages(kept, a_hot, capacity);
		b_count = view_hot_pages(fresh, b_hot, capacity);
		assert_int_equal(a_count, b_count);
		assert_memory_equal(a_hot, b_hot, b_count * sizeof(*b_hot));
		free(a);
		free(b);
	}
}

/* Free the memory and remove the mappings of view_kept_load(). */
static void unmap(struct view_kept *kept)
{
	munmap(kept->page_list, kept->page_bytes);
	munmap(kept->row_list, kept->row_bytes);
	free(kept->region_sums);
	view_groups_free(&kept->all.groups);
	free(kept->blocks);
	free(kept->chunks);
	free(kept->changed);
}

/*
 * Make the next document in a separate process. Return: whether the process made the whole model
 * anew.
 */
static int same_as_fresh(struct view_kept *left, struct Monitor *mon)
{
	struct view_model fresh = view_loaded(mon);
	struct view_model model = {.mon = mon, .cost = fresh.cost};
	/* The process has a copy of the previous state. */
	struct view_kept kept = *left;
	int anew;

	assert_int_equal(view_kept_load(&kept, &model), 1);
	same_pages(&model, &fresh);
	same_sums(&model, &fresh);
	same_groups(&model, &fresh);
	same_first(&model, &fresh);
	assert_int_equal(view_kept_store(&kept, NULL, 0), 0);
	anew = kept.anew;
	left->valid = view_kept_is(left);
	assert_true(left->valid);
	assert_int_equal(Monitor_changes_begin(mon), 0);
	view_model_free(&model);
	view_model_free(&fresh);
	unmap(&kept);
	return anew;
}

static struct Monitor *opened(void)
{
	struct Monitor *mon;

	write_recording(scratch_path("kept.rec"), 0, steps.records, steps.count, -1);
	assert_int_equal(Monitor_open(&mon, scratch_path("kept.rec")), 0);
	assert_int_equal(Monitor_changes_begin(mon), 0);
	return mon;
}

/*
 * Read all batches. @anew: one character for each batch: 1 if the whole model must be made anew,
 * else 0.
 */
static void run(struct Monitor *mon, const char *anew)
{
	struct view_kept kept;

	assert_int_equal(view_kept_open(&kept), 0);
	assert_int_equal(strlen(anew), steps.batches);
	for (size_t i = 0; i < steps.batches; i++) {
		assert_int_equal(Monitor_poll(mon, 0), BATCH);
		if (same_as_fresh(&kept, mon) != anew[i] - '0')
			fail_msg("batch %zu was %smade anew", i, anew[i] == '1' ? "not " : "");
	}
	view_kept_close(&kept);
	Monitor_close(mon);
}

/* Access every second of the first FIRST pages, on four homes. */
static void first_batch(void)
{
	for (unsigned int i = 0; i < FIRST; i++)
		add(record_dynamic(SMILE_TYPE_READ, 1 + i % 3, i % 4, PAGE(1000 + 2 * i), 1,
				   1 + i % 5));
	step_end();
}

static void page_add(unsigned int type, unsigned int source, unsigned int i, unsigned int count)
{
	add(record_dynamic(type, source, i % 4, PAGE(1000 + 2 * i), 1, count));
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void counts_that_grow(void **state)
{
	first_batch();
	page_add(SMILE_TYPE_READ, 1 + 7 % 3, 7, 5);
	page_add(SMILE_TYPE_WRITE, 1 + 1500 % 3, 1500, 6);
	page_add(SMILE_TYPE_LOCK, 1 + (FIRST - 1) % 3, FIRST - 1, 1);
	step_end();
	/* If a page becomes the most expensive one, the order changes most. */
	page_add(SMILE_TYPE_READ, 1, 2400, 1000);
	page_add(SMILE_TYPE_READ, 1, 0, 1000);
	step_end();
	run(opened(), "100");
}

static void nodes_that_access_more_pages(void **state)
{
	first_batch();
	for (unsigned int i = 0; i < 100; i++)
		page_add(SMILE_TYPE_READ, 3 - i % 4 % 3, 17 * i, 2);
	step_end();
	for (unsigned int i = 0; i < 100; i++)
		page_add(SMILE_TYPE_WRITE, i % 4, 17 * i, 3);
	step_end();
	run(opened(), "100");
}

/* Add pages before, between and after the existing pages, also on another home. */
static void pages_that_come(void **state)
{
	first_batch();
	for (unsigned int i = 0; i < 20; i++) {
		add(record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE(20 * i), 1, 1 + i));
		add(record_dynamic(SMILE_TYPE_READ, 2, 3, PAGE(1000 + 2 * i), 1, 9));
		add(record_dynamic(SMILE_TYPE_READ, 2, 0, PAGE(2001 + 30 * i), 1, 50));
		add(record_dynamic(SMILE_TYPE_READ, 3, 1, PAGE(9000 + i), 1, 7));
		page_add(SMILE_TYPE_READ, 1, 100 * i, 3);
	}
	step_end();
	add(record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE(0), 1, 1));
	step_end();
	run(opened(), "100");
}

static void phases_that_end(void **state)
{
	first_batch();
	page_add(SMILE_TYPE_READ, 1, 40, 5);
	add(record_mark(0, 1, 1000));
	page_add(SMILE_TYPE_READ, 1, 40, 6);
	page_add(SMILE_TYPE_READ, 2, 2000, 6);
	step_end();
	page_add(SMILE_TYPE_READ, 3, 41, 6);
	step_end();
	run(opened(), "100");
}

/*
 * Add many pages; then a node; then rows for which there is no room, until too many rows are
 * unused.
 */
static void more_than_is_worth_it(void **state)
{
	first_batch();
	for (unsigned int i = 0; i < 4096; i++)
		add(record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE(20000 + i), 1, 1));
	step_end();
	page_add(SMILE_TYPE_READ, 9, 5, 6);
	step_end();
	for (unsigned int source = 1; source < 6; source++) {
		for (unsigned int i = 0; i < 1000; i++)
			page_add(SMILE_TYPE_READ, source, i, 1);
		step_end();
	}
	run(opened(), "10100001");
}

static void regions_that_come(void **state)
{
	const struct Monitor_region region = {
		.kind = MONITOR_REGION_NAMED, .start = PAGE(1100), .end = PAGE(1300), .name = "x"};
	struct view_kept kept;
	struct Monitor *mon;

	first_batch();
	page_add(SMILE_TYPE_READ, 1, 60, 5);
	step_end();
	add(record_dynamic(SMILE_TYPE_READ, 1, 2, PAGE(1201), 1, 1));
	page_add(SMILE_TYPE_READ, 1, 61, 5);
	step_end();
	mon = opened();
	assert_int_equal(view_kept_open(&kept), 0);
	assert_int_equal(Monitor_poll(mon, 0), BATCH);
	assert_int_equal(same_as_fresh(&kept, mon), 1);
	assert_int_equal(Monitor_region_add(mon, &region), 0);
	assert_int_equal(Monitor_poll(mon, 0), BATCH);
	assert_int_equal(same_as_fresh(&kept, mon), 1);
	assert_int_equal(Monitor_poll(mon, 0), BATCH);
	assert_int_equal(same_as_fresh(&kept, mon), 0);
	view_kept_close(&kept);
	Monitor_close(mon);
}

static void own_accesses_are_not_kept(void **state)
{
	const struct Monitor_local own = {.page = 5, .node = 0, .reads = 2};
	struct view_model model = {0};
	struct view_kept kept;

	first_batch();
	model.mon = opened();
	assert_int_equal(Monitor_local_add(model.mon, &own), 0);
	assert_int_equal(view_kept_open(&kept), 0);
	assert_int_equal(view_kept_load(&kept, &model), 0);
	assert_false(view_kept_is(&kept));
	view_kept_close(&kept);
	Monitor_close(model.mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counts_that_grow, begin),
		cmocka_unit_test_setup(nodes_that_access_more_pages, begin),
		cmocka_unit_test_setup(pages_that_come, begin),
		cmocka_unit_test_setup(phases_that_end, begin),
		cmocka_unit_test_setup(more_than_is_worth_it, begin),
		cmocka_unit_test_setup(regions_that_come, begin),
		cmocka_unit_test_setup(own_accesses_are_not_kept, begin),
	};

	return cmocka_run_group_tests_name("view_kept", tests, NULL, NULL);
}
