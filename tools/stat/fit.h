/* SPDX-License-Identifier: MIT */
/*
 * smile stat --fit: the data that its analysis passes to its plots.
 */
#ifndef TOOLS_STAT_FIT_H
#define TOOLS_STAT_FIT_H

#include <smile/estimate.h>

#include "tools/stat/samples.h"

/**
 * struct fitted - An event and its parameters.
 * @event: its samples
 * @known: the event has parameters
 * @fit: the parameters
 */
struct fitted {
	const struct sampled *event;
	int known;
	struct Estimate_fit fit;
};

/**
 * sampled_view() - The samples in the form that the library reads.
 */
struct Estimate_samples sampled_view(const struct sampled *event);

/**
 * fit_plot() - Draw samples, histogram and autocorrelation of each event as SVG, by gnuplot.
 * @fitted: shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int fit_plot(const struct fitted *fitted, size_t count, const char *path);

/* Make the folder, if it does not exist. Return: TOOL_OK; TOOL_ERROR after a message. */
int fit_figures_folder(const char *folder);

/**
 * fit_figures() - Draw each set of each event, as in appendix B of [2006], and all sets together.
 * @fitted: shape [@count]
 * @folder: receives, of event N, N-NAME-setM-samples.svg (samples and histogram),
 *	N-NAME-setM-autocorrelation.svg and N-NAME-setM-gaussian.svg, and
 *	N-NAME-autocorrelations.svg: the autocorrelations of all sets, and their mean with the
 *	fitted curve
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int fit_figures(const struct fitted *fitted, size_t count, const char *folder);

#endif /* TOOLS_STAT_FIT_H */
