// SPDX-License-Identifier: MIT
/*
 * smile stat --fit --plot: a row of pictures for each event: the samples of its first set, their
 * histogram with the Gaussian of the fitted process, the autocorrelation with the fitted curve.
 */
#include "tools/stat/fit.h"

#include <math.h>
#include <stdlib.h>

#include "tools/common/gnuplot.h"
#include "tools/common/tool.h"

#define BINS 40
#define SAMPLES_SHOWN 500

/* Rows of more pictures than this are too small to be read. */
#define EVENTS_SHOWN 12

struct plotted {
	const struct fitted *fitted;
	size_t count;
	size_t shown;
};

/* A name between single quotes. */
static void plot_name(FILE *out, const char *name)
{
	for (; *name; name++) {
		if (*name == '\'')
			fputc('\'', out);
		fputc((unsigned char)*name < ' ' ? ' ' : *name, out);
	}
}

static void data_samples(FILE *out, const struct sampled *event, double dt_s)
{
	fputs("$samples << END\n", out);
	for (size_t i = 0; i < event->lengths[0] && i < SAMPLES_SHOWN; i++)
		fprintf(out, "%.9g %.9g\n", (double)i * dt_s, event->values[i]);
	fputs("END\n", out);
}

/* Densities, so that the Gaussian has the same axis. */
static void data_histogram(FILE *out, const struct sampled *event)
{
	double least = event->values[0], most = least, width;
	size_t bins[BINS] = {0};

	for (size_t i = 0; i < event->count; i++) {
		least = fmin(least, event->values[i]);
		most = fmax(most, event->values[i]);
	}
	width = (most - least) / BINS;
	for (size_t i = 0; i < event->count; i++) {
		size_t bin = (size_t)((event->values[i] - least) / width);

		bins[bin < BINS ? bin : BINS - 1]++;
	}
	fputs("$histogram << END\n", out);
	for (size_t i = 0; i < BINS; i++)
		fprintf(out, "%.9g %.9g\n", least + ((double)i + 0.5) * width,
			(double)bins[i] / ((double)event->count * width));
	fputs("END\n", out);
}

static void data_correlation(FILE *out, const struct sampled *event, double dt_s, double tail)
{
	struct Estimate_samples view = sampled_view(event);
	double correlation[ESTIMATE_LAGS_MAX];
	size_t lags = (size_t)(4 / (tail * dt_s)) + 4;

	lags = Estimate_autocorrelation(&view, lags, correlation);
	fputs("$correlation << END\n", out);
	for (size_t i = 0; i < lags; i++)
		fprintf(out, "%.9g %.9g\n", (double)i * dt_s, correlation[i]);
	fputs("END\n", out);
}

static void plot_event(FILE *out, const struct fitted *one)
{
	const struct Estimate_process *process = &one->fit.process;
	struct Estimate_samples view = sampled_view(one->event);
	double deviation = sqrt(process->sigma * process->sigma + process->r);

	data_samples(out, one->event, view.dt_s);
	data_histogram(out, one->event);
	data_correlation(out, one->event, view.dt_s, process->beta);
	fputs("set title '", out);
	plot_name(out, one->event->name);
	fprintf(out,
		": samples' noenhanced\nset xlabel 'time, s'\nset ylabel 'events an interval of "
		"%.3g s'\nplot $samples using 1:2 with lines lc rgb '#0072b2' lw 1 notitle, %.9g "
		"lc rgb '#000000' dt 2 title 'mean'\n",
		view.dt_s, process->mean);
	fprintf(out,
		"set title 'histogram'\nset xlabel 'events an interval'\nset ylabel "
		"'density'\nplot $histogram using 1:2 with boxes fs solid 0.4 noborder lc rgb "
		"'#56b4e9' title 'samples', exp(-0.5 * ((x - %.9g) / %.9g)**2) / (%.9g * sqrt(2 * "
		"pi)) lc rgb '#d55e00' lw 2 title 'Gaussian, sigma %.4g'\n",
		process->mean, deviation, deviation, process->sigma);
	fprintf(out,
		"set title 'autocorrelation less mean^2'\nset xlabel 'lag, s'\nset ylabel 'square "
		"of events an interval'\nplot [0:] $correlation using 1:2 with points pt 7 ps 0.5 "
		"lc rgb '#0072b2' title 'samples', %.9g * exp(-%.9g * x) lc rgb '#d55e00' lw 2 "
		"title 'fit, beta %.4g /s'\n",
		process->sigma * process->sigma, process->beta, process->beta);
}

static void plot_script(FILE *out, const void *opaque)
{
	const struct plotted *plotted = opaque;
	size_t left = plotted->shown;

	fprintf(out,
		"set terminal svg size 1240,%zu dynamic font 'DejaVu Sans,11' background "
		"'#ffffff'\nset encoding utf8\nset border 3 lc rgb '#444444'\nset tics nomirror\n"
		"set grid ytics lc rgb '#dddddd'\nset samples 400\nset key below samplen 2\n"
		"set format y '%%.3g'\nset format x '%%.4g'\nset xtics font ',9'\n"
		"set multiplot layout %zu,3\n",
		300 * plotted->shown, plotted->shown);
	for (size_t i = 0; i < plotted->count && left; i++) {
		if (!plotted->fitted[i].known)
			continue;
		plot_event(out, &plotted->fitted[i]);
		left--;
	}
	fputs("unset multiplot\n", out);
}

int fit_plot(const struct fitted *fitted, size_t count, const char *path)
{
	struct plotted plotted = {.fitted = fitted, .count = count};

	for (size_t i = 0; i < count; i++)
		plotted.shown += fitted[i].known != 0;
	if (plotted.shown > EVENTS_SHOWN) {
		tool_message("%s shows the first %d of %zu events", path, EVENTS_SHOWN,
			     plotted.shown);
		plotted.shown = EVENTS_SHOWN;
	}
	return gnuplot_draw(path, plot_script, &plotted);
}
