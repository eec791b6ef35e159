// SPDX-License-Identifier: MIT
/*
 * View sums. See lib/analysis/view/view_sums.h.
 */
#include "lib/analysis/view/view_sums.h"

#include <errno.h>
#include <stdlib.h>

static void counts_add(struct view_counts *counts, const struct Monitor_histogram_row *rows,
		       uint32_t count)
{
	for (const struct Monitor_histogram_row *row = rows; row < rows + count; row++) {
		counts->accesses += row->accesses;
		if (row->source == row->home) {
			counts->own += row->accesses;
			continue;
		}
		counts->reads += row->reads;
		counts->writes += row->writes;
		counts->locks += row->locks;
	}
}

static void sums_add(const struct view_model *model, struct view_sums *sums,
		     const struct view_page *page)
{
	sums->pages++;
	sums->misplaced += (uint64_t)page->misplaced;
	sums->lost += page->lost;
	sums->gain += page->misplaced ? page->gain : 0;
	counts_add(model->told ? &sums->transactions : &sums->counts, model->rows.rows + page->row,
		   page->rows);
	if (page->exact_rows)
		counts_add(&sums->counts, model->exact.rows + page->exact_row, page->exact_rows);
}

struct view_sums view_sums_all(const struct view_model *model)
{
	struct view_sums sums = {0};

	for (size_t i = 0; i < model->page_count; i++)
		sums_add(model, &sums, &model->pages[i]);
	return sums;
}

void view_sums_regions(const struct view_model *model, struct view_sums *sums)
{
	for (size_t i = 0; i < model->page_count; i++)
		if (model->pages[i].region != VIEW_NO_REGION)
			sums_add(model, &sums[model->pages[i].region], &model->pages[i]);
}

static int by_gain(const void *left, const void *right, void *opaque)
{
	const struct view_model *model = opaque;
	const struct view_page *a = &model->pages[*(const size_t *)left];
	const struct view_page *b = &model->pages[*(const size_t *)right];

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a < b ? -1 : a > b;
}

int view_hot_pages(const struct view_model *model, size_t *hot, size_t capacity)
{
	size_t *order = view_page_order(model), count = 0;

	if (!order)
		return -ENOMEM;
	qsort_r(order, model->page_count, sizeof(*order), by_gain, (void *)model);
	for (; count < model->page_count && count < capacity; count++) {
		if (!(model->pages[order[count]].gain > 0))
			break;
		hot[count] = order[count];
	}
	free(order);
	return (int)count;
}
