// SPDX-License-Identifier: MIT
/*
 * smile sample: runs a program on this machine at full speed, and samples which node accesses which
 * page.
 *
 * What lives here: the options, and the account that is printed at the end. May use: tools/common,
 * run/sample.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <place/plan.h>

#include "lib/analysis/sampled.h"
#include "run/sample/sample.h"
#include "run/session/session.h"
#include "tools/common/child.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define OVERHEAD_PERCENT 2

static const char *const sample_help[] = {
#include "tools/help/sample.h"
	NULL,
};

/**
 * struct options - What the user asks for.
 * @prefix: of the recordings
 * @pid: process; 0: none
 * @json: file; NULL: none
 * @quiet: print no account
 */
struct options {
	const char *prefix;
	uint32_t pid;
	const char *json;
	int quiet;
};

static int source_take(void *to, const char *text)
{
	if (!strcmp(text, "auto") || !strcmp(text, "faults"))
		return TOOL_OK;
	return tool_usage("--source: '%s' is neither auto nor faults", text);
}

static int overhead_take(void *to, const char *text)
{
	double *percent = to;
	char *end;

	*percent = strtod(text, &end);
	if (!isdigit((unsigned char)text[0]) || *end || !(*percent > 0 && *percent <= 100))
		return tool_usage("--overhead: '%s' is no percentage above 0, such as 2", text);
	return TOOL_OK;
}

static int prefix_take(void *to, const char *text)
{
	*(const char **)to = text;
	return *text ? TOOL_OK : tool_usage("-o: the name is empty");
}

/* Without -o, what the program is called names its recordings. */
static const char *prefix_of(const char *program)
{
	const char *slash = strrchr(program, '/');

	return slash && slash[1] ? slash + 1 : program;
}

/* Of a process, the kernel's name for it; "" if there is no such process. */
static const char *prefix_of_process(uint32_t pid)
{
	static char name[64];
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%" PRIu32 "/comm", pid);
	file = fopen(path, "re");
	if (!file || !fgets(name, sizeof(name), file))
		*name = '\0';
	if (file)
		fclose(file);
	name[strcspn(name, "\n")] = '\0';
	for (char *c = name; (c = strchr(c, '/'));)
		*c = '_';
	return name;
}

static void message(void *opaque, const char *text)
{
	tool_message("%s", text);
}

/* ---- the account ----------------------------------------------------------------------------- */

static void left_print(const char *what, uint64_t faults)
{
	char text[TEXT_COUNT_BYTES];

	if (faults)
		fprintf(stderr, "  %14s  %s\n", text_count(text, faults), what);
}

static void account_print(const struct options *options, const struct sample_result *result)
{
	char faults[TEXT_COUNT_BYTES], samples[TEXT_COUNT_BYTES], pages[TEXT_COUNT_BYTES];
	struct sampled_share remote = sampled_share(result->remote, result->samples);

	fprintf(stderr,
		"%s page faults in %.3f s, of which samples: %s, of %s pages; not samples:\n",
		text_count(faults, result->faults), (double)result->elapsed_ns / 1e9,
		text_count(samples, result->samples), text_count(pages, result->pages));
	left_print("first fault at a page", result->first);
	left_print("page of which the kernel did not say where it lies", result->homeless);
	left_print("of processes that the program has started", result->others);
	left_print("before the program executed another one", result->before);
	left_print("by a processor of an unknown node", result->nowhere);
	left_print("at an address that no recording can hold", result->outside);
	left_print("could not be read", result->malformed);
	left_print("lost: the kernel had no room for them", result->lost);
	if (result->samples)
		fprintf(stderr,
			"remote, an estimate: %.1f%%, with 95%% band %.1f to %.1f%%; pages that "
			"the "
			"kernel has moved meanwhile: %" PRIu64 "\n",
			100 * remote.share, 100 * remote.low, 100 * remote.high, result->moves);
	fputs("processor time: ", stderr);
	if (!result->attached)
		fprintf(stderr, "program %.3f s, ", (double)result->program_ns / 1e9);
	fprintf(stderr, "sampling %.3f s, %.1f%% of the elapsed time of one processor\n",
		(double)result->own_ns / 1e9,
		result->elapsed_ns ? 100 * (double)result->own_ns / (double)result->elapsed_ns : 0);
	fprintf(stderr, "recordings: %s-node*.rec\n", options->prefix);
}

