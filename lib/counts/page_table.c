/* SPDX-License-Identifier: MIT */
/*
 * Page table: the counts of each page. See page_table.h.
 *
 * What lives here: the order of pages.
 */
#include <stdlib.h>

#include "lib/base/digit_sort.h"
#include "lib/base/error.h"
#include "lib/counts/page_table.h"

int smile_page_table_reserve(struct page_table *pages, size_t count)
{
	return hash_table_reserve(&pages->table, count, sizeof(struct page_counts)) < 0
		       ? smile_error(ENOMEM, "no memory for a histogram of %zu pages",
				     2 * hash_table_size(&pages->table))
		       : 0;
}

const struct page_counts *smile_page_table_find(const struct page_table *pages, uint64_t page,
						uint32_t home)
{
	if (home > UINT16_MAX || page > UINT64_MAX >> 16)
		return NULL;
	return hash_table_find(&pages->table, smile_page_table_key(page, home) + 1,
			       sizeof(struct page_counts));
}

const struct page_counts *smile_page_table_next(const struct page_table *pages, size_t *position)
{
	return hash_table_next(&pages->table, position, sizeof(struct page_counts));
}

/* ---- sorted pages ---------------------------------------------------------------------------- */

/* Distance in slots between the entry that is read and the one that is prefetched. */
#define SORTED_AHEAD 16U

const struct page_counts **smile_page_table_sorted(const struct page_table *pages)
{
	const struct page_counts **sorted = calloc(pages->table.used + 1, sizeof(*sorted)), *page;
	uint64_t *memory = calloc(2 * pages->table.used + 1, sizeof(*memory));
	uint64_t *keys = memory, *other;
	size_t count = 0, position = 0;

	if (!sorted || !memory) {
		free(sorted);
		free(memory);
		smile_error(ENOMEM, "no memory to sort %zu pages", pages->table.used);
		return NULL;
	}
	while ((page = smile_page_table_next(pages, &position)))
		keys[count++] = page->key - 1;
	other = keys + count;
	digit_sort(&keys, &other, count, 1, 0, 0);
	for (size_t i = 0; i < count; i++) {
		if (i + SORTED_AHEAD < count)
			__builtin_prefetch(smile_page_table_first(pages, keys[i + SORTED_AHEAD]));
		sorted[i] = hash_table_place(&pages->table, keys[i] + 1, sizeof(*page));
	}
	free(memory);
	return sorted;
}

void smile_page_table_free(struct page_table *pages)
{
	size_t position = 0;
	struct page_counts *page;

	while ((page = hash_table_next(&pages->table, &position, sizeof(*page)))) {
		smile_counts_drop(&page->accesses);
		smile_counts_drop(&page->blocks);
	}
	smile_slab_free(&pages->slab);
	hash_table_free(&pages->table);
}
