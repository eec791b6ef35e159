// SPDX-License-Identifier: MIT
/*
 * smile sample: run a program on this machine at full speed, and sample which node accesses which
 * page. Alternatively import such samples from a perf.data file.
 *
 * What lives here: the options, and the summary that is printed at the end. May use: tools/common,
 * tools/place, run/sample.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <place/plan.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/sampled.h"
#include "run/sample/sample.h"
#include "run/session/session.h"
#include "tools/common/child.h"
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"
#include "tools/place/place.h"

#define OVERHEAD_PERCENT 2
/* The reasons why a program may have logged no names of its memory. */
#define NO_LOG                                                                                     \
	"the program is static or of 32 bits, " PLACE_LIBRARY " could not be loaded into it, or "  \
	"it could not open the log, since it is another user's or has a /proc of its own"

static const char *const sample_help[] = {
#include "tools/help/sample.h"
	NULL,
};

/**
 * struct options - The user's options.
 * @prefix: prefix of the names of the recordings
 * @pid: process to sample; 0: run a program
 * @import: name of a perf.data file; NULL: do not import
 * @place: name of a placement file; NULL: do not place pages
 * @request: contents of the placement file
 * @plan: plan by which the library places the program's pages
 * @json: name of the file for the JSON document; NULL: do not write it
 * @quiet: do not print the summary
 */
struct options {
	const char *prefix;
	uint32_t pid;
	const char *place;
	struct place_request request;
	struct place_plan plan;
	const char *import;
	const char *json;
	int quiet;
};

static int source_take(void *to, const char *text)
{
	static const char *const names[] = {
		[SAMPLE_AUTO] = "auto",
		[SAMPLE_FAULTS] = "faults",
		[SAMPLE_MEMORY] = "memory",
	};
	enum sample_source *source = to;

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(text, names[i])) {
			*source = (enum sample_source)i;
			return TOOL_OK;
		}
	return tool_usage("--source: '%s' is none of auto, faults and memory", text);
}

static int overhead_take(void *to, const char *text)
{
	double *percent = to;

	if (tool_decimal(text, percent) || *percent <= 0 || *percent > 100)
		return tool_usage("--overhead: '%s' is no percentage above 0, such as 2", text);
	return TOOL_OK;
}

/* Get the kernel's name of a process; "" if the process does not exist. */
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

/* Print the number of samples, and the numbers of samples that were not counted. */
static void left_print(const struct sample_result *result)
{
	struct sample_reason reasons[SAMPLE_REASONS];
	char text[TEXT_COUNT_BYTES];

	sample_reasons(result, reasons);
	for (size_t i = 0; i < SAMPLE_REASONS; i++)
		if (reasons[i].samples)
			fprintf(stderr, "  %14s  %s\n", text_count(text, reasons[i].samples),
				reasons[i].text);
}

static void samples_print(const struct sample_result *result)
{
	char all[TEXT_COUNT_BYTES], samples[TEXT_COUNT_BYTES], pages[TEXT_COUNT_BYTES];
	double seconds = (double)result->elapsed_ns / 1e9;
	char process[SAMPLE_NAME_BYTES];

	snprintf(process, sizeof(process), "%s", result->process_name);
	text_count(all, result->all);
	text_count(samples, result->samples);
	text_count(pages, result->pages);
	if (result->source == SAMPLE_FAULTS)
		fprintf(stderr,
			"%s page faults in %.3f s, of which samples: %s, of %s pages; not "
			"samples:\n",
			all, seconds, samples, pages);
	else if (result->imported)
		fprintf(stderr,
			"%s samples in %.3f s, of which of accesses of process %" PRIu32
			" (%s): %s, to %s pages; not counted:\n",
			all, seconds, result->process, text_printable(process), samples, pages);
	else
		fprintf(stderr,
			"%s samples in %.3f s, of which of accesses: %s, to %s pages; not "
			"counted:\n",
			all, seconds, samples, pages);
}

/* Print the latencies of accesses, by the cache or memory that has served them. */
static void latency_print(const struct run_facts *facts)
{
	if (!facts->latencies.served.at)
		return;
	fputs("latency, mean of samples in cycles, with 95% band:", stderr);
	for (size_t i = 0; i < facts->latencies.served.count; i++) {
		const struct run_facts_served *row = &facts->latencies.served.at[i];

		fprintf(stderr, "%s %s %.0f", i ? "," : "", row->served, row->cycles);
		if (row->samples > 1)
			fprintf(stderr, " [%.0f-%.0f]", floor(row->low), ceil(row->high));
		else
			fputs(" [not known]", stderr);
	}
	fputc('\n', stderr);
}

