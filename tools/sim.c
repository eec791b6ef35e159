// SPDX-License-Identifier: MIT
/*
 * smile sim: run a workload on the NUMA machine, and capture the B-Links of its nodes.
 *
 * What lives here: the options and the report. Unlike the other tools it uses
 * the machine and the workloads beside the public API.
 */
#include "tools/smile.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "emu/machine/machine.h"
#include "emu/workload/workload.h"
#include "tools/captures.h"
#include "tools/output.h"
#include "tools/progress.h"

static const char sim_help[] =
	"usage: smile sim WORKLOAD [--nodes N] [--size N] [--iterations N]\n"
	"                 [--capture PREFIX [--node K]] [--json]\n\n"
	"Runs a workload on a machine of N nodes whose shared pages are spread round-robin, and "
	"says\n"
	"where its time went. With --capture, everything that passes on the nodes' B-Links is\n"
	"written as captures for `smile replay`.\n\n"
	"      --nodes N          nodes, 1 to 64 (default 4)\n"
	"      --size N           problem size (default: the workload's)\n"
	"      --iterations N     how often (default: the workload's)\n"
	"      --capture PREFIX   write PREFIX-node0.pcap, PREFIX-node1.pcap, ...; - for standard\n"
	"                         output, with --node\n"
	"      --node K           capture node K alone\n"
	"      --json             report as a JSON document, schema smile.sim/1\n"
	"      --help             this text\n\n"
	"workloads:\n";

static const char sim_help_end[] =
	"\nThe machine: \"smile1998\", 200 MHz; in cycles: 1 local, 20 remote write, 1000 remote "
	"read\n"
	"or lock. Setting up the shared data is not simulated.\n\n"
	"example: smile sim sor --capture sor && smile replay sor-node0.pcap -o node0.rec\n"
	"exit status: 0 ok, 1 the result is wrong, 2 usage or error\n";

