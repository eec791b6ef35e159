/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Search: binary search in a sorted array.
 *
 * What lives here: one macro, so that the condition is compiled in place. May use <stddef.h>. Not
 * installed.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/**
 * SEARCH_FIRST() - Find the first item for which a condition holds.
 * @at: size_t variable that receives the item's index; @count if the condition holds for no item
 * @count: number of items; the condition must hold for all items after the first such item
 * @i: name of the index in @condition
 * @condition: expression; has no side effects
 */
#define SEARCH_FIRST(at, count, i, condition)                                                      \
	do {                                                                                       \
		size_t search_end = (count);                                                       \
                                                                                                   \
		(at) = 0;                                                                          \
		while ((at) < search_end) {                                                        \
			size_t i = (at) + (search_end - (at)) / 2;                                 \
                                                                                                   \
			if (condition)                                                             \
				search_end = i;                                                    \
			else                                                                       \
				(at) = i + 1;                                                      \
		}                                                                                  \
	} while (0)

#endif /* BASE_SEARCH_H */
