/* SPDX-License-Identifier: MIT */
/*
 * Page table: the counts of each page. See page_table.h.
 *
 * What lives here: the function that sorts pages.
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

/*
 * The number of bits of a digit of the radix sort. With this number, there are few passes, and the
 * counts of the digits fit into the caches of the host.
 */
#define DIGIT_BITS 11U
#define DIGITS (1U << DIGIT_BITS)

/* Sort @keys by one digit, into @to. */
static void digit_sort(const uint64_t *keys, uint64_t *to, size_t count, unsigned int shift)
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
 * Sort keys by radix sort. A digit that is equal in all keys is skipped. @other: memory of the same
 * size as @keys. Return: the sorted keys, in @keys or in @other.
 */
static const uint64_t *keys_sort(uint64_t *keys, uint64_t *other, size_t count)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < count; i++)
		differ |= keys[i] ^ keys[0];
	for (unsigned int shift = 0; shift < 64; shift += DIGIT_BITS) {
		uint64_t *sorted = other;

		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		digit_sort(keys, sorted, count, shift);
		other = keys;
		keys = sorted;
	}
	return keys;
}

/* While an entry is read, the entry at this distance after it is prefetched. */
#define SORTED_AHEAD 16U

const struct page_counts **smile_page_table_sorted(const struct page_table *pages)
{
	const struct page_counts **sorted = calloc(pages->table.used + 1, sizeof(*sorted)), *page;
	uint64_t *memory = calloc(2 * pages->table.used + 1, sizeof(*memory));
	const uint64_t *keys;
	size_t count = 0, position = 0;

	if (!sorted || !memory) {
		free(sorted);
		free(memory);
		smile_error(ENOMEM, "no memory to sort %zu pages", pages->table.used);
		return NULL;
	}
	while ((page = smile_page_table_next(pages, &position)))
		memory[count++] = page->key - 1;
	keys = keys_sort(memory, memory + count, count);
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
