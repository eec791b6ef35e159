/* SPDX-License-Identifier: MIT */
/*
 * Advise from samples: the node of each page that has enough samples.
 *
 * What lives here: the rule, and the placement file. Samples do not contain the durations of
 * accesses: this advice has no cycles and no gain, only shares of samples. May use advise.h,
 * sampled.h, the public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H
#define LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H

#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/advise/advise.h"

/**
 * struct sampled_advice - An advice. Read only.
 * @advise: its rows are the pages whose node is known; their accesses are samples, own is samples
 *          of the row's node, home is the home at the end; its runs are neighbouring rows
 * @pages: number of pages with samples
 * @samples: number of samples of all pages
 * @remote: number of these samples at pages that lay on another node
 * @moved: number of rows whose page lies on another node at the end
 * @shared: number of pages that are left alone because other processes, whose samples do not count,
 *          may share them
 * @advised_remote: number of samples that would have been remote if all rows lay on their nodes,
 *                  and the other pages on their homes at the end
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
 * A page should lie on a node if the node has more of the page's samples than chance would give to
 * one of two nodes that use the page equally: at most 5 % of these pages are expected to be chance,
 * and the lower end of the 95 % band of the node's share is above one half. All other pages are
 * left alone, and so is memory that processes share, if samples of other processes exist.
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