static void remote_print(const struct sample_result *result)
{
	struct sampled_share remote = sampled_share(result->remote, result->behind);
	char behind[TEXT_COUNT_BYTES];

	if (result->source == SAMPLE_MEMORY)
		fprintf(stderr, "not served by a cache of the node, and thus transactions: %s\n",
			text_count(behind, result->behind));
	if (result->behind)
		fprintf(stderr,
			"remote, an estimate: %.1f%%, with 95%% band %.1f to %.1f%%; moves of "
			"pages seen meanwhile: %" PRIu64 "\n",
			100 * remote.share, sampled_percent_low(&remote),
			sampled_percent_high(&remote), result->moves);
}

/* Print a list of numbers such as "0 1 2 3". */
static void numbers_print(const struct run_facts_counts *list)
{
	for (size_t i = 0; i < list->count; i++)
		fprintf(stderr, "%s%" PRIu64, i ? " " : "", list->at[i]);
}

/* Print the number of pages on each node, for the pages whose nodes the kernel has reported. */
static void homes_print(const struct run_facts *facts, uint64_t pages)
{
	const size_t phases = facts->homes.phases.count;

	if (!facts->homes.phases.at || !pages)
		return;
	fputs("pages on nodes ", stderr);
	numbers_print(&facts->homes.nodes);
	fputs(": at first ", stderr);
	numbers_print(&facts->homes.start);
	fputs(", at the end ", stderr);
	numbers_print(&facts->homes.end);
	fprintf(stderr, "; %" PRIu64 " were moved to another node\n", facts->homes.moved_pages);
	for (size_t i = 0; i < phases && phases > 1; i++) {
		const struct run_facts_homes *phase = &facts->homes.phases.at[i];
		char name[SAMPLE_NAME_BYTES];

		snprintf(name, sizeof(name), "%s",
			 phase->phase ? phase->phase : "before the first phase");
		fprintf(stderr, "  %s: ", text_printable(name));
		numbers_print(&phase->pages);
		fprintf(stderr, ", moves seen: %" PRIu64 "\n", phase->moves);
	}
}

/* Print a line for each process that has recordings. */
static void processes_print(const struct options *options, const struct sample_result *result)
{
	for (size_t i = 0; i < result->process_count; i++) {
		const struct sample_result *one = &result->processes[i];
		struct sampled_share remote = sampled_share(one->remote, one->behind);
		char samples[TEXT_COUNT_BYTES], pages[TEXT_COUNT_BYTES], name[SAMPLE_NAME_BYTES];

		memcpy(name, one->process_name, sizeof(name));
		fprintf(stderr, "process %" PRIu32 ", %s%s: samples: %s, of %s pages", one->process,
			one->copy ? "a copy of " : "", text_printable(name),
			text_count(samples, one->samples), text_count(pages, one->pages));
		if (one->behind)
			fprintf(stderr, "; remote: %.1f%% [%.1f-%.1f]", 100 * remote.share,
				100 * remote.low, 100 * remote.high);
		fprintf(stderr, "; recordings: %s%s-node*.rec\n", output_name(options->prefix),
			one->suffix);
	}
	fprintf(stderr, "processes without samples, and so without recordings: %" PRIu64 "\n",
		result->without);
}

static void account_print(const struct options *options, const struct sample_result *result)
{
	struct run_facts facts;

	run_facts_decode(sample_report_json(result), &facts);
	samples_print(result);
	left_print(result);
	remote_print(result);
	homes_print(&facts, result->pages);
	latency_print(&facts);
	run_facts_free(&facts);
	if (!result->imported) {
		fputs("processor time: ", stderr);
		if (!result->attached)
			fprintf(stderr, "program %.3f s, ", (double)result->program_ns / 1e9);
		fprintf(stderr, "sampling %.3f s, %.1f%% of the elapsed time of one processor\n",
			(double)result->own_ns / 1e9,
			result->elapsed_ns
				? 100 * (double)result->own_ns / (double)result->elapsed_ns
				: 0);
	}
	if (result->children)
		processes_print(options, result);
	else
		fprintf(stderr, "recordings: %s-node*.rec\n",
			output_name(options->prefix ? options->prefix : result->prefix));
}

