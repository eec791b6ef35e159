/* SPDX-License-Identifier: MIT */
/*
 * Page: gets the accesses to each page.
 *
 * What lives here: the public functions whose results are sums of the counts by page.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/copy_out.h"
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

int Monitor_nodes(struct Monitor *mon)
{
	return (int)mon->histogram.nodes;
}

/* The distance, in pages, from the current page to the page whose counts are prefetched. */
#define WALK_AHEAD 8U

/* The number of sources whose bits are in the same word. */
#define WORD_BITS 64U

/**
 * struct page_rows - The rows of one page that are being made.
 * @rows: the rows, [@nodes]
 * @count: number of rows
 * @sums: accesses by source and type, [@nodes]; all zero between two pages
 * @seen: a bit for each source; it is set if the source has accesses in @sums
 * @words: a bit for each word of @seen; it is set if the word is not 0
 * @nodes: largest number of nodes
 */
struct page_rows {
	struct Monitor_histogram_row *rows;
	size_t count;
	uint64_t (*sums)[SMILE_TYPE_COUNT];
	uint64_t *seen;
	uint64_t *words;
	size_t nodes;
};

static void page_rows_free(struct page_rows *of)
{
	free(of->rows);
	free(of->sums);
	free(of->seen);
	free(of->words);
}

static int page_rows_new(struct page_rows *of, size_t nodes)
{
	*of = (struct page_rows){
		.rows = calloc(nodes + 1, sizeof(*of->rows)),
		.sums = calloc(nodes + 1, sizeof(*of->sums)),
		.seen = calloc(nodes / WORD_BITS + 1, sizeof(*of->seen)),
		.words = calloc(nodes / WORD_BITS / WORD_BITS + 1, sizeof(*of->words)),
		.nodes = nodes,
	};
	if (of->rows && of->sums && of->seen && of->words)
		return 0;
	page_rows_free(of);
	return smile_error(ENOMEM, "no memory for the rows of %zu nodes", nodes);
}

static void page_rows_take(struct page_rows *of, const struct page_counts *page, uint32_t source,
			   uint64_t all)
{
	uint64_t *sums = of->sums[source], accesses = 0;

	for (uint32_t type = 0; type < SMILE_TYPE_COUNT; type++)
		accesses += sums[type];
	of->rows[of->count++] = (struct Monitor_histogram_row){
		.page = smile_page_table_number(page),
		.home = smile_page_table_home(page),
		.source = source,
		.accesses = accesses,
		.reads = sums[SMILE_TYPE_READ],
		.writes = sums[SMILE_TYPE_WRITE],
		.locks = sums[SMILE_TYPE_LOCK],
		.ratio = (double)accesses / (double)all,
	};
	memset(sums, 0, sizeof(*of->sums));
}

/* Make the rows of the sources whose bits are in one word of @seen. */
static void page_rows_take_word(struct page_rows *of, const struct page_counts *page, size_t word,
				uint64_t all)
{
	for (uint64_t left = of->seen[word]; left; left &= left - 1)
		page_rows_take(of, page,
			       (uint32_t)(word * WORD_BITS) + (uint32_t)__builtin_ctzll(left), all);
	of->seen[word] = 0;
}

/* Sum up the accesses to a page by source and type, over all phases, and make rows of the sums. */
static void page_rows_fill(struct page_rows *of, const struct page_counts *page)
{
	uint64_t all = 0, count, key;
	size_t position = 0;

	while ((count = smile_counts_next(&page->accesses, &position, &key))) {
		uint32_t source = histogram_access_source(key);
		size_t word = source / WORD_BITS;

		of->sums[source][histogram_access_type(key)] += count;
		all += count;
		of->seen[word] |= 1ULL << source % WORD_BITS;
		of->words[word / WORD_BITS] |= 1ULL << word % WORD_BITS;
	}
	of->count = 0;
	for (size_t i = 0; i <= of->nodes / WORD_BITS / WORD_BITS; i++) {
		for (uint64_t left = of->words[i]; left; left &= left - 1)
			page_rows_take_word(of, page, i * WORD_BITS + (size_t)__builtin_ctzll(left),
					    all);
		of->words[i] = 0;
	}
}

