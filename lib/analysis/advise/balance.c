// SPDX-License-Identifier: MIT
/*
 * Advise: finds homes of pages that shorten the run time, not only homes that save cycles. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: the search for homes of truly shared pages. It minimises the cycles of the
 * busiest node of each part of the run (load.h). If one node makes most of the accesses to a page,
 * the page is placed on that node and takes no part in the search. Within a part of the run, nodes
 * may wait for each other at locks, and the cycles do not include such waits. Truly shared pages
 * start on their present homes. The search tries each page on every node on which its accesses
 * would be cheaper. It repeats this until no page moves.
 *
 * A page that does not affect the busiest node does not change the sum of the busiest nodes'
 * cycles. The search therefore minimises a smooth approximation of that sum: the sum over the parts
 * of the 8-norm of the nodes' cycles.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"

/* The largest number of passes over all pages. The search nearly always ends earlier. */
#define BALANCE_PASSES 16
/* The largest number of cells that the search visits. */
#define BALANCE_STEPS 400000000ULL
/*
 * A move must reduce the approximation by at least this fraction. Otherwise rounding errors could
 * cause moves.
 */
#define BALANCE_LEAST 1e-9

/**
 * struct balance - The search.
 * @advise: the advice
 * @load: the load
 * @scale: initial cycles of each part's busiest node; 1 if the part has no cycles; shape [parts]
 * @busy: cycles of the nodes, divided by @scale; shape [parts][nodes]
 * @sum: sum of the 8th powers of @busy; shape [parts]
 * @gain: for one page, the cycles that are saved if its home is each node; shape [nodes]
 * @steps: number of visited cells
 */
struct balance {
	struct Monitor_advise *advise;
	const struct load *load;
	double *scale;
	double *busy;
	double *sum;
	double *gain;
	uint64_t steps;
};

static double power(double x)
{
	double square = x * x, fourth = square * square;

	return fourth * fourth;
}

static double root(double x)
{
	return x > 0 ? sqrt(sqrt(sqrt(x))) : 0;
}

static const struct load_cell *cells_of(const struct balance *balance, size_t row, size_t *count)
{
	size_t first = balance->load->first[row];

	*count = balance->load->first[row + 1] - first;
	return balance->load->cells + first;
}

/* Get the change of balance->busy for the node and the part of @cell if the cell's page moves. */
static double part_of(const struct balance *balance, const struct load_cell *cell, uint32_t from,
		      uint32_t to)
{
	return (load_cost(balance->load, cell, to) - load_cost(balance->load, cell, from)) /
	       balance->load->threads[cell->part * balance->load->nodes + cell->source] /
	       balance->scale[cell->part];
}

/*
 * Return whether the accesses of a cell cost the same if its page moves from node @from to node
 * @to.
 */
static int is_same(const struct balance *balance, const struct load_cell *cell, uint32_t from,
		   uint32_t to)
{
	return !balance->load->far && cell->source != from && cell->source != to;
}

/* Get the change of the approximated run time if a page moves. */
static double move_cost(struct balance *balance, size_t row, uint32_t from, uint32_t to)
{
	size_t count, nodes = balance->load->nodes;
	const struct load_cell *cells = cells_of(balance, row, &count);
	double all = 0;

	balance->steps += count;
	for (size_t i = 0; i < count;) {
		uint32_t of = cells[i].part;
		double sum = balance->sum[of];

		for (; i < count && cells[i].part == of; i++) {
			double *busy = &balance->busy[of * nodes + cells[i].source];

			if (is_same(balance, &cells[i], from, to))
				continue;
			sum += power(*busy + part_of(balance, &cells[i], from, to)) - power(*busy);
		}
		all += balance->scale[of] * (root(sum) - root(balance->sum[of]));
	}
	return all;
}

static void move_page(struct balance *balance, size_t row, uint32_t from, uint32_t to)
{
	size_t count, nodes = balance->load->nodes;
	const struct load_cell *cells = cells_of(balance, row, &count);

	for (size_t i = 0; i < count; i++) {
		double *busy = &balance->busy[cells[i].part * nodes + cells[i].source];
		double before = power(*busy);

		if (is_same(balance, &cells[i], from, to))
			continue;
		*busy += part_of(balance, &cells[i], from, to);
		/* Prevent negative cycles, which rounding could cause. */
		if (*busy < 0)
			*busy = 0;
		balance->sum[cells[i].part] += power(*busy) - before;
	}
	balance->advise->rows[row].node = to;
}

/*
 * Set balance->gain for the page of a row. For each node, the gain is the number of cycles that
 * would be saved if the page moved to the node. For the page's present home, the gain is 0.
 */
