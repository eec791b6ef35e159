// SPDX-License-Identifier: MIT
/*
 * View: which page lies in which region.
 *
 * What lives here: regions laid flat, so that a million pages find theirs in one pass. Of several
 * regions at an address the last one holds, as in Monitor_region_find(); a page is in the region of
 * its first byte that has one.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/tool.h"

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Where regions begin or end, ascending. */
static uint64_t *borders(const struct view *view)
{
	uint64_t *list = tool_memory(2 * view->region_count, sizeof(*list));

	for (size_t i = 0; i < view->region_count; i++) {
		list[2 * i] = view->regions[i].start;
		list[2 * i + 1] = view->regions[i].end;
	}
	qsort(list, 2 * view->region_count, sizeof(*list), by_address);
	return list;
}

/* A region's name is its own, and so reports it from all others. */
static int by_name(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)(*(const struct Monitor_region *const *)left)->name;
	uintptr_t b = (uintptr_t)(*(const struct Monitor_region *const *)right)->name;

	return a < b ? -1 : a > b;
}

static const struct Monitor_region **named(const struct view *view)
{
	const struct Monitor_region **list = tool_memory(view->region_count, sizeof(*list));

	for (size_t i = 0; i < view->region_count; i++)
		list[i] = &view->regions[i];
	qsort(list, view->region_count, sizeof(*list), by_name);
	return list;
}

/* @names: all regions, by name */
static uint32_t region_at(const struct view *view, const struct Monitor_region *const *names,
			  uint64_t address)
{
	struct Monitor_region region;
	const struct Monitor_region *key = &region;
	const struct Monitor_region *const *found;

	if (Monitor_region_find(view->mon, address, &region) < 0)
		return VIEW_NO_REGION;
	found = bsearch(&key, names, view->region_count, sizeof(*names), by_name);
	if (found)
		return (uint32_t)(*found - view->regions);
	/* Code, where data lay before: it is the data that was accessed. */
	for (size_t i = view->region_count; i--;)
		if (view->regions[i].start <= address && address < view->regions[i].end)
			return (uint32_t)i;
	return VIEW_NO_REGION;
}

static void regions_match(struct view *view)
{
	const struct Monitor_region **names = named(view);
	uint64_t *list = borders(view);
	size_t count = 2 * view->region_count, at = 0, page;
	/* Of the stretch that ends at the border @at. */
	uint32_t region = VIEW_NO_REGION;

	for (page = 0; page < view->page_count; page++) {
		uint64_t start = view->pages[page].number * SMILE_PAGE_BYTES;
		uint64_t end = start + SMILE_PAGE_BYTES;

		if (at < count && list[at] <= start) {
			while (at < count && list[at] <= start)
				at++;
			region = region_at(view, names, list[at - 1]);
		}
		view->pages[page].region = region;
		for (size_t next = at;
		     view->pages[page].region == VIEW_NO_REGION && next < count && list[next] < end;
		     next++)
			view->pages[page].region = region_at(view, names, list[next]);
	}
	free(list);
	free(names);
}

int view_regions_load(struct view *view)
{
	int count = Monitor_regions(view->mon, NULL, 0);
	size_t kept = 0;

	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	view->regions = tool_memory((size_t)count, sizeof(*view->regions));
	count = Monitor_regions(view->mon, view->regions, (size_t)count);
	for (int i = 0; i < count; i++)
		if (view->regions[i].kind != MONITOR_REGION_CODE)
			view->regions[kept++] = view->regions[i];
	view->region_count = kept;
	regions_match(view);
	return TOOL_OK;
}
