/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How ranges are cut and found. It may use what ranges.h names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "page_ranges.h"

/* Index of the first range that does not end before @page. */
static size_t ranges_at(const struct ranges *ranges, uint64_t page)
{
	size_t low = 0, high = ranges->count;

	/* They are mostly reported in ascending order. */
	if (high > 0 && ranges->items[high - 1].last < page)
		return high;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ranges->items[middle].last < page)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Room for two more: as many as one call can add. */
static int ranges_make_room(struct ranges *ranges)
{
	return array_reserve(&ranges->items, &ranges->capacity, ranges->count + 1,
			     sizeof(*ranges->items));
}

/* Put @added ranges in place of @removed ones at @at. */
static void ranges_splice(struct ranges *ranges, size_t at, size_t removed,
			  const struct range *replacement, size_t added)
{
	struct range *items = ranges->items + at;

	memmove(items + added, items + removed, (ranges->count - at - removed) * sizeof(items[0]));
	memcpy(items, replacement, added * sizeof(items[0]));
	ranges->count += added - removed;
}

int ranges_set(struct ranges *ranges, uint64_t first, uint64_t last, uint64_t value)
{
	struct range replacement[3];
	size_t added = 0, at, end;

	if (ranges_make_room(ranges) < 0)
		return -ENOMEM;
	at = ranges_at(ranges, first);
	for (end = at; end < ranges->count && ranges->items[end].first <= last;)
		end++;
	if (at < end && ranges->items[at].first < first)
		replacement[added++] =
			(struct range){ranges->items[at].first, first - 1, ranges->items[at].value};
	replacement[added++] = (struct range){first, last, value};
	if (at < end && ranges->items[end - 1].last > last)
		replacement[added++] = (struct range){last + 1, ranges->items[end - 1].last,
						      ranges->items[end - 1].value};
	ranges_splice(ranges, at, end - at, replacement, added);
	return 0;
}

const struct range *ranges_find(const struct ranges *ranges, uint64_t page)
{
	size_t at = ranges_at(ranges, page);

	if (at == ranges->count || ranges->items[at].first > page)
		return NULL;
	return &ranges->items[at];
}

void ranges_free(struct ranges *ranges)
{
	free(ranges->items);
	memset(ranges, 0, sizeof(*ranges));
}
