// SPDX-License-Identifier: MIT
/*
 * smile report: print views of recordings. What lives here: the table of views, the options, and
 * functions that several views use.
 */
#include "tools/report/report.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/histogram_rows.h"
#include "tools/common/hot_option.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/page_name.h"
#include "tools/common/tool.h"

static const char *const report_help[] = {
#include "tools/help/report.h"
	NULL,
};

/*
 * The counts of pages, and of the words within pages, that a view needs. Counts of words cost time
 * and memory, so they are made only for views that need them.
 */
enum view_ranges {
	RANGES_NODES, /* neither pages nor words are counted */
	RANGES_NONE,
	RANGES_OF_PAGE, /* the words of the requested page are counted */
	/*
	 * The words of pages with several variables are counted. If one variable was requested, the
	 * words of all pages are counted.
	 */
	RANGES_VARIABLES,
};

/**
 * struct view - A view of recordings.
 * @name: name of the view
 * @show: the function that prints the view
 * @ranges: the counts that the view needs
 * @options: the options that have an effect on this view, in addition to those of all views
 * @required: the option without which the view cannot be printed, or NULL
 * @sampled: the options that have an effect if the view shows samples with confidence intervals;
 *           NULL: the view cannot show samples
 */
struct view {
	const char *name;
	int (*show)(const struct report *report);
	enum view_ranges ranges;
	const char *options;
	const char *required;
	const char *sampled;
};

static const struct view views[] = {
	{"transfers", report_transfers, RANGES_NODES, "threshold", NULL, NULL},
	{"pages", report_pages, RANGES_NONE, "bands hot transactions", NULL, ""},
	{"top", report_top, RANGES_NONE, "rows hot transactions", NULL, NULL},
	{"page", report_page, RANGES_OF_PAGE, "page home section-bytes transactions", "page", NULL},
	{"phases", report_phases, RANGES_NONE, "page home transactions", NULL, "page home"},
	{"heat", report_heat, RANGES_NONE, "rows by bars transactions", NULL, NULL},
	{"static", report_static, RANGES_NODES, "", NULL, NULL},
	{"structures", report_structures, RANGES_VARIABLES,
	 "rows variable address match min-accesses transactions", NULL, "rows match min-accesses"},
	{"latency", report_latency, RANGES_VARIABLES, "rows", NULL, "rows"},
	{"threads", report_threads, RANGES_NODES, "", NULL, ""},
	{"lost", report_lost, RANGES_NODES, "", NULL, ""},
};

const char report_both_sentence[] =
	"Remote transactions = the traffic between nodes behind the caches: lines that were "
	"fetched or written back, and locks. The traffic of a node with its own memory is not "
	"included; smile advise counts it, too, since it costs time. All other counts are of the "
	"accesses of processors that the run has counted, whether caches served them or not; they "
	"are not estimates.";

#define VIEWS (sizeof(views) / sizeof(views[0]))
#define REPORT_COLUMNS_ALL 16
#define REPORT_PAGE_MAX ((1ULL << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES - 1)

json_t *report_head(json_t *head)
{
	if (option_given("transactions"))
		json_object_set_new(head, "counts", json_string("transactions"));
	return head;
}

/*
 * Check whether the view can show samples with the given options, if the recordings hold samples.
 */
static int sampled_fits(const struct report *report, const struct view *view)
{
	char form[64], names[128];

	if (!report->sampled)
		return TOOL_OK;
	if (!view->sampled)
		return tool_error("%s holds samples, whose counts are estimates, and the view %s "
				  "shows exact counts: pages, structures, phases, latency, "
				  "threads and lost show samples with their bands",
				  report->files[0], view->name);
	snprintf(form, sizeof(form), "the view %s of samples", view->name);
	snprintf(names, sizeof(names), "json csv color %s", view->sampled);
	return option_form_only(form, names);
}

int report_home(const struct report *report)
{
	int home;

	if (option_given("home"))
		return (int)report->home;
	home = Monitor_page_home(report->mon, report->page);
	if (home >= 0)
		return home;
	tool_error("%s", Monitor_error_message());
	return -1;
}

int report_nodes(const struct report *report)
{
	int nodes = Monitor_nodes(report->mon);

	if (nodes < 0)
		tool_error("%s", Monitor_error_message());
	return nodes ? nodes : 1;
}

size_t report_columns(const uint64_t *sums, size_t nodes, unsigned int *columns)
{
	size_t node, count = 0;

	for (node = 0; node < nodes; node++)
		if (sums[node] || nodes <= REPORT_COLUMNS_ALL)
			columns[count++] = (unsigned int)node;
	return count;
}

static int threshold_take(void *to, const char *text)
{
	struct report *report = to;

	if (tool_decimal(text, &report->threshold) || report->threshold <= 0)
		return tool_usage("--threshold: '%s' is no number above 0, such as 2.0", text);
	return TOOL_OK;
}

/*
 * Parse a page number, or keep the name of a region's page until its region can be found in the
 * recording.
 */
static int page_take(void *to, const char *text)
{
	struct report *report = to;

	report->page_text = isdigit((unsigned char)text[0]) ? NULL : text;
	if (report->page_text || !tool_number("--page", text, 0, REPORT_PAGE_MAX, &report->page))
		return TOOL_OK;
	return TOOL_ERROR;
}

static int section_bytes_take(void *bytes, const char *text)
{
	if (tool_number("--section-bytes", text, SMILE_WORD_BYTES, SMILE_PAGE_BYTES, bytes))
		return TOOL_ERROR;
	if (*(uint64_t *)bytes & (*(uint64_t *)bytes - 1))
		return tool_usage("--section-bytes: %s is no power of two", text);
	return TOOL_OK;
}

