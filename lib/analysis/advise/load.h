/* SPDX-License-Identifier: MIT */
/*
 * Load: the work and the accesses of each node in each part of the run.
 *
 * What lives here: the work and the access cycles of nodes by part, and accesses by page, source
 * and part, from which the load with other homes is computed. A part is an interval between two
 * meetings of the program's threads, if the recordings have them, and otherwise a phase. May use
 * the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_LOAD_H
#define LIB_ANALYSIS_ADVISE_LOAD_H

#include "lib/analysis/advise/advise.h"

/**
 * struct load_cell - Accesses of one node to one page in one part.
 * @row: index of the page's row in the advice
 * @source: the node
 * @part: the part
 * @remote: cycles if the page is on another node, averaged over these nodes
 * @local: cycles if the page is on @source
 * @sent: transactions in the network if the page is on another node, by SMILE_TYPE_*
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
 * @now: cycles of accesses and of their waits, with pages on their present homes
 * @then: the same with pages on their advised nodes
 * @now_waits: the part of @now that is waits in the network; 0 without a network
 * @then_waits: the part of @then that is waits in the network
 * @accesses: number of accesses
 * @work: cycles of work
 * @threads: number of threads of a node that were busy at the same time, at least 1
 * @waits: cycles for which threads have waited for locks
 * @pauses: cycles for which threads have waited for a time to pass
 * @handed: flags of parts in which work is handed out, or may be; shape [@parts]
 * @length: length of the parts, in cycles; shape [@parts]; 0: unknown
 * @cells: cells in the order of their rows; shape [@cell_count]
 * @cell_count: number of cells
 * @first: index of each row's first cell; shape [rows + 1]
 * @far: cost of a page on each home for each node, by node and home, relative to the cells' @local
 *       on the node itself, and to @remote on other nodes; shape [@nodes][@nodes]; NULL: all 1
 * @estimated: the work is estimated from accesses, not recorded
 * @network: network of the run; NULL: no network. Then the following members are also NULL
 * @by_part: indices of the cells in the order of their parts; shape [@cell_count]
 * @part_first: index of each part's first element; shape [@parts + 1]
 * @homes: scratch, by row
 * @busy: scratch, by node
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

/* Cycles of a cell's accesses with its page on @home. */
static inline double load_cost(const struct load *load, const struct load_cell *cell, uint32_t home)
{
	double cost = home == cell->source ? cell->local : cell->remote;

	return load->far && home < load->nodes ? cost * load->far[cell->source * load->nodes + home]
					       : cost;
}

/* The kind of parts of a load. */
enum load_parts {
	LOAD_FINEST, /* intervals if they are known, else phases */
	LOAD_PHASES,
};

/* Return: 0; -errno. The caller must call load_free() in either case. */
int load_make(const struct Monitor_advise *advise, enum load_parts parts, struct load *load);
void load_free(struct load *load);

/* A home that is not a node: each node has a copy of the page. */
#define LOAD_COPIES UINT32_MAX

/*
 * Compute the waits of a part's accesses in the network. Only if there is a network.
 * @homes: homes of pages, by row
 * @cycles: cycles of accesses, without waits; shape [nodes]
 * @waits: receives the cycles of waits; shape [nodes]
 */
void load_wait(const struct load *load, size_t part, const uint32_t *homes, const double *cycles,
	       double *waits);

/* Store the busiest links of the considered phases in @advise, if there is a network. */
void load_links(struct Monitor_advise *advise, const struct load *load);

/* Fill in @then from the advised nodes of the rows. */
void load_advised(const struct Monitor_advise *advise, struct load *load);

/* Compute cost, share and own accesses of the rows from their nodes. */
void load_settle(struct Monitor_advise *advise, const struct load *load);

/* The busiest node's cycles in a part, with these access cycles: load->now or load->then. */
double load_busiest(const struct load *load, const double *cycles, size_t part);

/* The sum of load_busiest() over all parts. */
double load_time(const struct load *load, const double *cycles);

/*
 * The longest wait of a node's threads for a time to pass while no node was busy. This is a sleep,
 * whose duration does not depend on homes of pages. A thread that polls whether other threads are
 * ready waits while they are busy.
 */
double load_slept(const struct load *load, size_t part);

/*
 * The duration of a part with load->then, if waits for locks and sleep do not change, and other
 * waiting in it changes with the busiest node.
 */
double load_length_then(const struct load *load, size_t part);

#endif /* LIB_ANALYSIS_ADVISE_LOAD_H */
