// SPDX-License-Identifier: MIT
/*
 * View details. See lib/analysis/view/view_details.h.
 */
#include "lib/analysis/view/view_details.h"

#include <errno.h>
#include <stdlib.h>

#include <base/search.h>

#include "lib/analysis/memory.h"

#define NO_SLOT UINT32_MAX

/**
 * struct view_detail_page - A page whose details are listed.
 * @index: index of the page in the model, whose pages are ordered by number and home
 * @slot: rank of the page among the chosen pages, by cost
 */
struct view_detail_page {
	size_t index;
	uint32_t slot;
};

/**
 * struct collection - State while a list of counts is filled.
 * @details: the chosen pages
 * @kind: the kind of counts
 * @slot: slot of the current page; NO_SLOT: the slot must be searched
 * @list: the counts; shape [@count]; NULL in the first pass, which only counts how many there are
 * @count: number of counts in @list
 */
struct collection {
	struct view_details *details;
	enum view_detail_kind kind;
	uint32_t slot;
	struct view_detail *list;
	size_t count;
};

static uint32_t block_number(const struct Monitor_count *count)
{
	return SMILE_PAGE_BYTES / count->bytes + count->offset / count->bytes;
}

static uint32_t slot_find(const struct view_details *details, uint64_t number, uint32_t home)
{
	const struct view_page *pages = details->model->pages, *page;
	size_t at;

	SEARCH_FIRST(at, details->slots, i,
		     pages[details->pages[i].index].number > number ||
			     (pages[details->pages[i].index].number == number &&
			      pages[details->pages[i].index].home >= home));
	if (at == details->slots)
		return NO_SLOT;
	page = &pages[details->pages[at].index];
	return page->number == number && page->home == home ? details->pages[at].slot : NO_SLOT;
}

static int detail_add(const struct Monitor_count *count, void *opaque)
{
	struct collection *collection = opaque;
	uint32_t slot = collection->slot;

	if (slot == NO_SLOT)
		slot = slot_find(collection->details, count->page, count->home);
	if (slot == NO_SLOT)
		return 0;
	if (!collection->list) {
		collection->details->found[slot]++;
		return 0;
	}
	collection->list[collection->count++] = (struct view_detail){
		.slot = slot,
		.where =
			collection->kind == VIEW_DETAIL_RANGES ? block_number(count) : count->phase,
		.accessor = count->source << 2 | count->type,
		.accesses = count->accesses,
	};
	return 0;
}

static int details_walk(struct collection *collection)
{
	const struct view_details *details = collection->details;
	const struct view_model *model = details->model;
	int failed = 0;

	for (size_t i = 0; i < details->slots && !failed; i++) {
		const struct view_page *page = &model->pages[details->pages[i].index];

		collection->slot = details->pages[i].slot;
		failed = (collection->kind == VIEW_DETAIL_RANGES ? Monitor_walk_page_ranges
								 : Monitor_walk_page_phases)(
			model->mon, page->number, page->home, detail_add, collection);
	}
	collection->slot = NO_SLOT;
	if (collection->kind == VIEW_DETAIL_PHASES)
		view_locals_walk(model, detail_add, collection);
	return failed;
}

/* ---- choice -------------------------------------------------------------------------------- */

static int by_index(const void *left, const void *right)
{
	const struct view_detail_page *a = left, *b = right;

	return a->index < b->index ? -1 : a->index > b->index;
}

/* Choose the first @slots pages of details->order. */
static void slots_set(struct view_details *details, size_t slots)
{
	for (size_t i = 0; i < slots; i++)
		details->pages[i] = (struct view_detail_page){
			.index = details->order[i],
			.slot = (uint32_t)i,
		};
	qsort(details->pages, slots, sizeof(*details->pages), by_index);
	details->slots = slots;
}

/* Set details->found: count the details of each chosen page. */
static int details_count(struct view_details *details, enum view_detail_kind kind)
{
	struct collection collection = {.details = details, .kind = kind};

	for (size_t i = 0; i < details->slots; i++)
		details->found[i] = 0;
	details->counted = kind;
	return details_walk(&collection);
}

/* Choose as many pages as VIEW_DETAIL_COUNTS_MAX permits. */
static int details_choose(struct view_details *details, enum view_detail_kind kind)
{
	size_t total = 0, kept;
	int failed = details_count(details, kind);

	for (kept = 0; kept < details->slots; kept++) {
		total += details->found[kept];
		if (total > VIEW_DETAIL_COUNTS_MAX)
			break;
	}
	if (kept < details->slots)
		slots_set(details, kept);
	return failed;
}

int view_details_load(struct view_details *details, const struct view_model *model, size_t most)
{
	size_t slots = 0;
	int failed;

	details->model = model;
	details->order = view_pages_dearest(model, most, &slots);
	details->pages = analysis_memory(slots, sizeof(*details->pages));
	details->found = analysis_memory(slots, sizeof(*details->found));
	if (!details->order || !details->pages || !details->found)
		return -ENOMEM;
	slots_set(details, slots);
	failed = details_choose(details, VIEW_DETAIL_PHASES);
	return failed ? failed : details_choose(details, VIEW_DETAIL_RANGES);
}

void view_details_free(struct view_details *details)
{
	free(details->order);
	free(details->pages);
	free(details->found);
}

/* ---- list ---------------------------------------------------------------------------------- */

static int by_slot(const void *left, const void *right)
{
	const struct view_detail *a = left, *b = right;

	if (a->slot != b->slot)
		return a->slot < b->slot ? -1 : 1;
	if (a->where != b->where)
		return a->where < b->where ? -1 : 1;
	return a->accessor < b->accessor ? -1 : a->accessor > b->accessor;
}

int view_details_list(struct view_details *details, enum view_detail_kind kind,
		      struct view_detail **list, size_t *count)
{
	struct collection collection = {.details = details, .kind = kind};
	int failed = details->counted == kind ? 0 : details_count(details, kind);
	size_t total = 0;

	*list = NULL;
	*count = 0;
	if (failed)
		return failed;
	for (size_t i = 0; i < details->slots; i++)
		total += details->found[i];
	collection.list = analysis_memory(total, sizeof(*collection.list));
	if (!collection.list)
		return -ENOMEM;
	failed = details_walk(&collection);
	if (failed) {
		free(collection.list);
		return failed;
	}
	qsort(collection.list, collection.count, sizeof(*collection.list), by_slot);
	*list = collection.list;
	*count = collection.count;
	return 0;
}
