// SPDX-License-Identifier: MIT
/*
 * Advise: simple placements of whole variables. See lib/analysis/advise/advise.h.
 *
 * What lives here: the code that tries, for each variable, the placements that one source line can
 * express: unchanged, on one node, interleaved, in equal blocks, or best for one phase. If such a
 * placement shortens the predicted run time, it replaces the result of balance.c, which searches
 * page by page. If balance.c has found a list of pages that follows no rule, a simpler placement
 * replaces the list if its predicted time is within 5 percent of the best time. This file also
 * computes how much a copy of read-only data on each node would save.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"

/* A candidate must shorten the predicted time by at least this fraction. */
#define CANDIDATE_GAIN 0.005
/* All simpler placements together may lengthen the best predicted time by at most this fraction. */
#define CANDIDATE_SIMPLER 0.05
/*
 * A variable stays on its present homes if its accesses have a smaller fraction of the cycles of
 * all accesses.
 */
#define CANDIDATE_LEAST 0.001
/*
 * The number of phases that are tried for a variable. They are the phases in which the accesses to
 * the variable cost the most cycles.
 */
#define CANDIDATE_PHASES 8
/*
 * Data counts as read-only if at most one in this number of accesses is a write. Some writes are
 * allowed because the program must initialise the data.
 */
#define REPLICATE_WRITES 1000
/* Bytes that one remote read fetches when a copy is made. The papers give no such value. */
#define REPLICATE_BYTES 64

/**
 * struct candidates - The search.
 * @advise: the advice
 * @load: the load
 * @cycles: cycles of accesses and of their waits, if each page is on the node in its row; shape
 *          [parts][nodes]
 * @trial: the same cycles for the placement that is being tried; shape [parts][nodes]
 * @waits: the part of @cycles for which accesses wait in the network; shape [parts][nodes]
 * @trial_waits: the part of @trial for which accesses wait in the network; shape [parts][nodes]
 * @touched: for each part, whether the placement that is being tried changes its cycles; shape
 *          [parts]
 * @nodes: the nodes of one variable's rows in the placement that is being tried; shape [rows]
 * @kept: the best nodes of the variable's rows so far; shape [rows]
 * @weight: temporary memory; shape [nodes]
 * @time: the run time that is predicted from @cycles
 */
struct candidates {
	struct Monitor_advise *advise;
	const struct load *load;
	double *cycles;
	double *trial;
	double *waits;
	double *trial_waits;
	unsigned char *touched;
	uint32_t *nodes;
	uint32_t *kept;
	double *weight;
	double time;
};

static struct Monitor_advice *row_of(const struct candidates *candidates,
				     const struct Monitor_advise_data *data, size_t i)
{
	return &candidates->advise->rows[data->rows[i]];
}

/* ---- trials ---------------------------------------------------------------------------------- */

/*
 * For each part of the run in which the program accesses a variable, compute again how long
 * accesses wait in the network. The waits of all other parts stay the same. @nodes: as in
 * trial_make().
 */
static void trial_wait(struct candidates *candidates, const struct Monitor_advise_data *data,
		       const uint32_t *nodes)
{
	const struct load *load = candidates->load;

	memcpy(candidates->trial_waits, candidates->waits,
	       load->parts * load->nodes * sizeof(*candidates->waits));
	memset(candidates->touched, 0, load->parts);
	for (size_t row = 0; row < candidates->advise->count; row++)
		load->homes[row] = candidates->advise->rows[row].node;
	for (size_t i = 0; i < data->count; i++) {
		load->homes[data->rows[i]] = nodes ? nodes[i] : LOAD_COPIES;
		for (size_t c = load->first[data->rows[i]]; c < load->first[data->rows[i] + 1]; c++)
			candidates->touched[load->cells[c].part] = 1;
	}
	for (size_t p = 0; p < load->parts; p++) {
		double *cycles = candidates->trial + p * load->nodes;
		double *waits = candidates->trial_waits + p * load->nodes;

		for (size_t n = 0; candidates->touched[p] && n < load->nodes; n++)
			cycles[n] -= waits[n];
		if (candidates->touched[p])
			load_wait(load, p, load->homes, cycles, waits);
		for (size_t n = 0; candidates->touched[p] && n < load->nodes; n++)
			cycles[n] += waits[n];
	}
}

