// SPDX-License-Identifier: MIT
/*
 * smile run: run a program on the emulated NUMA machine, and record what a card on each of its nodes
 * would have counted.
 *
 * What lives here: the options, and the run from its beginning to its end. Unlike other tools it uses
 * the machine and the schedule beside the public API.
 */
#include "tools/run.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/output.h"
#include "tools/signals.h"
#include "tools/smile.h"

static const char run_help[] =
	"usage: smile run [OPTIONS] [CONFIGURATION] [--] PROGRAM [ARGUMENTS]\n\n"
	"Runs PROGRAM under QEMU, as threads on the nodes of an emulated NUMA machine, and "
	"records\n"
	"what a card on each node counts of its accesses to shared data: one recording a node, "
	"with\n"
	"the program's own addresses. The program needs no change: an x86-64 Linux program, "
	"linked\n"
	"dynamically. Standard input and output are its own; everything said here goes to "
	"standard\n"
	"error.\n\n"
	"  -o, --output PREFIX    write PREFIX-node0.rec, PREFIX-node1.rec, ... (default: the\n"
	"                         program's name)\n"
	"      --json FILE        write the summary as a JSON document, schema smile.run/1; - is\n"
	"                         standard output, behind the program's own\n"
	"  -q, --quiet            no summary on standard error\n"
	"      --capture PREFIX   write what passes on the B-Links, too: PREFIX-node0.pcap, ...\n"
	"      --stacks           count the threads' stacks, too\n"
	"      --libc             count what the C library's own code accesses, too\n"
	"      --help             this text\n\n"
	"the machine:\n"
	"      --nodes N          nodes, 1 to 64 (default 4)\n"
	"      --threads HOW      which node a thread runs on: round-robin (thread t on node t mod "
	"N,\n"
	"                         the default), block:T (of T threads, the first T/N on node 0, "
	"...),\n"
	"                         or a list of nodes, such as 0,0,1,1, which is repeated\n"
	"      --place HOW        where pages lie: a policy, or a file that says so of some\n"
	"      --latency MODEL    cycles of an access: a model, and after commas what is "
	"different:\n"
	"                         local=, read=, write=, lock= (remote ones), mhz=\n"
	"      --cache SIZE[,LINE[,WAYS]]   of each node, in front of remote memory: 64K,64,4;\n"
	"                         ways 0: fully associative (default: none)\n\n";

static const char run_help_end[] =
	"\nexamples: smile run -- ./sor 512 10 && smile report pages sor-node*.rec\n"
	"          smile run --nodes 8 --place first-touch --json - -q -- ./fft -m14 >summary\n"
	"exit status: that of PROGRAM (128 + N if signal N ended it, 126 or 127 if it could not "
	"be\n"
	"run); else 1 if an account does not hold, 2 usage or error (what was recorded stays)\n";

enum run_code {
	RUN_NODES = CONFIG_END,
	RUN_THREADS,
	RUN_PLACE,
	RUN_LATENCY,
	RUN_CACHE,
	RUN_CAPTURE,
	RUN_JSON,
	RUN_STACKS,
	RUN_LIBC,
};

static const struct option run_long_options[] = {
	{"output", required_argument, NULL, 'o'},
	{"quiet", no_argument, NULL, 'q'},
	{"nodes", required_argument, NULL, RUN_NODES},
	{"threads", required_argument, NULL, RUN_THREADS},
	{"place", required_argument, NULL, RUN_PLACE},
	{"latency", required_argument, NULL, RUN_LATENCY},
	{"cache", required_argument, NULL, RUN_CACHE},
	{"capture", required_argument, NULL, RUN_CAPTURE},
	{"json", required_argument, NULL, RUN_JSON},
	{"stacks", no_argument, NULL, RUN_STACKS},
	{"libc", no_argument, NULL, RUN_LIBC},
	{"help", no_argument, NULL, 'h'},
	CONFIG_COUNTING_LONG_OPTIONS,
	{NULL, 0, NULL, 0},
};

