/* SPDX-License-Identifier: MIT */
/*
 * Advice: chooses the node for a page.
 *
 * What lives here: the rule that chooses the node. If a page is on a node, the accesses of this
 * node cost less than if the page is on another node. The best node for a page is the node that
 * saves most in this way.
 */
#include <stdlib.h>
#include <base/array.h>
#include <base/sum.h>

#include "lib/views/cost.h"
#include "lib/base/error.h"

static int by_source(const void *left, const void *right)
{
	const struct histogram_access *a = left, *b = right;

	return (a->source > b->source) - (a->source < b->source);
}

/**
 * struct cost - The cost of the accesses of one node, or of all nodes.
 * @remote: cost of the accesses if the page is on another node
 * @local: cost of the accesses if the page is on the node that makes them
 * @accesses: number of accesses
 */
struct cost {
	uint64_t remote;
	uint64_t local;
	uint64_t accesses;
};

/**
 * struct saving - The cost that is saved if the page is on a node. One of the two members is always
 * 0.
 * @gain: the saved cost
 * @loss: the additional cost. A node can have such a cost if local writes cost more than posted
 *        remote writes
 */
struct saving {
	uint64_t gain;
	uint64_t loss;
};

static struct saving saving_of(const struct cost *cost)
{
	return (struct saving){
		.gain = cost->remote > cost->local ? cost->remote - cost->local : 0,
		.loss = cost->local > cost->remote ? cost->local - cost->remote : 0,
	};
}

/* Compare two savings. Return: a positive number if @a saves more. */
static int compare(const struct saving *a, const struct saving *b)
{
	if (a->gain != b->gain)
		return a->gain > b->gain ? 1 : -1;
	return a->loss < b->loss ? 1 : a->loss > b->loss ? -1 : 0;
}

static uint64_t less(uint64_t all, const struct saving *saving)
{
	return sum_counts(all - saving->gain, saving->loss);
}

static void cost_add(struct cost *cost, const struct Monitor_weights *weights,
		     const struct histogram_access *access)
{
	cost->remote = sum_counts(cost->remote,
				  smile_weights_remote(weights, access->type, access->count));
	cost->local =
		sum_counts(cost->local, smile_weights_local(weights, access->type, access->count));
	cost->accesses = sum_counts(cost->accesses, access->count);
}

static int home_is_seen(const struct Monitor *mon, uint32_t home)
{
	for (size_t i = 0; i < mon->streams_count; i++)
		if (mon->streams[i].context.config.node == home)
			return 1;
	return 0;
}

static void row_count(struct Monitor_advice *row, const struct histogram_access *access)
{
	row->accesses = sum_counts(row->accesses, access->count);
	if (access->type == SMILE_TYPE_READ)
		row->reads = sum_counts(row->reads, access->count);
	if (access->type == SMILE_TYPE_WRITE)
		row->writes = sum_counts(row->writes, access->count);
	if (access->type == SMILE_TYPE_LOCK)
		row->locks = sum_counts(row->locks, access->count);
}

/* Fill in a row from the accesses to a page with one home, sorted by source. */
static void row_fill(struct Monitor *mon, const struct Monitor_weights *weights,
		     double shared_below, const struct histogram_access *accesses, size_t count,
		     struct Monitor_advice *row)
{
	struct saving saved = {0}, best = {.loss = UINT64_MAX};
	uint64_t all = 0, best_share = 0;
	size_t next;

	*row = (struct Monitor_advice){
		.page = accesses->page, .home = accesses->home, .node = accesses->home};
	for (size_t i = 0; i < count; i = next) {
		struct cost cost = {0};
		struct saving saving;
		int better;

		for (next = i; next < count && accesses[next].source == accesses[i].source;
		     next++) {
			cost_add(&cost, weights, &accesses[next]);
			row_count(row, &accesses[next]);
		}
		all = sum_counts(all, cost.remote);
		saving = saving_of(&cost);
		if (accesses[i].source == row->home)
			saved = saving;
		better = compare(&saving, &best);
		if (better > 0 || (!better && accesses[i].source == row->home)) {
			best = saving;
			best_share = cost.remote;
			row->node = accesses[i].source;
			row->own = cost.accesses;
		}
	}
	/*
	 * If no other node saves more than the home, the page stays, even if the home does not
	 * access it.
	 */
	if (row->node != row->home && compare(&best, &saved) <= 0) {
		best = saved;
		row->node = row->home;
		row->own = 0;
		best_share = 0;
	}
	row->cycles = less(all, &saved);
	row->advised_cycles = less(all, &best);
	row->share = all ? (double)best_share / (double)all : 1;
	if (row->share < shared_below)
		row->flags |= MONITOR_ADVICE_SHARED;
	if (!Monitor_local_known(mon, row->home))
		row->flags |= MONITOR_ADVICE_LOCAL_UNKNOWN;
	if (!home_is_seen(mon, row->home))
		row->flags |= MONITOR_ADVICE_PARTLY_SEEN;
}

