// SPDX-License-Identifier: MIT
/*
 * Distributions of times: see distribution.h.
 */
#include "tools/trace/distribution.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/csv.h"
#include "tools/common/gnuplot.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/trace/database.h"

struct request {
	const struct distribution *verb;
	struct trace_filter filter;
	struct time_distribution times;
	uint64_t left_out;
	const char *plot;
	const char *file;
	int json;
	char conditions[256]; /* The conditions, as the user gave them, for the plot. */
};

static const double shares[] = {0.5, 0.9, 0.99, 0.999};
#define SHARES (sizeof(shares) / sizeof(shares[0]))
#define BAR_COLUMNS 40

/* ---- output for a person -------------------------------------------------------------------- */

/*
 * Print a histogram. The limits between its classes are 1, 2, 5, 10, ... The distribution begins
 * with the first class that has values and ends with the last.
 */
static void histogram_text(const struct time_distribution *times,
			   const struct time_distribution_summary *summary)
{
	uint64_t first = 0, limit = 0, most = 1;

	while (limit <= summary->most && limit != UINT64_MAX) {
		uint64_t count, next = time_distribution_step(limit);

		count = time_distribution_between(times, limit, next - 1);
		most = count > most ? count : most;
		limit = next;
	}
	printf("\n%28s %12s %7s\n", "ns", "count", "%");
	for (limit = 0; limit <= summary->most && limit != UINT64_MAX; limit = first) {
		uint64_t count;
		int bar;

		first = time_distribution_step(limit);
		count = time_distribution_between(times, limit, first - 1);
		if (first <= summary->least)
			continue;
		bar = (int)((double)count * BAR_COLUMNS / (double)most + 0.5);
		printf("%12" PRIu64 " .. %12" PRIu64 " %12" PRIu64 " %7.3f %.*s\n", limit,
		       first - 1, count, 100.0 * (double)count / (double)summary->count, bar,
		       "########################################");
	}
}

static void text(const struct request *request, const struct time_distribution_summary *summary)
{
	printf("%s: %" PRIu64 "\n", request->verb->what, summary->count);
	if (request->left_out)
		printf("left out: %" PRIu64 " (see --help)\n", request->left_out);
	if (!summary->count)
		return;
	printf("least %" PRIu64 " ns, most %" PRIu64 " ns, mean %.1f ns, deviation %.1f ns\n",
	       summary->least, summary->most, summary->mean, summary->deviation);
	for (size_t i = 0; i < SHARES; i++)
		printf("%s%g %% up to %" PRIu64 " ns", i ? ", " : "", 100 * shares[i],
		       time_distribution_quantile(&request->times, shares[i]));
	printf("\nburstiness %.3f (-1: a clock, 0: a Poisson process, towards 1: bursts)\n",
	       summary->burstiness);
	histogram_text(&request->times, summary);
}

/* ---- for programs --------------------------------------------------------------------------- */

static int json(const struct request *request, const struct time_distribution_summary *summary)
{
	json_t *classes = json_array();
	uint64_t limit = 0;

	while (summary->count && limit <= summary->most && limit != UINT64_MAX) {
		uint64_t next = time_distribution_step(limit);
		uint64_t count = time_distribution_between(&request->times, limit, next - 1);

		if (next > summary->least)
			json_array_append_new(classes, json_pack("{s:I, s:I, s:I}", "first_ns",
								 document_int(limit), "last_ns",
								 document_int(next - 1), "count",
								 document_int(count)));
		limit = next;
	}
	return output_json(json_pack(
		"{s:s, s:I, s:I, s:I, s:I, s:f, s:f, s:I, s:I, s:I, s:I, s:f, s:o}", "schema",
		request->verb->schema, "count", document_int(summary->count), "left_out",
		document_int(request->left_out), "min_ns", document_int(summary->least), "max_ns",
		document_int(summary->most), "mean_ns", summary->mean, "deviation_ns",
		summary->deviation, "median_ns",
		document_int(time_distribution_quantile(&request->times, 0.5)), "p90_ns",
		document_int(time_distribution_quantile(&request->times, 0.9)), "p99_ns",
		document_int(time_distribution_quantile(&request->times, 0.99)), "p999_ns",
		document_int(time_distribution_quantile(&request->times, 0.999)), "burstiness",
		summary->burstiness, "histogram", classes));
}

/*
 * Write each value that occurs, with its cumulative share. To draw a random value, choose a uniform
 * random number, and take the first row whose share is not below it.
 */
static void values_write(FILE *out, const struct time_distribution *times)
{
	uint64_t passed = 0;

	fputs("value_ns,count,cumulative\n", out);
	for (size_t i = 0; i < times->distinct; i++) {
		passed += times->values[i].count;
		fprintf(out, "%" PRIu64 ",%" PRIu64 ",%.17g\n", times->values[i].value,
			times->values[i].count, (double)passed / (double)times->count);
	}
}

static int file_write(const struct request *request)
{
	FILE *out = output_file_create(request->file);

	if (!out)
		return TOOL_ERROR;
	values_write(out, &request->times);
	return csv_file_close(out, request->file);
}

/* ---- plot ----------------------------------------------------------------------------------- */

/* The largest number of points that a line of a plot needs. */
#define PLOT_POINTS 2000U