/*
 * Compute candidates->trial, the cycles of accesses if the pages of a variable's rows are on
 * @nodes. If @nodes is NULL, each node has a copy of the variable.
 */
static void trial_make(struct candidates *candidates, const struct Monitor_advise_data *data,
		       const uint32_t *nodes)
{
	const struct load *load = candidates->load;

	memcpy(candidates->trial, candidates->cycles,
	       load->parts * load->nodes * sizeof(*candidates->trial));
	for (size_t i = 0; i < data->count; i++) {
		uint32_t from = row_of(candidates, data, i)->node;

		for (size_t c = load->first[data->rows[i]]; c < load->first[data->rows[i] + 1];
		     c++) {
			const struct load_cell *cell = &load->cells[c];

			candidates->trial[cell->part * load->nodes + cell->source] +=
				load_cost(load, cell, nodes ? nodes[i] : cell->source) -
				load_cost(load, cell, from);
		}
	}
	if (load->network)
		trial_wait(candidates, data, nodes);
}

static void rows_take(struct candidates *candidates, struct Monitor_advise_data *data,
		      const uint32_t *nodes)
{
	size_t size = candidates->load->parts * candidates->load->nodes;

	trial_make(candidates, data, nodes);
	memcpy(candidates->cycles, candidates->trial, size * sizeof(*candidates->cycles));
	memcpy(candidates->waits, candidates->trial_waits, size * sizeof(*candidates->waits));
	for (size_t i = 0; i < data->count; i++)
		row_of(candidates, data, i)->node = nodes[i];
	candidates->time = load_time(candidates->load, candidates->cycles);
}

/* ---- candidates ------------------------------------------------------------------------------ */

/*
 * Find the node that would save the most cycles if it were the home of the rows from @from to @to.
 * @phase: the phase to consider; SIZE_MAX: all phases.
 */
static uint32_t best_node(struct candidates *candidates, const struct Monitor_advise_data *data,
			  size_t from, size_t to, size_t phase)
{
	const struct load *load = candidates->load;
	uint32_t best = row_of(candidates, data, from)->node;

	memset(candidates->weight, 0, load->nodes * sizeof(*candidates->weight));
	for (size_t i = from; i < to; i++)
		for (size_t c = load->first[data->rows[i]]; c < load->first[data->rows[i] + 1];
		     c++) {
			const struct load_cell *cell = &load->cells[c];

			if (phase != SIZE_MAX && load->phase_of[cell->part] != phase)
				continue;
			if (!load->far)
				candidates->weight[cell->source] += cell->remote - cell->local;
			for (uint32_t n = 0; load->far && n < load->nodes; n++)
				candidates->weight[n] -= load_cost(load, cell, n);
		}
	for (uint32_t n = 0; n < load->nodes; n++)
		if (candidates->weight[n] > candidates->weight[best])
			best = n;
	return best;
}

/* Get the cycles that are saved if a row's page moves from its home to @node. */
static double row_gain(const struct candidates *candidates, size_t row, uint32_t node)
{
	const struct load *load = candidates->load;
	uint32_t home = candidates->advise->rows[row].home;
	double gain = 0;

	for (size_t c = load->first[row]; c < load->first[row + 1]; c++)
		gain += load_cost(load, &load->cells[c], home) -
			load_cost(load, &load->cells[c], node);
	return gain;
}

/*
 * Leave two kinds of rows on their present homes: rows that save fewer cycles than the user's
 * limit, and rows whose pages cannot be placed.
 */
static void rows_that_stay(struct candidates *candidates, const struct Monitor_advise_data *data)
{
	double least = (double)candidates->advise->options.min_gain;

	for (size_t i = 0; i < data->count; i++)
		if (candidates->advise->fixed[data->rows[i]] ||
		    (least > 1 &&
		     row_gain(candidates, data->rows[i], candidates->nodes[i]) < least))
			candidates->nodes[i] = row_of(candidates, data, i)->home;
}

/* Fill in @nodes according to @choice. Return: whether this placement is possible. */
static int candidate_fill(struct candidates *candidates, const struct Monitor_advise_data *data,
			  enum Monitor_advise_choice choice, size_t phase)
{
	size_t count = data->count, nodes = candidates->load->nodes;
	uint32_t *to = candidates->nodes, node;

