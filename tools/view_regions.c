// SPDX-License-Identifier: MIT
/*
 * View: which page lies in which region.
 *
 * What lives here: regions laid flat, so that a million pages find theirs in one pass. Of several
 * regions at an address the last one holds, as in Monitor_region_find(); a page is in the region of
 * its first byte that has one.
 */
#include "tools/view.h"

#include <stdlib.h>

#include "tools/report.h"
#include "tools/smile.h"

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Where regions begin or end, ascending. */
static uint64_t *borders(const struct view *view)
{
	uint64_t *list = report_memory(2 * view->region_count, sizeof(*list));

	for (size_t i = 0; i < view->region_count; i++) {
		list[2 * i] = view->regions[i].start;
		list[2 * i + 1] = view->regions[i].end;
	}
	qsort(list, 2 * view->region_count, sizeof(*list), by_address);
	return list;
}

static uint32_t region_at(const struct view *view, uint64_t address)
{
	for (size_t i = view->region_count; i--;)
		if (view->regions[i].start <= address && address < view->regions[i].end)
			return (uint32_t)i;
	return VIEW_NO_REGION;
}

static void regions_match(struct view *view)
{
	uint64_t *list = borders(view);
	size_t count = 2 * view->region_count, at = 0, page;
	/* Of the stretch that ends at the border @at. */
	uint32_t region = VIEW_NO_REGION;

	for (page = 0; page < view->page_count; page++) {
		uint64_t start = view->pages[page].number * SMILE_PAGE_BYTES;
		uint64_t end = start + SMILE_PAGE_BYTES;

		while (at < count && list[at] <= start) {
			region = region_at(view, list[at]);
			at++;
		}
		view->pages[page].region = region;
		for (size_t next = at;
		     view->pages[page].region == VIEW_NO_REGION && next < count && list[next] < end;
		     next++)
			view->pages[page].region = region_at(view, list[next]);
	}
	free(list);
}

int view_regions_load(struct view *view)
{
	int count = Monitor_regions(view->mon, NULL, 0);
	size_t kept = 0;

	if (count < 0)
		return tool_error("%s", Monitor_error_message());
	view->regions = report_memory((size_t)count, sizeof(*view->regions));
	count = Monitor_regions(view->mon, view->regions, (size_t)count);
	for (int i = 0; i < count; i++)
		if (view->regions[i].kind != MONITOR_REGION_CODE)
			view->regions[kept++] = view->regions[i];
	view->region_count = kept;
	regions_match(view);
	return TOOL_OK;
}
