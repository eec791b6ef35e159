// SPDX-License-Identifier: MIT
/*
 * smile sweep: compute the number of records that a card would write for the same traffic, for
 * several numbers of counters and several values of MAX_RANGE. What lives here: the options, and
 * the loop over the configurations.
 */
#include "tools/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/config_options.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

static const char *const sweep_help[] = {
#include "tools/help/sweep.h"
	NULL,
};

/* ---- options --------------------------------------------------------------------------------- */

/* Parse a list such as "1,2,4". Return: the number of items; 0 after a message. */
static size_t list_parse(const char *what, const char *text, unsigned int min, unsigned int max,
			 unsigned int multiple, unsigned int *list)
{
	char *copy = strdup(text), *rest = copy, *item;
	size_t count = 0;
	uint64_t number;

	if (!copy) {
		tool_error("no memory");
		return 0;
	}
	while ((item = strsep(&rest, ",")) != NULL) {
		if (tool_number(what, item, min, max, &number) < 0)
			goto out_none;
		if (number % multiple) {
			tool_usage("%s: %s bytes is no multiple of %u, the bytes of a word", what,
				   item, multiple);
			goto out_none;
		}
		for (size_t i = 0; i < count; i++) {
			if (list[i] != number)
				continue;
			tool_usage("%s: %s is given twice", what, item);
			goto out_none;
		}
		if (count == SWEEP_LIST_MAX) {
			tool_usage("%s: more than %d are too many", what, SWEEP_LIST_MAX);
			goto out_none;
		}
		list[count++] = (unsigned int)number;
	}
	free(copy);
	return count;

out_none:
	free(copy);
	return 0;
}

/* If no option was given, set the configurations of the 1998 paper. */
static void lists_default(struct sweep *sweep)
{
	for (unsigned int n = 1; n <= SMILE_ENTRIES_MAX; n *= 2)
		sweep->counters[sweep->counters_count++] = n;
	for (unsigned int n = SMILE_MAX_RANGE_MIN; n <= SMILE_MAX_RANGE_MAX; n *= 2)
		sweep->ranges[sweep->ranges_count++] = n;
}

/**
 * struct sweep_request - The user's options.
 * @config: filter and mode of the cards
 * @plot: name of the file for the plot, or NULL
 * @json: print a JSON document instead of tables
 * @csv: print CSV rows instead of tables
 */
struct sweep_request {
	struct config_options config;
	const char *plot;
	int json;
	int csv;
};

static int counters_take(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->counters_count = list_parse("--counters", text, SMILE_ENTRIES_MIN, SMILE_ENTRIES_MAX,
					   1, sweep->counters);
	return sweep->counters_count ? TOOL_OK : TOOL_ERROR;
}

static int range_take(void *to, const char *text)
{
	struct sweep *sweep = to;

	sweep->ranges_count = list_parse("--range", text, SMILE_MAX_RANGE_MIN, SMILE_MAX_RANGE_MAX,
					 SMILE_WORD_BYTES, sweep->ranges);
	return sweep->ranges_count ? TOOL_OK : TOOL_ERROR;
}

static int seconds_take(void *to, const char *text)
{
	struct sweep *sweep = to;
	uint64_t ns;

	if (tool_seconds("--seconds", text, &ns) < 0)
		return TOOL_ERROR;
	if (!ns)
		return tool_usage("--seconds: rates need a time above 0");
	sweep->seconds = (double)ns / 1e9;
	return TOOL_OK;
}

/* JSON and CSV output is never coloured. */
static const struct option_form forms[] = {
	{"json", .idle = "color"},
	{"csv", .idle = "color"},
	{0},
};

/* ---- run ------------------------------------------------------------------------------------- */

static void file_progress(const char *path, const char *what, uint64_t count)
{
	char text[TEXT_COUNT_BYTES];

	if (progress_due())
		progress_show("%s: %s %s", path, text_count(text, count), what);
}

static void file_warn(const char *path, const char *text)
{
	tool_message("warning: %s %s", path, text);
}

static const struct sweep_ops sweep_ops = {
	.interrupted = signals_count,
	.progress = file_progress,
	.warn = file_warn,
};

