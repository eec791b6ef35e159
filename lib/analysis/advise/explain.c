// SPDX-License-Identifier: MIT
/*
 * Advise: why a run with the advised placement was slower or faster than predicted. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: the comparison of two loads, phase by phase and node by node, and of the nodes'
 * footprints. A footprint is the number of a node's accesses to each page. If the footprints differ
 * only in the nodes, the same work has run on other nodes.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/* Footprints count as equal if at least this share of accesses is equal. */
#define EXPLAIN_ALIKE 0.9
/* With nodes exchanged, the equal share must be larger by this amount. */
#define EXPLAIN_BETTER 0.1

/**
 * struct explain - Two runs.
 * @predicted: the advice
 * @expected: the advice's load; its @then is the prediction
 * @run: the run with the placement, as a separate advice
 * @load: this run's load; its @now is the measurement
 * @lengths: predicted lengths of the phases; shape [@phases]
 * @nodes: number of nodes of both runs
 * @phases: number of phases of both runs
 * @common: accesses to the same page that node a made in the first run and node b in the second, in
 *          cycles if all were remote: the smaller number of both; shape [@nodes][@nodes]
 * @all: accesses of all nodes in the first run, in the same unit
 */
struct explain {
	const struct Monitor_advise *predicted;
	struct load expected;
	struct Monitor_advise *run;
	struct load load;
	double *lengths;
	size_t nodes;
	size_t phases;
	double *common;
	double all;
};

/* ---- footprints ------------------------------------------------------------------------------ */

static uint64_t page_of(const struct Monitor_advise *advise, size_t row)
{
	return advise->rows[row].page;
}

/* Add up each node's accesses to a row's page, in all phases. */
static void row_sum(const struct load *load, size_t row, double *sums, size_t nodes)
{
	memset(sums, 0, nodes * sizeof(*sums));
	for (size_t i = load->first[row]; i < load->first[row + 1]; i++)
		if (load->cells[i].source < nodes)
			sums[load->cells[i].source] += load->cells[i].remote;
}

static void common_add(struct explain *explain, const double *a, const double *b)
{
	for (size_t n = 0; n < explain->nodes; n++)
		for (size_t m = 0; a[n] > 0 && m < explain->nodes; m++)
			explain->common[n * explain->nodes + m] += fmin(a[n], b[m]);
}

static int footprints_compare(struct explain *explain)
{
	size_t nodes = explain->nodes, j = 0;
	double *a = analysis_memory(2 * nodes, sizeof(*a)), *b = a + nodes;

	explain->common = analysis_memory(nodes * nodes, sizeof(*explain->common));
	if (!a || !explain->common) {
		free(a);
		return -ENOMEM;
	}
	for (size_t i = 0; i < explain->predicted->count; i++) {
		uint64_t page = page_of(explain->predicted, i);

		row_sum(&explain->expected, i, a, nodes);
		for (size_t n = 0; n < nodes; n++)
			explain->all += a[n];
		while (j < explain->run->count && page_of(explain->run, j) < page)
			j++;
		if (j == explain->run->count || page_of(explain->run, j) != page)
			continue;
		row_sum(&explain->load, j, b, nodes);
		common_add(explain, a, b);
	}
	free(a);
	return 0;
}

/* The share of accesses that the same nodes have made in both runs. */
static double alike(const struct explain *explain)
{
	double same = 0;

	for (size_t n = 0; n < explain->nodes; n++)
		same += explain->common[n * explain->nodes + n];
	return explain->all > 0 ? same / explain->all : 1;
}

/*
 * The same with nodes exchanged so that the share is large: repeatedly choose, of the remaining
 * pairs of nodes, the pair with most accesses in common. @other: receives the second run's node for
 * each node of the first; shape [nodes].
 */
static double alike_exchanged(const struct explain *explain, uint32_t *other)
{
	size_t nodes = explain->nodes;
	double same = 0;

	for (size_t n = 0; n < nodes; n++)
		other[n] = UINT32_MAX;
	for (size_t pair = 0; pair < nodes; pair++) {
		size_t from = nodes, to = nodes;
		double most = -1;

		for (size_t n = 0; n < nodes; n++) {
			for (size_t m = 0; other[n] == UINT32_MAX && m < nodes; m++) {
				int taken = 0;

				for (size_t k = 0; k < nodes; k++)
					taken |= other[k] == m;
				if (taken || explain->common[n * nodes + m] <= most)
					continue;
				most = explain->common[n * nodes + m];
				from = n;
				to = m;
			}
		}
		other[from] = (uint32_t)to;
		same += most;
	}
	return explain->all > 0 ? same / explain->all : 1;
}

/* ---- phases ---------------------------------------------------------------------------------- */

/* The phase that differs most. */
static size_t phase_find(const struct explain *explain)
{
	size_t found = 0;
	double most = -1;

	for (size_t p = 0; p < explain->phases; p++) {
		double difference = fabs(explain->load.length[p] - explain->lengths[p]);

		if (!explain->predicted->phases[p] || difference <= most)
			continue;
		most = difference;
		found = p;
	}
	return found;
}

/* The number of cycles by which a node was busier than predicted, divided among its threads. */
static double busier(const struct explain *explain, size_t phase, size_t node)
{
	size_t a = phase * explain->expected.nodes + node;
	size_t b = phase * explain->load.nodes + node;

	return (explain->load.now[b] + explain->load.work[b]) /
		       (double)explain->run->threads[node] -
	       (explain->expected.then[a] + explain->expected.work[a]) /
		       (double)explain->predicted->threads[node];
}

