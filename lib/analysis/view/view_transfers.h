/* SPDX-License-Identifier: MIT */
/*
 * View transfers: counts the transactions and bytes of each pair of nodes, by phase.
 *
 * What lives here: the matrices of transactions and bytes, one for each group of phases. May use
 * view_model.h and memory.h.
 *
 * Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), section
 * 4.1, "Run-time transfer".
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_TRANSFERS_H
#define LIB_ANALYSIS_VIEW_VIEW_TRANSFERS_H

#include "lib/analysis/view/view_model.h"

/*
 * The largest number of groups of phases, and the largest number of elements in all matrices
 * together.
 */
#define VIEW_TRANSFER_COLUMNS_MAX 64
#define VIEW_TRANSFER_NUMBERS_MAX 262144

/**
 * struct view_transfers - Matrices for each group of phases. A group of phases is called a column.
 * @nodes: number of rows and columns of a matrix
 * @shift: a column is 2^@shift phases
 * @columns: number of columns; 0 if there is only one phase, or if there is no room for two
 *           matrices
 * @packets: transactions; shape [@columns][@nodes][@nodes], by source and home
 * @bytes: bytes of the transactions; shape [@columns][@nodes][@nodes], by source and home
 */
struct view_transfers {
	size_t nodes;
	unsigned int shift;
	size_t columns;
	uint64_t *packets;
	uint64_t *bytes;
};

/**
 * view_transfers_load() - Compute the matrices.
 * @transfers: all 0
 *
 * Return: 0; -errno. Call view_transfers_free() in either case.
 */
int view_transfers_load(struct view_transfers *transfers, const struct view_model *model);

void view_transfers_free(struct view_transfers *transfers);

#endif /* LIB_ANALYSIS_VIEW_VIEW_TRANSFERS_H */
