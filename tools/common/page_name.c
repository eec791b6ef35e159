// SPDX-License-Identifier: MIT
/*
 * Page names. See tools/common/page_name.h.
 */
#include "tools/common/page_name.h"

#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/analysis/regions.h"
#include "tools/common/csv.h"
#include "tools/common/tool.h"

/**
 * struct wanted - A page, as the user has named it.
 * @name: name of the region; shape [@length]
 * @length: length of @name
 * @number: the number that follows the name
 * @in_pages: @number is a number of pages; otherwise a number of bytes
 */
struct wanted {
	const char *name;
	size_t length;
	uint64_t number;
	int in_pages;
};

/*
 * Parse a name such as "grid:127" or "grid+0x7f000". The region's name may contain both signs, so
 * the last sign in the text ends the name.
 */
static int wanted_parse(const char *text, struct wanted *wanted)
{
	const char *colon = strrchr(text, ':'), *plus = strrchr(text, '+');
	const char *sign = !colon || (plus && plus > colon) ? plus : colon;

	if (!sign || sign == text)
		return tool_usage("--page: '%s' is neither a page number nor NAME:PAGE nor "
				  "NAME+OFFSET; `smile report pages` lists the names",
				  text);
	*wanted = (struct wanted){
		.name = text,
		.length = (size_t)(sign - text),
		.in_pages = *sign == ':',
	};
	if (tool_number(wanted->in_pages ? "--page: page of a region"
					 : "--page: offset in a region",
			sign + 1, 0, UINT64_MAX >> 16, &wanted->number) < 0)
		return TOOL_ERROR;
	return TOOL_OK;
}

/*
 * Compare a region with the name. Return: 1 if the region has this name and contains the page,
 * which is stored in @page; 2 if the region has this name but is too short; 0 if the region has
 * another name.
 */
static int wanted_in(const struct wanted *wanted, const struct Monitor_region *region,
		     uint64_t *page)
{
	const char *name = regions_name(region);
	uint64_t first = region->start / SMILE_PAGE_BYTES;

	if (strlen(name) != wanted->length || strncmp(name, wanted->name, wanted->length))
		return 0;
	*page = wanted->in_pages ? first + wanted->number
				 : (region->start + wanted->number) / SMILE_PAGE_BYTES;
	return *page <= (region->end - 1) / SMILE_PAGE_BYTES ? 1 : 2;
}

int page_name_parse(struct Monitor *mon, const char *text, uint64_t *page)
{
	struct Monitor_region *regions;
	struct wanted wanted;
	int count, short_ones = 0, found = 0, i;

	if (wanted_parse(text, &wanted) != TOOL_OK)
		return TOOL_ERROR;
	count = Monitor_regions(mon, NULL, 0);
	if (count <= 0)
		return tool_error("--page %s: the recording has no regions: give the page's "
				  "number",
				  text);
	regions = calloc((size_t)count, sizeof(*regions));
	if (!regions || Monitor_regions(mon, regions, (size_t)count) < 0) {
		free(regions);
		return tool_error("no memory for %d regions", count);
	}
	for (i = 0; i < count; i++) {
		uint64_t at;
		int in = wanted_in(&wanted, &regions[i], &at);

		short_ones += in == 2;
		if (in != 1 || (found && *page == at))
			continue;
		found++;
		*page = at;
	}
	free(regions);
	if (found == 1)
		return TOOL_OK;
	if (found)
		return tool_error("--page %s: several regions have that name: give the page's "
				  "number",
				  text);
	return tool_error(
		short_ones ? "--page %s: the region is not that long"
			   : "--page %s: the recording has no region of this name; see `smile "
			     "report pages`",
		text);
}

void page_name_csv(struct Monitor *mon, uint64_t page)
{
	struct Monitor_region region;
	uint64_t offset;
	char *name;

	if (!mon || !regions_of_page(mon, page, &region, &offset)) {
		csv_empty(4);
		return;
	}
	csv_text(regions_kind(region.kind));
	if (regions_others(mon, page, &region) &&
	    asprintf(&name, "%s" REGIONS_OR_ANOTHER, region.name) >= 0) {
		csv_text(name);
		free(name);
	} else {
		csv_text(region.name);
	}
	csv_count(region.start);
	csv_count(offset);
}
