/* SPDX-License-Identifier: MIT */
/*
 * Page table: the counts of each page. See page_table.h.
 *
 * What lives here: the order of pages.
 */
#include <stdlib.h>

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

#define DIGIT_BITS 11U
#define DIGITS (1U << DIGIT_BITS)

/* Distance in slots between the entry that is read and the one that is prefetched. */
#define SORTED_AHEAD 16U

/* Sort by one digit, from @keys to @to. The sort is stable. */
static void sort_digit(const uint64_t *keys, uint64_t *to, size_t count, unsigned int shift)
{
	size_t starts[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		starts[keys[i] >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t digits = starts[i];

		starts[i] = sum;
		sum += digits;
	}
	for (size_t i = 0; i < count; i++)
		to[starts[keys[i] >> shift & (DIGITS - 1)]++] = keys[i];
}

/*
 * Sort digit by digit, skipping digits that are equal in all keys. Return: the array with the
 * result, @keys or @other.
 */
static uint64_t *sort_keys(uint64_t *keys, uint64_t *other, size_t count)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < count; i++)
		differ |= keys[i] ^ keys[0];
	for (unsigned int shift = 0; shift < 64; shift += DIGIT_BITS) {
		uint64_t *sorted = other;

		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		sort_digit(keys, sorted, count, shift);
		other = keys;
		keys = sorted;
	}
	return keys;
}

const struct page_counts **smile_page_table_sorted(const struct page_table *pages)
{
	const struct page_counts **sorted = calloc(pages->table.used + 1, sizeof(*sorted)), *page;
	uint64_t *keys = calloc(2 * pages->table.used + 1, sizeof(*keys)), *in_order;
	size_t count = 0, position = 0;

	if (!sorted || !keys) {
		free(sorted);
		free(keys);
		smile_error(ENOMEM, "no memory to sort %zu pages", pages->table.used);
		return NULL;
	}
	while ((page = smile_page_table_next(pages, &position)))
		keys[count++] = page->key - 1;
	in_order = sort_keys(keys, keys + count, count);
	for (size_t i = 0; i < count; i++) {
		if (i + SORTED_AHEAD < count)
			__builtin_prefetch(
				smile_page_table_first(pages, in_order[i + SORTED_AHEAD]));
		sorted[i] = hash_table_place(&pages->table, in_order[i] + 1, sizeof(*page));
	}
	free(keys);
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
