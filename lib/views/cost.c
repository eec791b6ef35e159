/* SPDX-License-Identifier: MIT */
/*
 * Cost: computes the cycles of accesses, from the weights of a latency model.
 *
 * What lives here: the check of the weights, and the sums of cycles by phase and node.
 */
#include <string.h>

#include <base/search.h>
#include <base/sum.h>

#include "lib/views/cost.h"
#include "lib/base/error.h"

/* ---- weights --------------------------------------------------------------------------------- */

int smile_weights_check(const struct Monitor_weights *weights)
{
	/*
	 * A remote write can cost a node less than a local access, if it is posted, so that the
	 * node does not wait for it. For this reason, the weight of writes is not checked here.
	 */
	if (weights->local > weights->read || weights->local > weights->lock)
		return smile_error(EINVAL,
				   "a local access costs %llu cycles, more than a remote read or "
				   "lock: give weights of a NUMA machine",
				   (unsigned long long)weights->local);
	return 0;
}

static uint64_t times(uint64_t weight, uint64_t count)
{
	return count && weight > UINT64_MAX / count ? SUM_MAX : weight * count;
}

uint64_t smile_weights_remote(const struct Monitor_weights *weights, uint32_t type, uint64_t count)
{
	if (type == SMILE_TYPE_WRITE)
		return times(weights->write, count);
	return times(type == SMILE_TYPE_LOCK ? weights->lock : weights->read, count);
}

uint64_t smile_weights_local(const struct Monitor_weights *weights, uint32_t type, uint64_t count)
{
	/* If no processor waits for remote writes, no processor waits for local writes either. */
	if (type == SMILE_TYPE_WRITE && weights->write == 0)
		return 0;
	return times(weights->local, count);
}

/* ---- by phase and node ----------------------------------------------------------------------- */

static int homes_check(const struct Monitor_home *homes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!homes[i].pages || homes[i].page >= MAP_PAGES ||
		    homes[i].pages > MAP_PAGES - homes[i].page)
			return smile_error(EINVAL, "home %zu has impossible pages", i);
		if (i && homes[i].page < homes[i - 1].page + homes[i - 1].pages)
			return smile_error(EINVAL,
					   "home %zu does not follow the home before it: give "
					   "homes in ascending order",
					   i);
	}
	return 0;
}

static uint32_t home_of(const struct Monitor_home *homes, size_t count,
			const struct histogram_access *access)
{
	size_t at;

	SEARCH_FIRST(at, count, i, homes[i].page + homes[i].pages > access->page);
	return at < count && homes[at].page <= access->page ? homes[at].node : access->home;
}

/**
 * struct sums - The sums, and the parameters of the summation.
 * @weights: weights of the accesses
 * @homes: new homes of moved pages; ascending
 * @home_count: number of elements of @homes
 * @cycles: sums of cycles, shape [@phases][@nodes]
 * @accesses: numbers of accesses, shape [@phases][@nodes]; NULL: not requested
 */
struct sums {
	const struct Monitor_weights *weights;
	const struct Monitor_home *homes;
	size_t home_count;
	uint64_t *cycles;
	uint64_t *accesses;
	size_t phases;
	size_t nodes;
};

static void access_sum(const struct sums *sums, const struct histogram_access *access)
{
	uint32_t phase = access->phase;
	size_t at;

	if (phase == MONITOR_PHASE_UNKNOWN && sums->phases)
		phase = (uint32_t)sums->phases - 1;
	if (!access->count || phase >= sums->phases || access->source >= sums->nodes)
		return;
	at = phase * sums->nodes + access->source;
	sums->cycles[at] = sum_counts(
		sums->cycles[at],
		home_of(sums->homes, sums->home_count, access) == access->source
			? smile_weights_local(sums->weights, access->type, access->count)
			: smile_weights_remote(sums->weights, access->type, access->count));
	if (sums->accesses)
		sums->accesses[at] = sum_counts(sums->accesses[at], access->count);
}

static void local_sum(const struct sums *sums, const struct Monitor_local *local)
{
	const uint64_t counts[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = local->reads,
		[SMILE_TYPE_WRITE] = local->writes,
		[SMILE_TYPE_LOCK] = local->locks,
	};
	struct histogram_access access = {
		.page = local->page,
		.home = local->node,
		.source = local->node,
		.phase = local->phase,
	};

	for (access.type = 0; access.type < SMILE_TYPE_COUNT; access.type++) {
		access.count = counts[access.type];
		access_sum(sums, &access);
	}
}

int Monitor_cycles(struct Monitor *mon, const struct Monitor_weights *weights,
		   const struct Monitor_home *homes, size_t home_count, uint64_t *cycles,
		   uint64_t *accesses, size_t phases, size_t nodes)
{
	const struct sums sums = {weights, homes, home_count, cycles, accesses, phases, nodes};
	const struct locals *locals = &mon->map.locals;
	struct histogram_access access;
	struct histogram_walk walk = {0};
	int error = smile_page_table_known(mon);

	if (!error)
		error = smile_weights_check(weights);
	if (!error)
		error = homes_check(homes, home_count);
	if (error < 0)
		return error;
	memset(cycles, 0, phases * nodes * sizeof(*cycles));
	if (accesses)
		memset(accesses, 0, phases * nodes * sizeof(*accesses));
	while (smile_histogram_next(&mon->histogram, &walk, &access))
		access_sum(&sums, &access);
	for (size_t i = 0; i < locals->count; i++)
		for (size_t row = 0; row < locals->nodes[i].count; row++)
			local_sum(&sums, &locals->nodes[i].rows[row]);
	return (int)smile_histogram_phases(&mon->histogram);
}