static void gains_find(struct balance *balance, size_t row)
{
	uint32_t home = balance->advise->rows[row].home;
	size_t count;
	const struct load_cell *cells = cells_of(balance, row, &count);
	double now = 0;

	for (size_t n = 0; n < balance->load->nodes; n++)
		balance->gain[n] = 0;
	for (size_t i = 0; i < count; i++) {
		for (uint32_t n = 0; balance->load->far && n < balance->load->nodes; n++)
			balance->gain[n] += load_cost(balance->load, &cells[i], home) -
					    load_cost(balance->load, &cells[i], n);
		if (balance->load->far)
			continue;
		balance->gain[cells[i].source] += cells[i].remote - cells[i].local;
		if (cells[i].source == home)
			now += cells[i].remote - cells[i].local;
	}
	for (size_t n = 0; n < balance->load->nodes; n++)
		balance->gain[n] -= now;
}

static int may_lie_on(const struct balance *balance, uint32_t home, uint32_t node)
{
	double least = (double)balance->advise->options.min_gain;

	return node == home || balance->gain[node] >= (least > 0 ? least : 0);
}

/*
 * Choose the node for a page that gives the shortest approximated run time. Apart from the page's
 * home, consider only nodes on which its accesses are cheaper. Return: whether the page has moved.
 */
static int page_try(struct balance *balance, size_t row)
{
	const struct Monitor_advice *advice = &balance->advise->rows[row];
	uint32_t from = advice->node, best = from;
	double cost = -BALANCE_LEAST, least = cost;

	gains_find(balance, row);
	for (uint32_t n = 0; n < balance->load->nodes; n++) {
		if (n == from || !may_lie_on(balance, advice->home, n) ||
		    (n != advice->home && balance->gain[n] <= 0))
			continue;
		cost = move_cost(balance, row, from, n);
		if (cost < least - fabs(least) * BALANCE_LEAST) {
			least = cost;
			best = n;
		}
	}
	if (best == from)
		return 0;
	move_page(balance, row, from, best);
	return 1;
}

/* Compute the 8-norm of each part for the present advice. */
static void norms_load(struct balance *balance)
{
	const struct load *load = balance->load;

	for (size_t p = 0; p < load->parts; p++) {
		balance->sum[p] = 0;
		balance->scale[p] = load_busiest(load, load->then, p);
		/* A part without cycles has no cells, and does not affect the result. */
		if (balance->scale[p] <= 0)
			balance->scale[p] = 1;
		for (size_t n = 0; n < load->nodes; n++) {
			size_t at = p * load->nodes + n;

			balance->busy[at] =
				(load->work[at] + load->then[at] - load->then_waits[at]) /
				load->threads[at] / balance->scale[p];
			balance->sum[p] += power(balance->busy[at]);
		}
	}
}

static void search(struct balance *balance)
{
	size_t rows = balance->advise->count;
	int moved = 1;

	for (int pass = 0; moved && pass < BALANCE_PASSES; pass++) {
		moved = 0;
		for (size_t row = 0; row < rows && balance->steps < BALANCE_STEPS; row++)
			if (balance->advise->rows[row].flags & MONITOR_ADVICE_SHARED &&
			    !balance->advise->fixed[row])
				moved |= page_try(balance, row);
	}
}

static void rows_reset(struct Monitor_advise *advise, uint32_t flag)
{
	for (size_t i = 0; i < advise->count; i++)
		if (!flag || advise->rows[i].flags & flag)
			advise->rows[i].node = advise->rows[i].home;
}

int advise_balance(struct Monitor_advise *advise, struct load *load)
{
	size_t size = load->parts * load->nodes;
	struct balance balance = {
		.advise = advise,
		.load = load,
		.scale = analysis_memory(load->parts, sizeof(double)),
		.busy = analysis_memory(size, sizeof(double)),
		.sum = analysis_memory(load->parts, sizeof(double)),
		.gain = analysis_memory(load->nodes, sizeof(double)),
	};
	int failed = balance.scale && balance.busy && balance.sum && balance.gain ? 0 : -ENOMEM;

	if (!failed) {
		rows_reset(advise, MONITOR_ADVICE_SHARED);
		load_advised(advise, load);
		norms_load(&balance);
		search(&balance);
		load_advised(advise, load);
		/*
		 * If the advice is predicted to be slower than the present placement, drop the
		 * advice.
		 */
		if (load_time(load, load->then) > load_time(load, load->now)) {
			rows_reset(advise, 0);
			load_advised(advise, load);
		}
	}
	free(balance.scale);
	free(balance.busy);
	free(balance.sum);
	free(balance.gain);
	return failed;
}
