// SPDX-License-Identifier: MIT
/*
 * smile top: what a card counts, live in the terminal.
 */
#include "tools/top/top.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/hot_option.h"
#include "tools/common/option_form.h"
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

enum top_code {
	TOP_TOTAL = CONFIG_END,
	TOP_THRESHOLD,
	TOP_BATCH,
	TOP_JSON,
	TOP_ROWS,
	TOP_HOT,
};

static const struct option top_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"delay", required_argument, NULL, 'd'},
	{"sort", required_argument, NULL, 's'},
	{"total", no_argument, NULL, TOP_TOTAL},
	{"threshold", required_argument, NULL, TOP_THRESHOLD},
	{"batch", no_argument, NULL, TOP_BATCH},
	{"json", no_argument, NULL, TOP_JSON},
	{"count", required_argument, NULL, 'n'},
	{"rows", required_argument, NULL, TOP_ROWS},
	{"hot", required_argument, NULL, TOP_HOT},
	{"help", no_argument, NULL, 'h'},
	CONFIG_LONG_OPTIONS,
	{NULL, 0, NULL, 0},
};

/**
 * struct top_request - What the user asked for.
 * @live: the source
 * @config: configuration of the card
 * @state: how to show it
 * @batch: without a terminal
 * @paper: --batch or --json was given
 * @count_given: -n was
 * @rows_given: --rows was
 */
struct top_request {
	struct live_options live;
	struct config_options config;
	struct top_state state;
	struct top_batch batch;
	int paper;
	int count_given;
	int rows_given;
};

static int sort_parse(const char *text, enum top_sort *sort)
{
	static const char *const names[TOP_SORTS] = {"rate", "total", "cost"};

	for (unsigned int i = 0; i < TOP_SORTS; i++) {
		if (!strcmp(text, names[i])) {
			*sort = (enum top_sort)i;
			return TOOL_OK;
		}
	}
	return tool_usage("--sort: '%s' is none of rate, total, cost", text);
}

static int threshold_parse(const char *text, double *threshold)
{
	char *end;
	double value = strtod(text, &end);

	/* Written so that a NaN is refused. */
	if (end == text || *end || !(value >= 0 && value <= 1e9))
		return tool_usage("--threshold: '%s' is no number from 0 to 1e9", text);
	*threshold = value;
	return TOOL_OK;
}

static int delay_parse(const char *text, uint64_t *interval_ns)
{
	uint64_t ns;

	if (tool_seconds("--delay", text, &ns))
		return TOOL_ERROR;
	if (ns < INTERVAL_MIN_NS)
		return tool_usage("--delay: %s seconds are too short to watch: give 0.05 or more",
				  text);
	*interval_ns = ns;
	return TOOL_OK;
}

static int top_parse(struct top_request *request, int option)
{
	uint64_t number;
	int taken;

	switch (option) {
	case 'o':
		request->live.output = optarg;
		return TOOL_OK;
	case 'd':
		return delay_parse(optarg, &request->state.interval_ns);
	case 's':
		return sort_parse(optarg, &request->state.sort);
	case TOP_TOTAL:
		request->state.totals = 1;
		return TOOL_OK;
	case TOP_THRESHOLD:
		return threshold_parse(optarg, &request->state.threshold);
	case TOP_BATCH:
		request->paper = 1;
		return TOOL_OK;
	case TOP_JSON:
		request->paper = request->batch.json = 1;
		return TOOL_OK;
	case 'n':
		request->count_given = 1;
		return tool_number("--count", optarg, 1, UINT32_MAX, &request->batch.count)
			       ? TOOL_ERROR
			       : TOOL_OK;
	case TOP_HOT:
		return hot_option_parse(optarg, &request->state.hot);
	case TOP_ROWS:
		request->rows_given = 1;
		if (tool_number("--rows", optarg, 1, TOP_PAGES_MAX, &number))
			return TOOL_ERROR;
		request->batch.pages = (size_t)number;
		return TOOL_OK;
	}
	taken = config_options_parse(&request->config, option, optarg);
	if (taken < 0)
		return TOOL_ERROR;
	request->live.configured |= taken > 0;
	return taken ? TOOL_OK : tool_unknown_option();
}

static const struct option_form forms[] = {
	{"json", .idle = "total"}, /* both are there */
	{0},
};

static int request_check(const struct top_request *request)
{
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (request->live.sources_count == 1 && state_file_is(request->live.sources[0]) &&
	    option_form_idle("a state file", "sort total threshold hot") != TOOL_OK)
		return TOOL_ERROR;
	if (!request->paper && request->count_given)
		return tool_usage("--count is for --batch and --json: the screen ends with q");
	if (!request->paper && request->rows_given)
		return tool_usage("--rows is for --batch and --json: the screen shows what fits");
	/* Check this before a card is started. */
	if (!request->paper && (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO)))
		return tool_error("standard input and output are no terminal: use --batch or "
				  "--json");
	return config_options_check(&request->config);
}

static int top_run(struct top_request *request)
{
	struct top top = {.state = request->state};
	size_t pages = request->paper ? request->batch.pages : TOP_PAGES_MAX / 4;
	int cards = request->live.sources_count, status, ended;
	struct live *live;

	signals_catch();
	if (live_open(&live, &request->live) != TOOL_OK)
		return TOOL_ERROR;
	status = top_begin(&top, live, cards > 1 ? (unsigned int)cards : 1, pages);
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
	char *name = argv[0], *line;
	int option, status;

	config_options_init(&request.config);
	while ((option = option_next(argc, argv, "o:d:s:n:h", top_options)) != -1) {
		if (option == 'h') {
			tool_help(top_help);
			return TOOL_OK;
		}
		if (top_parse(&request, option) != TOOL_OK)
			return TOOL_ERROR;
	}
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
