// SPDX-License-Identifier: MIT
/*
 * View model: finds the region of each page.
 *
 * What lives here: the division of the address space into ranges that each belong to one region.
 * With these ranges, one pass finds the regions of a million pages. If several regions contain an
 * address, the last of them is used, as in Monitor_region_find(). The region of a page is the
 * region of the page's first byte that is in any region.
 */
#include "lib/analysis/view/view_model.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

static int by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/*
 * Get the addresses at which regions begin or end, in ascending order. Return: the addresses; NULL
 * if memory is missing.
 */
static uint64_t *borders(const struct view_model *model)
{
	uint64_t *list = analysis_memory(2 * model->region_count, sizeof(*list));

	if (!list)
		return NULL;
	for (size_t i = 0; i < model->region_count; i++) {
		list[2 * i] = model->regions[i].start;
		list[2 * i + 1] = model->regions[i].end;
	}
	qsort(list, 2 * model->region_count, sizeof(*list), by_address);
	return list;
}

/*
 * Each region has its own copy of its name, so that the address of the name identifies the region.
 */
static int by_name(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t)(*(const struct Monitor_region *const *)left)->name;
	uintptr_t b = (uintptr_t)(*(const struct Monitor_region *const *)right)->name;

	return a < b ? -1 : a > b;
}

/*
 * Get the regions, sorted by the addresses of their names. Return: the regions; NULL if memory is
 * missing.
 */
static const struct Monitor_region **named(const struct view_model *model)
{
	const struct Monitor_region **list = analysis_memory(model->region_count, sizeof(*list));

	if (!list)
		return NULL;
	for (size_t i = 0; i < model->region_count; i++)
		list[i] = &model->regions[i];
	qsort(list, model->region_count, sizeof(*list), by_name);
	return list;
}

/* Find the region of an address. @names: all regions, sorted by the addresses of their names. */
static uint32_t region_at(const struct view_model *model, const struct Monitor_region *const *names,
			  uint64_t address)
{
	struct Monitor_region region;
	const struct Monitor_region *key = &region;
	const struct Monitor_region *const *found;

	if (Monitor_region_find(model->mon, address, &region) < 0)
		return VIEW_NO_REGION;
	found = bsearch(&key, names, model->region_count, sizeof(*names), by_name);
	if (found)
		return (uint32_t)(*found - model->regions);
	/*
	 * If the address belonged to data first and to code later, assume that the accesses were to
	 * the data.
	 */
	for (size_t i = model->region_count; i--;)
		if (model->regions[i].start <= address && address < model->regions[i].end)
			return (uint32_t)i;
	return VIEW_NO_REGION;
}

/*
 * Set the region of each page. @names: all regions, sorted by the addresses of their names; @list:
 * the addresses at which regions begin or end.
 */
static void pages_match(struct view_model *model, const struct Monitor_region *const *names,
			const uint64_t *list)
{
	size_t count = 2 * model->region_count, at = 0, page;
	/* The region of the addresses before the border @at. */
	uint32_t region = VIEW_NO_REGION;

	for (page = 0; page < model->page_count; page++) {
		uint64_t start = model->pages[page].number * SMILE_PAGE_BYTES;
		uint64_t end = start + SMILE_PAGE_BYTES;

		if (at < count && list[at] <= start) {
			while (at < count && list[at] <= start)
				at++;
			region = region_at(model, names, list[at - 1]);
		}
		model->pages[page].region = region;
		for (size_t next = at; model->pages[page].region == VIEW_NO_REGION &&
				       next < count && list[next] < end;
		     next++)
			model->pages[page].region = region_at(model, names, list[next]);
	}
}

int view_regions_match(struct view_model *model)
{
	const struct Monitor_region **names = named(model);
	uint64_t *list = borders(model);
	int failed = names && list ? 0 : -ENOMEM;

	if (!failed)
		pages_match(model, names, list);
	free(list);
	free(names);
	return failed;
}

int view_regions_list(struct view_model *model)
{
	size_t kept = 0;
	int count;

	ANALYSIS_LIST(model->regions, count, Monitor_regions, model->mon);
	if (count < 0)
		return count;
	for (int i = 0; i < count; i++)
		if (model->regions[i].kind != MONITOR_REGION_CODE)
			model->regions[kept++] = model->regions[i];
	model->region_count = kept;
	return 0;
}

int view_regions_load(struct view_model *model)
{
	int failed = view_regions_list(model);

	return failed ? failed : view_regions_match(model);
}
