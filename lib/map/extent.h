/* SPDX-License-Identifier: MIT */
/*
 * Extent: memory as sorted intervals without overlaps.
 *
 * What lives here: lists of extents, how an extent is added below the existing ones, and the search
 * for an address.
 */
#ifndef LIB_MAP_EXTENT_H
#define LIB_MAP_EXTENT_H

#include <smile/monitor.h>

/* Alignment and the heap's bookkeeping leave less than this many bytes between two variables. */
#define EXTENT_GAP_BYTES 64U

/**
 * struct extents - A list. All zero: an empty list.
 * @items: shape [@size]
 */
struct extents {
	struct Monitor_extent *items;
	size_t count;
	size_t size;
};

/* Append, in any order, before smile_extents_settle(). Return: 0, -ENOMEM. */
int smile_extents_push(struct extents *extents, uint64_t start, uint64_t end, uint64_t base,
		       uint32_t variable);

/*
 * Sort. Where two extents overlap, the overlap belongs to the extent that was pushed last. Return:
 * 0, -ENOMEM.
 */
int smile_extents_settle(struct extents *extents);

/*
 * Add the parts of @below that are not in @top to @top; both are settled. Parts shorter than @least
 * bytes are omitted. Return: 0, -ENOMEM.
 */
int smile_extents_under(struct extents *top, const struct extents *below, uint64_t least);

/*
 * Return: index of the first extent that ends after @address; the number of extents if all end
 * before.
 */
size_t smile_extents_find(const struct extents *extents, uint64_t address);

void smile_extents_free(struct extents *extents);

#endif /* LIB_MAP_EXTENT_H */