/* What a user may not expect. */
static void notes_print(const struct sample_result *result)
{
	if (!result->samples)
		tool_message("note: there are no samples: the program ended before the kernel has "
			     "scanned its memory for the first time, or its memory has a policy of "
			     "its own (numactl, smile place), which the kernel does not balance");
	if (result->lost)
		tool_message("note: %" PRIu64 " faults are lost: the kernel had no room for them",
			     result->lost);
	if (!result->logs && !result->attached)
		tool_message("note: blocks of the heap and phases have no names: the program is "
			     "static, or " PLACE_LIBRARY " could not be loaded into it");
	if (result->log_lost)
		tool_message("note: %" PRIu64 " entries of the program's log are lost: some blocks "
			     "and phases have no name, or that of others",
			     result->log_lost);
	if (result->phases_lost)
		tool_message("note: the last phase stands for %" PRIu64 " more, with other names",
			     result->phases_lost);
	if (result->user_only)
		tool_message("note: faults of system calls, such as read(2) into a buffer, are "
			     "seen by root alone, or with kernel.perf_event_paranoid at 1 or less");
}

static int json_write(const char *file, const struct sample_result *result)
{
	json_t *document = sample_report_json(result);
	int failed;

	if (!strcmp(file, "-"))
		return output_json(document);
	if (!document)
		return tool_error("no memory");
	failed = json_dump_file(document, file, JSON_COMPACT);
	json_decref(document);
	return failed ? tool_error("%s cannot be written: %s", file, strerror(errno)) : TOOL_OK;
}

int sample_main(int argc, char **argv)
{
	struct sample_config config = {.message = message, .overhead = OVERHEAD_PERCENT};
	struct options options = {0};
	int bind = 0;
	const struct tool_option table[] = {
		OPTION_TAKE("output", 'o', prefix_take, &options.prefix),
		OPTION_NUMBER("pid", 'p', 1, INT32_MAX, &options.pid),
		OPTION_TAKE("source", 0, source_take, NULL),
		OPTION_TAKE("overhead", 0, overhead_take, &config.overhead),
		OPTION_FLAG("bind", 0, &bind),
		OPTION_TEXT("json", 0, &options.json),
		OPTION_FLAG("quiet", 'q', &options.quiet),
		OPTION_HELP(sample_help),
		OPTION_END,
	};
	struct sample_result result;
	char *command_line, *library, *name = argv[0];
	int status, reported = TOOL_OK;

	/* "+": what follows the program belongs to it. */
	if (!option_table_parse(argc, argv, "+", table, &status))
		return status;
	if (options.pid && optind < argc)
		return tool_usage("-p and a program: give one of them");
	if (!options.pid && (optind == argc || !*argv[optind]))
		return tool_usage("which program?");
	if (!options.prefix)
		options.prefix =
			options.pid ? prefix_of_process(options.pid) : prefix_of(argv[optind]);
	if (!*options.prefix)
		return tool_error("there is no process %" PRIu32, options.pid);
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	command_line = tool_command_line(argc, argv);
	argv[0] = name;
	config.prefix = options.prefix;
	config.command_line = command_line;
	config.bind = bind;
	config.pid = (pid_t)options.pid;
	library = options.pid ? NULL : run_file_look(PLACE_LIBRARY);
	config.library = library;
	child_signals(&config.passed_on);
	sigemptyset(&config.ends);
	sigaddset(&config.ends, SIGINT);
	sigaddset(&config.ends, SIGTERM);
	sigaddset(&config.ends, SIGHUP);
	status = options.pid ? sample_attach(&config, &result)
			     : sample_run(&config, argv + optind, &result);
	free(command_line);
	free(library);
	if (!result.recorded)
		return status;
	if (!options.quiet)
		account_print(&options, &result);
	notes_print(&result);
	if (options.json)
		reported = json_write(options.json, &result);
	return reported == TOOL_OK ? status : reported;
}