/* The distance, in pages, from the current page to the page whose counts are prefetched. */
#define PAGES_AHEAD 8U

/**
 * struct gathering - A walk over counted accesses and local accesses, page by page.
 * @phases: flags of the phases to consider; NULL: all phases
 * @phase_count: number of flags
 * @pages: the pages that were not visited yet, in ascending order
 * @page_count: number of pages in @pages
 * @walk: the walk over the local accesses
 * @local: the next row of local accesses, or NULL
 * @accesses: accesses to a page; [@size]
 * @count: number of elements in @accesses
 * @size: number of accesses for which @accesses has memory
 * @failed: memory for an access was missing
 */
struct gathering {
	const unsigned char *phases;
	size_t phase_count;
	const struct page_counts **pages;
	size_t page_count;
	struct locals_walk walk;
	const struct Monitor_local *local;
	struct histogram_access *accesses;
	size_t count;
	size_t size;
	int failed;
};

static void access_add(struct gathering *gathering, const struct histogram_access *access)
{
	const unsigned char *phases = gathering->phases;

	if (!access->count ||
	    (phases && (access->phase >= gathering->phase_count || !phases[access->phase])))
		return;
	if (array_reserve(&gathering->accesses, &gathering->size, gathering->count,
			  sizeof(*access)) < 0)
		gathering->failed = 1;
	else
		gathering->accesses[gathering->count++] = *access;
}

static void local_add(struct gathering *gathering, uint32_t type, uint64_t count)
{
	const struct Monitor_local *local = gathering->local;
	const struct histogram_access access = {
		.page = local->page,
		.home = local->node,
		.source = local->node,
		.type = type,
		.phase = local->phase,
		.count = count,
	};

	access_add(gathering, &access);
}

/*
 * Get the key of the page of the next local access. After the last local access, get a key that no
 * page has.
 */
static uint64_t local_key(const struct gathering *gathering)
{
	return gathering->local
		       ? smile_page_table_key(gathering->local->page, gathering->local->node)
		       : UINT64_MAX;
}

static uint64_t counted_key(const struct gathering *gathering)
{
	return gathering->page_count ? gathering->pages[0]->key - 1 : UINT64_MAX;
}

/*
 * Collect the accesses to the next page, sorted by source. The page may have no accesses. Return:
 * 1; 0 at the end.
 */
static int page_gather(struct gathering *gathering)
{
	uint64_t local = local_key(gathering), counted = counted_key(gathering);
	uint64_t key = local < counted ? local : counted;
	struct histogram_access access;
	size_t position = 0;

	gathering->count = 0;
	if (key == UINT64_MAX || gathering->failed)
		return 0;
	if (counted == key) {
		if (gathering->page_count > PAGES_AHEAD)
			__builtin_prefetch(gathering->pages[PAGES_AHEAD]->accesses.groups);
		while (smile_histogram_page_next(gathering->pages[0], &position, &access))
			access_add(gathering, &access);
		gathering->pages++;
		gathering->page_count--;
	}
	for (; local == key; local = local_key(gathering)) {
		local_add(gathering, SMILE_TYPE_READ, gathering->local->reads);
		local_add(gathering, SMILE_TYPE_WRITE, gathering->local->writes);
		local_add(gathering, SMILE_TYPE_LOCK, gathering->local->locks);
		gathering->local = smile_locals_next(&gathering->walk);
	}
	if (gathering->count)
		qsort(gathering->accesses, gathering->count, sizeof(access), by_source);
	return 1;
}

int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity)
{
	struct gathering gathering = {.phases = phases, .phase_count = phase_count};
	const struct page_counts **pages;
	size_t found = 0;
	int error = smile_page_table_known(mon);

	if (!error)
		error = smile_weights_check(weights);
	if (error < 0)
		return error;
	pages = smile_page_table_sorted(&mon->histogram.pages);
	if (!pages)
		return -ENOMEM;
	gathering.pages = pages;
	gathering.page_count = mon->histogram.pages.table.used;
	smile_locals_settle(&mon->map.locals);
	error = smile_locals_walk(&mon->map.locals, &gathering.walk);
	if (!error)
		gathering.local = smile_locals_next(&gathering.walk);
	while (!error && page_gather(&gathering)) {
		struct Monitor_advice row;

		if (!gathering.count)
			continue;
		row_fill(mon, weights, shared_below, gathering.accesses, gathering.count, &row);
		if (found++ < capacity)
			advice[found - 1] = row;
	}
	smile_locals_end(&gathering.walk);
	free(gathering.accesses);
	free(pages);
	if (gathering.failed)
		return smile_error(ENOMEM, "no memory for the accesses of a page");
	return error < 0 ? error : (int)found;
}
