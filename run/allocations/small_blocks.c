// SPDX-License-Identifier: MIT
/*
 * run/allocations: merges small blocks of the heap if there are too many of them to report each
 * one.
 *
 * What lives here: the code that merges neighbouring blocks into one extent of memory. The extent
 * is reported once for each site that has blocks in it.
 */
#include "run/allocations/allocations.h"

/* The largest number of sites whose blocks are merged into one extent. */
#define MERGE_SITES 4U

/**
 * struct merge - A sequence of rows that will be reported as one extent.
 * @all: the extent
 * @sites: the sites of the merged rows, without duplicates
 * @uses: for each site, the sum of the uses of its rows
 * @site_count: number of sites
 * @rows: number of rows that were merged
 */
struct merge {
	struct Monitor_block all;
	uint32_t sites[MERGE_SITES];
	uint64_t uses[MERGE_SITES];
	size_t site_count;
	size_t rows;
};

static uint64_t row_end(const struct Monitor_block *row)
{
	return row->address + (row->count - 1) * row->stride + row->bytes;
}

/*
 * Write the extent as rows, with one row for each of its sites. If this would not reduce the number
 * of rows, write nothing. Return: the number of rows that were written.
 */
static size_t merge_put(const struct merge *merge, struct Monitor_block *to)
{
	if (merge->rows < 2 || merge->site_count > merge->rows)
		return 0;
	for (size_t i = 0; i < merge->site_count; i++) {
		to[i] = merge->all;
		to[i].site = merge->sites[i];
		to[i].uses = merge->uses[i];
		to[i].flags = MONITOR_BLOCK_MERGED;
	}
	return merge->site_count;
}

/* Add a row to the sequence. Return: 0 if the row cannot be added. */
static int merge_take(struct merge *merge, const struct Monitor_block *row, size_t most)
{
	uint64_t end = merge->all.address + merge->all.bytes;
	size_t i = 0;

	if ((row->bytes >= ALLOCATIONS_LARGE_BYTES && !row->flags) || merge->rows >= most)
		return 0;
	if (merge->rows && row->address > end && row->address - end >= ALLOCATIONS_GAP_BYTES)
		return 0;
	while (i < merge->site_count && merge->sites[i] != row->site)
		i++;
	if (i == MERGE_SITES)
		return 0;
	if (!merge->rows++) {
		merge->all = *row;
		merge->all.count = 1;
		end = row->address;
	}
	if (i == merge->site_count) {
		merge->sites[merge->site_count++] = row->site;
		merge->uses[i] = 0;
	}
	merge->uses[i] += row->uses;
	if (row_end(row) > end)
		end = row_end(row);
	merge->all.bytes = merge->all.stride = end - merge->all.address;
	if (row->begin_ns < merge->all.begin_ns)
		merge->all.begin_ns = row->begin_ns;
	if (row->end_ns > merge->all.end_ns)
		merge->all.end_ns = row->end_ns;
	return 1;
}

size_t small_blocks_merge(struct Monitor_block *rows, size_t count, size_t most)
{
	size_t kept = 0, first = 0;

	while (first < count) {
		struct merge merge = {0};
		size_t next = first, put;

		while (next < count && merge_take(&merge, &rows[next], most))
			next++;
		if (next == first)
			next++;
		put = merge_put(&merge, &rows[kept]);
		/*
		 * The written rows cannot overwrite rows that were not read yet, because the number
		 * of rows never grows.
		 */
		for (; !put && first < next; first++)
			rows[kept++] = rows[first];
		kept += put;
		first = next;
	}
	return kept;
}
