// SPDX-License-Identifier: MIT
/*
 * smile top: show the counts of a card live in the terminal.
 */
#include "tools/top/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/hot_option.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

#define THRESHOLD_DEFAULT 2.0
#define INTERVAL_DEFAULT_NS 1000000000ULL
#define INTERVAL_MIN_NS 50000000ULL
#define PAGES_DEFAULT 10U

static const char *const top_help[] = {
#include "tools/help/top.h"
	NULL,
};

/**
 * struct top_request - The user's options.
 * @live: options for the source
 * @config: configuration of the cards
 * @state: options for the display
 * @batch: options for output without a terminal
 * @paper: --batch or --json was given
 */
struct top_request {
	struct live_options live;
	struct config_options config;
	struct top_state state;
	struct top_batch batch;
	int paper;
};

static int sort_take(void *sort, const char *text)
{
	static const char *const names[TOP_SORTS] = {"rate", "total", "cost"};

	for (unsigned int i = 0; i < TOP_SORTS; i++) {
		if (!strcmp(text, names[i])) {
			*(enum top_sort *)sort = (enum top_sort)i;
			return TOOL_OK;
		}
	}
	return tool_usage("--sort: '%s' is none of rate, total, cost", text);
}

static int threshold_take(void *threshold, const char *text)
{
	double value;

	if (tool_decimal(text, &value) || value > 1e9)
		return tool_usage("--threshold: '%s' is no number from 0 to 1e9", text);
	*(double *)threshold = value;
	return TOOL_OK;
}

static int delay_take(void *interval_ns, const char *text)
{
	uint64_t ns;

	if (tool_seconds("--delay", text, &ns))
		return TOOL_ERROR;
	if (ns < INTERVAL_MIN_NS)
		return tool_usage("--delay: %s seconds are too short: give 0.05 or more", text);
	*(uint64_t *)interval_ns = ns;
	return TOOL_OK;
}

static const struct option_form forms[] = {
	{"json", .idle = "total"}, /* the document has both rates and totals */
	{0},
};

static int request_check(const struct top_request *request)
{
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (request->live.sources_count == 1 && state_file_is(request->live.sources[0]) &&
	    option_form_idle("a state file", "sort total threshold hot") != TOOL_OK)
		return TOOL_ERROR;
	if (!request->paper && option_given("count"))
		return tool_usage("--count is for --batch and --json: the screen ends with q");
	if (!request->paper && option_given("rows"))
		return tool_usage("--rows is for --batch and --json: the screen shows what fits");
	/* Check these options now, before a card is started. */
	if (!request->paper && (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)))
		return tool_error("standard input and output are no terminal: use --batch or "
				  "--json");
	return config_options_check(&request->config);
}

/*
 * Refuse options that are meaningless for samples. Samples have no cycles. A count near a threshold
 * is an estimate, and the true count may be on the other side of the threshold.
 */
static int sampled_check(const struct top *top)
{
	if (top->state.sort == TOP_SORT_COST)
		return tool_usage("--sort cost has no effect with recordings of samples: they do "
				  "not show how long accesses take");
	return option_form_idle("recordings of samples", "hot");
}

static int top_run(struct top_request *request)
{
	struct top top = {.state = request->state};
	size_t pages = request->paper ? request->batch.pages : TOP_PAGES_MAX / 4;
	int cards = request->live.sources_count, status, ended;
	struct live *live;

	signals_catch();
	signals_catch_mark();
	if (live_open(&live, &request->live) != TOOL_OK)
		return TOOL_ERROR;
	status = top_begin(&top, live, cards > 1 ? (unsigned int)cards : 1, pages);
	if (status == TOOL_OK && top.sampled && (status = sampled_check(&top)) != TOOL_OK)
		top_end(&top);
	if (status == TOOL_OK) {
		status = request->paper ? top_batch(&top, &request->batch) : top_curses(&top);
		top_end(&top);
	}
	ended = live_end(live);
	return status != TOOL_OK ? status : ended;
}

int top_main(int argc, char **argv)
{
	struct top_request request = {
		.state = {.interval_ns = INTERVAL_DEFAULT_NS, .threshold = THRESHOLD_DEFAULT},
		.batch = {.pages = PAGES_DEFAULT},
	};
	struct top_state *state = &request.state;
	const struct tool_option options[] = {
		OPTION_OUTPUT("output", 'o', &request.live.output),
		OPTION_TAKE("delay", 'd', delay_take, &state->interval_ns),
		OPTION_TAKE("sort", 's', sort_take, &state->sort),
		OPTION_FLAG("total", 0, &state->totals),
		OPTION_TAKE("threshold", 0, threshold_take, &state->threshold),
		OPTION_FLAG("batch", 0, &request.paper),
		OPTION_FLAG("json", 0, &request.batch.json),
		OPTION_NUMBER("count", 'n', 1, UINT32_MAX, &request.batch.count),
		OPTION_NUMBER("rows", 0, 1, TOP_PAGES_MAX, &request.batch.pages),
		OPTION_TAKE("hot", 0, hot_option_take, &state->hot),
		OPTION_HELP(top_help),
		OPTION_CARD(&request.config),
		OPTION_END,
	};
	char *name = argv[0], *line;
	int status;

	config_options_init(&request.config);
	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	request.paper |= request.batch.json;
	request.live.configured = request.config.given;
	request.live.sources = argv + optind;
	request.live.sources_count = argc - optind;
	if (request_check(&request) != TOOL_OK)
		return TOOL_ERROR;
	request.live.config = &request.config;
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	line = tool_command_line(argc, argv);
	if (!line)
		return tool_error("no memory");
	request.live.command_line = line;
	status = top_run(&request);
	free(line);
	return status;
}