static const struct option sim_options[] = {
	{"nodes", required_argument, NULL, 'n'},
	{"size", required_argument, NULL, 's'},
	{"iterations", required_argument, NULL, 'i'},
	{"capture", required_argument, NULL, 'c'},
	{"node", required_argument, NULL, 'k'},
	{"json", no_argument, NULL, 'j'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

/**
 * struct sim - One run.
 * @workload: what to run
 * @request: with which numbers
 * @nodes: nodes of the machine
 * @prefix: of the captures; NULL: none
 * @node: the node to capture; negative: all of them
 * @json: report as JSON
 * @machine: the machine
 * @captures: the captures
 * @result: what came of it
 */
struct sim {
	const struct workload *workload;
	struct workload_request request;
	unsigned nodes;
	const char *prefix;
	int node;
	int json;
	struct machine *machine;
	struct captures captures;
	struct workload_result result;
};

static volatile sig_atomic_t sim_stopped;

static void sim_signal(int number)
{
	sim_stopped = 1;
}

static void help_print(void)
{
	const struct workload *workload;

	fputs(sim_help, stdout);
	for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
		printf("  %-10s %s\n", workload->name, workload->description);
		printf("  %-10s --size: %s, %u to %u (default %u)\n", "", workload->size.means,
		       workload->size.min, workload->size.max, workload->size.standard);
		if (workload->iterations.means)
			printf("  %-10s --iterations: %s (default %u)\n", "",
			       workload->iterations.means, workload->iterations.standard);
	}
	fputs(sim_help_end, stdout);
}

/* ---- options ------------------------------------------------------------------------------- */

static int parameter_parse(const char *what, const struct workload_parameter *parameter,
			   const char *text, unsigned *out)
{
	uint64_t number;

	if (!text)
		return 0;
	if (!parameter->means) {
		tool_usage("%s: this workload takes none", what);
		return -1;
	}
	if (tool_number(what, text, parameter->min, parameter->max, &number) < 0)
		return -1;
	*out = (unsigned)number;
	return 0;
}

static int node_parse(struct sim *sim, const char *nodes, const char *node)
{
	uint64_t number;

	if (nodes) {
		if (tool_number("--nodes", nodes, 1, MACHINE_NODES_MAX, &number) < 0)
			return -1;
		sim->nodes = (unsigned)number;
	}
	if (node) {
		if (tool_number("--node", node, 0, sim->nodes - 1, &number) < 0)
			return -1;
		sim->node = (int)number;
	}
	return 0;
}

/* What can only be said of the options together. Return: TOOL_OK or TOOL_ERROR. */
static int options_check(const struct sim *sim)
{
	if (!sim->prefix)
		return sim->node < 0 ? TOOL_OK : tool_usage("--node needs --capture");
	if (strcmp(sim->prefix, "-") != 0)
		return TOOL_OK;
	if (sim->node < 0)
		return tool_usage("--capture -: standard output holds one node's B-Link; "
				  "say which with --node");
	if (sim->json)
		return tool_usage("--json and --capture - both want standard output");
	return TOOL_OK;
}

/* Return: TOOL_OK; TOOL_ERROR after saying why; -1 if help was asked for and given. */
static int options_parse(struct sim *sim, int argc, char **argv)
{
	const char *nodes = NULL, *node = NULL, *size = NULL, *iterations = NULL;
	int option;

	while ((option = getopt_long(argc, argv, "", sim_options, NULL)) != -1) {
		switch (option) {
		case 'n':
			nodes = optarg;
			break;
		case 's':
			size = optarg;
			break;
		case 'i':
			iterations = optarg;
			break;
		case 'c':
			sim->prefix = optarg;
			break;
		case 'k':
			node = optarg;
			break;
		case 'j':
			sim->json = 1;
			break;
		case 'h':
			help_print();
			return -1;
		default:
			return tool_unknown_option();
		}
	}
	if (optind == argc)
		return tool_usage("which workload?");
	if (optind + 1 < argc)
		return tool_usage("one workload at a time, not also '%s'", argv[optind + 1]);
	sim->workload = workload_find(argv[optind]);
	if (!sim->workload)
		return tool_usage("there is no workload '%s'; --help lists them", argv[optind]);
	if (node_parse(sim, nodes, node) < 0 ||
	    parameter_parse("--size", &sim->workload->size, size, &sim->request.size) < 0 ||
	    parameter_parse("--iterations", &sim->workload->iterations, iterations,
			    &sim->request.iterations) < 0)
		return TOOL_ERROR;
	return options_check(sim);
}

/* ---- captures ------------------------------------------------------------------------------ */

static void sim_frame(void *opaque, unsigned node, uint64_t time_ns, const void *bytes,
		      size_t length)
{
	struct sim *sim = opaque;
	int err = captures_write(&sim->captures, node, bytes, length, time_ns);

	/* After a failure the machine runs on to its next barrier. */
	if (err < 0)
		machine_fail(sim->machine, err);
	else if (sim_stopped)
		machine_fail(sim->machine, -EINTR);
}

/* ---- report -------------------------------------------------------------------------------- */

static const char *result_text(const struct sim *sim)
{
	if (!sim->result.equal)
		return "WRONG: differs from the sequential run";
	if (!workload_correct(&sim->result))
		return "WRONG: the residual has not shrunk";
	return "equal to the sequential run";
}

static double seconds(const struct sim *sim, uint64_t cycles)
{
	return (double)cycles / (double)machine_frequency(sim->machine);
}

static void report_table(const struct sim *sim)
{
	static const char *const headings[] = {
		"node",		 "run time s",	"lost to reads", "lost to writes",
		"lost to locks", "at barriers", "frames",
	};
	const struct workload_result *result = &sim->result;
	struct output_table *table = output_table_new();
	char bytes[OUTPUT_COUNT_BYTES];

	printf("%s: size %u, iterations %u, nodes %u, shared bytes %s\n\n", sim->workload->name,
	       result->size, result->iterations, sim->nodes,
	       output_count(bytes, result->shared_bytes));
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		output_table_column(table, headings[i], 'r');
	for (unsigned n = 0; n < sim->nodes; n++) {
		struct machine_statistics node;

		machine_statistics(sim->machine, n, &node);
		output_table_cell(table, OUTPUT_PLAIN, "%u", n);
		output_table_cell(table, OUTPUT_PLAIN, "%.6f", seconds(sim, node.cycles));
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_READ]);
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_WRITE]);
		output_table_count(table, OUTPUT_PLAIN, node.remote_cycles[SMILE_TYPE_LOCK]);
		output_table_count(table, OUTPUT_PLAIN, node.wait_cycles);
		output_table_count(table, OUTPUT_PLAIN, node.frames);
	}
	output_table_print(table);
	printf("\nrun time: simulated; lost: cycles at %g MHz that the node waited for remote\n"
	       "accesses; at barriers: cycles it waited for others; frames: on its B-Link\n\n",
	       (double)machine_frequency(sim->machine) / 1e6);
	printf("result checksum: %016" PRIx64 "\n", result->checksum);
	printf("residual: %g at first, %g at the end\n", result->residual_start,
	       result->residual_end);
	printf("result checked: %s\n", result_text(sim));
}

