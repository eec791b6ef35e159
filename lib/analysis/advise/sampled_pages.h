/* SPDX-License-Identifier: MIT */
/*
 * Advise from samples: the node of each page that has enough of them.
 *
 * What lives here: the rule, and the placement file. Samples do not say how long accesses take:
 * there are no cycles and no gain here, only shares of samples. May use advise.h, sampled.h, the
 * public API.
 */
#ifndef LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H
#define LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H

#include <stdint.h>
#include <stdio.h>

#include "lib/analysis/advise/advise.h"

/**
 * struct sampled_advice - An advice. Read only.
 * @advise: its rows are the pages whose node is known: accesses: samples; own: of its node;
 *          home: at the end; its runs are neighbours among them
 * @pages: with samples
 * @samples: of all pages
 * @remote: of these, at pages that lay on another node
 * @moved: pages among the rows that lie on another node at the end
 * @shared: pages that are left alone since other processes, whose samples do not count, may share
 *          them
 * @advised_remote: samples that would have been remote if all rows lay on their nodes, and the
 *                  other pages where they lie at the end
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
 * @advice: receives it; to be freed in any case
 *
 * A page belongs on a node if the node has more of its samples than chance gives to one of two
 * nodes that use the page alike: of all such pages at most 5 % are expected to be so by chance, and
 * the lower end of the share's 95 % band is above one half. All other pages are left alone; so is
 * memory that processes share, if there are samples of other processes.
 *
 * Return: 0; -errno.
 */
int sampled_advise(struct Monitor *mon, struct sampled_advice *advice);

void sampled_advise_free(struct sampled_advice *advice);

/**
 * sampled_advise_placement() - Write the placement file, as `smile place` reads it.
 *
 * Return: 0; -errno.
 */
int sampled_advise_placement(const struct sampled_advice *advice, FILE *out);

#endif /* LIB_ANALYSIS_ADVISE_SAMPLED_PAGES_H */
