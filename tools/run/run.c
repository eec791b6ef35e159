// SPDX-License-Identifier: MIT
/*
 * smile run: runs a program on the emulated NUMA machine, and records what a card on each of its
 * nodes counts.
 *
 * What lives here: the options. The run itself is in run/session.
 */
#include "tools/run/run_command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/latency_option.h"
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

static const struct option run_long_options[] = {
	{"threads", required_argument, NULL, RUN_THREADS},
	RUN_LONG_OPTIONS,
	{"no-constants", no_argument, NULL, RUN_NO_CONSTANTS},
	{NULL, 0, NULL, 0},
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

int run_option_parse(struct run_options *options, int option)
{
	uint64_t number;
	int taken = 0;

	switch (option) {
	case 'o':
		options->run.prefix = optarg;
		return *optarg ? TOOL_OK : tool_usage("-o: the name is empty");
	case 'q':
		options->quiet = 1;
		return TOOL_OK;
	case RUN_NODES:
		taken = tool_number("--nodes", optarg, 1, MACHINE_NODES_MAX, &number);
		if (!taken)
			options->run.nodes = (unsigned)number;
		break;
	case RUN_THREADS:
		taken = run_threads_parse(options, optarg);
		break;
	case RUN_PLACE:
		taken = run_place_parse(options, optarg);
		break;
	case RUN_MACHINE:
		taken = run_machine_parse(options, "--machine", optarg);
		break;
	case RUN_LATENCY:
		taken = latency_option_parse(&options->run.latency, optarg);
		options->latency_given = 1;
		break;
	case RUN_CACHES:
		taken = run_caches_parse(options, optarg);
		break;
	case RUN_CACHE:
		taken = run_cache_parse(options, optarg);
		break;
	case RUN_NETWORK:
		options->run.network_name = optarg;
		taken = topology_parse("network", optarg, &options->run.network) == TOOL_OK ? 0
											    : -1;
		break;
	case RUN_CAPTURE:
		options->run.capture = optarg;
		break;
	case RUN_JSON:
		options->json = optarg;
		break;
	case RUN_STACKS:
		options->run.stacks = 1;
		break;
	case RUN_NO_CONSTANTS:
		options->run.no_constants = true;
		break;
	case RUN_LIBC:
		options->run.libc = 1;
		break;
	case RUN_HOST_ORDER:
		options->run.host_order = 1;
		break;
	case RUN_ALLOW_INCOMPLETE:
		options->run.allow_incomplete = true;
		return TOOL_OK;
	case RUN_ONLY_PHASE:
		options->run.only = optarg;
		return *optarg ? TOOL_OK : tool_usage("--only-phase: the name is empty");
	case RUN_FROM_PHASE:
		options->run.from = optarg;
		return *optarg ? TOOL_OK : tool_usage("--from-phase: the name is empty");
	case RUN_TO_PHASE:
		options->run.to = optarg;
		return *optarg ? TOOL_OK : tool_usage("--to-phase: the name is empty");
	case RUN_SAMPLE_PHASES:
		taken = tool_number("--sample-phases", optarg, 1, 1000000, &number);
		if (!taken)
			options->run.sample = (unsigned)number;
		break;
	case RUN_RECORDS:
		options->run.records = true;
		return TOOL_OK;
	default:
		taken = config_options_parse(&options->card, option, optarg);
		if (!taken)
			return tool_unknown_option();
		break;
	}
	return taken < 0 ? TOOL_ERROR : TOOL_OK;
}

/* What says where a run's results go, or how much it reports. */
static int is_of_results(int option, const char *name)
{
	return option == 'o' || option == 'q' || option == 'h' || option == RUN_JSON ||
	       option == RUN_CAPTURE || !strcmp(name, "node");
}

int run_options_again(int argc, char **argv, const char *letters, const struct option *table,
		      struct run_again *again)
{
	const struct placement_policy *policy;
	unsigned node;
	int option, index = 0;

	again->count = 0;
	again->output = NULL;
	/* Not the first walk over arguments in this process. */
	optind = 0;
	opterr = 0;
	while ((option = getopt_long(argc, argv, letters, table, &index)) != -1) {
		const char *name = table[index].name;

		if (option == '?' || option == ':')
			return -1;
		if (option == 'o')
			again->output = optarg;
		if (is_of_results(option, name) ||
		    (option == RUN_PLACE && placement_parse(optarg, &policy, &node)))
			continue;
		if (asprintf(&again->words[again->count], optarg ? "--%s=%s" : "--%s", name,
			     optarg) < 0)
			return -1;
		again->count++;
	}
	return optind < argc ? optind : -1;
}

int run_again(int argc, char **argv, struct run_again *again)
{
	/* "+": as in run_main(). */
	return run_options_again(argc, argv, "+o:qh", run_long_options, again);
}

/* Without -o, what the program is called names its recordings. */
static const char *prefix_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash[1] ? slash + 1 : program;
}

int run_main(int argc, char **argv)
{
	struct run_options options;
	char *name = argv[0];
	int option, status = TOOL_OK;

	run_options_init(&options, NULL);
	/* "+": what follows the first argument belongs to the program. */
	while (status == TOOL_OK &&
	       (option = option_next(argc, argv, "+o:qh", run_long_options)) != -1) {
		if (option == 'h') {
			help_print();
			run_options_free(&options);
			return TOOL_OK;
		}
		status = run_option_parse(&options, option);
	}
	if (status == TOOL_OK && optind == argc)
		status = tool_usage("which program?");
	else if (status == TOOL_OK && !*argv[optind])
		status = tool_usage("which program? Its name is empty");
	if (status == TOOL_OK && options.run.capture && !strcmp(options.run.capture, "-"))
		status = tool_usage("--capture: standard output is the program's own; give a "
				    "PREFIX");
	if (status == TOOL_OK)
		status = run_machine_settle(&options);
	if (status == TOOL_OK)
		status = run_options_check(&options);
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	if (status == TOOL_OK && !options.run.prefix)
		options.run.prefix = prefix_of(argv[optind]);
	if (status == TOOL_OK && !options.quiet)
		run_machine_say(&options);
	if (status == TOOL_OK)
		status = run_command(&options, argv + optind, argc, argv);
	run_options_free(&options);
	return status;
}