static int by_take(void *to, const char *text)
{
	struct report *report = to;

	report->by_phase = !strcmp(text, "time");
	if (!report->by_phase && strcmp(text, "node"))
		return tool_usage("--by: '%s' is neither node nor time", text);
	return TOOL_OK;
}

/* Options that have no effect if another option is given. */
static const struct option_form forms[] = {
	{"json", .idle = "color bars"},
	{"csv", .idle = "color bars"},
	{"variable", .idle = "match min-accesses address"},
	{"address", .idle = "match min-accesses"},
	{0},
};

static int options_fit(const struct report *report, const struct view *view)
{
	char form[32], names[128];

	if (report->json && report->csv)
		return tool_usage("--json and --csv: give one of them");
	snprintf(form, sizeof(form), "the view %s", view->name);
	snprintf(names, sizeof(names), "json csv color %s", view->options);
	if (option_form_only(form, names) != TOOL_OK || option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (report->by_phase && option_form_idle("--by time", "bars") != TOOL_OK)
		return TOOL_ERROR;
	if (view->required && !option_given(view->required))
		return tool_usage("the view %s needs --%s", view->name, view->required);
	if (option_given("home") && !option_given("page"))
		return tool_usage("--home selects one of the pages of --page: give --page, too");
	return TOOL_OK;
}

static void report_close(struct report *report)
{
	run_facts_sampled_free(report->sampled);
	Monitor_close(report->mon);
}

static int ranges_ask(const struct report *report, enum view_ranges ranges)
{
	if (ranges == RANGES_NODES)
		return tool_result(Monitor_nodes_only(report->mon));
	if (ranges != RANGES_VARIABLES)
		return tool_result(
			Monitor_ranges_only(report->mon, report->page, ranges == RANGES_OF_PAGE));
	if (option_given("variable") || option_given("address"))
		return TOOL_OK;
	return tool_result(Monitor_variables_only(report->mon));
}

static int report_run(struct report *report, const struct view *view)
{
	int taken_in, status;

	report->mon = recordings_open(report->files, report->file_count, &report->sampled);
	if (!report->mon)
		return TOOL_ERROR;
	if (sampled_fits(report, view) != TOOL_OK) {
		report_close(report);
		return TOOL_ERROR;
	}
	if (report->page_text &&
	    page_name_parse(report->mon, report->page_text, &report->page) != TOOL_OK) {
		report_close(report);
		return TOOL_ERROR;
	}
	if (ranges_ask(report, view->ranges) != TOOL_OK) {
		report_close(report);
		return TOOL_ERROR;
	}
	taken_in = recordings_take_in(report->mon);
	report->both = view->ranges != RANGES_NODES && !option_given("transactions") &&
		       rows_accesses_known(report->mon);
	status = report->both ? tool_result(Monitor_accesses_show(report->mon, 1)) : TOOL_OK;
	if (option_given("transactions") && !rows_accesses_known(report->mon))
		status = tool_usage("--transactions: the machine has no caches in front of all "
				    "memory, so accesses and transactions are the same");
	if (status == TOOL_OK)
		status = view->show(report);
	if (status == TOOL_OK && option_given("transactions") && !report->json && !report->csv)
		output_text("All counts are of transactions between nodes, behind the caches.");
	report_close(report);
	return taken_in != TOOL_OK ? taken_in : status;
}

int report_main(int argc, char **argv)
{
	struct report report = {.threshold = 2.0, .rows = 10, .section_bytes = 64};
	const struct tool_option options[] = {
		OPTION_TAKE("threshold", 0, threshold_take, &report),
		OPTION_NUMBER("rows", 'n', 1, 1000000, &report.rows),
		OPTION_TAKE("page", 0, page_take, &report),
		OPTION_NUMBER("home", 0, 0, 65535, &report.home),
		OPTION_TAKE("section-bytes", 0, section_bytes_take, &report.section_bytes),
		OPTION_NOTED("transactions", 0),
		OPTION_NOTED("bands", 0),
		OPTION_TEXT("variable", 0, &report.variable),
		OPTION_NUMBER("address", 0, 0, (1ULL << SMILE_ADDRESS_BITS) - 1, &report.address),
		OPTION_TEXT("match", 0, &report.match),
		OPTION_NUMBER("min-accesses", 0, 0, UINT64_MAX, &report.min_accesses),
		OPTION_FLAG("json", 0, &report.json),
		OPTION_FLAG("csv", 0, &report.csv),
		OPTION_COLOR,
		OPTION_TAKE("by", 0, by_take, &report),
		OPTION_NOTED("bars", 0),
		OPTION_TAKE("hot", 0, hot_option_take, &report.hot),
		OPTION_HELP(report_help),
		OPTION_END,
	};
	const struct view *view;
	int status;

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (optind == argc)
		return tool_usage("which view? transfers, pages, top, page, heat, phases, "
				  "static, structures, latency, threads or lost");
	for (view = views; view < views + VIEWS; view++)
		if (!strcmp(view->name, argv[optind]))
			break;
	if (view == views + VIEWS)
		return tool_usage("there is no view '%s'", argv[optind]);
	if (options_fit(&report, view) != TOOL_OK)
		return TOOL_ERROR;
	if (++optind == argc)
		return tool_usage("which recording? Give a file, or several of different nodes");
	report.files = argv + optind;
	report.file_count = argc - optind;
	return report_run(&report, view);
}
