// SPDX-License-Identifier: MIT
/*
 * View: the first screen's numbers, ready before the pages are unpacked.
 *
 * What lives here: sums over all pages and over the pages of a region, and the pages worth moving.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

#define HOT_PAGES 50

/**
 * struct sums - Of some pages.
 * @pages: how many
 * @misplaced: of which one other node than the home should have them
 * @accesses: all that are known
 * @own: those of the pages' own homes among them
 * @reads: remote reads
 * @writes: remote writes
 * @locks: remote locks
 * @lost: cycles
 * @gain: cycles, were each page that is misplaced moved
 */
struct sums {
	uint64_t pages;
	uint64_t misplaced;
	uint64_t accesses;
	uint64_t own;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
	double lost;
	double gain;
};

static void sums_add(const struct view_model *model, struct sums *sums,
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

static json_t *sums_json(const struct sums *sums)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "pages",
			 (json_int_t)sums->pages, "misplaced", (json_int_t)sums->misplaced,
			 "accesses", document_int(sums->accesses), "own", document_int(sums->own),
			 "reads", document_int(sums->reads), "writes", document_int(sums->writes),
			 "locks", document_int(sums->locks), "lost_cycles", sums->lost,
			 "gain_cycles", sums->gain);
}

json_t *view_summary_json(const struct view_model *model)
{
	struct sums sums = {0};

	for (size_t i = 0; i < model->page_count; i++)
		sums_add(model, &sums, &model->pages[i]);
	return sums_json(&sums);
}

json_t *view_regions_json(const struct view_model *model)
{
	struct sums *sums = tool_memory(model->region_count, sizeof(*sums));
	json_t *list = json_array();

	for (size_t i = 0; i < model->page_count; i++)
		if (model->pages[i].region != VIEW_NO_REGION)
			sums_add(model, &sums[model->pages[i].region], &model->pages[i]);
	for (size_t i = 0; i < model->region_count; i++) {
		const struct Monitor_region *region = &model->regions[i];

		json_array_append_new(list, json_pack("{s:s, s:o, s:I, s:I, s:o}", "kind",
						      regions_kind(region->kind), "name",
						      document_text(region->name), "start",
						      (json_int_t)region->start, "end",
						      (json_int_t)region->end, "sums",
						      sums_json(&sums[i])));
	}
	free(sums);
	return list;
}

/*
 * ---- hot ---------------------------------------------------------------------------------------
 */

static int by_gain(const void *left, const void *right, void *opaque)
{
	const struct view_model *model = opaque;
	const struct view_page *a = &model->pages[*(const size_t *)left];
	const struct view_page *b = &model->pages[*(const size_t *)right];

	if (a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	return a < b ? -1 : a > b;
}

static json_t *hot_page(const struct view_model *model, size_t index)
{
	const struct view_page *page = &model->pages[index];
	json_t *rows = json_array();

	for (size_t i = page->row; i < page->row + page->rows; i++) {
		const struct Monitor_histogram_row *row = &model->rows.rows[i];

		json_array_append_new(rows,
				      json_pack("[I, I, I, I, I]", (json_int_t)row->source,
						document_int(row->reads), document_int(row->writes),
						document_int(row->locks),
						document_int(row->accesses - row->reads -
							     row->writes - row->locks)));
	}
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:b, s:f, s:f, s:o}", "index",
			 (json_int_t)index, "page", (json_int_t)page->number, "home",
			 (json_int_t)page->home, "region",
			 page->region == VIEW_NO_REGION ? -1 : (json_int_t)page->region, "best",
			 (json_int_t)page->best, "misplaced", page->misplaced, "lost_cycles",
			 page->lost, "gain_cycles", page->gain, "rows", rows);
}

json_t *view_hot_json(const struct view_model *model)
{
	size_t *order = view_page_order(model);
	json_t *list = json_array();

	if (!order)
		exit(tool_error("%s", Monitor_error_message()));
	qsort_r(order, model->page_count, sizeof(*order), by_gain, (void *)model);
	for (size_t i = 0; i < model->page_count && i < HOT_PAGES; i++)
		if (model->pages[order[i]].gain > 0)
			json_array_append_new(list, hot_page(model, order[i]));
	free(order);
	return list;
}
