// SPDX-License-Identifier: MIT
/*
 * smile stat: write the state of each interval to a file, and draw it as lines with confidence
 * intervals. See tools/stat/state_show.h.
 */
#include "tools/stat/state_show.h"

#include <math.h>
#include <stdio.h>

#include "lib/analysis/state/state_columns.h"
#include "tools/common/gnuplot.h"
#include "tools/common/tool.h"
#include "tools/stat/rates_write.h"
#include "tools/stat/state_write.h"

/* The largest number of pictures, which are drawn one below the other. */
#define EVENTS_SHOWN 8

int stat_show_intervals(const struct stat_show *show, const char *path)
{
	const struct series *series = show->series;
	struct state_write write;

	if (state_write_open(&write, path, 0) != TOOL_OK)
		return TOOL_ERROR;
	for (size_t t = 0; t < series->intervals; t++)
		state_write_interval(&write, series, t, show->state->estimates + t * series->events,
				     show->state->deviations + t * series->events,
				     show->state->next + t * series->events);
	return state_write_close(&write);
}

int stat_show_rates(const struct stat_show *show, const char *path)
{
	const struct stat_state *state = show->state;
	struct rates_write write;

	if (rates_write_open(&write, path) != TOOL_OK)
		return TOOL_ERROR;
	for (size_t t = 0; t < show->series->intervals; t++)
		rates_write_interval(&write, show->series, t, state->rates,
				     state->rate_bands + t * state->rate_count, state->rate_count);
	return rates_write_close(&write);
}

/*
 * Write the columns time, estimate, lower end and upper end of the confidence interval, and
 * reading.
 */
static void plot_data(FILE *out, const struct stat_show *show, size_t event)
{
	const struct series *series = show->series;
	double time_s = 0;

	fputs("$state << END\n", out);
	for (size_t t = 0; t < series->intervals; t++) {
		size_t at = t * series->events + event;
		double estimate = show->state->estimates[at];
		double band = ESTIMATE_BAND_95 * show->state->deviations[at];

		if (isfinite(estimate)) {
			fprintf(out, "%.9g %.9g %.9g %.9g ", time_s, estimate,
				fmax(estimate - band, 0), estimate + band);
			if (isfinite(series->values[at]))
				fprintf(out, "%.9g\n", series->values[at]);
			else
				fputs("NaN\n", out);
		}
		time_s += series->lengths_s[t];
	}
	fputs("END\n", out);
}

static void plot_script(FILE *out, const void *opaque)
{
	const struct stat_show *show = opaque;
	size_t shown = show->series->events < EVENTS_SHOWN ? show->series->events : EVENTS_SHOWN;

	fprintf(out,
		"set terminal svg size 1100,%zu dynamic font 'DejaVu Sans,11' background "
		"'#ffffff'\nset encoding utf8\nset border 3 lc rgb '#444444'\nset tics nomirror\n"
		"set grid ytics lc rgb '#dddddd'\nset key outside right top samplen 2\n"
		"set format y '%%.3g'\nset lmargin 11\nset rmargin 24\nset ylabel 'events an "
		"interval'\nset xlabel 'time, s'\nset multiplot layout %zu,1\n",
		240 * shown, shown);
	for (size_t i = 0; i < shown; i++) {
		plot_data(out, show, i);
		fputs("set title '", out);
		for (const char *c = show->series->names[i]; *c; c++)
			fprintf(out, *c == '\'' ? "''" : "%c", *c);
		fputs("' noenhanced\nplot $state using 1:3:4 with filledcurves fc rgb '#56b4e9' fs "
		      "transparent solid 0.4 title '95 % band', '' using 1:2 with lines lc rgb "
		      "'#0072b2' lw 1.2 title 'estimate', '' using 1:5 with points pt 7 ps 0.35 lc "
		      "rgb '#000000' title 'reading'\n",
		      out);
	}
	fputs("unset multiplot\n", out);
}

int stat_show_plot(const struct stat_show *show, const char *path)
{
	if (show->series->events > EVENTS_SHOWN)
		tool_message("%s shows the first %d of %zu events", path, EVENTS_SHOWN,
			     show->series->events);
	return gnuplot_draw(path, plot_script, show);
}
