/* SPDX-License-Identifier: MIT */
/*
 * Live sums: add up the accesses by page and by pair of nodes, in total and since the last call of
 * live_sums_look().
 *
 * What lives here: sums of the histograms of a Monitor, and the search for the hottest pages. The
 * sums are computed in one walk over all counts and stored compactly, so that a million pages can
 * be summed up in each interval. May use the public API.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SUMS_H
#define LIB_ANALYSIS_LIVE_LIVE_SUMS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#include "lib/analysis/hot_threshold.h"

/*
 * If there are more nodes than this, the matrix of accesses by pair of nodes is not kept, because
 * it would need gigabytes.
 */
#define LIVE_NODES_MAX 1024U

/* The orders in which live_sums_top() can return pages. */
enum live_order {
	LIVE_BY_RATE, /* by the number of accesses in the interval */
	LIVE_BY_TOTAL, /* by the number of all accesses */
	/* by the cycles that the accesses in the interval cost: see struct Monitor_weights */
	LIVE_BY_COST,
	LIVE_BY_TOTAL_COST, /* by the cycles that all accesses cost */
};

/**
 * struct live_sum - Numbers of accesses.
 * @accesses: number of all accesses
 * @reads: number of reads
 * @writes: number of writes
 * @locks: number of locks. If the tags of the records have no types, @reads, @writes and @locks are
 *         0
 */
struct live_sum {
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint64_t locks;
};

/**
 * struct live_page - A page.
 * @page: page number
 * @home: the page's home node
 * @dominant: node with the most accesses in total; if several nodes have the same number, the
 *            lowest of these nodes
 * @dominant_accesses: total number of accesses of the node @dominant
 * @nodes_accesses: total number of accesses of all nodes, read at the same time as
 *            @dominant_accesses
 * @total: all accesses
 * @now: accesses in the interval
 * @cost: cycles that the accesses in @total would cost if all of them were remote
 * @cost_now: cycles that the accesses in @now would cost if all of them were remote
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

/* Get the dominant node's share of the page's accesses, from 0 to 1. */
static inline double live_page_share(const struct live_page *page)
{
	return page->nodes_accesses ? (double)page->dominant_accesses / (double)page->nodes_accesses
				    : 0;
}

struct live_sums;

/**
 * live_sums_new() - Create sums that are all 0. Counts begin with the first call of
 * live_sums_look().
 * @weights: cost of accesses; copied
 *
 * Return: the sums; NULL if memory is missing, with Monitor_error_message() set.
 */
struct live_sums *live_sums_new(const struct Monitor_weights *weights);

/**
 * live_sums_free() - Free the sums. @sums may be NULL.
 */
void live_sums_free(struct live_sums *sums);

/**
 * live_sums_look() - Sum up the present counts of the Monitor. The accesses of the interval are the
 * differences between the new sums and the sums of the last call. The call also begins the next
 * interval.
 *
 * Return: 0; -errno. After an error, the sums are unchanged, and the interval continues.
 */
int live_sums_look(struct live_sums *sums, struct Monitor *mon);

/**
 * live_sums_pages() - Get the number of pages that were accessed so far.
 */
size_t live_sums_pages(const struct live_sums *sums);

/**
 * live_sums_active() - Get the number of pages that were accessed in the interval.
 */
size_t live_sums_active(const struct live_sums *sums);

/**
 * live_sums_hot() - Set the threshold for live_sums_top(). It applies to the total accesses of a
 * page.
 * @hot: the threshold. It is copied, but its text must stay valid
 */
void live_sums_hot(struct live_sums *sums, const struct hot_threshold *hot);

/**
 * live_sums_hot_pages() - Get the number of pages that have at least as many accesses as the
 * threshold. If there is no threshold, get the number of all pages.
 * @least: receives the threshold in accesses; 0 if there is no threshold
 */
size_t live_sums_hot_pages(const struct live_sums *sums, uint64_t *least);

/**
 * live_sums_top() - Get the hottest pages, according to the sums of the last call of
 * live_sums_look().
 * @mon: the Monitor that was passed to live_sums_look(). If @mon has read more records since then,
 *       they can change only the dominant nodes in the result
 * @order: the order of the pages. Pages that are equal in this order are sorted by total accesses,
 *         then by page and home
 * @pages: caller-owned, shape [@capacity]; receives the pages, the hottest first
 *
 * Return: the number of pages filled in; -ENOMEM.
 */
int live_sums_top(const struct live_sums *sums, struct Monitor *mon, enum live_order order,
		  struct live_page *pages, size_t capacity);

/**
 * live_sums_transfers() - Get the accesses of each pair of nodes.
 * @now: 1: accesses in the interval; 0: accesses in total
 * @nodes: receives the number of nodes; 0 if there are more than LIVE_NODES_MAX
 *
 * Return: the matrix, by [source][home], shape [@nodes][@nodes]; it is valid until the next call of
 * live_sums_look(). NULL if *@nodes is 0.
 */
const uint64_t *live_sums_transfers(const struct live_sums *sums, int now, size_t *nodes);

#endif /* LIB_ANALYSIS_LIVE_LIVE_SUMS_H */