	switch (choice) {
	case MONITOR_CHOICE_STAYS:
		for (size_t i = 0; i < count; i++)
			to[i] = row_of(candidates, data, i)->home;
		return 1;
	case MONITOR_CHOICE_NODE:
		node = best_node(candidates, data, 0, count, SIZE_MAX);
		for (size_t i = 0; i < count; i++)
			to[i] = node;
		return 1;
	case MONITOR_CHOICE_INTERLEAVE:
		for (size_t i = 0; i < count; i++)
			to[i] = (uint32_t)(row_of(candidates, data, i)->page % nodes);
		return count >= nodes;
	case MONITOR_CHOICE_BLOCKS:
		for (size_t b = 0, i = 0; b < nodes && count >= nodes; b++) {
			size_t end = (b + 1) * count / nodes;

			node = best_node(candidates, data, i, end, SIZE_MAX);
			while (i < end)
				to[i++] = node;
		}
		return count >= nodes;
	case MONITOR_CHOICE_PHASE:
		for (size_t i = 0; i < count; i++)
			to[i] = best_node(candidates, data, i, i + 1, phase);
		return 1;
	case MONITOR_CHOICE_PAGES:
		break;
	}
	return 0;
}

static int candidate_make(struct candidates *candidates, const struct Monitor_advise_data *data,
			  enum Monitor_advise_choice choice, size_t phase)
{
	if (!candidate_fill(candidates, data, choice, phase))
		return 0;
	rows_that_stay(candidates, data);
	return 1;
}

/* Get the predicted run time of the placement in candidates->nodes. */
static double candidate_time(struct candidates *candidates, const struct Monitor_advise_data *data)
{
	trial_make(candidates, data, candidates->nodes);
	return load_time(candidates->load, candidates->trial);
}

/**
 * struct choice - A candidate placement of a variable, and its predicted run time.
 */
struct choice {
	enum Monitor_advise_choice kind;
	size_t phase;
	double time;
};

static void candidate_try(struct candidates *candidates, const struct Monitor_advise_data *data,
			  enum Monitor_advise_choice kind, size_t phase, struct choice *best)
{
	double time;

	if (!candidate_make(candidates, data, kind, phase))
		return;
	time = candidate_time(candidates, data);
	if (time >= best->time)
		return;
	*best = (struct choice){kind, phase, time};
	memcpy(candidates->kept, candidates->nodes, data->count * sizeof(*candidates->kept));
}

static double data_cycles(const struct candidates *candidates,
			  const struct Monitor_advise_data *data, size_t phase)
{
	const struct load *load = candidates->load;
	double all = 0;

	for (size_t i = 0; i < data->count; i++)
		for (size_t c = load->first[data->rows[i]]; c < load->first[data->rows[i] + 1]; c++)
			if (phase == SIZE_MAX || load->phase_of[load->cells[c].part] == phase)
				all += load->cells[c].remote;
	return all;
}

static size_t phases_of(const struct candidates *candidates, const struct Monitor_advise_data *data)
{
	size_t count = 0;

	for (size_t p = 0; p < candidates->advise->phase_count; p++)
		count += data_cycles(candidates, data, p) > 0;
	return count;
}

/*
 * Try the phases in which the accesses to a variable cost the most cycles, up to CANDIDATE_PHASES
 * phases.
 */
static void phases_try(struct candidates *candidates, const struct Monitor_advise_data *data,
		       struct choice *best)
{
	double below = -1, most;

	for (int tried = 0; tried < CANDIDATE_PHASES && candidates->advise->phase_count > 1;
	     tried++) {
		size_t phase = 0;

		most = 0;
		for (size_t p = 0; p < candidates->advise->phase_count; p++) {
			double cycles = data_cycles(candidates, data, p);

			if (cycles <= most || (below >= 0 && cycles >= below))
				continue;
			most = cycles;
			phase = p;
		}
		if (most <= 0)
			return;
		candidate_try(candidates, data, MONITOR_CHOICE_PHASE, phase, best);
		below = most;
	}
}

/* ---- a variable ------------------------------------------------------------------------------ */

static int is_small(const struct candidates *candidates, const struct Monitor_advise_data *data,
		    double all)
{
	return data_cycles(candidates, data, SIZE_MAX) < CANDIDATE_LEAST * all;
}

/*
 * Apply the best placement of a variable if it shortens the run. Return: whether rows have moved.
 */
