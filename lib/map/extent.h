/* SPDX-License-Identifier: MIT */
/*
 * Extent: represents memory by sorted intervals that do not overlap.
 *
 * What lives here: lists of extents, the union of two lists, in which one list has priority, and
 * the search for the extent that contains an address.
 */
#ifndef LIB_MAP_EXTENT_H
#define LIB_MAP_EXTENT_H

#include <smile/monitor.h>

/*
 * Alignment, and the bookkeeping of the heap, leave gaps between variables. These gaps are smaller
 * than this number of bytes.
 */
#define EXTENT_GAP_BYTES 64U

/**
 * struct extents - A list of extents. If all members are 0, the list is empty.
 * @items: shape [@size]
 */
struct extents {
	struct Monitor_extent *items;
	size_t count;
	size_t size;
};

/*
 * Append an extent. Extents can be appended in any order until smile_extents_settle() is called.
 * Return: 0; -ENOMEM.
 */
int smile_extents_push(struct extents *extents, uint64_t start, uint64_t end, uint64_t base,
		       uint32_t variable);

/*
 * Sort the list. If two extents overlap, the extent that was appended later keeps the common part.
 * Return: 0; -ENOMEM.
 */
int smile_extents_settle(struct extents *extents);

/*
 * Add the parts of @below that are not in @top to @top. Both lists must be settled. Parts that are
 * shorter than @least bytes are not added. Return: 0; -ENOMEM.
 */
int smile_extents_under(struct extents *top, const struct extents *below, uint64_t least);

/*
 * Find the first extent that ends after @address. Return: the index of the extent; the number of
 * extents if all of them end at or before @address.
 */
size_t smile_extents_find(const struct extents *extents, uint64_t address);

void smile_extents_free(struct extents *extents);

#endif /* LIB_MAP_EXTENT_H */
