// SPDX-License-Identifier: MIT
/*
 * View: what is summed up beforehand.
 *
 * What lives here: groups of neighbouring pages by node and by phase, for diagrams of the whole
 * address space; sections and phases of the pages that lose most.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/tool.h"

#define GROUPS_MAX 4096
#define PHASE_COLUMNS_MAX 512
/* Counts of sections and phases kept, of all pages: a document's few megabytes. */
#define DETAIL_COUNTS_MAX 2000000
#define NO_SLOT UINT32_MAX

/*
 * ---- groups ------------------------------------------------------------------------------------
 */

/**
 * struct groups - Accesses by group of pages and group of phases.
 * @model: what they are of
 * @shift: a group is 2^@shift pages that follow each other in @model->pages
 * @count: groups
 * @columns: groups of phases
 * @phase_shift: each is 2^@phase_shift phases
 * @counts: shape [@count][@columns]
 */
struct groups {
	const struct view_model *model;
	unsigned int shift;
	size_t count;
	size_t columns;
	unsigned int phase_shift;
	uint64_t *counts;
};

static int group_add(const struct Monitor_count *count, void *opaque)
{
	struct groups *groups = opaque;
	size_t page = view_page_find(groups->model, count->page, count->home);
	size_t column = count->phase >> groups->phase_shift;

	if (page != VIEW_NO_PAGE && column < groups->columns)
		groups->counts[(page >> groups->shift) * groups->columns + column] +=
			count->accesses;
	return 0;
}

static json_t *counts_pack(const uint64_t *counts, size_t count)
{
	struct view_pack pack = {0};

	for (size_t i = 0; i < count; i++)
		view_pack_number(&pack, counts[i]);
	return view_packed(&pack);
}

static json_t *groups_nodes(const struct groups *groups)
{
	const struct view_model *model = groups->model;
	size_t nodes = model->rows.nodes;
	uint64_t *counts = tool_memory(groups->count * nodes, sizeof(*counts));
	json_t *text;

	for (size_t i = 0; i < model->page_count; i++) {
		const struct view_page *page = &model->pages[i];

		for (size_t row = page->row; row < page->row + page->rows; row++)
			counts[(i >> groups->shift) * nodes + model->rows.rows[row].source] +=
				model->rows.rows[row].accesses;
	}
	text = counts_pack(counts, groups->count * nodes);
	free(counts);
	return text;
}

static void groups_count(struct groups *groups)
{
	const struct view_model *model = groups->model;

	if (groups->columns > 1) {
		Monitor_walk_phases(model->mon, group_add, groups);
		view_locals_walk(model, group_add, groups);
		return;
	}
	for (size_t i = 0; i < model->page_count; i++)
		for (size_t row = 0; row < model->pages[i].rows; row++)
			groups->counts[i >> groups->shift] +=
				model->rows.rows[model->pages[i].row + row].accesses;
}

json_t *view_groups_json(const struct view_model *model)
{
	struct groups groups = {.model = model};
	int phases = Monitor_phases(model->mon, NULL, 0);
	json_t *document;

	while ((model->page_count + (1ULL << groups.shift) - 1) >> groups.shift > GROUPS_MAX)
		groups.shift++;
	groups.count = (model->page_count + (1ULL << groups.shift) - 1) >> groups.shift;
	groups.columns = phases > 0 ? (size_t)phases : 1;
	while ((groups.columns + (1ULL << groups.phase_shift) - 1) >> groups.phase_shift >
	       PHASE_COLUMNS_MAX)
		groups.phase_shift++;
	groups.columns = (groups.columns + (1ULL << groups.phase_shift) - 1) >> groups.phase_shift;
	groups.counts = tool_memory(groups.count * groups.columns, sizeof(*groups.counts));
	groups_count(&groups);
	document = json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "count", (json_int_t)groups.count,
			     "pages", (json_int_t)1 << groups.shift, "phase_columns",
			     (json_int_t)groups.columns, "phases_each",
			     (json_int_t)1 << groups.phase_shift, "by_node", groups_nodes(&groups),
			     "by_phase", counts_pack(groups.counts, groups.count * groups.columns));
	free(groups.counts);
	return document;
}

/*
 * ---- details -----------------------------------------------------------------------------------
 */

/**
 * struct detail - One count of a page whose details are kept.
 * @slot: which of those pages
 * @where: block as in a binary heap (1: the page, 2 and 3: its halves...), or phase
 * @accessor: source node and type: node << 2 | type
 * @accesses: how many
 */
struct detail {
	uint32_t slot;
	uint32_t where;
	uint32_t accessor;
	uint64_t accesses;
};

/**
 * struct detail_page - A page whose details are kept.
 * @index: in @model->pages, and so in the order of numbers and homes
 * @slot: which of the pages kept it is, by what it loses
 */
struct detail_page {
	size_t index;
	uint32_t slot;
};

