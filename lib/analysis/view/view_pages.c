// SPDX-License-Identifier: MIT
/*
 * View model: makes the pages of a model.
 *
 * What lives here: the list of pages, with the cost of their accesses and the cycles that another
 * home would save; and the function that runs all steps to load a model.
 */
#include "lib/analysis/view/view_model.h"

#include <errno.h>
#include <stdlib.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

/*
 * Get the cost of a remote access in addition to the cost of a local access. An access for which no
 * processor waits has no cost, whether it is local or remote.
 */
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

void view_page_cost(const struct view_model *model, struct view_page *page)
{
	double own = 0, dearest = 0;

	page->best = page->home;
	page->lost = 0;
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

/*
 * If the machine has caches, find the page's rows in @model->exact. @at: index of the next row in
 * @model->exact; the function advances it.
 */
static void page_exact(const struct view_model *model, struct view_page *page, size_t *at)
{
	const struct rows *exact = &model->exact;
	size_t next = *at;
	struct rows_page found;

	page->exact_row = *at;
	page->accesses = 0;
	/* Every page with rows in @model->exact has a row in the model too, which may be empty. */
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
		view_page_cost(model, &model->pages[i]);
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
	if (!model->kept) {
		rows_free(&model->rows);
		free(model->pages);
	}
	rows_free(&model->exact);
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

/* ---- the first pages of an order ------------------------------------------------------------- */

static double worth(const struct view_model *model, enum view_order order, size_t page)
{
	return order == VIEW_ORDER_LOST ? model->pages[page].lost : model->pages[page].gain;
}

static int precedes(const struct view_model *model, enum view_order order, size_t a, size_t b)
{
	double worth_a = worth(model, order, a), worth_b = worth(model, order, b);

	return worth_a != worth_b ? worth_a > worth_b : a < b;
}

/*
 * Move entry @at of a binary heap down to its position. The top of the heap is the page that is
 * last in the order @order.
 */
static void heap_sink(const struct view_model *model, enum view_order order, size_t *heap,
		      size_t count, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		size_t moved = heap[at];

		if (child + 1 < count && precedes(model, order, heap[child], heap[child + 1]))
			child++;
		if (!precedes(model, order, moved, heap[child]))
			return;
		heap[at] = heap[child];
		heap[child] = moved;
	}
}

struct view_block view_block_of(const struct view_model *model, size_t block)
{
	size_t first = block << VIEW_BLOCK_SHIFT, end = (block + 1) << VIEW_BLOCK_SHIFT;
	struct view_block most = {0};

	for (size_t i = first; i < end && i < model->page_count; i++) {
		if (model->pages[i].lost > most.lost)
			most.lost = model->pages[i].lost;
		if (model->pages[i].gain > most.gain)
			most.gain = model->pages[i].gain;
	}
	return most;
}

/*
 * Return whether no page of a block precedes the page @last in the order @order. @at: index of the
 * first page of the block, which is higher than @last.
 */
static int block_passes(const struct view_model *model, enum view_order order, size_t at,
			size_t last)
{
	const struct view_block *block;

	if (!model->blocks || at & (((size_t)1 << VIEW_BLOCK_SHIFT) - 1))
		return 0;
	block = &model->blocks[at >> VIEW_BLOCK_SHIFT];
	return (order == VIEW_ORDER_LOST ? block->lost : block->gain) <= worth(model, order, last);
}

size_t view_pages_first(const struct view_model *model, enum view_order order, size_t *first,
			size_t capacity)
{
	size_t count = capacity < model->page_count ? capacity : model->page_count;

	for (size_t i = 0; i < count; i++)
		first[i] = i;
	for (size_t i = count / 2; i-- > 0;)
		heap_sink(model, order, first, count, i);
	for (size_t i = count; count && i < model->page_count; i++) {
		if (block_passes(model, order, i, first[0])) {
			i += ((size_t)1 << VIEW_BLOCK_SHIFT) - 1;
			continue;
		}
		if (!precedes(model, order, i, first[0]))
			continue;
		first[0] = i;
		heap_sink(model, order, first, count, 0);
	}
	for (size_t left = count; left > 1;) {
		size_t last = first[0];

		first[0] = first[--left];
		first[left] = last;
		heap_sink(model, order, first, left, 0);
	}
	return count;
}

size_t *view_pages_dearest(const struct view_model *model, size_t capacity, size_t *count)
{
	size_t most = capacity < model->page_count ? capacity : model->page_count;
	size_t *dearest = analysis_memory(most, sizeof(*dearest));

	if (dearest)
		*count = view_pages_first(model, VIEW_ORDER_LOST, dearest, most);
	return dearest;
}