static int sweep_cards(struct sweep *sweep)
{
	size_t total = sweep->counters_count * sweep->ranges_count;
	int status = TOOL_OK;

	sweep->points = calloc(total, sizeof(*sweep->points));
	if (!sweep->points)
		return tool_error("no memory");
	for (size_t i = 0; i < total && status == TOOL_OK; i++) {
		struct sweep_point *point = &sweep->points[i];
		struct Monitor *mon;

		point->counters = sweep->counters[i / sweep->ranges_count];
		point->range_bytes = sweep->ranges[i % sweep->ranges_count];
		progress_show("configuration %zu of %zu", i + 1, total);
		status = tool_result(sweep_card_new(&mon, sweep->traffic.node, sweep->mode,
						    point->counters, point->range_bytes));
		if (status != TOOL_OK)
			break;
		status = tool_result(sweep_card_pass(mon, &sweep->traffic, &sweep_ops, point));
		Monitor_close(mon);
	}
	progress_clear();
	return status;
}

static int sweep_run(struct sweep *sweep, const struct sweep_request *request)
{
	const struct smile_config *config = &request->config.config;
	int status;

	sweep->choice.filter = config->filter & SMILE_FILTER_TYPES;
	sweep->choice.whole = sweep->choice.node_given && !sweep->choice.page_given;
	sweep->mode = config->mode & (SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED);
	status = tool_result(sweep_traffic_load(&sweep->traffic, sweep->files, sweep->files_count,
						&sweep->choice, &sweep_ops));
	progress_clear();
	if (status != TOOL_OK)
		return status;
	if (sweep->traffic.untyped && sweep->mode & SMILE_MODE_TYPED_TAGS) {
		tool_message(
			"note: the recording has untyped tags, and so has each card of the sweep");
		sweep->mode &= ~SMILE_MODE_TYPED_TAGS;
	}
	if (!(sweep->seconds > 0) && sweep->traffic.timed)
		sweep->seconds = (double)sweep->traffic.duration_ns / 1e9;
	status = sweep_cards(sweep);
	if (status != TOOL_OK)
		return status;
	/* Print the numbers before the plot, because they are useful even if the plot fails. */
	if (request->plot)
		status = sweep_plot(sweep, request->plot);
	if (request->csv)
		sweep_show_csv(sweep);
	else if (!request->json)
		sweep_show_tables(sweep);
	else if (sweep_show_json(sweep) != TOOL_OK)
		status = TOOL_ERROR;
	return status;
}

int sweep_main(int argc, char **argv)
{
	struct sweep_request request = {0};
	struct sweep sweep = {0};
	struct sweep_choice *choice = &sweep.choice;
	const struct tool_option options[] = {
		OPTION_NUMBER("page", 0, 0, (1ULL << SMILE_ADDRESS_BITS) / 4096 - 1, &choice->page),
		OPTION_NUMBER("node", 0, 0, 65535, &choice->node),
		OPTION_TAKE("counters", 0, counters_take, &sweep),
		OPTION_TAKE("range", 0, range_take, &sweep),
		OPTION_TAKE("seconds", 0, seconds_take, &sweep),
		OPTION_FLAG("json", 0, &request.json),
		OPTION_FLAG("csv", 0, &request.csv),
		OPTION_COLOR,
		OPTION_OUTPUT("plot", 0, &request.plot),
		OPTION_HELP(sweep_help),
		OPTION_GROUP(config_type_lines, &request.config),
		OPTION_END,
	};
	int status;

	config_options_init(&request.config);
	lists_default(&sweep);
	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	choice->page_given = option_given("page");
	choice->node_given = option_given("node");
	if (request.json && request.csv)
		return tool_usage("--json and --csv: give one of them");
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (optind == argc)
		return tool_usage("which traffic? Give captures or recordings, or - for a capture "
				  "on standard input");
	sweep.files = argv + optind;
	sweep.files_count = argc - optind;
	signals_catch();
	status = sweep_run(&sweep, &request);
	free(sweep.traffic.events);
	free(sweep.points);
	return status;
}
