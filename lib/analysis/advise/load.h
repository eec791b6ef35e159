/* SPDX-License-Identifier: MIT */
/*
 * Load: what each node does in each phase, and which accesses that includes.
 *
 * What lives here: the work and the access cycles of nodes by phase, and accesses by page, source
 * and phase, from which the load with other homes follows. May use the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_LOAD_H
#define LIB_ANALYSIS_ADVISE_LOAD_H

#include "lib/analysis/advise/advise.h"

/**
 * struct load_cell - Accesses of one node to one page in one phase.
 * @row: index of the page's row in the advice
 * @source: the node
 * @phase: the phase
 * @remote: cycles if the page is on another node
 * @local: cycles if it is on @source
 */
struct load_cell {
	uint32_t row;
	uint32_t source;
	uint32_t phase;
	double remote;
	double local;
};

/**
 * struct load - Loads of nodes by phase; arrays of shape [phases][nodes] unless noted.
 * @nodes: nodes
 * @phases: phases
 * @now: cycles of accesses, with pages as they lie
 * @then: cycles of accesses, with pages as advised
 * @accesses: accesses
 * @work: cycles of work
 * @length: of the phases, in cycles; shape [phases]; 0: unknown
 * @cells: in the order of their rows; shape [@cell_count]
 * @cell_count: cells
 * @first: index of each row's first cell; shape [rows + 1]
 * @estimated: the work is estimated from accesses, not recorded
 */
struct load {
	size_t nodes;
	size_t phases;
	double *now;
	double *then;
	double *accesses;
	double *work;
	double *length;
	struct load_cell *cells;
	size_t cell_count;
	size_t *first;
	int estimated;
};

/* Return: 0; -errno, and load_free() is still to be called. */
int load_make(const struct advise *advise, struct load *load);
void load_free(struct load *load);

/* Fill in @then from the advised nodes of the rows. */
void load_advised(const struct Monitor_advise *advise, struct load *load);

/* Cost, share and own accesses of the rows follow their nodes. */
void load_settle(struct advise *advise, const struct load *load);

/* The busiest node's cycles in a phase, with these access cycles: load->now or load->then. */
double load_busiest(const struct advise *advise, const struct load *load, const double *cycles,
		    size_t phase);

#endif /* LIB_ANALYSIS_ADVISE_LOAD_H */
