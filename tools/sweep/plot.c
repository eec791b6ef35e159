// SPDX-License-Identifier: MIT
/*
 * Sweep: draw the plot, by a script for gnuplot.
 */
#include "tools/sweep/sweep.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/common/gnuplot.h"
#include "tools/common/output.h"

/*
 * Colours that colour-blind readers can distinguish. In print without colours, the lines have
 * different point shapes.
 */
static const char *const plot_colours[] = {
	"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f",
};

#define PLOT_COLOURS (sizeof(plot_colours) / sizeof(plot_colours[0]))

/*
 * Write the columns: the position on the axis, then the flushes and extensions for each number of
 * counters.
 */
static void plot_data(FILE *out, const struct sweep *sweep)
{
	fputs("$sweep << END\n", out);
	for (size_t j = 0; j < sweep->ranges_count; j++) {
		fprintf(out, "%zu", j);
		for (size_t i = 0; i < sweep->counters_count; i++) {
			const struct sweep_point *point =
				&sweep->points[i * sweep->ranges_count + j];

			fprintf(out, " %" PRIu64 " %" PRIu64, point->flushes, point->extensions);
		}
		fputc('\n', out);
	}
	fputs("END\n", out);
}

static void plot_style(FILE *out, const struct sweep *sweep)
{
	fputs("set terminal svg size 1240,480 dynamic enhanced font 'DejaVu Sans,13' "
	      "background '#ffffff'\n"
	      "set encoding utf8\n"
	      "set style data linespoints\n"
	      "set border 3 lc rgb '#444444'\n"
	      "set tics nomirror\n"
	      "set grid ytics lc rgb '#dddddd'\n"
	      "set format y '%.0f'\n"
	      "set xtics font ',11'\n"
	      "set xlabel 'MAX\\_RANGE: bytes that one counter may cover'\n",
	      out);
	fprintf(out, "set xrange [-0.3:%g]\nset xtics (", (double)sweep->ranges_count - 0.7);
	for (size_t j = 0; j < sweep->ranges_count; j++)
		fprintf(out, "%s'%u' %zu", j ? ", " : "", sweep->ranges[j], j);
	fputs(")\n", out);
}

static void plot_lines(FILE *out, const struct sweep *sweep, unsigned int column)
{
	fputs("plot", out);
	for (size_t i = 0; i < sweep->counters_count; i++)
		fprintf(out, "%s $sweep using 1:%zu title '%u' lc rgb '%s' lw 1.6 pt %zu ps 0.6",
			i ? "," : "", 2 * i + column, sweep->counters[i],
			plot_colours[i % PLOT_COLOURS], i % 13 + 4);
	fputc('\n', out);
}

static void plot_title(FILE *out, const struct sweep *sweep)
{
	char text[TEXT_COUNT_BYTES];

	text_count(text, sweep->traffic.count);
	if (sweep->choice.whole)
		fprintf(out, "node %u, all its accesses: %s", sweep->traffic.node, text);
	else
		fprintf(out, "page %" PRIu64 " at its home, node %u: %s accesses",
			sweep->traffic.page, sweep->traffic.node, text);
}

/*
 * Choose the step between ticks of an axis that ends at @top: 1, 2 or 5 times a power of ten, about
 * a sixth of @top.
 */
static double plot_step(double top)
{
	static const double steps[] = {1, 2, 5, 10};
	double power = 1;
	size_t i = 0;

	while (power * 10 <= top / 6)
		power *= 10;
	while (power > top / 6)
		power /= 10;
	while (steps[i] * power < top / 6)
		i++;
	return steps[i] * power;
}

/*
 * Get the largest value that is drawn. The result is never 0, because the axis must have a length.
 */
static double plot_top(const struct sweep *sweep, int extensions)
{
	uint64_t top = 1;

	for (size_t i = 0; i < sweep->counters_count * sweep->ranges_count; i++) {
		const struct sweep_point *point = &sweep->points[i];
		uint64_t count = extensions ? point->extensions : point->flushes;

		if (count > top)
			top = count;
	}
	return (double)top;
}

static void plot_axis(FILE *out, const char *label, double top)
{
	double step = plot_step(top);

	fprintf(out, "set ylabel '%s'\nset yrange [0:%.12g]\nset ytics %.12g\n", label, top * 1.04,
		step < 1 ? 1 : step);
}

static void plot_script(FILE *out, const void *opaque)
{
	const struct sweep *sweep = opaque;
	double rate = SMILE_RECORD_BYTES / 1000.0 / (sweep->seconds > 0 ? sweep->seconds : 1);
	double flushes = plot_top(sweep, 0), extensions = plot_top(sweep, 1);

	plot_data(out, sweep);
	plot_style(out, sweep);
	fputs("set multiplot layout 1,2 title '", out);
	plot_title(out, sweep);
	fputs("' font ',15'\nset tmargin 3.5\nset lmargin 12\nset rmargin 10\nunset key\n"
	      "set title 'Flushes to the ring buffer'\nset border 11\n",
	      out);
	plot_axis(out, "flushes (records of 16 bytes)", flushes);
	fprintf(out, "set link y2 via y*%.12g inverse y/%.12g\nset y2tics %.12g format '%%.10g'\n",
		rate, rate, plot_step(flushes * rate));
	fprintf(out, "set y2label '%s'\n",
		sweep->seconds > 0 ? "data rate, KB/s (1 KB = 1000 bytes)"
				   : "flushed, KB (1 KB = 1000 bytes)");
	plot_lines(out, sweep, 2);
	fputs("unset link y2\nunset y2tics\nunset y2label\nset border 3\nset rmargin 14\n"
	      "set title 'Extensions of a counter''s range'\n"
	      "set key outside right center title 'counters' samplen 2 spacing 1.2 noenhanced\n",
	      out);
	plot_axis(out, "extensions", extensions);
	plot_lines(out, sweep, 3);
	fputs("unset multiplot\n", out);
}

int sweep_plot(const struct sweep *sweep, const char *path)
{
	return gnuplot_draw(path, plot_script, sweep);
}
