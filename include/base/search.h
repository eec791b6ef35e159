/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Search: binary search in a sorted array.
 *
 * What lives here: a macro for the search. It is a macro so that the compiler inlines the condition
 * into the loop. A function would have to call the condition through a pointer. This file may use
 * <stddef.h>, and is not installed.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include <stddef.h>

/**
 * SEARCH_FIRST() - Find the first item for which a condition holds.
 * @at: size_t variable that receives the index of the item, or @count if the condition holds for no
 *      item
 * @count: number of items. If the condition holds for one item, it must hold for all later items
 * @i: name of the index in @condition
 * @condition: expression without side effects
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
