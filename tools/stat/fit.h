/* SPDX-License-Identifier: MIT */
/*
 * smile stat --fit: what its analysis passes to its plot.
 */
#ifndef TOOLS_STAT_FIT_H
#define TOOLS_STAT_FIT_H

#include <smile/estimate.h>

#include "tools/stat/samples.h"

/**
 * struct fitted - An event and its parameters.
 * @event: its samples
 * @known: it has parameters
 * @fit: they
 */
struct fitted {
	const struct sampled *event;
	int known;
	struct Estimate_fit fit;
};

/**
 * sampled_view() - Samples as the library takes them.
 */
struct Estimate_samples sampled_view(const struct sampled *event);

/**
 * fit_plot() - Draw samples, histogram and autocorrelation of each event as SVG, by gnuplot.
 * @fitted: shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int fit_plot(const struct fitted *fitted, size_t count, const char *path);

#endif /* TOOLS_STAT_FIT_H */
