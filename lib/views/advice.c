/* SPDX-License-Identifier: MIT */
/*
 * Advice: the node on which a page should lie.
 *
 * What lives here: the rule. A page costs least on the node for which the difference between remote
 * and local cost of its own accesses is largest.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/views/cost.h"
#include "lib/base/error.h"
#include "lib/base/sum.h"

static int by_page(const void *left, const void *right)
{
	const struct histogram_access *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (a->home != b->home)
		return a->home < b->home ? -1 : 1;
	return (a->source > b->source) - (a->source < b->source);
}

/**
 * struct cost - What accesses of one node, or of all, cost.
 * @remote: if the page is elsewhere
 * @local: if it is on the node
 * @accesses: how many they are
 */
struct cost {
	uint64_t remote;
	uint64_t local;
	uint64_t accesses;
};

/**
 * struct saving - What a node saves by having the page: one of both is 0.
 * @gain: so much
 * @loss: or it loses so much, where its writes cost more than posted ones
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

/* > 0: @a saves more. */
static int compare(const struct saving *a, const struct saving *b)
{
	if (a->gain != b->gain)
		return a->gain > b->gain ? 1 : -1;
	return a->loss < b->loss ? 1 : a->loss > b->loss ? -1 : 0;
}

static uint64_t less(uint64_t all, const struct saving *saving)
{
	return smile_sum_add(all - saving->gain, saving->loss);
}

static void cost_add(struct cost *cost, const struct Monitor_weights *weights,
		     const struct histogram_access *access)
{
	cost->remote = smile_sum_add(cost->remote,
				     smile_weights_remote(weights, access->type, access->count));
	cost->local = smile_sum_add(cost->local,
				    smile_weights_local(weights, access->type, access->count));
	cost->accesses = smile_sum_add(cost->accesses, access->count);
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
	row->accesses = smile_sum_add(row->accesses, access->count);
	if (access->type == SMILE_TYPE_READ)
		row->reads = smile_sum_add(row->reads, access->count);
	if (access->type == SMILE_TYPE_WRITE)
		row->writes = smile_sum_add(row->writes, access->count);
	if (access->type == SMILE_TYPE_LOCK)
		row->locks = smile_sum_add(row->locks, access->count);
}

/* From the accesses of one page of one home, by source. Return: how many there are. */
static size_t row_fill(struct Monitor *mon, const struct Monitor_weights *weights,
		       double shared_below, const struct histogram_access *accesses, size_t count,
		       struct Monitor_advice *row)
{
	struct saving saved = {0}, best = {.loss = UINT64_MAX};
	uint64_t all = 0, best_share = 0;
	size_t i = 0, next;

	*row = (struct Monitor_advice){
		.page = accesses->page, .home = accesses->home, .node = accesses->home};
	for (; i < count && accesses[i].page == row->page && accesses[i].home == row->home;
	     i = next) {
		struct cost cost = {0};
		struct saving saving;
		int better;

		for (next = i; next < count && !by_page(&accesses[i], &accesses[next]); next++) {
			cost_add(&cost, weights, &accesses[next]);
			row_count(row, &accesses[next]);
		}
		all = smile_sum_add(all, cost.remote);
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
	/* A page is not moved from a node that does not use it to one that saves nothing. */
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
	return i;
}

/* Those of the phases that count, by page, home and source. Return: how many. */
static size_t accesses_get(struct Monitor *mon, const unsigned char *phases, size_t phase_count,
			   struct histogram_access *accesses)
{
	struct cost_walk walk = {0};
	size_t count = 0;

	while (smile_cost_next(mon, &walk, &accesses[count])) {
		uint32_t phase = accesses[count].phase;

		if (!phases || (phase < phase_count && phases[phase]))
			count++;
	}
	qsort(accesses, count, sizeof(*accesses), by_page);
	return count;
}

int Monitor_advice(struct Monitor *mon, const struct Monitor_weights *weights,
		   const unsigned char *phases, size_t phase_count, double shared_below,
		   struct Monitor_advice *advice, size_t capacity)
{
	struct histogram_access *accesses;
	size_t count, found = 0;
	int error = smile_page_table_known(mon);

	if (!error)
		error = smile_weights_check(weights);

	if (error < 0)
		return error;
	accesses = malloc((smile_cost_count(mon) + 1) * sizeof(*accesses));
	if (!accesses)
		return smile_error(ENOMEM, "no memory for %zu counts", smile_cost_count(mon));
	count = accesses_get(mon, phases, phase_count, accesses);
	for (size_t i = 0; i < count; found++) {
		struct Monitor_advice row;

		i += row_fill(mon, weights, shared_below, accesses + i, count - i, &row);
		if (found < capacity)
			advice[found] = row;
	}
	free(accesses);
	return (int)found;
}