static size_t node_find(const struct explain *explain, size_t phase)
{
	size_t found = 0;

	for (size_t n = 1; n < explain->nodes; n++)
		if (fabs(busier(explain, phase, n)) > fabs(busier(explain, phase, found)))
			found = n;
	return found;
}

/* ---- in words -------------------------------------------------------------------------------- */

static void where_put(const struct explain *explain, size_t phase, char *text, size_t bytes)
{
	char name[ADVISE_PHASE_BYTES];

	/* A program without phases is one phase. */
	if (Monitor_phases(explain->predicted->mon, NULL, 0) < 2)
		*text = '\0';
	else
		snprintf(text, bytes, "in %s ", advise_phase_text(explain->predicted, phase, name));
}

/*
 * Recordings do not hold the accesses that a cache served. So they have different accesses of a
 * page that has moved, even if every node did the same work.
 */
static void cache_put(const struct explain *explain, char *text, size_t bytes)
{
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];

	snprintf(text, bytes,
		 "; the caches served %s accesses instead of %s, and the prediction only estimates "
		 "what caches serve once pages have moved",
		 text_count(a, explain->run->run.cache_hits),
		 text_count(b, explain->predicted->run.cache_hits));
}

/* Why a node had other accesses than predicted. */
static void cause_put(const struct explain *explain, uint32_t *other, char *text, size_t bytes)
{
	double same = alike(explain), exchanged = alike_exchanged(explain, other);
	size_t moved = 0;

	while (moved < explain->nodes && other[moved] == moved)
		moved++;
	if (exchanged > same + EXPLAIN_BETTER && moved < explain->nodes)
		snprintf(
			text, bytes,
			"; the same work ran on other nodes: what was node %zu's is now node %u's, "
			"and so on (%.0f%% of the accesses come from the nodes that had them "
			"before, %.0f%% with nodes exchanged). %s",
			moved, other[moved], 100 * same, 100 * exchanged,
			explain->predicted->role_count
				? "The order of the locks and atomic operations above does not "
				  "decide "
				  "that alone"
				: "No lock or atomic operation was found that decides that; give "
				  "each thread its number when it is created");
	else if (same < EXPLAIN_ALIKE)
		snprintf(text, bytes,
			 "; the nodes did other work: %.0f%% of the accesses come from the nodes "
			 "that had them before",
			 100 * same);
	else
		*text = '\0';
}

static int words_put(const struct explain *explain, char *text)
{
	size_t phase = phase_find(explain), node = node_find(explain, phase);
	double measured = explain->load.length[phase];
	double predicted = explain->lengths[phase];
	double more = busier(explain, phase, node);
	size_t at = phase * explain->nodes + node;
	char where[ADVISE_PHASE_BYTES + 8], cause[512], a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES];
	uint32_t *other = analysis_memory(explain->nodes, sizeof(*other));

	if (!other)
		return -ENOMEM;
	where_put(explain, phase, where, sizeof(where));
	if (explain->predicted->run.cache.bytes)
		cache_put(explain, cause, sizeof(cause));
	else
		cause_put(explain, other, cause, sizeof(cause));
	if (fabs(more) >= fabs(measured - predicted) / 2 || *cause)
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "accesses: %snode %zu spent %s cycles on them instead of %s%s", where,
			 node, text_count(a, (uint64_t)explain->load.now[at]),
			 text_count(b, (uint64_t)explain->expected.then[at]), cause);
	else
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "waiting: %sthe nodes made the accesses that were predicted, and waited "
			 "for each other %s cycles %s than if waiting had changed with the busiest "
			 "node",
			 where, text_count(a, (uint64_t)fabs(measured - predicted)),
			 measured > predicted ? "longer" : "less");
	free(other);
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Predict the lengths of phases in the same way as the run time. */
static int lengths_predict(struct explain *explain)
{
	struct load load;
	int failed;

	explain->lengths = analysis_memory(explain->predicted->phase_count, sizeof(double));
	if (!explain->lengths)
		return -ENOMEM;
	failed = load_make(explain->predicted, LOAD_FINEST, &load);
	if (!failed) {
		load_advised(explain->predicted, &load);
		for (size_t p = 0; p < load.parts; p++)
			explain->lengths[load.phase_of[p]] += load_length_then(&load, p);
	}
	load_free(&load);
	return failed;
}

static int explain_load(struct explain *explain)
{
	int failed = load_make(explain->predicted, LOAD_PHASES, &explain->expected);

	if (!failed)
		failed = load_make(explain->run, LOAD_PHASES, &explain->load);
	if (!failed)
		failed = lengths_predict(explain);
	if (failed)
		return failed;
	load_advised(explain->predicted, &explain->expected);
	if (explain->expected.nodes != explain->load.nodes)
		return Monitor_error_set(EINVAL, "the runs are of %zu and of %zu nodes",
					 explain->expected.nodes, explain->load.nodes);
	explain->nodes = explain->load.nodes;
	explain->phases = explain->expected.parts < explain->load.parts ? explain->expected.parts
									: explain->load.parts;
	return footprints_compare(explain);
}

int Monitor_advise_explain(const struct Monitor_advise *advise, struct Monitor *mon, char *text)
{
	struct explain explain = {.predicted = advise};
	struct Monitor_advise *run = NULL;
	int failed = Monitor_advise_new(mon, &explain.predicted->options, &run);

	if (!failed) {
		explain.run = run;
		failed = explain_load(&explain);
	}
	if (!failed)
		failed = words_put(&explain, text);
	load_free(&explain.expected);
	load_free(&explain.load);
	free(explain.common);
	free(explain.lengths);
	Monitor_advise_free(run);
	return failed;
}
