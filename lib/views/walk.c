/* SPDX-License-Identifier: MIT */
/*
 * Walk: visits every count, for views of the whole address space.
 *
 * What lives here: the functions that pass the counts of the histogram's tables to the caller's
 * function.
 */
#include "lib/monitor/monitor.h"

/*
 * Pass the count of a block to the caller's function. @block: number of the block, as described in
 * histogram.h.
 */
static int pass(const struct histogram_access *access, uint32_t block, Monitor_walk_function each,
		void *opaque)
{
	struct Monitor_count count = {
		.page = access->page,
		.home = access->home,
		.source = access->source,
		.type = access->type,
		.phase = access->phase,
		.bytes = SMILE_PAGE_BYTES,
		.accesses = access->count,
	};
	uint32_t first = 1;

	/* Compute the size and the offset of the block from its number in the binary heap. */
	for (; 2 * first <= block; first *= 2)
		count.bytes /= 2;
	count.offset = (block - first) * count.bytes;
	return each(&count, opaque);
}

int Monitor_walk_phases(struct Monitor *mon, Monitor_walk_function each, void *opaque)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};
	int result = smile_page_table_known(mon);

	while (!result && smile_histogram_next(smile_shown(mon), &walk, &access))
		result = pass(&access, HISTOGRAM_BLOCK_PAGE, each, opaque);
	return result;
}

int Monitor_walk_page_phases(struct Monitor *mon, uint64_t page, unsigned int home,
			     Monitor_walk_function each, void *opaque)
{
	const struct page_counts *slot;
	struct histogram_access access;
	size_t position = 0;
	int result = smile_page_table_known(mon);

	slot = result ? NULL : smile_page_table_find(&smile_shown(mon)->pages, page, home);
	while (slot && !result && smile_histogram_page_next(slot, &position, &access))
		result = pass(&access, HISTOGRAM_BLOCK_PAGE, each, opaque);
	return result;
}

int Monitor_walk_ranges(struct Monitor *mon, Monitor_walk_function each, void *opaque)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};
	uint32_t block;
	int result = smile_page_table_known(mon);

	while (!result && smile_histogram_block_next(smile_shown(mon), &walk, &access, &block))
		result = pass(&access, block, each, opaque);
	return result;
}

int Monitor_walk_page_ranges(struct Monitor *mon, uint64_t page, unsigned int home,
			     Monitor_walk_function each, void *opaque)
{
	const struct page_counts *slot;
	struct histogram_access access;
	size_t position = 0;
	uint32_t block;
	int result = smile_page_table_known(mon);

	slot = result ? NULL : smile_page_table_find(&smile_shown(mon)->pages, page, home);
	while (slot && !result && smile_histogram_page_block(slot, &position, &access, &block))
		result = pass(&access, block, each, opaque);
	return result;
}

/* ---- pairs of nodes -------------------------------------------------------------------------- */

int Monitor_walk_pairs(struct Monitor *mon, Monitor_walk_function each, void *opaque)
{
	const struct changes *changes = mon->histogram.changes;
	struct histogram_access access;
	struct histogram_walk walk = {0};
	const struct count_cell *cell;
	size_t position = 0;
	int result = 0;

	if (!changes || changes->pairs_lost) {
		while (!result && smile_histogram_next(&mon->histogram, &walk, &access))
			result = pass(&access, HISTOGRAM_BLOCK_PAGE, each, opaque);
		return result;
	}
	while (!result && (cell = smile_count_table_next(&changes->pairs, &position))) {
		const struct Monitor_count count = {
			.home = (uint32_t)cell->low,
			.source = histogram_access_source(cell->high),
			.type = histogram_access_type(cell->high),
			.phase = histogram_access_phase(cell->high),
			.bytes = SMILE_PAGE_BYTES,
			.accesses = cell->count,
		};

		result = each(&count, opaque);
	}
	return result;
}
