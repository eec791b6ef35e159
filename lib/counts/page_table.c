/* SPDX-License-Identifier: MIT */
/*
 * Pages: the counts of each page. See pages.h.
 *
 * What lives here: growth, at a load of three quarters, and the walks.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/counts/page_table.h"

#define PAGES_FIRST_BITS 8U

static int grow(struct pages *pages)
{
	unsigned int bits = pages->bits ? pages->bits + 1 : PAGES_FIRST_BITS;
	struct pages larger = *pages;
	size_t position = 0;
	const struct pages_page *page;

	larger.bits = bits;
	larger.size = (size_t)1 << bits;
	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return smile_error(ENOMEM, "no memory for a histogram of %zu pages", larger.size);
	while ((page = smile_pages_next(pages, &position)))
		*smile_pages_slot(&larger, page->key - 1) = *page;
	free(pages->slots);
	*pages = larger;
	return 0;
}

int smile_pages_reserve(struct pages *pages, size_t count)
{
	while (pages->used + count > pages->size - pages->size / 4) {
		int error = grow(pages);

		if (error < 0)
			return error;
	}
	return 0;
}

const struct pages_page *smile_pages_find(const struct pages *pages, uint64_t page, uint32_t home)
{
	const struct pages_page *slot;

	if (!pages->size || home > UINT16_MAX || page > UINT64_MAX >> 16)
		return NULL;
	slot = smile_pages_slot(pages, smile_pages_key(page, home));
	return slot->key ? slot : NULL;
}

const struct pages_page *smile_pages_next(const struct pages *pages, size_t *position)
{
	while (*position < pages->size) {
		const struct pages_page *page = &pages->slots[(*position)++];

		if (page->key)
			return page;
	}
	return NULL;
}

/* ---- in order -------------------------------------------------------------------------------- */

#define DIGIT_BITS 11U
#define DIGITS (1U << DIGIT_BITS)

/* Slots between the one that is looked for and the one that is fetched. */
#define SORTED_AHEAD 16U

/* Sort by one digit, from @keys to @to; what is alike stays in its order. */
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

/* Sort, digit by digit, those in which keys differ at all. Return: @keys or @other, which has them. */
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

const struct pages_page **smile_pages_sorted(const struct pages *pages)
{
	const struct pages_page **sorted = calloc(pages->used + 1, sizeof(*sorted)), *page;
	uint64_t *keys = calloc(2 * pages->used + 1, sizeof(*keys)), *in_order;
	size_t count = 0, position = 0;

	if (!sorted || !keys) {
		free(sorted);
		free(keys);
		smile_error(ENOMEM, "no memory to sort %zu pages", pages->used);
		return NULL;
	}
	while ((page = smile_pages_next(pages, &position)))
		keys[count++] = page->key - 1;
	in_order = sort_keys(keys, keys + count, count);
	for (size_t i = 0; i < count; i++) {
		if (i + SORTED_AHEAD < count)
			__builtin_prefetch(&pages->slots[smile_pages_start(
				pages, in_order[i + SORTED_AHEAD])]);
		sorted[i] = smile_pages_slot(pages, in_order[i]);
	}
	free(keys);
	return sorted;
}

void smile_pages_free(struct pages *pages)
{
	for (size_t i = 0; i < pages->size; i++) {
		smile_counts_drop(&pages->slots[i].accesses);
		smile_counts_drop(&pages->slots[i].blocks);
	}
	smile_slab_free(&pages->slab);
	free(pages->slots);
	*pages = (struct pages){0};
}
