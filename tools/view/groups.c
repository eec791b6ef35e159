// SPDX-License-Identifier: MIT
/*
 * View: pack groups of memory pages, and details of the pages that cost the most.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/view/view_details.h"
#include "lib/analysis/view/view_groups.h"

json_t *view_groups_json(const struct view_model *model)
{
	struct view_groups groups = {0};
	json_t *document;

	view_need(view_groups_load(&groups, model));
	document = json_pack(
		"{s:I, s:I, s:I, s:I, s:o, s:o}", "count", (json_int_t)groups.count, "pages",
		(json_int_t)1 << groups.shift, "phase_columns", (json_int_t)groups.columns,
		"phases_each", (json_int_t)1 << groups.phase_shift, "by_node",
		view_packed_counts(groups.by_node, groups.count * model->rows.nodes), "by_phase",
		view_packed_counts(groups.by_phase, groups.count * groups.columns));
	view_groups_free(&groups);
	return document;
}

/*
 * Make a string for each page. For each number of accesses it contains the difference from the
 * previous position, the accessing node, and the number.
 */
static json_t *details_pack(struct view_details *details, enum view_detail_kind kind)
{
	json_t *texts = json_array();
	struct view_detail *list;
	size_t count, at = 0;

	view_need(view_details_list(details, kind, &list, &count));
	for (uint32_t slot = 0; slot < details->slots; slot++) {
		struct view_pack pack = {0};
		uint32_t before = 0;

		for (; at < count && list[at].slot == slot; at++) {
			view_pack_number(&pack, list[at].where - before);
			view_pack_number(&pack, list[at].accessor);
			view_pack_number(&pack, list[at].accesses);
			before = list[at].where;
		}
		if (json_array_append_new(texts, view_packed(&pack)))
			break;
	}
	free(list);
	return texts;
}

json_t *view_details_json(const struct view_model *model, size_t most)
{
	struct view_details details = {0};
	json_t *pages = json_array(), *ranges, *phases;

	view_need(view_details_load(&details, model, most));
	ranges = details_pack(&details, VIEW_DETAIL_RANGES);
	phases = details_pack(&details, VIEW_DETAIL_PHASES);
	for (size_t i = 0; i < details.slots; i++)
		json_array_append_new(pages, json_integer((json_int_t)details.order[i]));
	view_details_free(&details);
	return json_pack("{s:o, s:o, s:o}", "pages", pages, "ranges", ranges, "phases", phases);
}