int Monitor_walk_pages(struct Monitor *mon, Monitor_page_function each, void *opaque)
{
	const size_t count = smile_shown(mon)->pages.table.used;
	const struct page_counts **sorted;
	struct page_rows rows;
	int result = smile_page_table_known(mon);

	if (result < 0)
		return result;
	result = page_rows_new(&rows, smile_shown(mon)->nodes);
	if (result < 0)
		return result;
	sorted = smile_page_table_sorted(&smile_shown(mon)->pages);
	if (!sorted) {
		page_rows_free(&rows);
		return -ENOMEM;
	}
	for (size_t i = 0; !result && sorted[i]; i++) {
		if (i + 4 * WALK_AHEAD < count) {
			__builtin_prefetch(sorted[i + 4 * WALK_AHEAD]);
			__builtin_prefetch(sorted[i + WALK_AHEAD]->accesses.groups);
		}
		page_rows_fill(&rows, sorted[i]);
		if (rows.count)
			result = each(rows.rows, rows.count, opaque);
	}
	page_rows_free(&rows);
	free(sorted);
	return result;
}

int Monitor_changes_begin(struct Monitor *mon)
{
	int error = smile_page_table_known(mon);

	return error < 0 ? error : smile_changes_begin(&mon->histogram);
}

int Monitor_walk_changes(struct Monitor *mon, Monitor_page_function each, void *opaque)
{
	struct page_rows rows;
	uint64_t *keys;
	int count, result;

	if (mon->accesses_shown)
		return smile_error(ENODATA, "what changes are transactions");
	count = smile_changes_pages(&mon->histogram, &keys);
	if (count < 0)
		return count;
	result = page_rows_new(&rows, mon->histogram.nodes);
	if (result < 0) {
		free(keys);
		return result;
	}
	for (int i = 0; !result && i < count; i++) {
		page_rows_fill(&rows, hash_table_find(&mon->histogram.pages.table, keys[i] + 1,
						      sizeof(struct page_counts)));
		if (rows.count)
			result = each(rows.rows, rows.count, opaque);
	}
	page_rows_free(&rows);
	free(keys);
	return result;
}

/**
 * struct collect - State while rows are copied to the caller's array.
 * @rows: the caller's array
 * @capacity: number of rows for which the array has memory
 * @found: number of rows so far
 */
struct collect {
	struct Monitor_histogram_row *rows;
	size_t capacity;
	size_t found;
};

static int collect_page(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct collect *collect = opaque;
	size_t at = collect->found < collect->capacity ? collect->found : collect->capacity;

	smile_copy(collect->rows + at, collect->capacity - at, rows, count, sizeof(*rows));
	collect->found += count;
	return 0;
}

int Monitor_histogram_info(struct Monitor *mon, struct Monitor_histogram_row *rows, size_t capacity)
{
	struct collect collect = {.rows = rows, .capacity = capacity};
	int error = Monitor_walk_pages(mon, collect_page, &collect);

	return error < 0 ? error : (int)collect.found;
}

int Monitor_histogram_page(struct Monitor *mon, uint64_t page, unsigned int home,
			   struct Monitor_histogram_row *rows, size_t capacity)
{
	const struct page_counts *slot;
	struct page_rows of;
	int error = smile_page_table_known(mon);

	if (error < 0)
		return error;
	slot = smile_page_table_find(&smile_shown(mon)->pages, page, home);
	if (!slot)
		return 0;
	error = page_rows_new(&of, smile_shown(mon)->nodes);
	if (error < 0)
		return error;
	page_rows_fill(&of, slot);
	smile_copy(rows, capacity, of.rows, of.count, sizeof(*rows));
	page_rows_free(&of);
	return (int)of.count;
}

/* Find the home of a page. The page table can have the same page number once for each node. */
int Monitor_page_home(struct Monitor *mon, uint64_t page)
{
	const struct page_counts *slot;
	size_t position = 0;
	int home = -1, error = smile_page_table_known(mon);

	if (error < 0)
		return error;
	while ((slot = smile_page_table_next(&mon->histogram.pages, &position))) {
		if (smile_page_table_number(slot) != page || !slot->accesses.used)
			continue;
		if (home >= 0)
			return smile_error(EMLINK,
					   "several nodes have a page %llu: name its home node too",
					   (unsigned long long)page);
		home = (int)smile_page_table_home(slot);
	}
	if (home < 0)
		home = smile_map_home(&mon->map, page);
	if (home < 0)
		return smile_error(
			ENOENT,
			"page %llu was never accessed: smile report pages lists the accessed pages",
			(unsigned long long)page);
	return home;
}
