// SPDX-License-Identifier: MIT
/*
 * View model: loads the rows of accesses, including accesses of nodes to their own memory.
 *
 * What lives here: the code that adds each node's accesses to its own memory to the rows. Cards see
 * only accesses that cross the network, but the recording of a run has the accesses of each node to
 * its own pages too. Without them, a page that its home uses most would seem to be on the wrong
 * node. If the machine has coherent caches, all these rows count transactions that the caches did
 * not serve. The processors' accesses before any cache have separate rows.
 */
#include "lib/analysis/view/view_model.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

int view_own_known(const struct view_model *model)
{
	for (size_t node = 0; node < model->rows.nodes; node++)
		if (!Monitor_local_known(model->mon, (unsigned int)node))
			return 0;
	return model->rows.nodes > 0;
}

static int locals_load(struct view_model *model)
{
	int count;

	ANALYSIS_LIST(model->locals, count, Monitor_locals, model->mon);
	if (count < 0)
		return count;
	model->local_count = (size_t)count;
	for (size_t i = 0; i < model->local_count; i++)
		if (model->locals[i].node >= model->rows.nodes)
			model->rows.nodes = model->locals[i].node + 1;
	model->own_known = view_own_known(model);
	return 0;
}

/*
 * Get the home's own accesses to the next page, summed over all phases. Pages are in ascending
 * order of number and home.
 */
static int local_next(const struct view_model *model, size_t *at, struct Monitor_histogram_row *row)
{
	const struct Monitor_local *first = model->locals + *at;

	if (*at == model->local_count)
		return 0;
	*row = (struct Monitor_histogram_row){
		.page = first->page, .home = first->node, .source = first->node};
	for (; *at < model->local_count && model->locals[*at].page == first->page &&
	       model->locals[*at].node == first->node;
	     ++*at) {
		const struct Monitor_local *local = &model->locals[*at];

		row->reads += local->reads;
		row->writes += local->writes;
		row->locks += local->locks;
		row->accesses += local->reads + local->writes + local->locks;
	}
	return 1;
}

static int row_before(const struct Monitor_histogram_row *a, const struct Monitor_histogram_row *b)
{
	if (a->page != b->page)
		return a->page < b->page;
	if (a->home != b->home)
		return a->home < b->home;
	return a->source < b->source;
}

/*
 * Merge the rows of the cards and the rows of the run. If both have a row for the same accesses,
 * use the row of the run, because it is complete.
 */
static int rows_merge(struct view_model *model)
{
	struct Monitor_histogram_row *merged, local;
	size_t count = 0, at = 0, seen = 0;
	int more = local_next(model, &at, &local);

	merged = analysis_memory(model->rows.count + model->local_count, sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	while (more || seen < model->rows.count) {
		const struct Monitor_histogram_row *row = model->rows.rows + seen;

		if (more && (seen == model->rows.count || !row_before(row, &local))) {
			if (seen < model->rows.count && !row_before(&local, row))
				seen++;
			if (local.accesses)
				merged[count++] = local;
			more = local_next(model, &at, &local);
		} else {
			merged[count++] = *row;
			seen++;
		}
	}
	free(model->rows.rows);
	model->rows.rows = merged;
	model->rows.count = count;
	return 0;
}

/*
 * Add an empty row for each page to which the processors have accesses, but which has no
 * transactions because the caches served all of them.
 */
static int exact_merge(struct view_model *model)
{
	const struct rows *exact = &model->exact;
	struct Monitor_histogram_row *merged;
	size_t count = 0, at = 0, seen = 0;
	struct rows_page page;

	merged = analysis_memory(model->rows.count + exact->count, sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	while (rows_next(exact, &at, &page)) {
		const struct Monitor_histogram_row none = {.page = page.rows->page,
							   .home = page.rows->home,
							   .source = page.rows->home};
		int has = 0;

		for (; seen < model->rows.count; seen++) {
			const struct Monitor_histogram_row *row = &model->rows.rows[seen];
			int same = row->page == none.page && row->home == none.home;

			if (row->page > none.page ||
			    (row->page == none.page && row->home > none.home))
				break;
			has |= same;
			merged[count++] = *row;
		}
		if (!has)
			merged[count++] = none;
	}
	while (seen < model->rows.count)
		merged[count++] = model->rows.rows[seen++];
	free(model->rows.rows);
	model->rows.rows = merged;
	model->rows.count = count;
	return 0;
}

int view_rows_load(struct view_model *model)
{
	int failed = rows_load(&model->rows, model->mon);

	if (!failed)
		failed = locals_load(model);
	if (!failed && model->local_count)
		failed = rows_merge(model);
	model->told = !failed && rows_accesses_known(model->mon);
	if (model->told)
		failed = rows_load_other(&model->exact, model->mon, 1);
	if (model->told && !failed)
		failed = exact_merge(model);
	return failed;
}

void view_locals_walk(const struct view_model *model, Monitor_walk_function each, void *opaque)
{
	for (size_t i = 0; i < model->local_count; i++) {
		const struct Monitor_local *local = &model->locals[i];
		struct Monitor_count count = {
			.page = local->page,
			.home = local->node,
			.source = local->node,
			.phase = local->phase,
			.bytes = SMILE_PAGE_BYTES,
			.accesses = local->reads + local->writes + local->locks,
		};

		if (local->phase != MONITOR_PHASE_UNKNOWN && count.accesses)
			each(&count, opaque);
	}
}

/* ---- summed-up rows -------------------------------------------------------------------------- */

/* The number of rows of a page that are kept in addition to the row of the home. */
#define ROWS_KEPT 3

static int by_cost(const void *left, const void *right, void *opaque)
{
	const struct Monitor_histogram_row *a = left, *b = right;
	double cost_a = view_row_cost(opaque, a), cost_b = view_row_cost(opaque, b);

	/* The row of the home comes first, because it is never summed up with other rows. */
	if ((a->source == a->home) != (b->source == b->home))
		return a->source == a->home ? -1 : 1;
	if (cost_a != cost_b)
		return cost_a > cost_b ? -1 : 1;
	return a->source < b->source ? -1 : a->source > b->source;
}

int view_rows_few(const struct view_model *model, const struct view_page *page,
		  struct Monitor_histogram_row *rows)
{
	struct Monitor_histogram_row *all = analysis_memory(page->rows, sizeof(*all));
	struct Monitor_histogram_row *others;
	uint32_t kept = ROWS_KEPT;

	if (!all)
		return -ENOMEM;
	for (uint32_t i = 0; i < page->rows; i++)
		all[i] = model->rows.rows[page->row + i];
	qsort_r(all, page->rows, sizeof(*all), by_cost, (void *)model);
	kept += all[0].source == all[0].home;
	for (uint32_t i = 0; i < kept; i++)
		rows[i] = all[i];
	others = &rows[kept];
	*others = (struct Monitor_histogram_row){
		.page = page->number, .home = page->home, .source = (uint32_t)model->rows.nodes};
	for (uint32_t i = kept; i < page->rows; i++) {
		others->accesses += all[i].accesses;
		others->reads += all[i].reads;
		others->writes += all[i].writes;
		others->locks += all[i].locks;
	}
	free(all);
	return (int)kept + 1;
}
