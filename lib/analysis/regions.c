// SPDX-License-Identifier: MIT
/*
 * Regions. See lib/analysis/regions.h.
 */
#include "lib/analysis/regions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/analysis/document.h"
#include "lib/analysis/text.h"

static const char *const region_kinds[] = {
	[MONITOR_REGION_HEAP] = "heap",	      [MONITOR_REGION_GLOBAL] = "global",
	[MONITOR_REGION_PRIVATE] = "private", [MONITOR_REGION_SHARED] = "shared",
	[MONITOR_REGION_NAMED] = "named",     [MONITOR_REGION_STACK] = "stack",
	[MONITOR_REGION_CODE] = "code",	      [MONITOR_REGION_SEGMENT] = "segment",
};

int regions_known(struct Monitor *mon)
{
	return Monitor_regions(mon, NULL, 0) > 0;
}

const char *regions_kind(uint32_t kind)
{
	return kind < sizeof(region_kinds) / sizeof(region_kinds[0]) ? region_kinds[kind]
								     : "unknown";
}

/*
 * A region can begin or end within a page. Get the region of the first byte of the page that is in
 * any region.
 */
int regions_of_page(struct Monitor *mon, uint64_t page, struct Monitor_region *region,
		    uint64_t *offset)
{
	uint64_t start = page * SMILE_PAGE_BYTES, address;

	if (Monitor_region_within(mon, start, start + SMILE_PAGE_BYTES, region, &address) <= 0)
		return 0;
	*offset = address - region->start;
	return 1;
}

/* Get the last part of a region's path; if the region has no name, get its kind. */
const char *regions_name(const struct Monitor_region *region)
{
	const char *slash = strrchr(region->name, '/');

	if ((region->kind == MONITOR_REGION_NAMED || region->kind == MONITOR_REGION_SEGMENT) &&
	    *region->name)
		return region->name;
	if (slash && slash[1])
		return slash + 1;
	return *region->name ? region->name : regions_kind(region->kind);
}

size_t regions_others(struct Monitor *mon, uint64_t page, const struct Monitor_region *region)
{
	uint64_t start = page * SMILE_PAGE_BYTES, end = start + SMILE_PAGE_BYTES;
	int count = region->kind == MONITOR_REGION_SEGMENT ? Monitor_regions(mon, NULL, 0) : 0;
	struct Monitor_region *all = count > 1 ? calloc((size_t)count, sizeof(*all)) : NULL;
	size_t others = 0;

	if (!all || Monitor_regions(mon, all, (size_t)count) < 0)
		count = 0;
	for (int i = 0; i < count; i++)
		others += all[i].kind == MONITOR_REGION_SEGMENT && all[i].start < end &&
			  all[i].end > start && strcmp(all[i].name, region->name);
	free(all);
	return others;
}

char *regions_page(struct Monitor *mon, uint64_t page, char *text)
{
	struct Monitor_region region;
	uint64_t offset;

	if (regions_of_page(mon, page, &region, &offset))
		snprintf(text, REGIONS_NAME_BYTES, "%.40s+0x%" PRIx64 "%s", regions_name(&region),
			 offset, regions_others(mon, page, &region) ? REGIONS_OR_ANOTHER : "");
	else
		snprintf(text, REGIONS_NAME_BYTES, "-");
	return text_printable(text);
}

void regions_page_json(struct Monitor *mon, uint64_t page, json_t *object)
{
	struct Monitor_region region;
	uint64_t offset;

	if (!regions_of_page(mon, page, &region, &offset))
		return;
	if (regions_others(mon, page, &region))
		json_object_set_new(object, "region_ambiguous", json_true());
	json_object_set_new(object, "region",
			    json_pack("{s:s,s:o,s:I,s:I}", "kind", regions_kind(region.kind),
				      "name", document_text(region.name), "start",
				      (json_int_t)region.start, "offset", (json_int_t)offset));
}
