/* SPDX-License-Identifier: MIT */
/*
 * Section: accesses within one page.
 *
 * What lives here: the views that are sums over the block table. A range in two sections is counted
 * as straddling, never divided by a guess.
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/* Types to sum up, as bits. */
#define TYPES_ALL ((1U << SMILE_TYPE_COUNT) - 1)

static int page_known(struct Monitor *mon, unsigned int home, uint64_t page, uint8_t *is_source,
		      size_t nodes)
{
	const struct page_counts *slot = smile_page_table_find(&mon->histogram.pages, page, home);
	struct histogram_access access;
	size_t position = 0;
	int known = 0;

	while (slot && smile_histogram_page_next(slot, &position, &access)) {
		known = 1;
		if (access.source < nodes)
			is_source[access.source] = 1;
	}
	return known;
}

static uint64_t block_count(struct Monitor *mon, unsigned int home, uint64_t page,
			    unsigned int source, uint32_t block, uint32_t types)
{
	uint64_t sum = 0;

	for (uint32_t type = 0; type < SMILE_TYPE_COUNT; type++) {
		if (types & 1U << type)
			sum += smile_histogram_block(&mon->histogram, page, home, source, type,
						     block);
	}
	return sum;
}

static int sections(struct Monitor *mon, unsigned int home, uint64_t page,
		    unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
		    size_t nodes, uint32_t types)
{
	uint8_t is_source[UINT16_MAX + 1] = {0};
	size_t width = nodes <= UINT16_MAX ? nodes : UINT16_MAX + 1;
	uint32_t section_count, block, ancestor;
	int error = smile_page_table_known(mon);

	if (error < 0)
		return error;
	if (section_bytes < SMILE_WORD_BYTES || section_bytes > SMILE_PAGE_BYTES ||
	    section_bytes & (section_bytes - 1))
		return smile_error(
			EINVAL,
			"sections of %u bytes are impossible: use a power of two from %u "
			"to %u",
			section_bytes, SMILE_WORD_BYTES, SMILE_PAGE_BYTES);
	if (!page_known(mon, home, page, is_source, width))
		return smile_error(ENOENT,
				   "page %llu of node %u was never accessed: smile report "
				   "pages lists those that were",
				   (unsigned long long)page, home);

	if (!histogram_has_ranges(&mon->histogram, page))
		return smile_error(ENODATA,
				   "ranges within page %llu were not counted: "
				   "Monitor_ranges_only() left them out",
				   (unsigned long long)page);

	section_count = SMILE_PAGE_BYTES / section_bytes;
	memset(counts, 0, section_count * nodes * sizeof(*counts));
	if (straddling)
		memset(straddling, 0, nodes * sizeof(*straddling));
	for (unsigned int source = 0; source < width; source++) {
		if (!is_source[source])
			continue;
		for (block = 1; block < section_count && straddling; block++)
			straddling[source] += block_count(mon, home, page, source, block, types);
		for (block = section_count; block < HISTOGRAM_BLOCKS; block++) {
			for (ancestor = block; ancestor >= 2 * section_count; ancestor /= 2)
				continue;
			counts[(ancestor - section_count) * nodes + source] +=
				block_count(mon, home, page, source, block, types);
		}
	}
	return (int)section_count;
}

int Monitor_sections_info(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes)
{
	return sections(mon, home, page, section_bytes, counts, straddling, nodes, TYPES_ALL);
}

int Monitor_sections_read(struct Monitor *mon, unsigned int home, uint64_t page,
			  unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			  size_t nodes)
{
	return sections(mon, home, page, section_bytes, counts, straddling, nodes,
			1U << SMILE_TYPE_READ);
}

int Monitor_sections_write(struct Monitor *mon, unsigned int home, uint64_t page,
			   unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			   size_t nodes)
{
	return sections(mon, home, page, section_bytes, counts, straddling, nodes,
			1U << SMILE_TYPE_WRITE);
}
