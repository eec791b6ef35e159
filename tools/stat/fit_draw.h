/* SPDX-License-Identifier: MIT */
/*
 * Draw parts of the pictures of samples: write data blocks and names in the form that gnuplot
 * reads.
 */
#ifndef TOOLS_STAT_FIT_DRAW_H
#define TOOLS_STAT_FIT_DRAW_H

#include <stdio.h>

#include <smile/estimate.h>

/* The gnuplot settings that all pictures share. */
#define FIT_DRAW_STYLE                                                                             \
	"set encoding utf8\nset border 3 lc rgb '#444444'\nset tics nomirror\n"                    \
	"set grid ytics lc rgb '#dddddd'\nset samples 400\nset key below samplen 2\n"              \
	"set format y '%.3g'\nset format x '%.4g'\nset xtics font ',9'\n"

/* Write a name so that gnuplot can read it between single quotes. */
void fit_draw_name(FILE *out, const char *name);

/* Write the data block $samples with the columns time and value. @values: shape [@count] */
void fit_draw_samples(FILE *out, const double *values, size_t count, double dt_s);

/*
 * Write the data block $histogram with the columns value and density. The density has the scale of
 * a Gaussian, which can be drawn in the same axes. @values: shape [@count]
 */
void fit_draw_histogram(FILE *out, const double *values, size_t count);

/*
 * Write a data block with the columns lag and autocovariance, which is the autocorrelation minus
 * the squared mean. The lags go up to about four times 1 / @beta.
 */
void fit_draw_correlation(FILE *out, const char *block, const struct Estimate_samples *samples,
			  double beta);

/*
 * Write the command that plots $histogram. @gaussian: also plot the density of this process; may be
 * NULL
 */
void fit_draw_histogram_plot(FILE *out, const struct Estimate_process *gaussian);

#endif /* TOOLS_STAT_FIT_DRAW_H */