static int data_improve(struct candidates *candidates, struct Monitor_advise_data *data)
{
	double before = candidates->time;
	struct choice best = {.time = before * (1 - CANDIDATE_GAIN)};

	for (enum Monitor_advise_choice kind = MONITOR_CHOICE_STAYS; kind < MONITOR_CHOICE_PHASE;
	     kind++)
		candidate_try(candidates, data, kind, SIZE_MAX, &best);
	phases_try(candidates, data, &best);
	if (best.kind == MONITOR_CHOICE_PAGES)
		return 0;
	/*
	 * If only one phase uses the variable, "best for one phase" has no meaning. In this case,
	 * each page is on the node that is best for the page.
	 */
	if (best.kind == MONITOR_CHOICE_PHASE && phases_of(candidates, data) < 2)
		best.kind = MONITOR_CHOICE_PAGES;
	data->choice = best.kind;
	data->choice_phase = best.kind == MONITOR_CHOICE_PHASE ? best.phase : 0;
	rows_take(candidates, data, candidates->kept);
	return 1;
}

/*
 * Return whether the advice for a variable is a list of pages that is too long to be written by
 * hand.
 */
static int is_list(const struct candidates *candidates, const struct Monitor_advise_data *data)
{
	struct Monitor_advise_data copy = *data;
	int list;

	if (data->choice != MONITOR_CHOICE_PAGES)
		return 0;
	/*
	 * If memory is missing, keep the present result. It is no worse than the placement before
	 * the search.
	 */
	if (advise_layout_find(candidates->advise, &copy) < 0)
		return 0;
	free(copy.parts);
	list = copy.layout == MONITOR_LAYOUT_MIXED || copy.exceptions;
	for (size_t i = 0; i < data->count && copy.layout == MONITOR_LAYOUT_SHARED; i++)
		list |= row_of(candidates, data, i)->node != row_of(candidates, data, i)->home;
	return list;
}

static void data_simplify(struct candidates *candidates, struct Monitor_advise_data *data,
			  double limit)
{
	if (!is_list(candidates, data))
		return;
	for (enum Monitor_advise_choice kind = MONITOR_CHOICE_STAYS; kind < MONITOR_CHOICE_PHASE;
	     kind++) {
		if (!candidate_make(candidates, data, kind, SIZE_MAX) ||
		    candidate_time(candidates, data) > limit)
			continue;
		data->choice = kind;
		memcpy(candidates->kept, candidates->nodes,
		       data->count * sizeof(*candidates->kept));
		rows_take(candidates, data, candidates->kept);
		return;
	}
}

/* Return whether a path names a library: "libm.so.6", "/usr/lib/x86_64-linux-gnu/libz.so". */
static int is_library(const char *path)
{
	const char *name = strrchr(path, '/'), *found = strstr(name ? name : path, ".so");

	return found && (!found[3] || found[3] == '.');
}

/*
 * Return whether the user cannot copy the data. The user cannot copy data of a shared library,
 * because the user cannot change the library's source, even if its debug information is installed.
 * The user also cannot copy constants without a known source line.
 */
static int is_out_of_reach(const struct candidates *candidates,
			   const struct Monitor_advise_data *data)
{
	const struct Monitor_variable *variable = data->variable;

	if (variable && variable->kind != MONITOR_VARIABLE_HEAP && is_library(variable->object))
		return 1;
	return candidates->advise->fixed[data->rows[0]] == ADVISE_CONSTANT &&
	       !(variable && variable->line);
}

/*
 * Compute how much run time a copy of the variable on each node saves, minus the cost of making the
 * copies.
 */
static void data_replicate(struct candidates *candidates, struct Monitor_advise_data *data)
{
	const struct Monitor_advise *advise = candidates->advise;
	double time, copies = (double)(advise->nodes - 1) * (double)data->count;
	uint64_t writes = 0, accesses = 0;

	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = row_of(candidates, data, i);

		accesses += row->accesses;
		writes += row->accesses - row->reads;
	}
	if (writes * REPLICATE_WRITES > accesses || is_out_of_reach(candidates, data))
		return;
	trial_make(candidates, data, NULL);
	time = load_time(candidates->load, candidates->trial) +
	       copies / (double)advise->nodes * SMILE_PAGE_BYTES / REPLICATE_BYTES *
		       (double)advise->machine.weights.read;
	if (time >= candidates->time * (1 - CANDIDATE_SIMPLER))
		return;
	data->copies_bytes = (uint64_t)(copies * SMILE_PAGE_BYTES);
	data->copies_gain = (uint64_t)(candidates->time - time);
}

