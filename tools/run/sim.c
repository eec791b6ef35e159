// SPDX-License-Identifier: MIT
/*
 * smile sim: run one of the papers' programs in the same way as `smile run` runs any program.
 *
 * What lives here: the table of workloads, and their differences from other programs. A workload
 * has options, its path is known, and only its parallel part is recorded. run.c has all other code.
 */
#include "tools/run/run_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define SIM_WORDS 16 /* largest number of words of a workload's command line */
#define SIM_THREADS_MAX 256

/**
 * struct workload_number - A number that the command line of a workload contains.
 * @means: the meaning of the number; NULL: the workload has no such number
 * @min: smallest allowed number
 * @max: largest allowed number
 * @standard: the number that is used if none is given
 */
struct workload_number {
	const char *means;
	unsigned min;
	unsigned max;
	unsigned standard;
};

/**
 * struct workload - A program of run/workload.
 * @name: name of the program, which is also the name of the phase of its parallel part
 * @summary: a description in one line
 * @size: the number that --size sets
 * @iterations: the number that --iterations sets
 */
struct workload {
	const char *name;
	const char *summary;
	struct workload_number size;
	struct workload_number iterations;
};

static const struct workload workloads[] = {
	{"sor",
	 "successive over-relaxation of a square grid [2002, 4.2]",
	 {"rows and columns of the grid", 3, 4096, 512},
	 {"sweeps over the grid", 1, 1000000, 10}},
	{"fft",
	 "Fourier transform of complex doubles in six steps [1998, 4]",
	 {"points, a power of 4", 4, 1048576, 16384},
	 {0}},
	{"radix", "radix sort of 4-byte keys [1998, 4]", {"keys", 1, 1 << 26, 65536}, {0}},
	{"gauss", "Gaussian elimination [2002, 4.3]", {"equations", 2, 4096, 512}, {0}},
	{"water",
	 "molecules of water, all pairs [2002, 4.3]",
	 {"molecules", 2, 32768, 512},
	 {"time steps", 1, 1000000, 3}},
};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static const char *const sim_help[] = {
#include "tools/help/sim.h"
	NULL,
};

static const char *const sim_help_options[] = {
#include "tools/help/sim-options.h"
	NULL,
};

static const char *const sim_help_end[] = {
#include "tools/help/sim-end.h"
	NULL,
};

/**
 * struct sim - The user's options for a workload.
 * @options: the options of the run
 * @workload: the workload
 * @size: argument of --size; NULL: use the workload's default
 * @iterations: argument of --iterations; NULL: use the workload's default
 * @threads: argument of --threads; NULL: use one thread per node
 * @node: argument of --node
 * @layout: argument of --layout; NULL: not given
 * @phases: argument of --phases; NULL: not given
 * @rows: argument of --rows
 * @check: --check was given
 * @all_phases: record all phases, not only the parallel part
 * @words: the command line of the workload, shape [@count]
 * @count: number of @words
 */
struct sim {
	struct run_options options;
	const struct workload *workload;
	const char *size;
	const char *iterations;
	const char *threads;
	const char *node;
	const char *layout;
	const char *phases;
	const char *rows;
	const char *check;
	int all_phases;
	char *words[SIM_WORDS];
	size_t count;
};

static struct sim sim = {.count = 1};

/* ---- help ------------------------------------------------------------------------------------ */

static void number_print(const char *option, const struct workload_number *number)
{
	if (number->means)
		printf("  %-10s --%s: %s, %u to %u (default %u)\n", "", option, number->means,
		       number->min, number->max, number->standard);
}

static void help_print(void)
{
	tool_help(sim_help);
	for (size_t i = 0; i < WORKLOADS; i++) {
		printf("  %-10s %s\n", workloads[i].name, workloads[i].summary);
		number_print("size", &workloads[i].size);
		number_print("iterations", &workloads[i].iterations);
	}
	tool_help(sim_help_options);
	run_options_print("--thread-nodes HOW", MODEL_PAPERS);
	tool_help(sim_help_end);
}

/* ---- options --------------------------------------------------------------------------------- */

static const struct tool_option sim_table[] = {
	OPTION_TEXT("size", 0, &sim.size),
	OPTION_TEXT("iterations", 0, &sim.iterations),
	OPTION_TEXT("threads", 0, &sim.threads),
	OPTION_WORD("layout", "default", "placed", &sim.layout),
	OPTION_WORD("phases", "coarse", "fine", &sim.phases),
	OPTION_WORD("rows", "block", "cyclic", &sim.rows),
	OPTION_WORD("check", "full", "none", &sim.check),
	OPTION_FLAG("all-phases", 0, &sim.all_phases),
	OPTION_TEXT("node", 0, &sim.node),
	OPTION_TAKE("thread-nodes", 0, run_threads_take, &sim.options),
	OPTION_GROUP(run_lines, &sim.options),
	OPTION_HELP_BY(help_print),
	OPTION_END,
};