static void notes_none(const struct sample_result *result)
{
	if (result->hidden)
		tool_message("note: the kernel does not let you examine the program's memory, "
			     "since the program has forbidden it (PR_SET_DUMPABLE of prctl(2)), or "
			     "has other rights than you: its pages have no known homes, and its "
			     "memory no names; root may examine it");
	if (result->samples || result->hidden)
		return;
	if (result->source == SAMPLE_FAULTS)
		tool_message("note: there are no samples: the program ended before the kernel had "
			     "scanned its memory for the first time, or its memory has its own "
			     "policy (numactl, smile place), so the kernel does not balance it");
	else
		tool_message("note: there are no samples of accesses whose page has a known home: "
			     "the account shows what the other samples are");
}

/* Print notes about memory that was not sampled, or that was only partly sampled. */
static void notes_memory(const struct sample_result *result)
{
	char bytes[TEXT_COUNT_BYTES];

	if (result->unscanned_bytes)
		tool_message(
			"note: %s %s kB of memory that may be shared between "
			"processes (System V, memfd, shared mappings), or is of hugetlbfs, and has "
			"no samples: not every kernel scans it; `smile run` counts it",
			result->children ? "processes have had" : "the program has had",
			text_count(bytes, result->unscanned_bytes / 1024));
	if (result->one_thread && result->samples)
		tool_message(
			"note: %s: the kernel hardly scans its pages on the node where it "
			"runs. These pages have too few samples, so the remote share is too large",
			result->children ? "a process has had one thread"
					 : "the program has had one thread");
	for (unsigned node = 0; node < PLAN_NODES_MAX; node++)
		if (result->unscanned_nodes & 1ULL << node)
			tool_message("note: the pages that the placement has put on node %u have "
				     "no samples: the kernel scans them only if the node has twice "
				     "as much memory free, and only "
				     "from Linux 5.12 on",
				     node);
	if (result->huge_bytes)
		tool_message(
			"note: %s kB of the program's memory lay in huge pages: a huge page has "
			"one sample per scan for all of it, at the 4 kB page that was accessed "
			"first, and its other pages have none; --no-huge-pages runs the program "
			"without huge pages",
			text_count(bytes, result->huge_bytes / 1024));
	if (result->processors_missed)
		tool_message("note: %u processor%s came on line during the run: their accesses are "
			     "not sampled",
			     result->processors_missed, result->processors_missed == 1 ? "" : "s");
}

#define OTHERS_NAMED 4U
#define OTHERS_BYTES 512U

/* Write a list of programs such as "make 30, cc1 20 (2 processes), and 3 other programs". */
static const char *others_names(const struct sample_result *result, char text[OTHERS_BYTES])
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < result->others_count && i < OTHERS_NAMED; i++) {
		const struct children_sum *sum = &result->others_of[i];
		char name[CHILDREN_NAME_BYTES];

		memcpy(name, sum->name, sizeof(name));
		used += (size_t)snprintf(
			text + used, OTHERS_BYTES - used, "%s%s %" PRIu64, i ? ", " : "",
			*name ? text_printable(name) : "copies of the program", sum->samples);
		if (sum->processes > 1)
			used += (size_t)snprintf(text + used, OTHERS_BYTES - used,
						 " (%" PRIu64 " processes)", sum->processes);
	}
	if (result->others_count > OTHERS_NAMED)
		snprintf(text + used, OTHERS_BYTES - used, ", and %zu other programs",
			 result->others_count - OTHERS_NAMED);
	return text;
}

/* Print notes about processes whose samples were not counted, with their share of all samples. */
static void notes_others(const struct sample_result *result, const char *what)
{
	char names[OTHERS_BYTES], time[128] = "";

	if (result->imported || !result->others)
		return;
	if (result->children) {
		tool_message("note: %" PRIu64 " of %" PRIu64 " %s, %.0f%%, are of processes "
			     "without recordings, since they had ended before their memory was "
			     "examined, or too many other processes have more samples: %s",
			     result->others, result->all, what,
			     100 * (double)result->others / (double)result->all,
			     others_names(result, names));
		return;
	}
	/*
	 * Print the processor time only if the program ran for some time, since the kernel reports
	 * it in steps of 10 ms.
	 */
	if (result->others_timed && result->program_ns >= 1000000000U)
		snprintf(time, sizeof(time),
			 " The processes that it has waited for took %.0f%% of the processor time.",
			 100 * fmin(1, (double)result->others_ns / (double)result->program_ns));
	tool_message("note: %" PRIu64 " of %" PRIu64 " %s, %.0f%%, are of processes that the "
		     "program has started, and do not count: %s.%s --children records these "
		     "processes separately",
		     result->others, result->all, what,
		     100 * (double)result->others / (double)result->all,
		     others_names(result, names), time);
}