static void help_print(void)
{
	const struct placement_policy *policy;
	const struct latency_model *model;

	fputs(run_help, stdout);
	printf("policies (default %s):\n", PLACEMENT_DEFAULT);
	for (size_t i = 0; (policy = placement_at(i)) != NULL; i++)
		printf("  %-12s %s\n", policy->name, policy->description);
	printf("\nlatency models (default %s), in cycles: local, remote read, write, lock:\n",
	       LATENCY_DEFAULT);
	for (size_t i = 0; (model = latency_at(i)) != NULL; i++)
		printf("  %-12s %u, %u, %u, %u at %g MHz: %s\n", model->name, model->local_cycles,
		       model->remote_cycles[SMILE_TYPE_READ],
		       model->remote_cycles[SMILE_TYPE_WRITE],
		       model->remote_cycles[SMILE_TYPE_LOCK], (double)model->frequency_hz / 1e6,
		       model->source);
	putchar('\n');
	config_options_print_counting();
	fputs(run_help_end, stdout);
}

/* Return: TOOL_OK; TOOL_ERROR after saying what is wrong. */
static int option_parse(struct run_options *options, int option)
{
	uint64_t number;
	int taken = 0;

	switch (option) {
	case 'o':
		options->prefix = optarg;
		return *optarg ? TOOL_OK : tool_usage("-o: the name is empty");
	case 'q':
		options->quiet = 1;
		return TOOL_OK;
	case RUN_NODES:
		taken = tool_number("--nodes", optarg, 1, MACHINE_NODES_MAX, &number);
		if (!taken)
			options->nodes = (unsigned)number;
		break;
	case RUN_THREADS:
		taken = run_threads_parse(options, optarg);
		break;
	case RUN_PLACE:
		taken = run_place_parse(options, optarg);
		break;
	case RUN_LATENCY:
		taken = run_latency_parse(options, optarg);
		break;
	case RUN_CACHE:
		taken = run_cache_parse(options, optarg);
		break;
	case RUN_CAPTURE:
		options->capture = optarg;
		return strcmp(optarg, "-") ? TOOL_OK
					   : tool_usage("--capture: standard output is the "
							"program's own; give a PREFIX");
	case RUN_JSON:
		options->json = optarg;
		break;
	case RUN_STACKS:
		options->stacks = 1;
		break;
	case RUN_LIBC:
		options->libc = 1;
		break;
	default:
		taken = config_options_parse(&options->card, option, optarg);
		if (!taken)
			return tool_unknown_option();
		break;
	}
	return taken < 0 ? TOOL_ERROR : TOOL_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void notice(void *opaque, enum schedule_notice kind, const char *text)
{
	tool_message("%s", text);
}

/* Does anybody look at responses? Without them the machine has half the work. */
static int needs_responses(const struct run_options *options)
{
	if (options->capture || options->card.config.filter & SMILE_FILTER_RESPONSE)
		return 1;
	for (unsigned i = 0; i < options->card.specs_count; i++)
		if (options->card.specs[i].filter & SMILE_FILTER_RESPONSE)
			return 1;
	return 0;
}

static int machine_start(struct run *run)
{
	static const struct machine_ops ops = {.frames = run_cards_frames};
	const struct run_options *options = &run->options;
	struct machine_config config = {
		.nodes = options->nodes,
		.processors = MACHINE_PROCESSORS_MAX,
		.latency = &options->latency,
		.placement = options->placement,
		.placement_node = options->placement_node,
		.cache = options->cache,
		.no_responses = run->no_responses,
	};
	int err;

	for (unsigned n = 0; n < options->nodes; n++)
		config.watch |= 1ULL << n;
	err = machine_create(&run->machine, &config, &ops, run);
	if (err < 0)
		return tool_error("a machine like this cannot be built: %s", strerror(-err));
	if (options->placement_file)
		return run_place_apply(options->placement_file, run->machine);
	return TOOL_OK;
}

static int schedule_start(struct run *run)
{
	static const struct schedule_ops ops = {.phase = run_map_phase, .notice = notice};
	const struct schedule_config config = {
		.machine = run->machine,
		.mapping = run->options.mapping,
		.threads = run->options.threads,
		.list = run->options.list,
		.list_count = run->options.list_count,
		.ops = &ops,
		.opaque = run,
	};
	int err = schedule_create(&run->schedule, &config, run->stream);

	if (err < 0)
		return tool_error("the replay cannot begin: %s", strerror(-err));
	return TOOL_OK;
}

/* Everything that may fail without the program. */
static int run_prepare(struct run *run)
{
	uint64_t captured = 0;
	int status = run_stream_create(run);

	if (status == TOOL_OK)
		status = run_cards_open(run);
	if (status == TOOL_OK)
		status = captures_create(&run->captures, run->options.capture, run->options.nodes,
					 -1, &captured);
	if (status == TOOL_OK)
		status = machine_start(run);
	if (status == TOOL_OK)
		status = schedule_start(run);
	return status;
}

static void run_finish(struct run *run)
{
	const struct stream_header *header = run->stream;
	int err = schedule_finish(run->schedule);

	if (err < 0 && !run->failed) {
		tool_error("the replay has ended early: %s; what was recorded before is good",
			   strerror(-err));
		run->failed = 1;
	}
	if (!atomic_load(&header->ready) && !run->interrupted) {
		tool_error("the program was not traced: see what QEMU says above; is qemu-x86_64 "
			   "of version 7.2 or later, with plugins?");
		run->failed = 1;
	}
	run_cards_stop(run);
	run_map_tell(run);
}

static int run_all(struct run *run, const struct run_program *program)
{
	int status = run_prepare(run), reported;

	if (status == TOOL_OK)
		status = run_tracer_start(run, program);
	if (status == TOOL_OK) {
		run_replay(run);
		run_finish(run);
	}
	run_cards_close(run);
	if (captures_close(&run->captures, TOOL_OK) != TOOL_OK)
		run->failed = 1;
	if (status == TOOL_OK) {
		reported = run_report(run);
		status = reported == TOOL_ERROR ? TOOL_ERROR : run->status ? run->status : reported;
	}
	schedule_destroy(run->schedule);
	machine_destroy(run->machine);
	for (unsigned n = 0; n < MACHINE_NODES_MAX; n++)
		free(run->cards[n].file);
	run_stream_free(run);
	return status;
}

/* Without -o, what the program is called names its recordings. */
static const char *prefix_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash[1] ? slash + 1 : program;
}

