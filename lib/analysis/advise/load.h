/* SPDX-License-Identifier: MIT */
/*
 * Load: the work and the accesses of each node, in each part of the run.
 *
 * What lives here: the work and the access cycles of each node in each part of the run. It also has
 * the accesses by page, source and part, from which the load is computed for other homes. If the
 * recordings have the intervals between the meetings of the program's threads, each interval is a
 * part; otherwise each phase is a part. May use the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_LOAD_H
#define LIB_ANALYSIS_ADVISE_LOAD_H

#include "lib/analysis/advise/advise.h"

/**
 * struct load_cell - Accesses of one node to one page in one part.
 * @row: index of the page's row in the advice
 * @source: the node
 * @part: the part
 * @remote: cycles of these accesses if the page is on another node; this is the mean over all other
 *          nodes
 * @local: cycles of these accesses if the page is on @source
 * @sent: by SMILE_TYPE_*, the number of transactions that these accesses send into the network if
 *        the page is on another node
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
 * @now: cycles of accesses, including their waits, if all pages are on their present homes
 * @then: the same cycles with pages on their advised nodes
 * @now_waits: the part of @now that accesses wait in the network; 0 if there is no network
 * @then_waits: the cycles of @then that are waits in the network
 * @accesses: number of accesses
 * @work: cycles of work
 * @threads: number of threads of a node that were busy at the same time, at least 1
 * @waits: cycles for which threads waited for locks
 * @pauses: cycles for which threads waited until a time had passed
 * @handed: flags of the parts of the run in which threads take, or may take, their work at run
 *          time; shape [@parts]
 * @length: length of the parts, in cycles; shape [@parts]; 0: unknown
 * @cells: cells in the order of their rows; shape [@cell_count]
 * @cell_count: number of cells
 * @first: index of each row's first cell; shape [rows + 1]
 * @far: for homes that are not equally far, a factor for each accessing node and home. The cost of
 *       an access is this factor times @local of the cell if the node is the home, and times
 *       @remote if it is not; shape [@nodes][@nodes]; NULL: all factors are 1
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
	LOAD_FINEST, /* intervals if the recordings have them, otherwise phases */
	LOAD_PHASES,
};

/* Make a load. The caller must call load_free() even after an error. Return: 0; -errno. */
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
 * For each row, compute the cost, the share, and the accesses of the home itself that result if
 * the page is on its advised node.
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
 * Get the longest time in a part for which the threads of a node slept while no node was busy. The
 * duration of a sleep does not depend on the homes of pages. Time in which other nodes were busy
 * does not count, because a thread that waits for other nodes only polls whether they are ready.
 */
double load_slept(const struct load *load, size_t part);

/*
 * Get the duration of a part with the access cycles load->then. Waits for locks and sleep keep
 * their durations; all other waits change in proportion to the time of the busiest node.
 */
double load_length_then(const struct load *load, size_t part);

#endif /* LIB_ANALYSIS_ADVISE_LOAD_H */
