// SPDX-License-Identifier: MIT
/*
 * smile place: run a program on this machine, and place its pages as a placement file specifies.
 * See tools/place/place.h.
 *
 * What lives here: the command and its options.
 */
#include "tools/place/place.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "run/session/session.h"

static const char *const place_help[] = {
#include "tools/help/place.h"
	NULL,
};

static const struct option_form forms[] = {
	{"quiet", .idle = "color"}, /* Only the table is coloured. */
	{0},
};

/**
 * struct options - The user's options.
 * @nodes: number of nodes to use; 0: all nodes
 * @unbound: do not bind threads to nodes
 * @quiet: do not print the table
 * @json: name of the file for the JSON document; NULL: do not write it
 */
struct options {
	uint64_t nodes;
	int unbound;
	int quiet;
	const char *json;
};

static int run_placed(const struct options *options, struct place_request *request,
		      const struct place_nodes *nodes, char **command)
{
	char *library = run_file_look(PLACE_LIBRARY);
	char missing[8192];
	struct place_plan plan = {.fd = -1};
	int status = TOOL_OK, reported = TOOL_OK;
	struct place_run run;

	if (!library) {
		run_file_missing(PLACE_LIBRARY, missing, sizeof(missing));
		status = tool_error("%s", missing);
	}
	if (status == TOOL_OK)
		status = place_plan_prepare(&plan, request, nodes,
					    options->unbound ? 0 : nodes->count, command);
	if (status == TOOL_OK) {
		run = place_native_run(&plan, library, command);
		status = run.status;
		if (!options->quiet)
			place_outcome_print(&plan, request);
		if (options->json)
			reported = place_outcome_json(&plan, request, nodes, options->json, &run);
	}
	place_plan_free(&plan);
	free(library);
	return reported == TOOL_OK ? status : reported;
}

int place_main(int argc, char **argv)
{
	struct options options = {0};
	struct place_request request;
	struct place_nodes nodes;
	const char *file;
	const struct tool_option table[] = {
		OPTION_NUMBER("nodes", 0, 1, PLAN_NODES_MAX, &options.nodes),
		OPTION_FLAG("no-binding", 0, &options.unbound),
		OPTION_OUTPUT("json", 0, &options.json),
		OPTION_FLAG("quiet", 'q', &options.quiet),
		OPTION_COLOR,
		OPTION_HELP(place_help),
		OPTION_END,
	};
	int status;

	/*
	 * Pass "+", so that the parsing stops at the program: the arguments after it belong to the
	 * program.
	 */
	if (!option_table_parse(argc, argv, "+", table, &status))
		return status;
	if (option_forms_check(forms) != TOOL_OK)
		return TOOL_ERROR;
	if (optind == argc)
		return tool_usage("which placement file?");
	file = argv[optind++];
	if (optind < argc && !strcmp(argv[optind], "--"))
		optind++;
	if (optind == argc || !*argv[optind])
		return tool_usage("which program?");
	status = tool_result(place_request_read(&request, file));
	place_nodes_find(&nodes);
	if (status == TOOL_OK && nodes.count <= 1 && !options.nodes) {
		tool_message("this machine has one node with memory: the program runs as it would "
			     "without this command");
		status = place_native_execute(argv + optind);
	} else if (status == TOOL_OK && options.nodes > nodes.count) {
		status = tool_error("--nodes %u: this machine has %u with memory",
				    (unsigned)options.nodes, nodes.count);
	} else if (status == TOOL_OK) {
		if (options.nodes)
			nodes.count = (uint32_t)options.nodes;
		status = run_placed(&options, &request, &nodes, argv + optind);
	}
	place_request_free(&request);
	return status;
}
