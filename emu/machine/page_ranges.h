/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ranges: a number for ranges of pages, the last one reported for each page.
 *
 * What lives here: a sorted array of ranges that do not overlap. It may use <stdlib.h> and
 * <string.h>.
 */
#ifndef EMU_MACHINE_PAGE_RANGES_H
#define EMU_MACHINE_PAGE_RANGES_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct range - Pages @first to @last have @value.
 */
struct range {
	uint64_t first;
	uint64_t last;
	uint64_t value;
};

/**
 * struct ranges - The array; all zero is an empty one.
 */
struct ranges {
	struct range *items;
	size_t count;
	size_t capacity;
};

/**
 * ranges_set() - Pages @first to @last have @value from now on.
 *
 * Return: 0; -ENOMEM, and nothing has changed.
 */
int ranges_set(struct ranges *ranges, uint64_t first, uint64_t last, uint64_t value);

/**
 * ranges_find() - The range that @page is in, or NULL.
 */
const struct range *ranges_find(const struct ranges *ranges, uint64_t page);

void ranges_free(struct ranges *ranges);

#endif /* EMU_MACHINE_PAGE_RANGES_H */
