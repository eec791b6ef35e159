// SPDX-License-Identifier: MIT
/*
 * smile record: record the counts of a card, for a given time or while a command runs.
 */
#include "tools/common/option_form.h"
#include "tools/common/option_table.h"
#include "tools/common/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tools/common/child.h"
#include "tools/common/config_options.h"
#include "tools/common/node_adapter.h"
#include "tools/common/output.h"
#include "tools/common/program_names.h"
#include "tools/common/recording_session.h"
#include "tools/common/signals.h"
#include "tools/common/static_reads.h"

static const char *const record_help[] = {
#include "tools/help/record.h"
	NULL,
};

/* The longest time between two checks of the clock, of the child process and of the link. */
#define RECORD_POLL_MS 100
/* The shortest time between two swaps of the counters. */
#define SWAP_MIN_NS 100000000ULL

/**
 * struct record - The user's options.
 * @device: name of the source
 * @file: name of the output file
 * @options: configuration of the card
 * @duration_ns: duration of the recording; 0: no limit
 * @swap_ns: time between two swaps of the counters while the card counts; 0: do not swap
 * @wait_link_ns: time limit for the wait until the link is up
 * @wait_link: wait until the link is up
 * @until_link_down: stop when the link goes down
 * @read: read records by read() instead of from the mapped ring
 * @json: print the summary as JSON
 * @reads: static counters that are read or reset while the card runs
 * @command: the command to run, ended by NULL; or NULL
 * @ends: @device is a capture, which has an end
 */
struct record {
	const char *device;
	const char *file;
	struct config_options options;
	uint64_t duration_ns;
	uint64_t swap_ns;
	uint64_t wait_link_ns;
	int wait_link;
	int until_link_down;
	int read;
	int json;
	struct static_reads reads;
	char **command;
	int ends;
};

static int link_is_up(struct Monitor *mon)
{
	struct smile_statistics statistics;

	return Monitor_statistics(mon, &statistics) >= 0 && (statistics.status & SMILE_INFO_LINK);
}

static int wait_for_link(const struct record *record, struct recording_session *session)
{
	uint64_t end_ns = tool_now_ns() + record->wait_link_ns;
	const struct timespec pause = {.tv_nsec = RECORD_POLL_MS * 1000000L};

	while (!link_is_up(session->mon)) {
		if (signals_count())
			return tool_error("interrupted while waiting for the B-Link of %s",
					  session->source);
		if (tool_now_ns() >= end_ns)
			return tool_error("%s: the B-Link is still down; is the SCI adapter "
					  "cabled and its driver loaded? --wait-link waits longer",
					  session->source);
		nanosleep(&pause, NULL);
	}
	return TOOL_OK;
}

/*
 * End the phase, if the user has requested it. If the card refuses the mark, report this and
 * continue to record.
 */
static void phases_mark(struct recording_session *session)
{
	if (signals_mark() && Monitor_event(session->mon, 0) < 0)
		tool_message("SIGUSR1 has ended no phase: %s", Monitor_error_message());
}

static void record_until_end(struct record *record, struct recording_session *session,
			     struct child *child)
{
	uint64_t end_ns = tool_now_ns() + record->duration_ns;
	uint64_t swap_ns = tool_now_ns() + record->swap_ns;
	int was_up = link_is_up(session->mon);

	for (;;) {
		if (session_poll(session, static_reads_wait_ms(&record->reads, RECORD_POLL_MS)) < 0)
			return;
		phases_mark(session);
		if (static_reads_run(&record->reads, session->mon) < 0) {
			tool_error("%s", Monitor_error_message());
			session->failed = 1;
			return;
		}
		if (record->swap_ns && tool_now_ns() >= swap_ns) {
			if (session_swap(session) < 0)
				return;
			swap_ns = tool_now_ns() + record->swap_ns;
		}
		if (child_ended(child))
			return;
		/*
		 * Ctrl-C at a terminal reaches the command, too. At the first signal, wait until
		 * the command ends.
		 */
		if (signals_count() > (child->running ? 1 : 0))
			return;
		if (record->duration_ns && tool_now_ns() >= end_ns)
			return;
		if (record->ends && Monitor_ended(session->mon))
			return;
		if (!record->until_link_down)
			continue;
		was_up = was_up || session->records || link_is_up(session->mon);
		if (was_up && Monitor_ended(session->mon))
			return;
	}
}

