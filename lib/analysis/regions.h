/* SPDX-License-Identifier: MIT */
/*
 * Regions: finds the region of the program's address space that contains a page. A recording can be
 * without regions.
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
 * regions_known() - Return whether the recording has regions.
 */
int regions_known(struct Monitor *mon);

/**
 * regions_kind() - Get the name of a kind of region, such as "heap" or "global"; "unknown" if only
 * later versions have this kind.
 */
const char *regions_kind(uint32_t kind);

/**
 * regions_page() - Name a page by its region and its offset in the region, such as "heap+0x2000" or
 * "sor+0x1000".
 * @text: caller-owned, REGIONS_NAME_BYTES long; receives "-" if the page is in no known region
 *
 * The offset is the offset of the first byte of the page that is in the region. If several shared
 * memory segments contained the page at different times, the text names the last segment and ends
 * with " or another". Return: @text.
 */
char *regions_page(struct Monitor *mon, uint64_t page, char *text);

/**
 * regions_page_json() - Add the region of a page, and the page's offset in it, to @object as
 * "region". If the page is in no known region, the function adds nothing.
 */
void regions_page_json(struct Monitor *mon, uint64_t page, json_t *object);

#define REGIONS_CSV "region_kind,region,region_start,region_offset_bytes"

/**
 * regions_of_page() - Find the first byte of a page that is in a region, and the region that
 * contains this byte.
 * @offset: receives the offset of the found byte in the region
 *
 * Return: 1; 0 if no part of the page is in a known region.
 */
int regions_of_page(struct Monitor *mon, uint64_t page, struct Monitor_region *region,
		    uint64_t *offset);

/**
 * regions_others() - Get the number of shared memory segments, other than @region, that contained a
 * page at some time.
 *
 * Return: the number; 0 if @region is not a segment.
 */
size_t regions_others(struct Monitor *mon, uint64_t page, const struct Monitor_region *region);

/**
 * regions_name() - Get the name of a region, as regions_page() writes it. The name stays valid as
 * long as region->name.
 */
const char *regions_name(const struct Monitor_region *region);

#endif /* LIB_ANALYSIS_REGIONS_H */
