// SPDX-License-Identifier: MIT
/*
 * View sums. See lib/analysis/view/view_sums.h.
 */
#include "lib/analysis/view/view_sums.h"

#include <string.h>

#include "lib/analysis/view/view_kept.h"

/*
 * Add the counts of rows, or subtract them. @sign: 1 to add; -1 as an unsigned number to subtract.
 */
static void counts_add(struct view_counts *counts, const struct Monitor_histogram_row *rows,
		       uint32_t count, uint64_t sign)
{
	for (const struct Monitor_histogram_row *row = rows; row < rows + count; row++) {
		counts->accesses += sign * row->accesses;
		if (row->source == row->home) {
			counts->own += sign * row->accesses;
			continue;
		}
		counts->reads += sign * row->reads;
		counts->writes += sign * row->writes;
		counts->locks += sign * row->locks;
	}
}

void view_sums_page(const struct view_model *model, struct view_sums *sums,
		    const struct view_page *page, int sign)
{
	const uint64_t times = (uint64_t)(int64_t)sign;

	sums->pages += times;
	sums->misplaced += times * (uint64_t)page->misplaced;
	sums->lost += times * (uint64_t)page->lost;
	sums->gain += page->misplaced ? times * (uint64_t)page->gain : 0;
	counts_add(model->told ? &sums->transactions : &sums->counts, model->rows.rows + page->row,
		   page->rows, times);
	if (page->exact_rows)
		counts_add(&sums->counts, model->exact.rows + page->exact_row, page->exact_rows,
			   times);
}

struct view_sums view_sums_all(const struct view_model *model)
{
	struct view_sums sums = {0};

	if (model->kept)
		return model->kept->all.sums;
	for (size_t i = 0; i < model->page_count; i++)
		view_sums_page(model, &sums, &model->pages[i], 1);
	return sums;
}

void view_sums_regions(const struct view_model *model, struct view_sums *sums)
{
	if (model->kept) {
		memcpy(sums, model->kept->region_sums, model->region_count * sizeof(*sums));
		return;
	}
	for (size_t i = 0; i < model->page_count; i++)
		if (model->pages[i].region != VIEW_NO_REGION)
			view_sums_page(model, &sums[model->pages[i].region], &model->pages[i], 1);
}

size_t view_hot_pages(const struct view_model *model, size_t *hot, size_t capacity)
{
	size_t count = view_pages_first(model, VIEW_ORDER_GAIN, hot, capacity);

	while (count && !(model->pages[hot[count - 1]].gain > 0))
		count--;
	return count;
}
