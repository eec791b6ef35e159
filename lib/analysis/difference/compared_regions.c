// SPDX-License-Identifier: MIT
/*
 * Comparison: sums up the differences by region.
 */
#include "lib/analysis/difference/comparison.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/analysis/regions.h"

/*
 * Find or add the region of a page. Return: the region; NULL if memory is missing, with
 * Monitor_error_message() set.
 */
static struct comparison_region *region_find(struct comparison *comparison, uint64_t page)
{
	struct Monitor_region region;
	struct comparison_region *found;
	const char *name = "-", *kind = "";
	uint64_t offset;
	size_t i;

	region.start = 0;
	if (regions_of_page(comparison->mon[0], page, &region, &offset) ||
	    regions_of_page(comparison->mon[1], page, &region, &offset)) {
		name = regions_name(&region);
		kind = regions_kind(region.kind);
	}
	for (i = 0; i < comparison->region_count; i++) {
		found = &comparison->regions[i];
		if (!strncmp(found->name, name, sizeof(found->name) - 1) &&
		    !strcmp(found->kind, kind))
			return found;
	}
	if (array_reserve(&comparison->regions, &comparison->region_room, i, sizeof(*found)) < 0) {
		Monitor_error_set(ENOMEM, "no memory for %zu regions", i + 1);
		return NULL;
	}
	comparison->region_count++;
	found = &comparison->regions[i];
	*found = (struct comparison_region){.kind = kind, .start = region.start};
	snprintf(found->name, sizeof(found->name), "%s", name);
	return found;
}

const struct comparison_region *comparison_region_find(const struct comparison *comparison,
						       const struct comparison_region *region)
{
	for (size_t i = 0; i < comparison->region_count; i++)
		if (!strcmp(comparison->regions[i].name, region->name) &&
		    !strcmp(comparison->regions[i].kind, region->kind))
			return &comparison->regions[i];
	return NULL;
}

static int by_distance(const void *left, const void *right)
{
	const struct comparison_region *a = left, *b = right;

	if (a->apart != b->apart)
		return a->apart > b->apart ? -1 : 1;
	return strcmp(a->name, b->name);
}

int comparison_regions(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->page_count; i++) {
		const struct comparison_page *page = &comparison->pages[i];
		struct comparison_region *region = region_find(comparison, page->rows->page);

		if (!region)
			return -ENOMEM;
		region->pages++;
		region->moved += (uint64_t)comparison_page_moved(page);
		region->apart += page->apart;
		comparison_counts_add(&region->counts, &page->counts);
	}
	if (comparison->region_count)
		qsort(comparison->regions, comparison->region_count, sizeof(*comparison->regions),
		      by_distance);
	return 0;
}
