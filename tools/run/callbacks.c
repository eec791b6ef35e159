// SPDX-License-Identifier: MIT
/*
 * smile run: implement the callbacks of the run.
 *
 * What lives here: struct run_ops, which has the callbacks for messages, signals, progress, the
 * configuration of a card, and the summary at the end.
 */
#include "tools/run/run_command.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/output.h"
#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

static void message(void *opaque, const char *text)
{
	tool_message("%s", text);
}

static int configure(void *opaque, unsigned node, struct Monitor *mon)
{
	const struct run_options *options = opaque;
	struct config_options card = options->card;

	card.config.node = node;
	card.node_given = 1;
	card.counts = !options->run.records;
	return config_options_apply(&card, mon) == TOOL_OK ? 0 : -EINVAL;
}

static void catch_signals(void *opaque, pid_t guard)
{
	signals_catch_guarded(guard);
}

static void count_signals(void *opaque, struct run_signals *signals)
{
	static struct run_signals all;

	all.ends = (unsigned)signals_count();
	all.terminates += signals_terminate() != 0;
	all.hangups += signals_hangup() != 0;
	all.interrupts += signals_interrupt_sent() != 0;
	*signals = all;
}

/*
 * Check whether progress may be shown. Progress must not overwrite the program's own output or its
 * prompts on the terminal.
 */
static int progress_wanted(const struct run_options *options)
{
	static int alone = -1;

	if (options->quiet)
		return 0;
	if (options->run.workload)
		return 1;
	if (alone < 0)
		alone = !isatty(STDIN_FILENO) && !isatty(STDOUT_FILENO);
	return alone;
}

/*
 * Estimate how many times slower the run is than the native program. The estimate assumes that the
 * native program needs a nanosecond per instruction. It also assumes that the native program runs
 * on as many processors as it has threads, or on all processors of the host if they are fewer.
 */
static double slowdown_estimate(const struct run *run, const struct schedule_statistics *statistics)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t threads = statistics->threads ? statistics->threads : 1;
	double native_ns;

	if (processors < 1)
		processors = 1;
	if (threads > (uint64_t)processors)
		threads = (uint64_t)processors;
	native_ns = (double)statistics->instructions / (double)threads;
	return native_ns > 0 ? (double)run_elapsed_ns(run) / native_ns : 0;
}

static void progress(void *opaque, const struct run *run)
{
	struct schedule_statistics statistics;
	char accesses[TEXT_COUNT_BYTES];
	double slowdown;
	uint64_t all = 0;

	if (!progress_wanted(opaque) || !progress_due())
		return;
	schedule_statistics(run->schedule, &statistics);
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		all += statistics.accesses[type];
	slowdown = slowdown_estimate(run, &statistics);
	progress_show("simulated %.3f s; %s accesses; about %.*f times slower than native",
		      (double)schedule_now(run->schedule) / (double)machine_frequency(run->machine),
		      text_count(accesses, all), slowdown < 10 ? 1 : 0, slowdown);
}

static int ended(void *opaque, const struct run *run)
{
	progress_clear();
	return run_report(run, opaque);
}

/* Check whether a file is one of the files PREFIX-nodeN.TYPE. */
static bool is_of_node(const struct run_options *options, const char *file, const char *prefix,
		       const char *type)
{
	char name[PATH_MAX];
	bool is = false;

	for (unsigned n = 0; prefix && !is && n < options->run.nodes; n++) {
		snprintf(name, sizeof(name), "%s-node%u.%s", prefix, n, type);
		is = !strcmp(name, file);
	}
	return is;
}

int run_command(struct run_options *options, char **command, int argc, char **argv)
{
	static const struct run_ops ops = {
		.message = message,
		.configure = configure,
		.catch = catch_signals,
		.signals = count_signals,
		.progress = progress,
		.ended = ended,
	};
	const char *json = options->json;
	char *line;
	int status;

	if (json && (is_of_node(options, json, options->run.prefix, "rec") ||
		     is_of_node(options, json, options->run.capture, "pcap")))
		return tool_usage("--json: %s is a file of the run, too: give another file", json);
	line = tool_command_line(argc, argv);
	if (!line)
		return tool_error("no memory");
	options->run.command_line = line;
	options->run.responses = config_options_responses(&options->card);
	options->run.ops = &ops;
	options->run.opaque = options;
	status = run_execute(&options->run, command);
	free(line);
	return status;
}
