// SPDX-License-Identifier: MIT
/*
 * View sums. See lib/analysis/view/view_sums.h.
 */
#include "lib/analysis/view/view_sums.h"

#include <errno.h>
#include <stdlib.h>

static void sums_add(const struct view_model *model, struct view_sums *sums,
		     const struct view_page *page)
{
	sums->pages++;
	sums->misplaced += (uint64_t)page->misplaced;
	sums->lost += page->lost;
	sums->gain += page->misplaced ? page->gain : 0;
	for (size_t i = page->row; i < page->row + page->rows; i++) {
		const struct Monitor_histogram_row *row = &model->rows.rows[i];

		sums->accesses += row->accesses;
		if (row->source == row->home) {
			sums->own += row->accesses;
			continue;
		}
		sums->reads += row->reads;
		sums->writes += row->writes;
		sums->locks += row->locks;
	}
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
