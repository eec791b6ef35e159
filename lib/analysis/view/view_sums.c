// SPDX-License-Identifier: MIT
/*
 * View sums. See lib/analysis/view/view_sums.h.
 */
#include "lib/analysis/view/view_sums.h"

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

static int gains_more(const struct view_model *model, size_t a, size_t b)
{
	if (model->pages[a].gain != model->pages[b].gain)
		return model->pages[a].gain > model->pages[b].gain;
	return a < b;
}

size_t view_hot_pages(const struct view_model *model, size_t *hot, size_t capacity)
{
	size_t count = view_pages_first(model, gains_more, hot, capacity);

	while (count && !(model->pages[hot[count - 1]].gain > 0))
		count--;
	return count;
}
