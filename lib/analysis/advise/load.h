/* SPDX-License-Identifier: MIT */
/*
 * Load: the work and the accesses of each node in each part of the run.
 *
 * What lives here: the work and the access cycles of nodes by part of the run; and accesses by
 * page, source and part, from which the load with other homes is computed. A part is an interval
 * between two meetings of the program's threads if the recordings have these intervals, and
 * otherwise a phase. May use the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_LOAD_H
#define LIB_ANALYSIS_ADVISE_LOAD_H

#include "lib/analysis/advise/advise.h"

/**
 * struct load_cell - Accesses of one node to one page in one part.
 * @row: index of the page's row in the advice
 * @source: the node
 * @part: the part
 * @remote: cycles of these accesses if the page is on another node, averaged over all other nodes
 * @local: cycles of these accesses if the page is on @source
 * @sent: number of transactions that they send into the network if the page is on another node, by
 *        SMILE_TYPE_*
 */
struct load_cell {
	uint32_t row;
	uint32_t source;
	uint32_t part;
	double remote;
	double local;
	float sent[SMILE_TYPE_COUNT];
};

/**
 * struct load - Loads of nodes by part; arrays of shape [parts][nodes] unless noted.
 * @nodes: number of nodes
 * @parts: number of parts
 * @phase_of: the phase of each part; shape [@parts]
 * @now: cycles of accesses, including their waits, with pages on their present homes
 * @then: the same cycles with pages on their advised nodes
 * @now_waits: the cycles of @now that are waits in the network; 0 without a network
 * @then_waits: the cycles of @then that are waits in the network
 * @accesses: number of accesses
 * @work: cycles of work
 * @threads: number of threads of a node that were busy at the same time, at least 1
 * @waits: cycles for which threads waited for locks
 * @pauses: cycles for which threads waited until a time had passed
 * @handed: flags of the parts in which work is handed out, or may be handed out; shape [@parts]
 * @length: length of the parts, in cycles; shape [@parts]; 0: unknown
 * @cells: cells in the order of their rows; shape [@cell_count]
 * @cell_count: number of cells
 * @first: index of each row's first cell; shape [rows + 1]
 * @far: factors for homes that are not equally far, by accessing node and home: the cost of
 *       accesses divided by the cells' @local if the node is the home, and by @remote if it is not;
 *       shape [@nodes][@nodes]; NULL: all factors are 1
 * @estimated: the work is estimated from accesses, not recorded
 * @network: network of the run; NULL: the run had no network, and the following members are also
 *           NULL
 * @by_part: indices of the cells in the order of their parts; shape [@cell_count]
 * @part_first: index of each part's first element; shape [@parts + 1]
 * @homes: temporary memory, by row
 * @busy: temporary memory, by node
 */
struct load {
	size_t nodes;
	size_t parts;
	uint32_t *phase_of;
	double *now;
	double *then;
	double *now_waits;
	double *then_waits;
	double *accesses;
	double *work;
	double *threads;
	double *waits;
	double *pauses;
	unsigned char *handed;
	double *length;
	struct load_cell *cells;
	size_t cell_count;
	size_t *first;
	double *far;
	int estimated;
	struct advise_network *network;
	size_t *by_part;
	size_t *part_first;
	uint32_t *homes;
	double *busy;
};

/* Get the cycles of a cell's accesses if its page is on @home. */
static inline double load_cost(const struct load *load, const struct load_cell *cell, uint32_t home)
{
	double cost = home == cell->source ? cell->local : cell->remote;

	return load->far && home < load->nodes ? cost * load->far[cell->source * load->nodes + home]
					       : cost;
}

/* The parts into which a run is divided. */
enum load_parts {
	LOAD_FINEST, /* intervals if the recordings have them, else phases */
	LOAD_PHASES,
};

/* Make a load. The caller must call load_free() even after an error. Return: 0; -errno. */
int load_make(const struct Monitor_advise *advise, enum load_parts parts, struct load *load);
void load_free(struct load *load);

/* A value for a home that means that each node has a copy of the page. */
#define LOAD_COPIES UINT32_MAX

/*
 * Compute how long the accesses of a part wait in the network. The run must have a network.
 * @homes: homes of pages, by row
 * @cycles: cycles of accesses, without waits; shape [nodes]
 * @waits: receives the cycles of waits; shape [nodes]
 */
void load_wait(const struct load *load, size_t part, const uint32_t *homes, const double *cycles,
	       double *waits);

/* If the run has a network, store the busiest links of the considered phases in @advise. */
void load_links(struct Monitor_advise *advise, const struct load *load);

/* Compute @then for the advised nodes in the rows. */
void load_advised(const struct Monitor_advise *advise, struct load *load);

/* Compute the cost, the share and the own accesses of each row for its advised node. */
void load_settle(struct Monitor_advise *advise, const struct load *load);

/*
 * Get the busiest node's cycles in a part. @cycles are the access cycles: load->now or
 * load->then.
 */
double load_busiest(const struct load *load, const double *cycles, size_t part);

/* Get the sum of load_busiest() over all parts. */
double load_time(const struct load *load, const double *cycles);

/*
 * Get the longest time in a part for which the threads of a node slept while no node was busy. The
 * duration of a sleep does not depend on the homes of pages. Waiting while other nodes are busy
 * does not count: such a thread polls whether other threads are ready.
 */
double load_slept(const struct load *load, size_t part);

/*
 * Get the duration of a part with the access cycles load->then. Waits for locks and sleep keep
 * their durations; all other waits change in proportion to the time of the busiest node.
 */
double load_length_then(const struct load *load, size_t part);

#endif /* LIB_ANALYSIS_ADVISE_LOAD_H */
