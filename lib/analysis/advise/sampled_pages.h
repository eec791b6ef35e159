/* SPDX-License-Identifier: MIT */
/*
 * Advise from samples: choose the node of each page that has enough samples.
 *
 * What lives here: the rule that chooses the node, and the writer of the placement file. Samples do
 * not contain the durations of accesses. For this reason, advice from samples has shares of
 * samples, but no cycles and no predicted gain. May use advise.h, sampled.h and the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H
#define LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H

#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/advise/advise.h"

/**
 * struct sampled_advice - An advice that was made from samples. Only sampled_advise() writes to it.
 * @advise: an advice in the form of advise.h. Its rows are the pages whose best node is known. In a
 *          row, the member accesses is the number of samples, own is the number of samples of the
 *          row's node, and home is the page's home at the end of the run. Its runs are neighbouring
 *          rows
 * @pages: number of pages with samples
 * @samples: number of samples of all pages
 * @remote: number of samples that were taken on a node other than the page's home
 * @moved: number of rows whose page was on another node at the end of the run
 * @shared: number of pages that the advice does not move, because other processes may share them
 *          and the samples of those processes are not counted
 * @advised_remote: number of samples that would have been remote under two conditions: the pages of
 *                  all rows are on their advised nodes, and all other pages are on their homes at
 *                  the end of the run
 */
struct sampled_advice {
	struct Monitor_advise *advise;
	uint64_t pages;
	uint64_t samples;
	uint64_t remote;
	uint64_t moved;
	uint64_t shared;
	uint64_t advised_remote;
};

/**
 * sampled_advise() - Advise on the placement of all pages with samples.
 * @mon: holds the recordings of all nodes
 * @advice: receives the advice; the caller must free it even after an error
 *
 * The advice places a page on a node if the node has significantly more than half of the page's
 * samples. Two conditions must hold. First, at most 5 % of the pages with advice are expected to
 * have it only by chance, although two nodes use them equally. Second, the lower end of the 95 %
 * confidence interval of the node's share is above one half. The advice leaves all other pages
 * where they are. It also leaves memory that several processes share, if other processes have
 * samples.
 *
 * Return: 0; -errno.
 */
int sampled_advise(struct Monitor *mon, struct sampled_advice *advice);

void sampled_advise_free(struct sampled_advice *advice);

/**
 * sampled_advise_placement() - Write the placement file that `smile place` reads.
 *
 * Return: 0; -errno.
 */
int sampled_advise_placement(const struct sampled_advice *advice, FILE *out);

#endif /* LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H */
