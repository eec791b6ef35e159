/* SPDX-License-Identifier: MIT */
/*
 * Live sums: accesses by page and from node to node, in total and since the last look.
 *
 * What lives here: the histograms of a Monitor, summed up in one walk and kept compactly, so that
 * the accesses between two looks are known for a million pages; and the hottest pages. May use the
 * public API.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SUMS_H
#define LIB_ANALYSIS_LIVE_LIVE_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/hot.h"

/* With more nodes there is no matrix, because it would take gigabytes. */
#define LIVE_NODES_MAX 1024U

/* The order of pages. */
enum live_order {
	LIVE_BY_RATE, /* accesses of the interval */
	LIVE_BY_TOTAL, /* all accesses */
	LIVE_BY_COST, /* cycles that the accesses of the interval cost; see Monitor_weights */
	LIVE_BY_TOTAL_COST, /* cycles that all accesses cost */
};

/**
 * struct live_sum - Accesses.
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @locks: locks; with untyped tags all three are 0
 */
struct live_sum {
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * struct live_page - A page.
 * @page: number
 * @home: node on which it lies
 * @dominant: node with the most accesses in total; of several such nodes the lowest
 * @dominant_accesses: accesses of this node in total
 * @nodes_accesses: accesses of all nodes at the same moment
 * @total: accesses in total
 * @now: accesses of the interval
 * @cost: cycles that @total cost at remote weights
 * @cost_now: cycles that @now cost
 */
struct live_page {
	uint64_t page;
	uint32_t home;
	uint32_t dominant;
	uint64_t dominant_accesses;
	uint64_t nodes_accesses;
	struct live_sum total;
	struct live_sum now;
	uint64_t cost;
	uint64_t cost_now;
};

/* The share of the dominating node, 0 to 1. */
static inline double live_page_share(const struct live_page *page)
{
	return page->nodes_accesses ? (double)page->dominant_accesses / (double)page->nodes_accesses
				    : 0;
}

struct live_sums;

/**
 * live_sums_new() - Create sums, all 0; the first interval begins without counts.
 * @weights: cost of accesses; copied
 *
 * Return: the sums; NULL without memory, with Monitor_error_message() set.
 */
struct live_sums *live_sums_new(const struct Monitor_weights *weights);

/**
 * live_sums_free() - Free the sums; NULL is allowed.
 */
void live_sums_free(struct live_sums *sums);

/**
 * live_sums_look() - Sum up the Monitor's counts so far. The difference from the last look is the
 * interval; the next interval begins.
 *
 * Return: 0; -errno: the sums are unchanged, and the interval continues.
 */
int live_sums_look(struct live_sums *sums, struct Monitor *mon);

/**
 * live_sums_pages() - Pages that were accessed so far.
 */
size_t live_sums_pages(const struct live_sums *sums);

/**
 * live_sums_active() - Pages that were accessed in the interval.
 */
size_t live_sums_active(const struct live_sums *sums);

/**
 * live_sums_hot() - Set the threshold of live_sums_top(): of a page's accesses in total.
 * @hot: copied; its text is kept
 */
void live_sums_hot(struct live_sums *sums, const struct hot *hot);

/**
 * live_sums_hot_pages() - Pages at or above the threshold; all pages without a threshold.
 * @least: receives the threshold in accesses; 0 without a threshold
 */
size_t live_sums_hot_pages(const struct live_sums *sums, uint64_t *least);

/**
 * live_sums_top() - The hottest pages at the last look.
 * @mon: the Monitor of the last look; records since then can change only the dominating node
 * @order: the order; equal pages are ordered by total accesses, then by page and home
 * @pages: caller-owned, shape [@capacity]; the hottest first
 *
 * Return: the number of pages filled in; -ENOMEM.
 */
int live_sums_top(const struct live_sums *sums, struct Monitor *mon, enum live_order order,
		  struct live_page *pages, size_t capacity);

/**
 * live_sums_transfers() - Accesses from node to node.
 * @now: accesses of the interval; 0: in total
 * @nodes: receives the matrix's side; 0 if there are more than LIVE_NODES_MAX
 *
 * Return: by [source][home], shape [@nodes][@nodes]; valid until the next look. NULL if @nodes is
 * 0.
 */
const uint64_t *live_sums_transfers(const struct live_sums *sums, int now, size_t *nodes);

#endif /* LIB_ANALYSIS_LIVE_LIVE_SUMS_H */