/*
 * The simplest placement is the present one. If its predicted time is within 5 percent of the best
 * time, all pages stay on their present homes. This comparison needs the run time, which cards do
 * not record. It also needs the load of all nodes, so it is not made if the recordings of some
 * nodes are missing.
 */
static void all_stay(struct candidates *candidates)
{
	struct Monitor_advise *advise = candidates->advise;
	const struct load *load = candidates->load;
	double now = 0, then = 0;

	for (size_t n = 0; n < load->nodes; n++)
		if (!Monitor_local_known(advise->mon, (unsigned int)n))
			return;
	for (size_t p = 0; advise->cycles && p < load->parts; p++) {
		if (!advise->phases[load->phase_of[p]])
			continue;
		now += load->length[p];
		then += load_length_then(load, p);
	}
	if (now <= 0 || then < now * (1 - CANDIDATE_SIMPLER))
		return;
	advise->too_little = now > then ? 1 - then / now : 0;
	for (size_t i = 0; i < advise->count; i++)
		advise->rows[i].node = advise->rows[i].home;
	for (size_t i = 0; i < advise->data_count; i++)
		advise->data[i].choice = MONITOR_CHOICE_STAYS;
	memcpy(candidates->cycles, load->now,
	       load->parts * load->nodes * sizeof(*candidates->cycles));
	memcpy(candidates->waits, load->now_waits,
	       load->parts * load->nodes * sizeof(*candidates->waits));
	candidates->time = load_time(load, load->now);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void search(struct candidates *candidates)
{
	struct Monitor_advise *advise = candidates->advise;
	double all = 0, limit;

	for (size_t i = 0; i < advise->data_count; i++)
		all += data_cycles(candidates, &advise->data[i], SIZE_MAX);
	for (int pass = 0, moved = 1; moved && pass < 3; pass++) {
		moved = 0;
		for (size_t i = 0; i < advise->data_count; i++)
			if (!is_small(candidates, &advise->data[i], all))
				moved |= data_improve(candidates, &advise->data[i]);
	}
	limit = candidates->time * (1 + CANDIDATE_SIMPLER);
	for (size_t i = 0; i < advise->data_count; i++)
		if (!is_small(candidates, &advise->data[i], all))
			data_simplify(candidates, &advise->data[i], limit);
}

static void copies_search(struct candidates *candidates)
{
	struct Monitor_advise *advise = candidates->advise;
	double all = 0;

	for (size_t i = 0; i < advise->data_count; i++)
		all += data_cycles(candidates, &advise->data[i], SIZE_MAX);
	for (size_t i = 0; i < advise->data_count; i++)
		if (!is_small(candidates, &advise->data[i], all))
			data_replicate(candidates, &advise->data[i]);
}

int advise_candidates(struct Monitor_advise *advise, struct load *load)
{
	size_t size = load->parts * load->nodes;
	struct candidates candidates = {
		.advise = advise,
		.load = load,
		.cycles = analysis_memory(size, sizeof(double)),
		.trial = analysis_memory(size, sizeof(double)),
		.waits = analysis_memory(size, sizeof(double)),
		.trial_waits = analysis_memory(size, sizeof(double)),
		.touched = analysis_memory(load->parts, 1),
		.nodes = analysis_memory(advise->count, sizeof(uint32_t)),
		.kept = analysis_memory(advise->count, sizeof(uint32_t)),
		.weight = analysis_memory(load->nodes, sizeof(double)),
	};
	int failed = candidates.cycles && candidates.trial && candidates.waits &&
				     candidates.trial_waits && candidates.touched &&
				     candidates.nodes && candidates.kept && candidates.weight
			     ? 0
			     : -ENOMEM;

	if (!failed) {
		memcpy(candidates.cycles, load->then, size * sizeof(double));
		memcpy(candidates.waits, load->then_waits, size * sizeof(double));
		candidates.time = load_time(load, candidates.cycles);
		search(&candidates);
		load_advised(advise, load);
		all_stay(&candidates);
		copies_search(&candidates);
		load_advised(advise, load);
	}
	free(candidates.cycles);
	free(candidates.trial);
	free(candidates.waits);
	free(candidates.trial_waits);
	free(candidates.touched);
	free(candidates.nodes);
	free(candidates.kept);
	free(candidates.weight);
	return failed;
}
