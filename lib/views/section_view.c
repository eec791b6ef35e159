/* SPDX-License-Identifier: MIT */
/*
 * Section: gets the accesses to the sections of one page.
 *
 * What lives here: the public functions whose results are sums of the counts by block. If the range
 * of a count touches two sections, the count is reported as straddling. It is never divided between
 * the sections.
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/* The types that a function can sum up, as a mask of bits. */
#define TYPES_ALL ((1U << SMILE_TYPE_COUNT) - 1)

static int is_accessed(const struct page_counts *slot)
{
	struct histogram_access access;
	size_t position = 0;

	return slot && smile_histogram_page_next(slot, &position, &access);
}

/*
 * Sum up the counts by section. The count of a block that is not larger than a section belongs to
 * the section that contains the block. The count of a larger block straddles sections.
 */
static void blocks_sum(const struct page_counts *slot, uint32_t section_count, uint64_t *counts,
		       uint64_t *straddling, size_t nodes, uint32_t types)
{
	struct histogram_access access;
	size_t position = 0;
	uint32_t block;

	while (smile_histogram_page_block(slot, &position, &access, &block)) {
		if (access.source >= nodes || !(types & 1U << access.type))
			continue;
		while (block >= 2 * section_count)
			block /= 2;
		if (block >= section_count)
			counts[(block - section_count) * nodes + access.source] += access.count;
		else if (straddling)
			straddling[access.source] += access.count;
	}
}

static int sections(struct Monitor *mon, unsigned int home, uint64_t page,
		    unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
		    size_t nodes, uint32_t types)
{
	struct histogram *shown = mon->accesses_shown ? &mon->accesses : &mon->histogram;
	const struct page_counts *slot;
	uint32_t section_count;
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
	slot = smile_page_table_find(&shown->pages, page, home);
	if (!is_accessed(slot))
		return smile_error(ENOENT,
				   "page %llu of node %u was never accessed: smile report pages "
				   "lists the accessed pages",
				   (unsigned long long)page, home);

	if (!histogram_has_ranges(shown, page))
		return smile_error(ENODATA,
				   "ranges within page %llu were not counted: "
				   "Monitor_ranges_only() or Monitor_variables_only() left them "
				   "out",
				   (unsigned long long)page);

	section_count = SMILE_PAGE_BYTES / section_bytes;
	memset(counts, 0, section_count * nodes * sizeof(*counts));
	if (straddling)
		memset(straddling, 0, nodes * sizeof(*straddling));
	blocks_sum(slot, section_count, counts, straddling, nodes, types);
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
