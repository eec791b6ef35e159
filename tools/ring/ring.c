// SPDX-License-Identifier: MIT
/*
 * smile ring: simulate SCI rings under load. What lives here: the options, and the sequence of
 * steps.
 */
#include "tools/ring/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/common/topology_option.h"

#define NODES_LEAST 2U
#define LINK_MOST 4000U
#define DURATION_DEFAULT_NS 1000000U
#define DURATION_MOST_NS 100000000000ULL
#define SYMBOL_MB_PS 2000000U /* time of a symbol, which has two bytes, at 1 MB/s */

static const char *const ring_help[] = {
#include "tools/help/ring.h"
	NULL,
};

/* Options that have no effect if another option is given. */
static const struct option_form forms[] = {
	{"json", .idle = "color"},
	{"compare", .idle = "load duration write svg"},
	{0},
};

static int topology_take(void *to, const char *text)
{
	struct ring_request *request = to;

	request->topology = text;
	return topology_parse("topology", text, &request->config);
}

static void trace_free(struct ring_request *request)
{
	if (request->trace)
		ring_captures_free(request->trace);
	free(request->trace);
}

static int request_run(struct ring_request *request, char **captures, int capture_count)
{
	struct ring_result *result;
	struct load_source source;
	struct load_step *steps = NULL;
	int status = TOOL_OK;

	request->symbol_ps = (SYMBOL_MB_PS + request->link_mb / 2) / request->link_mb;
	request->clocks = ring_clocks(request, request->duration_ns);
	if (!request->clocks)
		return tool_usage("--duration is less than a clock of %u ps", request->symbol_ps);
	source = load_default(request->symbol_ps);
	if (request->load)
		status = ring_load_read(request->load, request->symbol_ps, &steps,
					&source.step_count);
	if (status != TOOL_OK)
		return status;
	source.steps = steps;
	if (capture_count) {
		request->trace = tool_memory(1, sizeof(*request->trace));
		status = ring_captures_read(request, captures, capture_count, request->trace);
	}
	if (request->compare) {
		status = status == TOOL_OK ? ring_compare(request) : status;
		trace_free(request);
		return status;
	}
	result = tool_memory(1, sizeof(*result));
	if (status == TOOL_OK)
		status = ring_simulate(request, &source, result);
	if (status == TOOL_OK && request->svg)
		status = ring_svg(request, result);
	if (status == TOOL_OK && request->json)
		status = ring_show_json(request, result);
	else if (status == TOOL_OK)
		ring_show(request, result);
	ring_result_free(result);
	free(result);
	trace_free(request);
	free(steps);
	return status;
}

int ring_main(int argc, char **argv)
{
	struct ring_request request = {
		.config = {.ring = ring_defaults(NODES_LEAST)},
		.topology = "ring",
		.link_mb = RING_LINK_MB,
		.seed = 1,
		.duration_ns = DURATION_DEFAULT_NS,
	};
	const struct tool_option options[] = {
		OPTION_NUMBER("nodes", 0, NODES_LEAST, LOAD_NODES_MAX, &request.nodes),
		OPTION_TAKE("topology", 0, topology_take, &request),
		OPTION_NUMBER("link", 0, 1, LINK_MOST, &request.link_mb),
		OPTION_INPUT("load", 0, &request.load),
		OPTION_NUMBER("seed", 0, 0, UINT64_MAX, &request.seed),
		OPTION_SECONDS("duration", 0, &request.duration_ns),
		OPTION_OUTPUT("write", 0, &request.write),
		OPTION_OUTPUT("svg", 0, &request.svg),
		OPTION_FLAG("compare", 0, &request.compare),
		OPTION_FLAG("json", 0, &request.json),
		OPTION_COLOR,
		OPTION_HELP(ring_help),
		OPTION_END,
	};
	int status;

	if (!option_table_parse(argc, argv, "", options, &status))
		return status;
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (request.compare && optind == argc)
		return tool_usage("--compare needs the captures of a trace");
	if (optind < argc && !request.compare &&
	    option_form_idle("a capture", "load seed duration") != TOOL_OK)
		return TOOL_ERROR;
	if (request.duration_ns > DURATION_MOST_NS)
		return tool_usage("--duration: no more than %llu seconds",
				  DURATION_MOST_NS / TOOL_SECOND_NS);
	if (!request.nodes)
		return tool_usage("how many nodes? Give --nodes");
	if (topology_settle("topology", request.topology, request.nodes, &request.config) !=
	    TOOL_OK)
		return TOOL_ERROR;
	signals_catch();
	return request_run(&request, argv + optind, argc - optind);
}
