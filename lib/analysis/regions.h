/* SPDX-License-Identifier: MIT */
/*
 * Regions: the part of the program's address space in which a page lies, if the recording has it.
 */
#ifndef LIB_ANALYSIS_REGIONS_H
#define LIB_ANALYSIS_REGIONS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct Monitor;
struct Monitor_region;

#define REGIONS_NAME_BYTES 80
#define REGIONS_OR_ANOTHER " or another"

/**
 * regions_known() - Whether the recording has any regions.
 */
int regions_known(struct Monitor *mon);

/**
 * regions_kind() - "heap", "global" and so on; "unknown" for a kind of a later release.
 */
const char *regions_kind(uint32_t kind);

/**
 * regions_page() - Name a page as region and offset in it: "heap+0x2000", "sor+0x1000".
 * @text: caller-owned, REGIONS_NAME_BYTES long; receives "-" if nothing is known about the page
 *
 * The offset is of the page's first byte that is in the region. " or another" is appended if the
 * page was in several segments in turn: the last segment is named. Return: @text.
 */
char *regions_page(struct Monitor *mon, uint64_t page, char *text);

/**
 * regions_page_json() - The same for JSON, added to @object as "region"; nothing is added if
 * nothing is known about the page.
 */
void regions_page_json(struct Monitor *mon, uint64_t page, json_t *object);

#define REGIONS_CSV "region_kind,region,region_start,region_offset_bytes"

/**
 * regions_of_page() - The region of the first byte of a page that lies in a region.
 * @offset: receives the offset of that byte in the region
 *
 * Return: 1; 0 if nothing is known about the page.
 */
int regions_of_page(struct Monitor *mon, uint64_t page, struct Monitor_region *region,
		    uint64_t *offset);

/**
 * regions_others() - How many other segments had a page that is in the segment @region.
 *
 * Return: 0 also if @region is no segment.
 */
size_t regions_others(struct Monitor *mon, uint64_t page, const struct Monitor_region *region);

/**
 * regions_name() - The name of a region in regions_page(); valid as long as @region's name.
 */
const char *regions_name(const struct Monitor_region *region);

#endif /* LIB_ANALYSIS_REGIONS_H */
