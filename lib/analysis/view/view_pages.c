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

/* ---- the first of an order ------------------------------------------------------------------ */

/* Move entry @at of a heap, whose last in the order is on top, to its place. */
static void heap_sink(const struct view_model *model, view_page_precedes before, size_t *heap,
		      size_t count, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		size_t moved = heap[at];

		if (child + 1 < count && before(model, heap[child], heap[child + 1]))
			child++;
		if (!before(model, moved, heap[child]))
			return;
		heap[at] = heap[child];
		heap[child] = moved;
	}
}

size_t view_pages_first(const struct view_model *model, view_page_precedes before, size_t *first,
			size_t capacity)
{
	size_t count = capacity < model->page_count ? capacity : model->page_count;

	for (size_t i = 0; i < count; i++)
		first[i] = i;
	for (size_t i = count / 2; i-- > 0;)
		heap_sink(model, before, first, count, i);
	for (size_t i = count; count && i < model->page_count; i++) {
		if (!before(model, i, first[0]))
			continue;
		first[0] = i;
		heap_sink(model, before, first, count, 0);
	}
	for (size_t left = count; left > 1;) {
		size_t last = first[0];

		first[0] = first[--left];
		first[left] = last;
		heap_sink(model, before, first, left, 0);
	}
	return count;
}

static int loses_more(const struct view_model *model, size_t a, size_t b)
{
	if (model->pages[a].lost != model->pages[b].lost)
		return model->pages[a].lost > model->pages[b].lost;
	return a < b;
}

size_t *view_pages_dearest(const struct view_model *model, size_t capacity, size_t *count)
{
	size_t most = capacity < model->page_count ? capacity : model->page_count;
	size_t *dearest = analysis_memory(most, sizeof(*dearest));

	if (dearest)
		*count = view_pages_first(model, loses_more, dearest, most);
	return dearest;
}
