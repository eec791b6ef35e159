/* SPDX-License-Identifier: MIT */
/*
 * Sampled pairs: the samples of the same structures in two recordings.
 *
 * What lives here: the structures of both recordings, matched by the program's names of them: a
 * native program has different addresses in each run, so that pages cannot be compared. May use
 * structures.h.
 */
#ifndef LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H
#define LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/structures.h"

/**
 * struct sampled_pair - All structures of one kind and name that are declared in the same line.
 * @variable: one of them, in the first recording that has any; NULL: memory of no variable
 * @samples: samples in the first and in the second recording; shape [2]
 * @remote: of these samples, the part by other nodes than the home; shape [2]
 */
struct sampled_pair {
	const struct Monitor_variable *variable;
	uint64_t samples[2];
	uint64_t remote[2];
};

/**
 * struct sampled_pairs - All pairs.
 * @list: pairs with the most samples first; shape [@count]
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
 * @both: structures of the first and the second recording; they must stay valid; shape [2]
 *
 * Return: 0; -ENOMEM. Free pairs->list.
 */
int sampled_pairs_make(struct sampled_pairs *pairs, const struct structures *both);

#endif /* LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H */
