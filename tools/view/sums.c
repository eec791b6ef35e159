// SPDX-License-Identifier: MIT
/*
 * View: compute the numbers of the first screen, which the web page can show before it has unpacked
 * the pages.
 *
 * What lives here: sums over all memory pages, sums over the pages of each region, and the list of
 * pages that are worth moving, as JSON.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/regions.h"
#include "lib/analysis/view/view_sums.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define HOT_PAGES 50

static json_t *counts_json(const struct view_counts *counts)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "accesses", document_int(counts->accesses),
			 "own", document_int(counts->own), "reads", document_int(counts->reads),
			 "writes", document_int(counts->writes), "locks",
			 document_int(counts->locks));
}

static json_t *sums_json(const struct view_model *model, const struct view_sums *sums)
{
	json_t *object = json_pack("{s:I, s:I, s:f, s:f}", "pages", (json_int_t)sums->pages,
				   "misplaced", (json_int_t)sums->misplaced, "lost_cycles",
				   (double)sums->lost, "gain_cycles", (double)sums->gain);
	json_t *counts = counts_json(&sums->counts);

	json_object_update(object, counts);
	json_decref(counts);
	if (model->told)
		json_object_set_new(object, "transactions", counts_json(&sums->transactions));
	return object;
}

json_t *view_summary_json(const struct view_model *model)
{
	const struct view_sums sums = view_sums_all(model);

	return sums_json(model, &sums);
}

json_t *view_regions_json(const struct view_model *model)
{
	struct view_sums *sums = tool_memory(model->region_count, sizeof(*sums));
	json_t *list = json_array();

	view_sums_regions(model, sums);
	for (size_t i = 0; i < model->region_count; i++) {
		const struct Monitor_region *region = &model->regions[i];

		json_array_append_new(list, json_pack("{s:s, s:o, s:I, s:I, s:o}", "kind",
						      regions_kind(region->kind), "name",
						      document_text(region->name), "start",
						      (json_int_t)region->start, "end",
						      (json_int_t)region->end, "sums",
						      sums_json(model, &sums[i])));
	}
	free(sums);
	return list;
}

/* ---- hot ----------------------------------------------------------------------------------- */

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
	json_t *list = json_array();
	size_t hot[HOT_PAGES];
	size_t count = view_hot_pages(model, hot, HOT_PAGES);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, hot_page(model, hot[i]));
	return list;
}
