/* SPDX-License-Identifier: MIT */
/*
 * smile stat --fit: the data that the analysis passes to the plots.
 */
#ifndef TOOLS_STAT_FIT_H
#define TOOLS_STAT_FIT_H

#include <smile/estimate.h>

#include "tools/stat/samples.h"

/**
 * struct fitted - An event and its fitted parameters.
 * @event: the samples of the event
 * @known: parameters were found
 * @fit: the parameters that were found
 */
struct fitted {
	const struct sampled *event;
	int known;
	struct Estimate_fit fit;
};

/**
 * sampled_view() - Get the samples of an event in the form that the library reads.
 */
struct Estimate_samples sampled_view(const struct sampled *event);

/**
 * fit_plot() - Draw the samples, the histogram and the autocorrelation of each event as SVG, by
 * gnuplot.
 * @fitted: shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int fit_plot(const struct fitted *fitted, size_t count, const char *path);

/* Make the directory if it does not exist. Return: TOOL_OK; TOOL_ERROR after a message. */
int fit_figures_folder(const char *folder);

/**
 * fit_figures() - Draw each set of samples of each event, as in appendix B of [2006]. For each
 * event, also draw a picture of all sets.
 * @fitted: shape [@count]
 * @folder: directory that receives the pictures. For each set M of event N: N-NAME-setM-samples.svg
 *          with the samples and their histogram, N-NAME-setM-autocorrelation.svg, and
 *          N-NAME-setM-gaussian.svg. For event N: N-NAME-autocorrelations.svg with the
 *          autocorrelations of all sets, and with the mean of these autocorrelations and the fitted
 *          curve
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int fit_figures(const struct fitted *fitted, size_t count, const char *folder);

#endif /* TOOLS_STAT_FIT_H */
