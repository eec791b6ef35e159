// SPDX-License-Identifier: MIT
/*
 * smile stat --fit --figures: draw the pictures of appendix B of [2006], and its figures 5.10 to
 * 5.16, for all events of the samples.
 */
#include "tools/stat/fit.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/gnuplot.h"
#include "tools/common/progress.h"
#include "tools/common/tool.h"
#include "tools/stat/fit_draw.h"

/* The largest length of an event's name within a file name. */
#define NAME_BYTES 64

/**
 * struct figure - The data for a picture.
 * @fitted: the event
 * @set: index of the event's set of samples, from 0
 * @values: the samples of the set, shape [@lengths of the event at @set]
 */
struct figure {
	const struct fitted *fitted;
	size_t set;
	const double *values;
};

static struct Estimate_samples set_view(const struct figure *figure)
{
	struct Estimate_samples view = sampled_view(figure->fitted->event);

	view.values = figure->values;
	view.lengths = figure->fitted->event->lengths + figure->set;
	view.sets = 1;
	return view;
}

static void figure_begin(FILE *out, const struct figure *figure, const char *layout)
{
	fputs("set terminal svg size 820,300 dynamic font 'DejaVu Sans,11' background "
	      "'#ffffff'\n" FIT_DRAW_STYLE,
	      out);
	fprintf(out, "set multiplot layout %s title '", layout);
	fit_draw_name(out, figure->fitted->event->name);
	fprintf(out, ", set %llu' noenhanced\n",
		(unsigned long long)figure->fitted->event->numbers[figure->set]);
}

static void samples_draw(FILE *out, const void *opaque)
{
	const struct figure *figure = opaque;
	struct Estimate_samples view = set_view(figure);

	figure_begin(out, figure, "1,2");
	fit_draw_histogram(out, view.values, view.lengths[0]);
	fit_draw_samples(out, view.values, view.lengths[0], view.dt_s);
	fit_draw_histogram_plot(out, NULL);
	fprintf(out,
		"set title 'samples'\nset xlabel 'time, s'\nset ylabel 'events an interval of %.3g "
		"s'\nplot $samples using 1:2 with lines lc rgb '#0072b2' lw 0.5 notitle\n",
		view.dt_s);
	fputs("unset multiplot\n", out);
}

static void correlation_draw(FILE *out, const void *opaque)
{
	const struct figure *figure = opaque;
	struct Estimate_samples view = set_view(figure);

	figure_begin(out, figure, "1,2");
	fit_draw_histogram(out, view.values, view.lengths[0]);
	fit_draw_correlation(out, "correlation", &view, figure->fitted->fit.process.beta);
	fit_draw_histogram_plot(out, NULL);
	fputs("set title 'autocorrelation less mean^2'\nset xlabel 'lag, s'\nset ylabel 'square of "
	      "events an interval'\nplot [0:] $correlation using 1:2 with linespoints pt 7 ps 0.4 "
	      "lc "
	      "rgb '#0072b2' notitle\nunset multiplot\n",
	      out);
}

static void gaussian_draw(FILE *out, const void *opaque)
{
	const struct figure *figure = opaque;
	struct Estimate_samples view = set_view(figure);

	figure_begin(out, figure, "1,1");
	fit_draw_histogram(out, view.values, view.lengths[0]);
	fit_draw_histogram_plot(out, &figure->fitted->fit.process);
	fputs("unset multiplot\n", out);
}

