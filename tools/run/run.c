// SPDX-License-Identifier: MIT
/*
 * smile run: run a program on the emulated NUMA machine, and record the counts of a card on each
 * node.
 *
 * What lives here: the options. The run itself is in run/session.
 */
#include "tools/run/run_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/latency_option.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"
#include "tools/common/topology_option.h"

static const char *const run_help[] = {
#include "tools/help/run.h"
	NULL,
};

static const char *const machine_help[] = {
#include "tools/help/run-machine.h"
	NULL,
};

static const char *const run_help_end[] = {
#include "tools/help/run-end.h"
	NULL,
};

static struct run_options run_options;

static int latency_take(void *to, const char *text)
{
	struct run_options *options = to;

	options->latency_given = 1;
	return latency_option_parse(&options->run.latency, text) < 0 ? TOOL_ERROR : TOOL_OK;
}

static int network_take(void *to, const char *text)
{
	struct run_options *options = to;

	options->run.network_name = text;
	return topology_parse("network", text, &options->run.network);
}

/*
 * A null pointer. The lines of the group use the address of one of its members as the offset of the
 * member that they set.
 */
#define RUN ((struct run_options *)0)

const struct tool_option run_lines[] = {
	OPTION_TEXT("output", 'o', &RUN->run.prefix),
	OPTION_FLAG("quiet", 'q', &RUN->quiet),
	OPTION_NUMBER("nodes", 0, 1, MACHINE_NODES_MAX, &RUN->run.nodes),
	OPTION_TAKE("place", 0, run_place_take, RUN),
	OPTION_TAKE("machine", 0, run_machine_take, RUN),
	OPTION_TAKE("latency", 0, latency_take, RUN),
	OPTION_TAKE("cache", 0, run_cache_take, RUN),
	OPTION_TAKE("caches", 0, run_caches_take, RUN),
	OPTION_TAKE("network", 0, network_take, RUN),
	OPTION_TEXT("capture", 0, &RUN->run.capture),
	OPTION_OUTPUT("json", 0, &RUN->json),
	OPTION_FLAG("stacks", 0, &RUN->run.stacks),
	OPTION_FLAG("libc", 0, &RUN->run.libc),
	OPTION_FLAG("host-order", 0, &RUN->run.host_order),
	OPTION_FLAG("allow-incomplete", 0, &RUN->run.allow_incomplete),
	OPTION_TEXT("only-phase", 0, &RUN->run.only),
	OPTION_FLAG("records", 0, &RUN->run.records),
	OPTION_TEXT("from-phase", 0, &RUN->run.from),
	OPTION_TEXT("to-phase", 0, &RUN->run.to),
	OPTION_NUMBER("sample-phases", 0, 1, 1000000, &RUN->run.sample),
	OPTION_GROUP(config_counting_lines, &RUN->card),
	OPTION_END,
};

void run_options_print(const char *threads, const char *machine)
{
	const struct placement_policy *policy;
	const struct latency_model *model;

	printf("the machine:\n"
	       "      --nodes N          nodes, 1 to %u (default: the machine's)\n"
	       "      %s\n",
	       MACHINE_NODES_MAX, threads);
	tool_help(machine_help);
	run_machines_print(machine);
	printf("\npolicies (default: the machine's):\n");
	for (size_t i = 0; (policy = placement_at(i)) != NULL; i++)
		printf("  %-12s %s\n", policy->name, policy->description);
	printf("\nlatency models (default: the machine's), in cycles: local, remote read, write, "
	       "lock:\n");
	for (size_t i = 0; (model = latency_at(i)) != NULL; i++)
		printf("  %-12s %u, %u, %u, %u at %g MHz\n"
		       "               %s\n",
		       model->name, model->local_cycles, model->remote_cycles[SMILE_TYPE_READ],
		       model->remote_cycles[SMILE_TYPE_WRITE],
		       model->remote_cycles[SMILE_TYPE_LOCK], (double)model->frequency_hz / 1e6,
		       model->source);
	putchar('\n');
	config_options_print_counting();
}

static void help_print(void)
{
	tool_help(run_help);
	run_options_print("--threads HOW", run_machine_default());
	tool_help(run_help_end);
}

static const struct tool_option run_table[] = {
	OPTION_TAKE("threads", 0, run_threads_take, &run_options),
	OPTION_GROUP(run_lines, &run_options),
	OPTION_FLAG("no-constants", 0, &run_options.run.no_constants),
	OPTION_HELP_BY(help_print),
	OPTION_END,
};

void run_options_init(struct run_options *options, const char *machine)
{
	*options = (struct run_options){
		.run =
			{
				.capture_node = -1,
			},
		.machine = machine ? machine_model_find(machine) : NULL,
	};
	config_options_init(&options->card);
}

void run_options_free(struct run_options *options)
{
	free(options->run.list);
	options->run.list = NULL;
	free(options->file);
	options->file = NULL;
}

/* Check whether an option names files for the results of a run, or selects what is reported. */
static bool is_of_results(const char *name)
{
	static const char *const names[] = {"output", "quiet", "help", "json", "capture", "node"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static int again_note(void *to, const char *name, const char *text)
{
	const struct placement_policy *policy;
	struct run_again *again = to;
	unsigned node;

	if (!strcmp(name, "output"))
		again->output = text;
	if (is_of_results(name) ||
	    (!strcmp(name, "place") && placement_parse(text, &policy, &node)))
		return TOOL_OK;
	if (asprintf(&again->words[again->count], text ? "--%s=%s" : "--%s", name, text) < 0)
		return TOOL_ERROR;
	again->count++;
	return TOOL_OK;
}

int run_options_again(int argc, char **argv, const char *first, const struct tool_option *table,
		      struct run_again *again)
{
	again->count = 0;
	again->output = NULL;
	if (option_table_walk(argc, argv, first, table, again_note, again) < 0)
		return -1;
	return optind < argc ? optind : -1;
}

int run_again(int argc, char **argv, struct run_again *again)
{
	/* "+": stop at the program, as in run_main(). */
	return run_options_again(argc, argv, "+", run_table, again);
}

int run_main(int argc, char **argv)
{
	struct run_options *options = &run_options;
	char *name = argv[0];
	int status;

	run_options_init(options, NULL);
	/*
	 * Pass "+", so that the parsing stops at the program: the arguments after it belong to the
	 * program.
	 */
	if (!option_table_parse(argc, argv, "+", run_table, &status)) {
		run_options_free(options);
		return status;
	}
	if (optind == argc)
		status = tool_usage("which program?");
	else if (!*argv[optind])
		status = tool_usage("which program? Its name is empty");
	if (status == TOOL_OK && options->run.capture && !strcmp(options->run.capture, "-"))
		status = tool_usage("--capture: standard output is the program's own; give a "
				    "PREFIX");
	if (status == TOOL_OK)
		status = run_machine_settle(options);
	if (status == TOOL_OK)
		status = run_options_check(options);
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	if (status == TOOL_OK && !options->run.prefix)
		options->run.prefix = recordings_prefix_of(argv[optind]);
	if (status == TOOL_OK && !options->quiet)
		run_machine_say(options);
	if (status == TOOL_OK)
		status = run_command(options, argv + optind, argc, argv);
	run_options_free(options);
	return status;
}
