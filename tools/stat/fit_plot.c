// SPDX-License-Identifier: MIT
/*
 * smile stat --fit --plot: draw a row of pictures for each event. The pictures show the samples of
 * the event's first set, their histogram with the Gaussian of the fitted process, and the
 * autocorrelation with the fitted curve.
 */
#include "tools/stat/fit.h"

#include <stdlib.h>

#include "tools/common/gnuplot.h"
#include "tools/common/tool.h"
#include "tools/stat/fit_draw.h"

#define SAMPLES_SHOWN 500

/* The largest number of rows of pictures. With more rows, the pictures would be too small. */
#define EVENTS_SHOWN 12

struct plotted {
	const struct fitted *fitted;
	size_t count;
	size_t shown;
};

static void plot_event(FILE *out, const struct fitted *one)
{
	const struct Estimate_process *process = &one->fit.process;
	struct Estimate_samples view = sampled_view(one->event);
	size_t shown = view.lengths[0] < SAMPLES_SHOWN ? view.lengths[0] : SAMPLES_SHOWN;

	fit_draw_samples(out, view.values, shown, view.dt_s);
	fit_draw_histogram(out, view.values, one->event->count);
	fit_draw_correlation(out, "correlation", &view, process->beta);
	fputs("set title '", out);
	fit_draw_name(out, one->event->name);
	fprintf(out,
		": samples' noenhanced\nset xlabel 'time, s'\nset ylabel 'events an interval of "
		"%.3g s'\nplot $samples using 1:2 with lines lc rgb '#0072b2' lw 1 notitle, %.9g "
		"lc rgb '#000000' dt 2 title 'mean'\n",
		view.dt_s, process->mean);
	fit_draw_histogram_plot(out, process);
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
		"'#ffffff'\n",
		300 * plotted->shown);
	fputs(FIT_DRAW_STYLE, out);
	fprintf(out, "set multiplot layout %zu,3\n", plotted->shown);
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
