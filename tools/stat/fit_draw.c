// SPDX-License-Identifier: MIT
/*
 * Draw parts of the pictures of samples. See tools/stat/fit_draw.h.
 */
#include "tools/stat/fit_draw.h"

#include <math.h>

#define BINS 40

void fit_draw_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '\'')
			fputc('\'', out);
		fputc((unsigned char)*name < ' ' ? ' ' : *name, out);
	}
}

void fit_draw_samples(FILE *out, const double *values, size_t count, double dt_s)
{
	fputs("$samples << END\n", out);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%.9g %.9g\n", (double)i * dt_s, values[i]);
	fputs("END\n", out);
}

void fit_draw_histogram(FILE *out, const double *values, size_t count)
{
	double least = values[0], most = least, width;
	size_t bins[BINS] = {0};

	for (size_t i = 0; i < count; i++) {
		least = fmin(least, values[i]);
		most = fmax(most, values[i]);
	}
	/* If all values are equal, use one bin of width 1. */
	width = most > least ? (most - least) / BINS : 1;
	for (size_t i = 0; i < count; i++) {
		size_t bin = (size_t)((values[i] - least) / width);

		bins[bin < BINS ? bin : BINS - 1]++;
	}
	fputs("$histogram << END\n", out);
	for (size_t i = 0; i < BINS; i++)
		fprintf(out, "%.9g %.9g\n", least + ((double)i + 0.5) * width,
			(double)bins[i] / ((double)count * width));
	fputs("END\n", out);
}

void fit_draw_correlation(FILE *out, const char *block, const struct Estimate_samples *samples,
			  double beta)
{
	double correlation[ESTIMATE_LAGS_MAX];
	size_t lags = (size_t)(4 / (beta * samples->dt_s)) + 4;

	lags = Estimate_autocorrelation(samples, lags, correlation);
	fprintf(out, "$%s << END\n", block);
	for (size_t i = 0; i < lags; i++)
		fprintf(out, "%.9g %.9g\n", (double)i * samples->dt_s, correlation[i]);
	fputs("END\n", out);
}

void fit_draw_histogram_plot(FILE *out, const struct Estimate_process *gaussian)
{
	fputs("set title 'histogram'\nset xlabel 'events an interval'\nset ylabel 'density'\n"
	      "plot $histogram using 1:2 with boxes fs solid 0.4 noborder lc rgb '#56b4e9' title "
	      "'samples'",
	      out);
	if (gaussian) {
		double deviation = sqrt(gaussian->sigma * gaussian->sigma + gaussian->r);

		fprintf(out,
			", exp(-0.5 * ((x - %.9g) / %.9g)**2) / (%.9g * sqrt(2 * pi)) lc rgb "
			"'#d55e00' lw 2 title 'Gaussian, sigma %.4g'",
			gaussian->mean, deviation, deviation, gaussian->sigma);
	}
	fputc('\n', out);
}