/**
 * struct details - Their collection.
 * @model: what they are of
 * @pages: the pages kept, ascending; shape [@slots]. Few: a search in all of @model->pages for each
 *         count would take most of the time
 * @slots: how many
 * @found: by slot, counts there are
 * @list: shape [@count]; NULL while they are being counted
 * @count: how many
 * @ranges: @list is of blocks, not of phases
 */
struct details {
	const struct view_model *model;
	struct detail_page *pages;
	size_t slots;
	size_t *found;
	struct detail *list;
	size_t count;
	int ranges;
};

static uint32_t block_number(const struct Monitor_count *count)
{
	return SMILE_PAGE_BYTES / count->bytes + count->offset / count->bytes;
}

static uint32_t slot_find(const struct details *details, uint64_t number, uint32_t home)
{
	size_t low = 0, high = details->slots;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct view_page *page = &details->model->pages[details->pages[middle].index];

		if (page->number == number && page->home == home)
			return details->pages[middle].slot;
		if (page->number < number || (page->number == number && page->home < home))
			low = middle + 1;
		else
			high = middle;
	}
	return NO_SLOT;
}

static int detail_add(const struct Monitor_count *count, void *opaque)
{
	struct details *details = opaque;
	uint32_t slot = slot_find(details, count->page, count->home);

	if (slot == NO_SLOT)
		return 0;
	if (!details->list) {
		details->found[slot]++;
		return 0;
	}
	details->list[details->count++] = (struct detail){
		.slot = slot,
		.where = details->ranges ? block_number(count) : count->phase,
		.accessor = count->source << 2 | count->type,
		.accesses = count->accesses,
	};
	return 0;
}

static int by_slot(const void *left, const void *right)
{
	const struct detail *a = left, *b = right;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return a->accessor < b->accessor ? -1 : a->accessor > b->accessor;
}

static void details_walk(struct details *details)
{
	if (details->ranges) {
		Monitor_walk_ranges(details->model->mon, detail_add, details);
		return;
	}
	Monitor_walk_phases(details->model->mon, detail_add, details);
	view_locals_walk(details->model, detail_add, details);
}

/* One string a page: where (less the one before), accessor, how many. */
static json_t *details_pack(struct details *details)
{
	json_t *texts = json_array();
	size_t total = 0, at = 0;

	for (size_t i = 0; i < details->slots; i++)
		total += details->found[i];
	details->list = tool_memory(total, sizeof(*details->list));
	details->count = 0;
	details_walk(details);
	qsort(details->list, details->count, sizeof(*details->list), by_slot);
	for (uint32_t slot = 0; slot < details->slots; slot++) {
		struct view_pack pack = {0};
		uint32_t before = 0;

		for (; at < details->count && details->list[at].slot == slot; at++) {
			const struct detail *detail = &details->list[at];

			view_pack_number(&pack, detail->where - before);
			view_pack_number(&pack, detail->accessor);
			view_pack_number(&pack, detail->accesses);
			before = detail->where;
		}
		if (json_array_append_new(texts, view_packed(&pack)))
			break;
	}
	free(details->list);
	details->list = NULL;
	return texts;
}

static int by_index(const void *left, const void *right)
{
	const struct detail_page *a = left, *b = right;

	return a->index < b->index ? -1 : a->index > b->index;
}

/* Keep the first @slots pages of an order. */
static void slots_set(struct details *details, const size_t *order, size_t slots)
{
	for (size_t i = 0; i < slots; i++)
		details->pages[i] = (struct detail_page){.index = order[i], .slot = (uint32_t)i};
	qsort(details->pages, slots, sizeof(*details->pages), by_index);
	details->slots = slots;
}

/* Count what the pages have, and keep as many of them as the document has room for. */
static void details_choose(struct details *details, const size_t *order)
{
	size_t total = 0, kept;

	for (size_t i = 0; i < details->slots; i++)
		details->found[i] = 0;
	details_walk(details);
	for (kept = 0; kept < details->slots; kept++) {
		total += details->found[kept];
		if (total > DETAIL_COUNTS_MAX)
			break;
	}
	if (kept < details->slots)
		slots_set(details, order, kept);
}

json_t *view_details_json(const struct view_model *model, size_t most)
{
	struct details details = {.model = model};
	size_t slots = most < model->page_count ? most : model->page_count;
	size_t *order = view_page_order(model);
	json_t *pages = json_array(), *ranges, *phases;

	if (!order)
		exit(tool_error("%s", Monitor_error_message()));
	details.pages = tool_memory(slots, sizeof(*details.pages));
	details.found = tool_memory(slots, sizeof(*details.found));
	slots_set(&details, order, slots);
	details_choose(&details, order);
	details.ranges = 1;
	details_choose(&details, order);
	ranges = details_pack(&details);
	details.ranges = 0;
	details_choose(&details, order);
	phases = details_pack(&details);
	for (size_t i = 0; i < details.slots; i++)
		json_array_append_new(pages, json_integer((json_int_t)order[i]));
	free(details.pages);
	free(details.found);
	free(order);
	return json_pack("{s:o, s:o, s:o}", "pages", pages, "ranges", ranges, "phases", phases);
}
