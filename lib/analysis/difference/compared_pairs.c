// SPDX-License-Identifier: MIT
/*
 * Comparison: compares pairs of nodes by the difference of their transactions.
 */
#include "lib/analysis/difference/comparison.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

static int pair_order(const void *a, const void *b)
{
	const struct comparison_pair *x = a, *y = b;

	if (x->apart != y->apart)
		return x->apart < y->apart ? 1 : -1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

int comparison_pairs(uint64_t *const packets[2], size_t nodes, struct comparison_pair **pairs)
{
	size_t all = nodes * nodes, differ = 0;
	struct comparison_pair *list;

	*pairs = NULL;
	for (size_t at = 0; at < all; at++)
		differ += packets[0][at] != packets[1][at];
	if (!differ)
		return 0;
	list = analysis_memory(differ, sizeof(*list));
	if (!list)
		return -ENOMEM;
	differ = 0;
	for (size_t at = 0; at < all; at++) {
		uint64_t first = packets[0][at], second = packets[1][at];

		if (first == second)
			continue;
		list[differ].from = at / nodes;
		list[differ].to = at % nodes;
		list[differ++].apart = first < second ? second - first : first - second;
	}
	qsort(list, differ, sizeof(*list), pair_order);
	*pairs = list;
	return (int)differ;
}