static int run_command(struct run *run, int argc, char **argv, int first)
{
	struct run_program program;
	int status = run_program_find(&program, argv + first);

	if (!run->options.prefix)
		run->options.prefix = prefix_of(argv[first]);
	run->command_line = tool_command_line(argc, argv);
	if (!run->command_line)
		status = tool_error("no memory");
	run->no_responses = !needs_responses(&run->options);
	if (status == TOOL_OK) {
		signals_catch();
		status = run_all(run, &program);
	}
	free(run->command_line);
	run_program_free(&program);
	return status;
}

int run_main(int argc, char **argv)
{
	static struct run run = {.stream_fd = -1, .options.nodes = MACHINE_NODES_DEFAULT};
	char *name = argv[0];
	int option, status;

	config_options_init(&run.options.card);
	run.options.latency = *latency_find(LATENCY_DEFAULT);
	/* "+": what follows the first argument belongs to the program. */
	while ((option = getopt_long(argc, argv, "+o:qh", run_long_options, NULL)) != -1) {
		if (option == 'h') {
			help_print();
			return TOOL_OK;
		}
		if (option_parse(&run.options, option) != TOOL_OK) {
			free(run.options.list);
			return TOOL_ERROR;
		}
	}
	if (optind == argc)
		return tool_usage("which program?");
	if (!*argv[optind])
		return tool_usage("which program? Its name is empty");
	status = run_options_check(&run.options);
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	if (status == TOOL_OK)
		status = run_command(&run, argc, argv, optind);
	free(run.options.list);
	return status;
}
