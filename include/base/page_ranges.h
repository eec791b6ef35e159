/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Page ranges: store one value for each range of pages.
 *
 * What lives here: a sorted array of ranges that do not overlap. This file may use <stdlib.h>,
 * <string.h>, array.h and search.h, and is not installed.
 */
#ifndef BASE_PAGE_RANGES_H
#define BASE_PAGE_RANGES_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/search.h>

/**
 * struct page_range - Pages @first to @last have @value.
 */
struct page_range {
	uint64_t first;
	uint64_t last;
	uint64_t value;
};

/**
 * struct page_ranges - The array. An array that is all zero is empty.
 */
struct page_ranges {
	struct page_range *items;
	size_t count;
	size_t capacity;
};

/* Find the index of the first range that does not end before @page. */
static inline size_t page_ranges_at(const struct page_ranges *ranges, uint64_t page)
{
	size_t count = ranges->count, at;

	/* Ranges are usually set in ascending order. */
	if (count > 0 && ranges->items[count - 1].last < page)
		return count;
	SEARCH_FIRST(at, count, i, ranges->items[i].last >= page);
	return at;
}

/* Make room for the two ranges that one call can add. */
static inline int page_ranges_make_room(struct page_ranges *ranges)
{
	return array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1,
			     sizeof(*ranges->items));
}

/* Replace @removed ranges, from index @at on, by the @added ranges of @replacement. */
static inline void page_ranges_splice(struct page_ranges *ranges, size_t at, size_t removed,
				      const struct page_range *replacement, size_t added)
{
	struct page_range *items = ranges->items + at;

	memmove(items + added, items + removed, (ranges->count - at - removed) * sizeof(items[0]));
	memcpy(items, replacement, added * sizeof(items[0]));
	ranges->count += added - removed;
}

/**
 * page_ranges_set() - Set the value of pages @first to @last.
 *
 * Return: 0; -ENOMEM if memory is missing: the array is then unchanged.
 */
static inline int page_ranges_set(struct page_ranges *ranges, uint64_t first, uint64_t last,
				  uint64_t value)
{
	struct page_range replacement[3];
	size_t added = 0, at, end;

	if (page_ranges_make_room(ranges) < 0)
		return -ENOMEM;
	at = page_ranges_at(ranges, first);
	for (end = at; end < ranges->count && ranges->items[end].first <= last;)
		end++;
	if (at < end && ranges->items[at].first < first)
		replacement[added++] = (struct page_range){ranges->items[at].first, first - 1,
							   ranges->items[at].value};
	replacement[added++] = (struct page_range){first, last, value};
	if (at < end && ranges->items[end - 1].last > last)
		replacement[added++] = (struct page_range){last + 1, ranges->items[end - 1].last,
							   ranges->items[end - 1].value};
	page_ranges_splice(ranges, at, end - at, replacement, added);
	return 0;
}

/**
 * page_ranges_find() - Find the range that contains @page. Return: the range; NULL if no range
 * contains it.
 */
static inline const struct page_range *page_ranges_find(const struct page_ranges *ranges,
							uint64_t page)
{
	size_t at = page_ranges_at(ranges, page);

	if (at == ranges->count || ranges->items[at].first > page)
		return NULL;
	return &ranges->items[at];
}

static inline void page_ranges_free(struct page_ranges *ranges)
{
	free(ranges->items);
	memset(ranges, 0, sizeof(*ranges));
}

#endif /* BASE_PAGE_RANGES_H */
