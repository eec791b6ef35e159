/* SPDX-License-Identifier: MIT */
/*
 * Walk: every count, for views of the whole address space.
 *
 * What lives here: the path from the histogram's tables to the caller's function.
 */
#include "lib/monitor/monitor.h"

static struct Monitor_count count_of(const struct histogram_access *access)
{
	return (struct Monitor_count){
		.page = access->page,
		.home = access->home,
		.source = access->source,
		.type = access->type,
		.phase = access->phase,
		.bytes = SMILE_PAGE_BYTES,
		.accesses = access->count,
	};
}

int Monitor_walk_phases(struct Monitor *mon, Monitor_walk_function each, void *opaque)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};
	int result = smile_page_table_known(mon);

	while (!result && smile_histogram_next(smile_shown(mon), &walk, &access)) {
		struct Monitor_count count = count_of(&access);

		result = each(&count, opaque);
	}
	return result;
}

int Monitor_walk_ranges(struct Monitor *mon, Monitor_walk_function each, void *opaque)
{
	struct histogram_access access;
	struct histogram_walk walk = {0};
	uint32_t block;
	int result = smile_page_table_known(mon);

	while (!result && smile_histogram_block_next(smile_shown(mon), &walk, &access, &block)) {
		struct Monitor_count count = count_of(&access);
		uint32_t first = 1;

		/*
		 * The row of the binary heap that the block is in gives the block's size and index.
		 */
		for (; 2 * first <= block; first *= 2)
			count.bytes /= 2;
		count.offset = (block - first) * count.bytes;
		result = each(&count, opaque);
	}
	return result;
}