static void word_add(const char *option, const char *value)
{
	if (!value)
		return;
	sim.words[sim.count++] = (char *)option;
	sim.words[sim.count++] = (char *)value;
}

static int number_check(const char *option, const struct workload_number *number, const char *text)
{
	uint64_t value;

	if (!text)
		return TOOL_OK;
	if (!number->means)
		return tool_usage("%s: %s takes none", option, sim.workload->name);
	if (tool_number(option, text, number->min, number->max, &value) < 0)
		return TOOL_ERROR;
	word_add(option, text);
	return TOOL_OK;
}

/* If --threads was not given, use one thread per node. @text: receives the number of threads. */
static int threads_check(char *text, size_t bytes)
{
	uint64_t threads = sim.options.run.nodes;

	if (sim.threads && tool_number("--threads", sim.threads, 1, SIM_THREADS_MAX, &threads) < 0)
		return TOOL_ERROR;
	snprintf(text, bytes, "%u", (unsigned)threads);
	word_add("--threads", text);
	return TOOL_OK;
}

static int node_check(void)
{
	struct run_options *options = &sim.options;
	int to_stdout = options->run.capture && !strcmp(options->run.capture, "-");
	uint64_t node;

	if (sim.node && !options->run.capture)
		return tool_usage("--node needs --capture");
	if (sim.node) {
		if (tool_number("--node", sim.node, 0, options->run.nodes - 1, &node) < 0)
			return TOOL_ERROR;
		options->run.capture_node = (int)node;
	}
	if (to_stdout && !sim.node)
		return tool_usage(
			"--capture -: standard output holds one node's B-Link; choose the "
			"node with --node");
	if (to_stdout && options->json && !strcmp(options->json, "-"))
		return tool_usage("--json - and --capture - cannot both use standard output");
	options->run.stdout_taken = to_stdout || (options->json && !strcmp(options->json, "-"));
	options->summary_to_stdout = !options->run.stdout_taken;
	return TOOL_OK;
}

static int workload_find(int argc, char **argv)
{
	char known[64] = "";

	if (optind == argc)
		return tool_usage("which workload?");
	if (optind + 1 < argc)
		return tool_usage("one workload at a time, not also '%s'", argv[optind + 1]);
	for (size_t i = 0; i < WORKLOADS; i++) {
		if (!strcmp(workloads[i].name, argv[optind]))
			sim.workload = &workloads[i];
		sprintf(known + strlen(known), "%s%s", i ? ", " : "", workloads[i].name);
	}
	if (!sim.workload)
		return tool_usage("there is no workload '%s': there are %s", argv[optind], known);
	return TOOL_OK;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int sim_run(int argc, char **argv)
{
	struct run_options *options = &sim.options;
	char threads[16], name[32], missing[8192];
	int status = workload_find(argc, argv);

	if (status == TOOL_OK)
		status = run_machine_settle(options);
	if (status == TOOL_OK)
		status = number_check("--size", &sim.workload->size, sim.size);
	if (status == TOOL_OK)
		status = number_check("--iterations", &sim.workload->iterations, sim.iterations);
	word_add("--layout", sim.layout);
	word_add("--phases", sim.phases);
	word_add("--rows", sim.rows);
	word_add("--check", sim.check);
	if (status == TOOL_OK)
		status = threads_check(threads, sizeof(threads));
	if (status == TOOL_OK)
		status = node_check();
	if (status == TOOL_OK && options->run.records && !options->run.prefix)
		status = tool_usage("--records has no effect without -o");
	if (status == TOOL_OK)
		status = run_options_check(options);
	if (status != TOOL_OK)
		return status;
	options->run.workload = sim.workload->name;
	/* All data of the papers' programs is shared, so no page counts as constants. */
	options->run.no_constants = true;
	if (!sim.all_phases && !options->run.only && !options->run.from && !options->run.to &&
	    options->run.sample < 2) {
		options->run.only = sim.workload->name;
		options->run.only_until = "check";
	}
	snprintf(name, sizeof(name), "workload/%s", sim.workload->name);
	sim.words[0] = run_file_look(name);
	if (!sim.words[0]) {
		run_file_missing(name, missing, sizeof(missing));
		return tool_error("%s", missing);
	}
	status = run_command(options, sim.words, argc, argv);
	free(sim.words[0]);
	return status;
}

int sim_again(int argc, char **argv, struct run_again *again)
{
	return run_options_again(argc, argv, "", sim_table, again);
}

int sim_main(int argc, char **argv)
{
	char *name = argv[0];
	int status;

	run_options_init(&sim.options, MODEL_PAPERS);
	if (option_table_parse(argc, argv, "", sim_table, &status)) {
		argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
		status = sim_run(argc, argv);
	}
	run_options_free(&sim.options);
	return status;
}
