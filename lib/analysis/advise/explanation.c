// SPDX-License-Identifier: MIT
/*
 * Advise: explains why a run with the advised placement was slower or faster than predicted. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: the comparison of the predicted and the measured load by phase and node, and the
 * comparison of the nodes' footprints in both runs. A node's footprint is the number of its
 * accesses to each page. If two nodes have exchanged their footprints, the threads that ran on the
 * one node in the first run have run on the other node in the second run.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/*
 * Two sets of footprints count as equal if at least this share of the accesses is the same in
 * both.
 */
#define EXPLAIN_ALIKE 0.9
/*
 * The comparison exchanges nodes only if the share of the same accesses then grows by at least this
 * amount.
 */
#define EXPLAIN_BETTER 0.1

/**
 * struct explain - Two runs.
 * @predicted: the advice
 * @expected: load of the advice; expected.then is the prediction
 * @run: the run with the advised placement, as a separate advice
 * @load: load of @run; load.now is the measurement
 * @lengths: predicted lengths of the phases; shape [@phases]
 * @nodes: number of nodes of both runs
 * @phases: number of phases of both runs
 * @common: element [a][b] is the number of accesses that node a in the first run and node b in the
 *          second run have in common. For each page, the smaller of the two nodes' numbers is
 *          counted. Accesses are weighted by their cycles as if all were remote; shape
 *          [@nodes][@nodes]
 * @all: accesses of all nodes in the first run, in the unit of @common
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

/* Sum up each node's accesses to a row's page over all phases. */
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

/* Get the share of accesses that the same nodes made in both runs. */
static double alike(const struct explain *explain)
{
	double same = 0;

	for (size_t n = 0; n < explain->nodes; n++)
		same += explain->common[n * explain->nodes + n];
	return explain->all > 0 ? same / explain->all : 1;
}

/*
 * Assign a node of the second run to each node of the first run so that the assigned nodes have
 * many accesses in common. The function repeatedly chooses, among the remaining nodes, the pair
 * with the most accesses in common. @other: receives for each node of the first run the node of the
 * second run; shape [nodes]. Return: the share of accesses that the assigned nodes have in common.
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

/* Find the phase whose measured length differs most from the predicted length. */
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

/*
 * Get the number of cycles by which a node was busier than predicted, divided by its number of
 * threads.
 */
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

	/* A program without phases has a single phase. */
	if (Monitor_phases(explain->predicted->mon, NULL, 0) < 2)
		*text = '\0';
	else
		snprintf(text, bytes, "in %s ", advise_phase_text(explain->predicted, phase, name));
}

/*
 * Write that recordings do not contain the accesses that a cache served. For this reason, the
 * number of recorded accesses to a page changes when the page moves, even if every node does the
 * same work.
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

/* Write why a node's accesses differ from the predicted accesses. */
static void cause_put(const struct explain *explain, uint32_t *other, char *text, size_t bytes)
{
	double same = alike(explain), exchanged = alike_exchanged(explain, other);
	size_t moved = 0;

	while (moved < explain->nodes && other[moved] == moved)
		moved++;
	if (exchanged > same + EXPLAIN_BETTER && moved < explain->nodes)
		snprintf(
			text, bytes,
			"; the same work ran on other nodes: the work of node %zu now runs on node "
			"%u, and so on (%.0f%% of the accesses come from the same nodes as before, "
			"%.0f%% if the nodes are exchanged). %s",
			moved, other[moved], 100 * same, 100 * exchanged,
			explain->predicted->role_count
				? "The order of the locks and atomic operations above is not the "
				  "only reason"
				: "No lock or atomic operation was found that assigns the work to "
				  "threads; give each thread its number when it is created");
	else if (same < EXPLAIN_ALIKE)
		snprintf(text, bytes,
			 "; the nodes did other work: %.0f%% of the accesses come from the same "
			 "nodes as before",
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
			 "accesses: %snode %zu spent %s cycles on accesses instead of %s%s", where,
			 node, text_count(a, (uint64_t)explain->load.now[at]),
			 text_count(b, (uint64_t)explain->expected.then[at]), cause);
	else
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "waiting: %sthe nodes made the accesses that were predicted, but waited "
			 "for each other %s cycles %s than if waits had changed in proportion to "
			 "the time of the busiest node",
			 where, text_count(a, (uint64_t)fabs(measured - predicted)),
			 measured > predicted ? "longer" : "less");
	free(other);
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Predict the length of each phase by the method that also predicts the run time. */
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
		return Monitor_error_set(EINVAL, "the two runs have %zu and %zu nodes",
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
