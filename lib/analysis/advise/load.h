/* SPDX-License-Identifier: MIT */
/*
 * Load: the work and the accesses of each node, in each part of the run.
 *
 * What lives here: the work and the access cycles of each node in each part of the run. The file
 * also contains the accesses by page, source and part. From these, the load is computed for other
 * homes of the pages. If the recordings divide the run into intervals, which end where the
 * program's threads meet, each interval is a part. Otherwise, each phase is a part. May use the
 * public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_LOAD_H
#define LIB_ANALYSIS_ADVISE_LOAD_H

#include "lib/analysis/advise/advise.h"

/**
 * struct load_cell - Accesses of one node to one page in one part.
 * @row: index of the page's row in the advice
 * @source: the node
 * @part: the part
 * @remote: cycles of these accesses if the page is on a node other than @source; the mean over all
 *          other nodes
 * @local: cycles of these accesses if the page is on @source
 * @sent: for each SMILE_TYPE_*, the number of transactions that these accesses send into the
 *        network if the page is on a node other than @source
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
 * struct load - The load of each node in each part of the run. Unless noted, arrays have the shape
 * [parts][nodes].
 * @nodes: number of nodes
 * @parts: number of parts
 * @phase_of: the phase of each part; shape [@parts]
 * @now: cycles of accesses, including their waits, if all pages are on their present homes
 * @then: cycles of accesses, including their waits, if all pages are on their advised nodes
 * @now_waits: the part of @now for which accesses wait in the network; 0 if there is no network
 * @then_waits: the part of @then for which accesses wait in the network
 * @accesses: number of accesses
 * @work: cycles of work
 * @threads: number of threads of a node that were busy at the same time, at least 1
 * @waits: cycles for which threads waited for locks
 * @pauses: cycles for which threads slept for a given time
 * @handed: for each part, whether threads take their work from a queue, or may do so; shape
 *          [@parts]
 * @length: length of the parts, in cycles; shape [@parts]; 0: unknown
 * @cells: cells in the order of their rows; shape [@cell_count]
 * @cell_count: number of cells
 * @first: index of each row's first cell; shape [rows + 1]
 * @far: if the machine has pair costs, a factor for each accessing node and each home. The cost of
 *       a cell's accesses is this factor times cell->local if the node is the home, and times
 *       cell->remote otherwise; shape [@nodes][@nodes]; NULL: all factors are 1
 * @estimated: the work is estimated from accesses, not recorded
 * @network: network of the run; NULL: the run had no network, and all members below are NULL too
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

/* Get the cycles of a cell's accesses if the cell's page is on @home. */
static inline double load_cost(const struct load *load, const struct load_cell *cell, uint32_t home)
{
	double cost = home == cell->source ? cell->local : cell->remote;

	return load->far && home < load->nodes ? cost * load->far[cell->source * load->nodes + home]
					       : cost;
}

/* The parts into which a run is divided. */
enum load_parts {
	LOAD_FINEST, /* intervals if the recordings have them, otherwise phases */
	LOAD_PHASES,
};

/*
 * Compute the load of a recorded run. The caller must call load_free() even after an error. Return:
 * 0; -errno.
 */
int load_make(const struct Monitor_advise *advise, enum load_parts parts, struct load *load);
void load_free(struct load *load);

/* A special value for the home of a page: each node has a copy of the page. */
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

/* Compute load->then for the advised nodes of the rows. */
void load_advised(const struct Monitor_advise *advise, struct load *load);

/*
 * For each row, compute the values of a page on its advised node: its cost, the node's share of
 * this cost, and the number of the node's own accesses.
 */
void load_settle(struct Monitor_advise *advise, const struct load *load);

/*
 * Get the cycles of the busiest node in a part. @cycles: the access cycles, which are load->now or
 * load->then.
 */
double load_busiest(const struct load *load, const double *cycles, size_t part);

/* Get the sum of load_busiest() over all parts. */
double load_time(const struct load *load, const double *cycles);

/*
 * For a part of the run, get the longest time for which the threads of a node slept while no node
 * was busy. This time does not depend on the homes of pages. Sleep does not count while other nodes
 * are busy, because the thread may only be waiting for them and sleep between two polls.
 */
double load_slept(const struct load *load, size_t part);

/*
 * Get the duration of a part with the access cycles load->then. Waits for locks and sleep keep
 * their duration. All other waits change in proportion to the time of the busiest node.
 */
double load_length_then(const struct load *load, size_t part);

#endif /* LIB_ANALYSIS_ADVISE_LOAD_H */
