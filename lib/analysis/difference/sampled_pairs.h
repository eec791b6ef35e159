/* SPDX-License-Identifier: MIT */
/*
 * Sampled pairs: what two recordings of samples have of the same structures.
 *
 * What lives here: structures of both, put together by what a program calls them: a native program
 * has other addresses each time it runs, so that pages cannot be compared. May use structures.h.
 */
#ifndef LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H
#define LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/structures.h"

/**
 * struct sampled_pair - All structures of one kind and name that are declared in the same line.
 * @variable: one of them, in the first recording that has any; NULL: memory of no variable
 * @samples: in the first and in the second; shape [2]
 * @remote: of these samples, the part by other nodes than the home; shape [2]
 */
struct sampled_pair {
	const struct Monitor_variable *variable;
	uint64_t samples[2];
	uint64_t remote[2];
};

/**
 * struct sampled_pairs - All of them.
 * @list: those with most samples first; shape [@count]
 * @count: how many
 * @all: their sums
 */
struct sampled_pairs {
	struct sampled_pair *list;
	size_t count;
	struct sampled_pair all;
};

/**
 * sampled_pairs_make() - Put them together.
 * @both: of the first and the second; they must stay; shape [2]
 *
 * Return: 0; -ENOMEM. Free pairs->list.
 */
int sampled_pairs_make(struct sampled_pairs *pairs, const struct structures *both);

#endif /* LIB_ANALYSIS_DIFFERENCE_SAMPLED_PAIRS_H */