/* An object of a value for each type of access. */
static json_t *json_types(const uint64_t *values)
{
	return json_pack("{s:I, s:I, s:I}", "reads", (json_int_t)values[SMILE_TYPE_READ], "writes",
			 (json_int_t)values[SMILE_TYPE_WRITE], "locks",
			 (json_int_t)values[SMILE_TYPE_LOCK]);
}

static json_t *json_node(const struct sim *sim, unsigned n)
{
	struct machine_statistics node;

	machine_statistics(sim->machine, n, &node);
	return json_pack("{s:i, s:I, s:I, s:I, s:I, s:o, s:I, s:o, s:o, s:I}", "node", (int)n,
			 "time_ns", (json_int_t)machine_time_ns(sim->machine, node.cycles),
			 "cycles", (json_int_t)node.cycles, "work_cycles",
			 (json_int_t)node.work_cycles, "local_cycles",
			 (json_int_t)node.local_cycles, "remote_cycles",
			 json_types(node.remote_cycles), "barrier_cycles",
			 (json_int_t)node.wait_cycles, "local", json_types(node.local), "remote",
			 json_types(node.remote), "frames", (json_int_t)node.frames);
}

static int report_json(const struct sim *sim)
{
	const struct workload_result *result = &sim->result;
	json_t *nodes = json_array();
	char checksum[24];

	for (unsigned n = 0; n < sim->nodes; n++) {
		if (json_array_append_new(nodes, json_node(sim, n)) < 0) {
			json_decref(nodes);
			nodes = NULL;
			break;
		}
	}
	snprintf(checksum, sizeof(checksum), "%016" PRIx64, result->checksum);
	return output_json(json_pack(
		"{s:s, s:s, s:i, s:i, s:i, s:s, s:s, s:I, s:I, s:s, s:f, s:f, s:b, s:b, s:o}",
		"schema", "smile.sim/1", "workload", sim->workload->name, "size", (int)result->size,
		"iterations", (int)result->iterations, "nodes", (int)sim->nodes, "latency",
		LATENCY_DEFAULT, "placement", PLACEMENT_DEFAULT, "frequency_hz",
		(json_int_t)machine_frequency(sim->machine), "shared_bytes",
		(json_int_t)result->shared_bytes, "checksum", checksum, "residual_start",
		result->residual_start, "residual_end", result->residual_end, "equal",
		(int)result->equal, "correct", (int)workload_correct(result), "by_node", nodes));
}

static int report(const struct sim *sim)
{
	int status = workload_correct(&sim->result) ? TOOL_OK : TOOL_FINDING;

	if (sim->json)
		return report_json(sim) == TOOL_OK ? status : TOOL_ERROR;
	if (sim->prefix && strcmp(sim->prefix, "-") == 0)
		tool_message("checksum %016" PRIx64 "; result checked: %s", sim->result.checksum,
			     result_text(sim));
	else
		report_table(sim);
	return status;
}

/* ---- run ----------------------------------------------------------------------------------- */

static void sim_progress(void *opaque, unsigned done, unsigned total)
{
	const struct sim *sim = opaque;

	progress_show("%s: iteration %u of %u", sim->workload->name, done, total);
	if (sim_stopped)
		machine_fail(sim->machine, -EINTR);
}

static int sim_error(const struct sim *sim, int err)
{
	if (sim_stopped)
		return tool_error("stopped before the end%s",
				  sim->prefix ? "; what was captured before is good" : "");
	if (err == -ENOMEM)
		return tool_error("no memory for this size; try a smaller --size");
	return tool_error("the run ended early: %s",
			  sim->captures.failed ? Monitor_error_message() : strerror(-err));
}

static int sim_run(struct sim *sim)
{
	static const struct machine_ops ops = {.frame = sim_frame};
	struct machine_config config = {.nodes = sim->nodes};
	int status =
		captures_create(&sim->captures, sim->prefix, sim->nodes, sim->node, &config.watch);
	int err;

	if (status != TOOL_OK)
		return captures_close(&sim->captures, status);
	err = machine_create(&sim->machine, &config, &ops, sim);
	if (err == 0)
		err = workload_run(sim->workload, sim->machine, &sim->request, &sim->result);
	progress_clear();
	if (err < 0)
		status = sim_error(sim, err);
	status = captures_close(&sim->captures, status);
	if (status == TOOL_OK)
		status = report(sim);
	machine_destroy(sim->machine);
	return status;
}

int sim_main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = sim_signal};
	struct sim sim = {.nodes = MACHINE_NODES_DEFAULT, .node = -1};
	int status = options_parse(&sim, argc, argv);

	if (status != TOOL_OK)
		return status < 0 ? TOOL_OK : status;
	sim.request.progress = sim_progress;
	sim.request.opaque = &sim;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return sim_run(&sim);
}