static int record_session(struct record *record, struct recording_session *session)
{
	struct node_adapter adapter;
	int names = record->command ? program_names_begin(session->mon) : -1;
	struct child child = {0};
	int status;

	node_adapter_begin(&adapter);
	if (record->wait_link && wait_for_link(record, session) != TOOL_OK) {
		session->failed = 1;
	} else if (Monitor_start(session->mon) < 0) {
		tool_error("%s", Monitor_error_message());
		session->failed = 1;
	} else if (record->command && child_start(&child, record->command) != TOOL_OK) {
		session->failed = 1;
	} else {
		static_reads_begin(&record->reads);
		record_until_end(record, session, &child);
	}
	session_stop(session);
	program_names_end(names, session->mon);
	/*
	 * Do not add data of this machine's adapter to a recording of a capture, because the
	 * capture is from another machine.
	 */
	if (!record->ends && node_adapter_end(&adapter, session->mon) < 0) {
		tool_error("%s", Monitor_error_message());
		session->failed = 1;
	}
	if (!session->failed && static_reads_end(&record->reads, session->mon) < 0) {
		tool_error("%s", Monitor_error_message());
		session->failed = 1;
	}
	status = session_close(session, record->json);
	if (child.running)
		tool_message("recording has ended; waiting for %s", record->command[0]);
	child_wait(&child);
	return status != TOOL_OK || !child.started ? status : child.status;
}

/* Get the name of the source: "dev:0", or with --read "read:0". */
static char *record_source(const struct record *record)
{
	const char *device = record->device;
	const char *prefix = "";
	char *source;

	if (device[0] == '/')
		prefix = record->read ? "read:" : "dev:";
	else if (record->read && !strncmp(device, "dev:", 4)) {
		prefix = "read:";
		device += 4;
	}
	if (asprintf(&source, "%s%s", prefix, device) < 0)
		return NULL;
	return source;
}

static int swap_take(void *swap_ns, const char *text)
{
	if (tool_seconds("--swap", text, swap_ns))
		return TOOL_ERROR;
	if (*(uint64_t *)swap_ns < SWAP_MIN_NS)
		return tool_usage("--swap: %s seconds are too few: give 0.1 or more", text);
	return TOOL_OK;
}

static int record_run(struct record *record, int argc, char **argv)
{
	struct recording_session session;
	char *source, *line;
	int status = record->command ? child_check(record->command) : TOOL_OK;

	if (status != TOOL_OK)
		return status;
	source = record_source(record);
	line = tool_command_line(argc, argv);
	if (!source || !line) {
		status = tool_error("no memory");
	} else {
		signals_catch();
		signals_catch_mark();
		status = session_open(&session, source, record->file, &record->options, line);
		if (status == TOOL_OK)
			status = record_session(record, &session);
	}
	free(line);
	free(source);
	return status;
}

static int duration_take(void *duration_ns, const char *text)
{
	if (tool_seconds("--duration", text, duration_ns))
		return TOOL_ERROR;
	if (!*(uint64_t *)duration_ns)
		return tool_usage("--duration: 0 seconds record nothing");
	return TOOL_OK;
}

int record_main(int argc, char **argv)
{
	struct record record = {.device = "dev:0", .file = "smile.rec"};
	char *name = argv[0];
	const struct tool_option options[] = {
		OPTION_INPUT("device", 'd', &record.device),
		OPTION_OUTPUT("output", 'o', &record.file),
		OPTION_TAKE("duration", 0, duration_take, &record.duration_ns),
		OPTION_SECONDS("wait-link", 0, &record.wait_link_ns),
		OPTION_TAKE("swap", 0, swap_take, &record.swap_ns),
		OPTION_FLAG("until-link-down", 0, &record.until_link_down),
		OPTION_FLAG("read", 0, &record.read),
		OPTION_FLAG("json", 0, &record.json),
		OPTION_TAKE("read-static", 0, static_reads_take, &record.reads),
		OPTION_TAKE("reset-static", 0, static_resets_take, &record.reads),
		OPTION_FLAG("counts", 0, &record.options.counts),
		OPTION_HELP(record_help),
		OPTION_CARD(&record.options),
		OPTION_END,
	};
	int status;

	config_options_init(&record.options);
	/*
	 * "+": stop at the first argument that is not an option; options after it belong to the
	 * command.
	 */
	if (!option_table_parse(argc, argv, "+", options, &status))
		return status;
	record.reads.json = record.json;
	record.wait_link = option_given("wait-link");
	if (optind < argc)
		record.command = argv + optind;
	if (!strncmp(record.device, "file:", 5))
		return tool_usage("%s is a recording already; see `smile report`", record.device);
	if (!strcmp(record.device, "emu:"))
		return tool_usage("emu: needs a capture: -d emu:CAPTURE");
	if (config_options_check(&record.options) != TOOL_OK)
		return TOOL_ERROR;
	if (static_reads_check(&record.reads, record.options.specs_count) != TOOL_OK)
		return TOOL_ERROR;
	record.ends = !strncmp(record.device, "emu:", 4);
	if (record.ends &&
	    option_form_idle("a capture", "read wait-link until-link-down") != TOOL_OK)
		return TOOL_ERROR;
	argv[0] = strrchr(name, ' ') ? strrchr(name, ' ') + 1 : name;
	return record_run(&record, argc, argv);
}
