/* SPDX-License-Identifier: MIT */
/*
 * Sampled pairs: the samples of the same structures in two recordings.
 *
 * What lives here: the code that matches the data structures of both recordings by their names in
 * the program. Pages cannot be compared, because a native program has different addresses in each
 * run. May use structures.h.
 */
#ifndef LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H
#define LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/structures.h"

/**
 * struct sampled_pair - All structures of the same kind and name that are declared in the same
 * source line.
 * @variable: one of these structures, from the first recording if the first recording has one;
 *            NULL: the pair is the memory that belongs to no variable
 * @samples: number of samples in the first and in the second recording; shape [2]
 * @remote: number of samples that nodes other than the page's home caused, in the first and in the
 *            second recording; shape [2]
 */
struct sampled_pair {
	const struct Monitor_variable *variable;
	uint64_t samples[2];
	uint64_t remote[2];
};

/**
 * struct sampled_pairs - All pairs.
 * @list: the pairs, in descending order of their samples; shape [@count]
 * @count: number of pairs
 * @all: sums over all pairs
 */
struct sampled_pairs {
	struct sampled_pair *list;
	size_t count;
	struct sampled_pair all;
};

/**
 * sampled_pairs_make() - Match the structures.
 * @both: structures of the first and the second recording; they must stay valid while @pairs is
 *        used; shape [2]
 *
 * Return: 0; -ENOMEM. The caller must free pairs->list.
 */
int sampled_pairs_make(struct sampled_pairs *pairs, const struct structures *both);

#endif /* LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H */