/* Write a text such as "1 process" or "2 processes". */
static const char *processes_text(char text[64], uint64_t count)
{
	snprintf(text, 64, "%" PRIu64 " process%s", count, count == 1 ? "" : "es");
	return text;
}

/* Print notes about processes that the program has started. */
static void notes_children(const struct sample_result *result)
{
	char text[64];

	if (result->few)
		tool_message("note: %s with samples without recordings: only the program and the "
			     "%u other processes with the most samples have recordings",
			     processes_text(text, result->few), SAMPLE_PROCESSES_MAX - 1);
	if (result->went_on)
		tool_message("note: %s had not ended when the program ended: sampled until then",
			     processes_text(text, result->went_on));
	if (result->unsampled)
		tool_message("note: %s without samples from some time on, since the kernel has "
			     "ended the sampling: a program changes its user or its group "
			     "(setuid), or may not be read",
			     processes_text(text, result->unsampled));
	if (result->unlogged)
		tool_message("note: %s without names of heap blocks and phases: " NO_LOG
			     ", or more than %u processes logged theirs at the same time",
			     processes_text(text, result->unlogged), SAMPLE_PROCESSES_MAX);
}

/* Print notes about results that a user may not expect. */
static void notes_print(const struct sample_result *result)
{
	const char *what = result->source == SAMPLE_FAULTS ? "faults" : "samples";

	notes_none(result);
	if (result->lost)
		tool_message("note: %" PRIu64 " %s are lost: the kernel had no room for them",
			     result->lost, what);
	notes_others(result, what);
	notes_children(result);
	if (result->before)
		tool_message(
			"note: %" PRIu64
			" %s do not count, since the program has executed another program after "
			"them, and the memory of the other program is recorded",
			result->before, what);
	notes_memory(result);
	if (result->throttled)
		tool_message("note: the kernel has stopped the sampling %" PRIu64
			     " times, since it took too much time: samples are missing there",
			     result->throttled);
	if (result->spe)
		tool_message("note: the file lacks the samples that Arm SPE has lost: `perf report "
			     "--stdio -i` of the file that perf inject has read shows how often "
			     "samples were lost");
	if (result->imported && result->homeless)
		tool_message("note: %" PRIu64 " samples are of pages whose nodes the file does not "
			     "name: record with `perf mem record --phys-data`, as root, or use "
			     "`smile sample --source memory` on the machine itself, which gets the "
			     "nodes from the kernel",
			     result->homeless);
	if (!result->logs && !result->attached && !result->imported && !result->children)
		tool_message("note: blocks of the heap and phases have no names: " NO_LOG);
	if (result->log_lost)
		tool_message("note: %" PRIu64 " entries of the program's log are lost: some blocks "
			     "and phases have no name, or a wrong name",
			     result->log_lost);
	if (result->phases_lost)
		tool_message("note: the last phase stands for %" PRIu64
			     " more phases, with other names",
			     result->phases_lost);
	if (result->user_only)
		tool_message(
			"note: %s of system calls, such as read(2) into a buffer, are counted only "
			"for root, or with kernel.perf_event_paranoid at 1 or less",
			what);
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

/*
 * Check whether the options are compatible with each other, and whether there is exactly one
 * program or process to sample. @words: words of the program's command line, ended by NULL.
 */
static int options_check(const struct options *options, char **words)
{
	static const char *const live[] = {"source", "overhead",      "bind",
					   "place",  "no-huge-pages", "children"};
	static const char *const start[] = {"bind", "place", "no-huge-pages", "children"};

	if (options->import && *words)
		return tool_usage("--import and a program: give one of them");
	for (size_t i = 0; i < sizeof(live) / sizeof(live[0]) && options->import; i++)
		if (option_given(live[i]))
			return tool_usage("--%s has no effect on the samples in a file: give only "
					  "--import",
					  live[i]);
	if (options->import)
		return TOOL_OK;
	if (options->pid && *words)
		return tool_usage("-p and a program: give one of them");
	for (size_t i = 0; i < sizeof(start) / sizeof(start[0]) && options->pid; i++)
		if (option_given(start[i]))
			return tool_usage("--%s has no effect on a process that runs already",
					  start[i]);
	if (!options->pid && (!*words || !**words))
		return tool_usage("which program?");
	for (size_t i = 0; i < 2 && option_given("children"); i++)
		if (option_given(start[i]))
			return tool_usage(
				"--%s is for the threads and the memory of one program, "
				"and children inherit these settings: sample this program "
				"by itself, without --children",
				start[i]);
	return TOOL_OK;
}

/* Sample a program, and place its pages on the nodes that a placement file names. */
static int sample_placed(struct sample_config *config, struct options *options, char **program,
			 struct sample_result *result)
{
	int status = tool_result(place_request_read(&options->request, options->place));
	char missing[8192];
	struct place_nodes nodes;

	place_nodes_find(&nodes);
	/*
	 * Make the plan without binding threads. Whether threads are bound is read from the
	 * program's log.
	 */
	if (status == TOOL_OK)
		status = place_plan_prepare(&options->plan, &options->request, &nodes, 0, program);
	if (status != TOOL_OK)
		return status;
	config->library = run_file_look(PLACE_LIBRARY);
	if (!config->library) {
		run_file_missing(PLACE_LIBRARY, missing, sizeof(missing));
		return tool_error("%s", missing);
	}
	config->plan = &options->plan;
	return sample_run(config, program, result);
}

/*
 * Choose the source of the samples and the name of the recordings, and sample. Return: the exit
 * status.
 */
static int sample_it(struct sample_config *config, struct options *options, char **program,
		     struct sample_result *result)
{
	if (!options->prefix && !options->import)
		options->prefix = options->pid ? prefix_of_process(options->pid)
					       : recordings_prefix_of(*program);
	if (options->prefix && !*options->prefix)
		return tool_error("there is no process %" PRIu32, options->pid);
	config->prefix = options->prefix;
	config->pid = (pid_t)options->pid;
	config->quiet = options->quiet;
	if (options->import)
		return sample_import(config, options->import, result);
	if (options->pid)
		return sample_attach(config, result);
	if (options->place)
		return sample_placed(config, options, program, result);
	config->library = run_file_look(PLACE_LIBRARY);
	return sample_run(config, program, result);
}

int sample_main(int argc, char **argv)
{
	struct sample_config config = {.message = message, .overhead = OVERHEAD_PERCENT};
	struct options options = {.plan = {.fd = -1}};
	int bind = 0, small_pages = 0, children = 0;
	const struct tool_option table[] = {
		OPTION_TEXT("output", 'o', &options.prefix),
		OPTION_NUMBER("pid", 'p', 1, INT32_MAX, &options.pid),
		OPTION_INPUT("import", 0, &options.import),
		OPTION_TAKE("source", 0, source_take, &config.source),
		OPTION_TAKE("overhead", 0, overhead_take, &config.overhead),
		OPTION_FLAG("bind", 0, &bind),
		OPTION_INPUT("place", 0, &options.place),
		OPTION_FLAG("no-huge-pages", 0, &small_pages),
		OPTION_FLAG("children", 0, &children),
		OPTION_OUTPUT("json", 0, &options.json),
		OPTION_FLAG("quiet", 'q', &options.quiet),
		OPTION_HELP(sample_help),
		OPTION_END,
	};
	struct sample_result result = {.recorded = false};
	char *command_line, *name = argv[0];
	int status, reported = TOOL_OK;

	/*
	 * Pass "+", so that the parsing stops at the program: the arguments after it belong to the
	 * program.
	 */
	if (!option_table_parse(argc, argv, "+", table, &status))
		return status;
	status = options_check(&options, argv + optind);
	if (status != TOOL_OK)
		return status;
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	command_line = tool_command_line(argc, argv);
	argv[0] = name;
	config.command_line = command_line;
	config.bind = bind;
	config.small_pages = small_pages;
	config.children = children;
	child_signals(&config.passed_on);
	sigemptyset(&config.ends);
	sigaddset(&config.ends, SIGINT);
	sigaddset(&config.ends, SIGTERM);
	sigaddset(&config.ends, SIGHUP);
	status = sample_it(&config, &options, argv + optind, &result);
	free(command_line);
	if (result.recorded && !options.quiet)
		account_print(&options, &result);
	if (result.recorded && !options.quiet && options.place)
		place_outcome_print(&options.plan, &options.request);
	if (result.recorded)
		notes_print(&result);
	if (result.recorded && options.json)
		reported = json_write(options.json, &result);
	json_decref(result.latency);
	json_decref(result.thread_names);
	json_decref(result.homes);
	free(result.others_of);
	free(result.processes);
	place_plan_free(&options.plan);
	place_request_free(&options.request);
	free((char *)config.library);
	return reported == TOOL_OK ? status : reported;
}
