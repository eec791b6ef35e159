// SPDX-License-Identifier: MIT
/*
 * View model: the pages.
 *
 * What lives here: the list of pages, the cost of their accesses, and the saving by another home;
 * and the steps of loading a model.
 */
#include "lib/analysis/view/view_model.h"

#include <errno.h>
#include <stdlib.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

/* What nobody waits for costs nothing, wherever it goes to. */
static double beyond_local(const struct view_cost *cost, unsigned int type)
{
	return cost->remote[type] > cost->local ? cost->remote[type] - cost->local : 0;
}

double view_row_cost(const struct view_model *model, const struct Monitor_histogram_row *row)
{
	const struct view_cost *cost = &model->cost;
	uint64_t untyped = row->accesses - row->reads - row->writes - row->locks;

	return (double)untyped * beyond_local(cost, SMILE_TYPE_ANY) +
	       (double)row->reads * beyond_local(cost, SMILE_TYPE_READ) +
	       (double)row->writes * beyond_local(cost, SMILE_TYPE_WRITE) +
	       (double)row->locks * beyond_local(cost, SMILE_TYPE_LOCK);
}

static void page_cost(const struct view_model *model, struct view_page *page)
{
	double own = 0, dearest = 0;

	page->best = page->home;
	for (size_t i = page->row; i < page->row + page->rows; i++) {
		const struct Monitor_histogram_row *row = &model->rows.rows[i];
		double cost = view_row_cost(model, row);

		if (row->source == page->home) {
			own = cost;
			continue;
		}
		page->lost += cost;
		if (cost > dearest) {
			dearest = cost;
			page->best = row->source;
		}
	}
	page->gain = dearest > own ? dearest - own : 0;
	page->misplaced = page->gain > 0 && dearest >= (page->lost + own) / 2;
}

/* Of a machine with caches: the exact accesses of the page. @at: a row of them; advanced */
static void page_exact(const struct view_model *model, struct view_page *page, size_t *at)
{
	const struct rows *exact = &model->exact;
	size_t next = *at;
	struct rows_page found;

	page->exact_row = *at;
	page->accesses = 0;
	/* Every page of these has a row, perhaps an empty one. */
	if (!rows_next(exact, &next, &found) || found.rows->page != page->number ||
	    found.rows->home != page->home)
		return;
	page->exact_rows = (uint32_t)found.count;
	page->accesses = found.accesses;
	*at = next;
}

static int pages_load(struct view_model *model)
{
	size_t at = 0, count = 0, exact = 0;
	struct rows_page page;

	while (rows_next(&model->rows, &at, &page))
		count++;
	model->pages = analysis_memory(count, sizeof(*model->pages));
	if (!model->pages)
		return -ENOMEM;
	model->page_count = count;
	at = 0;
	for (size_t i = 0; rows_next(&model->rows, &at, &page); i++) {
		model->pages[i] = (struct view_page){
			.number = page.rows->page,
			.home = page.rows->home,
			.region = VIEW_NO_REGION,
			.row = (size_t)(page.rows - model->rows.rows),
			.rows = (uint32_t)page.count,
			.accesses = page.accesses,
		};
		if (model->told)
			page_exact(model, &model->pages[i], &exact);
		page_cost(model, &model->pages[i]);
	}
	return 0;
}

int view_model_load(struct view_model *model)
{
	int failed = view_rows_load(model);

	if (!failed)
		failed = pages_load(model);
	if (!failed)
		failed = view_regions_load(model);
	return failed;
}

void view_model_free(struct view_model *model)
{
	rows_free(&model->rows);
	rows_free(&model->exact);
	free(model->pages);
	free(model->regions);
	free(model->locals);
}

size_t view_page_find(const struct view_model *model, uint64_t number, uint32_t home)
{
	const struct view_page *pages = model->pages;
	size_t low;

	SEARCH_FIRST(low, model->page_count, i,
		     pages[i].number > number ||
			     (pages[i].number == number && pages[i].home >= home));
	if (low < model->page_count && model->pages[low].number == number &&
	    model->pages[low].home == home)
		return low;
	return VIEW_NO_PAGE;
}

static int by_loss(const void *left, const void *right, void *opaque)
{
	const struct view_model *model = opaque;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;

	if (model->pages[a].lost != model->pages[b].lost)
		return model->pages[a].lost > model->pages[b].lost ? -1 : 1;
	return a < b ? -1 : a > b;
}

size_t *view_page_order(const struct view_model *model)
{
	size_t *order = analysis_memory(model->page_count, sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < model->page_count; i++)
		order[i] = i;
	qsort_r(order, model->page_count, sizeof(*order), by_loss, (void *)model);
	return order;
}