/* Draw figures 5.10 to 5.12 in the upper row, and figures 5.14 to 5.16 in the lower row. */
static void all_sets_draw(FILE *out, const void *opaque)
{
	struct figure figure = *(const struct figure *)opaque;
	const struct sampled *event = figure.fitted->event;
	const struct Estimate_process *process = &figure.fitted->fit.process;
	struct Estimate_samples view = sampled_view(event);
	char block[32];

	for (figure.set = 0; figure.set < event->sets; figure.set++) {
		struct Estimate_samples one = set_view(&figure);

		snprintf(block, sizeof(block), "set%zu", figure.set);
		fit_draw_correlation(out, block, &one, process->beta);
		figure.values += event->lengths[figure.set];
	}
	fit_draw_correlation(out, "mean", &view, process->beta);
	fputs("set terminal svg size 820,600 dynamic font 'DejaVu Sans,11' background "
	      "'#ffffff'\n" FIT_DRAW_STYLE
	      "set multiplot layout 2,1\nset xlabel 'lag, s'\nset ylabel 'square of "
	      "events an interval'\nset title '",
	      out);
	fit_draw_name(out, event->name);
	fputs(": autocorrelation less mean^2, each set' noenhanced\nplot [0:] ", out);
	for (size_t set = 0; set < event->sets; set++)
		fprintf(out, "$set%zu using 1:2 with lines notitle, ", set);
	fprintf(out,
		"0 lc rgb '#000000' lw 0.5 notitle\nset title 'their mean'\nplot [0:] $mean using "
		"1:2 with linespoints pt 7 ps 0.5 lc rgb '#0072b2' title 'mean of all sets', %.9g "
		"* exp(-%.9g * x) lc rgb '#d55e00' lw 2 title 'fit, sigma %.4g, beta %.4g "
		"/s'\nunset multiplot\n",
		process->sigma * process->sigma, process->beta, process->sigma, process->beta);
}

/*
 * Compose the path of a picture. Return: TOOL_OK; TOOL_ERROR after a message if the path is too
 * long.
 */
static int path_make(char path[PATH_MAX], const char *folder, size_t number, const char *name,
		     const char *rest)
{
	char plain[NAME_BYTES];
	size_t length = 0;

	for (; name[length] && length < sizeof(plain) - 1; length++)
		plain[length] = isalnum((unsigned char)name[length]) ? name[length] : '_';
	plain[length] = '\0';
	if (snprintf(path, PATH_MAX, "%s/%zu-%s-%s.svg", folder, number, plain, rest) >= PATH_MAX)
		return tool_error("%s: too long a name", folder);
	return TOOL_OK;
}

static int event_figures(const struct fitted *fitted, size_t number, const char *folder)
{
	static const struct {
		const char *name;
		void (*draw)(FILE *out, const void *opaque);
	} kinds[] = {
		{"samples", samples_draw},
		{"autocorrelation", correlation_draw},
		{"gaussian", gaussian_draw},
	};
	const struct sampled *event = fitted->event;
	struct figure figure = {.fitted = fitted, .values = event->values};
	char path[PATH_MAX], rest[64];

	for (; figure.set < event->sets; figure.set++) {
		for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
			snprintf(rest, sizeof(rest), "set%llu-%s",
				 (unsigned long long)event->numbers[figure.set], kinds[k].name);
			if (path_make(path, folder, number, event->name, rest) != TOOL_OK ||
			    gnuplot_draw(path, kinds[k].draw, &figure) != TOOL_OK)
				return TOOL_ERROR;
		}
		figure.values += event->lengths[figure.set];
	}
	figure = (struct figure){.fitted = fitted, .values = event->values};
	if (path_make(path, folder, number, event->name, "autocorrelations") != TOOL_OK)
		return TOOL_ERROR;
	return gnuplot_draw(path, all_sets_draw, &figure);
}

int fit_figures_folder(const char *folder)
{
	struct stat status;

	if (!mkdir(folder, 0777) || (!stat(folder, &status) && S_ISDIR(status.st_mode)))
		return TOOL_OK;
	return tool_error("cannot make the folder %s: %s", folder, strerror(errno));
}

int fit_figures(const struct fitted *fitted, size_t count, const char *folder)
{
	int result = TOOL_OK;

	for (size_t i = 0; i < count && result == TOOL_OK; i++) {
		progress_show("figures of event %zu of %zu", i + 1, count);
		if (fitted[i].known)
			result = event_figures(&fitted[i], i + 1, folder);
	}
	progress_clear();
	return result;
}