/* Draw lines at the median and at the 99 % value. */
static void plot_marks(FILE *out, const struct time_distribution *times)
{
	static const struct {
		const char *name;
		double share;
		double height;
	} marks[] = {{"median", 0.5, 0.12}, {"99 %", 0.99, 0.04}};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		uint64_t value = time_distribution_quantile(times, marks[i].share);
		double at = value ? (double)value : 0.5;

		fprintf(out,
			"set arrow from %.17g, graph 0 to %.17g, graph 1 nohead dt 2 lc rgb "
			"'#444444'\nset label '%s' at %.17g, graph %g offset 0.5,0 font ',11'\n",
			at, at, marks[i].name, at, marks[i].height);
	}
}

static void plot(FILE *out, const void *opaque)
{
	const struct request *request = opaque;
	struct time_distribution_summary summary;
	const struct time_distribution *times = &request->times;
	size_t step = times->distinct / PLOT_POINTS + 1;
	uint64_t passed = 0, limit = 0, most = times->values[times->distinct - 1].value;

	fputs("set terminal svg size 1240,480 dynamic enhanced font 'DejaVu Sans,13' "
	      "background '#ffffff'\nset encoding utf8\n$classes << END\n",
	      out);
	while (limit <= most && limit != UINT64_MAX) {
		uint64_t next = time_distribution_step(limit);

		fprintf(out, "%.17g %.17g %" PRIu64 "\n", limit ? (double)limit : 0.5, (double)next,
			time_distribution_between(times, limit, next - 1));
		limit = next;
	}
	fputs("END\n$values << END\n", out);
	for (size_t i = 0; i < times->distinct; i++) {
		passed += times->values[i].count;
		if (i % step == 0 || i + 1 == times->distinct)
			fprintf(out, "%.17g %.17g\n",
				times->values[i].value ? (double)times->values[i].value : 0.5,
				(double)passed / (double)times->count);
	}
	time_distribution_summarize(times, &summary);
	fprintf(out,
		"END\nset multiplot layout 1,2 title \"%s%s\\n%" PRIu64 " values, median %" PRIu64
		" ns, 99 %% up to %" PRIu64 " ns, burstiness %.3f\" font ',14'\n"
		"set border 3 lc rgb '#444444'\nset tics nomirror\n"
		"set grid ytics lc rgb '#dddddd'\nunset key\nset logscale x\n"
		"set xlabel 'time, ns (logarithmic; 0 at the left edge)'\n"
		"set tmargin 3.5\nset lmargin 14\nset rmargin 4\nset format y '%%.0f'\n"
		"set ylabel 'count in each class 1, 2, 5, 10, ... ns'\nset yrange [0:*]\n"
		"set title 'Histogram'\nset style fill solid 0.6 noborder\n"
		"plot $classes using (sqrt($1*$2)):3:1:2:(0):3 with boxxyerror lc rgb '#0072b2'\n"
		"set title 'Empirical distribution'\nset format y '%%.1f'\n"
		"set ylabel 'share of values up to'\nset yrange [0:1.02]\n",
		request->verb->what, request->conditions, summary.count,
		time_distribution_quantile(times, 0.5), time_distribution_quantile(times, 0.99),
		summary.burstiness);
	plot_marks(out, times);
	fputs("plot $values using 1:2 with steps lw 1.8 lc rgb '#d55e00'\nunset multiplot\n", out);
}

/* ---- the verb ------------------------------------------------------------------------------- */

static int request_run(struct request *request, struct trace_db *db)
{
	struct time_distribution_summary summary;
	int error, status;

	error = request->verb->take(db, &request->filter, &request->times, &request->left_out);
	if (error)
		return error == -ENOMEM ? tool_error("no memory for the times")
					: database_error(db);
	if (time_distribution_sort(&request->times))
		return tool_error("no memory for the times");
	time_distribution_summarize(&request->times, &summary);
	status = TOOL_OK;
	if (request->json)
		status = json(request, &summary);
	else
		text(request, &summary);
	if (request->file && file_write(request) != TOOL_OK)
		status = TOOL_ERROR;
	if (request->plot && !summary.count)
		status = tool_error("there is nothing to draw in %s", request->plot);
	else if (request->plot && gnuplot_draw(request->plot, plot, request) != TOOL_OK)
		status = TOOL_ERROR;
	return status;
}

/* Append an accepted condition to the text for the plot. */
static int condition_note(void *to, const char *name, const char *text)
{
	struct request *request = to;
	size_t used = strlen(request->conditions);

	snprintf(request->conditions + used, sizeof(request->conditions) - used, "%s%s%s%s",
		 used ? ", " : ": ", name, text ? " " : "", text ? text : "");
	return TOOL_OK;
}

int distribution_main(int argc, char **argv, const struct distribution *distribution)
{
	struct request request = {.verb = distribution};
	const struct tool_option options[] = {
		OPTION_GROUP_NOTED(database_lines, &request.filter, condition_note, &request),
		OPTION_FLAG("json", 0, &request.json),
		OPTION_OUTPUT("plot", 0, &request.plot),
		OPTION_OUTPUT("distribution", 0, &request.file),
		OPTION_HELP(distribution->help),
		OPTION_END,
	};
	struct trace_db *db;
	int status;

	trace_filter_init(&request.filter);
	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (optind + 1 != argc)
		return tool_usage("give one database, made by smile trace import");
	if (database_possible(&request.filter, distribution->requests) != TOOL_OK)
		return TOOL_ERROR;
	db = database_open(argv[optind]);
	if (!db)
		return TOOL_ERROR;
	status = database_traces(db, &request.filter);
	if (status == TOOL_OK)
		status = request_run(&request, db);
	time_distribution_free(&request.times);
	trace_db_close(db);
	return status;
}
