/* SPDX-License-Identifier: MIT */
/*
 * Digit sort: items of 64-bit words, by the bits of one of them.
 *
 * What lives here: a stable sort digit by digit. A caller passes the shape of its items as
 * constants, and the sort is always inlined: a single function for all shapes would take a third
 * more time. May use the C library.
 */
#ifndef LIB_BASE_DIGIT_SORT_H
#define LIB_BASE_DIGIT_SORT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * The bits of a digit: many enough for few passes, and few enough that the host's caches hold the
 * counts.
 */
#define DIGIT_BITS 11U
#define DIGITS (1U << DIGIT_BITS)

/* Sort by one digit, from @items to @to. */
static inline __attribute__((always_inline)) void digit_sort_once(const uint64_t *items,
								  uint64_t *to, size_t count,
								  size_t words, size_t by,
								  unsigned int shift)
{
	size_t starts[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		starts[items[i * words + by] >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		size_t digits = starts[i];

		starts[i] = sum;
		sum += digits;
	}
	for (size_t i = 0; i < count; i++) {
		size_t at = starts[items[i * words + by] >> shift & (DIGITS - 1)]++;

		memcpy(&to[at * words], &items[i * words], words * sizeof(*to));
	}
}

/**
 * digit_sort() - Sort items by the bits of a word. Digits that are equal in all items are skipped.
 * @items: shape [@count, @words]; afterwards it points to the sorted items, which may be in the
 *         memory of @other
 * @other: memory of the same size; afterwards it points to the memory that does not hold the sorted
 *         items
 * @count: number of items
 * @words: words of an item
 * @by: index of the word to sort by
 * @shift: the lowest bit of this word that counts
 */
static inline __attribute__((always_inline)) void digit_sort(uint64_t **items, uint64_t **other,
							     size_t count, size_t words, size_t by,
							     unsigned int shift)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < count; i++)
		differ |= (*items)[i * words + by] ^ (*items)[by];
	for (; shift < 64; shift += DIGIT_BITS) {
		uint64_t *sorted = *other;

		if (!(differ >> shift & (DIGITS - 1)))
			continue;
		digit_sort_once(*items, sorted, count, words, by, shift);
		*other = *items;
		*items = sorted;
	}
}

#endif /* LIB_BASE_DIGIT_SORT_H */
