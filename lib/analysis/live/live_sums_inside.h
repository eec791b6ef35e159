/* SPDX-License-Identifier: MIT */
/*
 * Live sums: declarations for its two files: live_sums.c, which sums up, and hot_pages.c, which
 * finds the hottest pages.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H
#define LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H

#include <base/hash_table.h>

#include "lib/analysis/live/live_sums.h"

/* The two looks. */
enum look {
	SUMS_NOW,
	SUMS_BEFORE,
};

/**
 * struct sums_page - A page.
 * @page: number
 * @home: node on which it lies
 * @sums: accesses up to the last look, and up to the look before it; enum look
 */
struct sums_page {
	uint64_t page;
	uint32_t home;
	struct live_sum sums[2];
};

/**
 * struct live_sums - See the header.
 * @weights: cost of accesses
 * @hot: threshold of the hottest pages
 * @pages: in the order in which they were first seen, [@count] of room for [@room]
 * @places: of struct sums_place: finds a page in @pages
 * @active: pages accessed in the interval
 * @nodes: side of the matrices; 0: too many for any
 * @transfers: by [source][home], up to the last look, and up to the look before it; enum look
 * @difference: transfers of the interval
 */
struct live_sums {
	struct Monitor_weights weights;
	struct hot hot;
	struct sums_page *pages;
	size_t count;
	size_t room;
	struct hash_table places;
	size_t active;
	size_t nodes;
	uint64_t *transfers[2];
	uint64_t *difference;
};

#endif /* LIB_ANALYSIS_LIVE_LIVE_SUMS_INSIDE_H */
