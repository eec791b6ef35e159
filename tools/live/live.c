// SPDX-License-Identifier: MIT
/*
 * Live: opens and closes the source for `smile top` and `smile serve`.
 *
 * A card or a capture is a session, as in `smile record`, whether it is recorded or not.
 */
#include "tools/live/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/recording_session.h"
#include "tools/common/tool.h"

/**
 * struct live_session - A source and its session.
 * @live: the source; first, so that live_end() finds the rest
 * @session: stops a card or a capture and completes its recording
 */
struct live_session {
	struct live live;
	struct recording_session session;
};

/* ---- the user's source --------------------------------------------------------------------- */

static int begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static enum live_kind kind_of(const char *source)
{
	if (begins(source, "emu:"))
		return LIVE_CAPTURE;
	if (begins(source, "dev:") || begins(source, "read:") || begins(source, "pci:") ||
	    begins(source, "/dev/smile"))
		return LIVE_CARD;
	return state_file_is(source) ? LIVE_STATES : LIVE_RECORDINGS;
}

static int sources_check(const struct live_options *options, enum live_kind kind)
{
	const char *first = options->sources_count ? options->sources[0] : "dev:0";

	for (int i = 0; options->sources_count > 1 && i < options->sources_count; i++)
		if (kind_of(options->sources[i]) == LIVE_STATES)
			return tool_usage("%s is a state file, which is watched alone; `smile "
					  "view` shows it beside recordings",
					  options->sources[i]);
	for (int i = 0; options->sources_count > 1 && i < options->sources_count; i++)
		if (kind_of(options->sources[i]) != LIVE_RECORDINGS)
			return tool_usage("%s cannot be watched together with others: only "
					  "recordings can, those of one run",
					  options->sources[i]);
	if (!strcmp(first, "emu:"))
		return tool_usage("emu: needs a capture: emu:CAPTURE");
	if (kind != LIVE_RECORDINGS && kind != LIVE_STATES)
		return TOOL_OK;
	if (options->output)
		return tool_usage("-o saves what a card or a capture counts; %s is a recording "
				  "already",
				  first);
	if (options->configured)
		return tool_usage("%s is a recording: it says how its card was configured, and no "
				  "option can change that",
				  first);
	return TOOL_OK;
}

/* "a.rec and 3 more" */
static void name_set(struct live *live, const struct live_options *options)
{
	const char *first = options->sources_count ? options->sources[0] : "dev:0";
	char more[32] = "";

	if (options->sources_count > 1)
		snprintf(more, sizeof(more), " and %d more", options->sources_count - 1);
	snprintf(live->name, sizeof(live->name), "%.*s%s", (int)(sizeof(live->name) - sizeof(more)),
		 first, more);
	text_printable(live->name);
}

/* ---- open ---------------------------------------------------------------------------------- */

/* Estimate the number of records from the file sizes; headers count as a few more records. */
static uint64_t backlog_of(const struct live_options *options)
{
	uint64_t bytes = 0;

	for (int i = 0; i < options->sources_count; i++) {
		const char *file = options->sources[i];
		struct stat status;

		if (!stat(begins(file, "file:") ? file + 5 : file, &status))
			bytes += (uint64_t)status.st_size;
	}
	return bytes / SMILE_RECORD_BYTES;
}

static int recordings_begin(struct live *live, const struct live_options *options)
{
	live->backlog = backlog_of(options);
	live->mon = recordings_open(options->sources, options->sources_count, NULL);
	if (!live->mon)
		return TOOL_ERROR;
	if (Monitor_follow(live->mon) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/* The Monitor is a card that nothing passes, so that all that asks for counts gets none. */
static int states_begin(struct live *live, const struct live_options *options)
{
	if (state_file_open(&live->state_file, options->sources[0]) < 0 ||
	    Monitor_open(&live->mon, "emu:") < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/* The driver's message names the card. The other process is likely a `smile` command. */
static int start_error(const char *source, int error)
{
	tool_error("%s", Monitor_error_message());
	if (error == -EBUSY)
		tool_message("if `smile record` or another program uses %s, end it, or watch the "
			     "recording that it writes",
			     source);
	return TOOL_ERROR;
}

static int session_begin(struct live_session *opened, const struct live_options *options)
{
	struct live *live = &opened->live;
	const char *given = options->sources_count ? options->sources[0] : "dev:0";
	struct recording_session *session = &opened->session;
	char *source;
	int error;

	if (asprintf(&source, "%s%s", *given == '/' ? "dev:" : "", given) < 0)
		return tool_error("no memory");
	session->source = live->name;
	session->file = options->output;
	error = Monitor_open(&live->mon, source);
	if (error < 0) {
		free(source);
		return start_error(given, error);
	}
	free(source);
	session->mon = live->mon;
	if (config_options_apply(options->config, live->mon) != TOOL_OK)
		return TOOL_ERROR;
	if (options->output && Monitor_save(live->mon, options->output, options->command_line) < 0)
		return tool_error("%s", Monitor_error_message());
	error = Monitor_start(live->mon);
	return error < 0 ? start_error(given, error) : TOOL_OK;
}

int live_open(struct live **out, const struct live_options *options)
{
	struct live_session *opened = calloc(1, sizeof(*opened));
	struct live *live;
	int status;

	if (!opened)
		return tool_error("no memory");
	live = &opened->live;
	live->kind = options->sources_count ? kind_of(options->sources[0]) : LIVE_CARD;
	name_set(live, options);
	status = sources_check(options, live->kind);
	if (status == TOOL_OK && live->kind == LIVE_STATES)
		status = states_begin(live, options);
	else if (status == TOOL_OK)
		status = live->kind == LIVE_RECORDINGS ? recordings_begin(live, options)
						       : session_begin(opened, options);
	if (status != TOOL_OK) {
		state_file_close(live->state_file);
		Monitor_close(live->mon);
		free(opened);
		return status;
	}
	live_begin(live, options->clock_ns);
	*out = live;
	return TOOL_OK;
}

/* ---- end ----------------------------------------------------------------------------------- */

/* Report the errors that occurred while nothing could be printed. */
static int troubles_report(const struct live *live)
{
	if (!live->troubles)
		return TOOL_OK;
	tool_error("%s", live->trouble);
	if (live->troubles > 1)
		tool_message("there were %llu errors; the last one is reported here",
			     (unsigned long long)live->troubles);
	return TOOL_ERROR;
}

static int session_end(struct live *live)
{
	struct recording_session *session = &((struct live_session *)live)->session;

	session->records = live->totals.records;
	/* A removed card can be neither stopped nor read. */
	if (live->state != LIVE_FAILED)
		session_stop(session);
	if (session->file)
		return session_close(session, 0);
	if (Monitor_close(session->mon) < 0 && live->state != LIVE_FAILED) {
		tool_error("%s", Monitor_error_message());
		session->failed = 1;
	}
	return session->failed ? TOOL_ERROR : TOOL_OK;
}

int live_end(struct live *live)
{
	int status = troubles_report(live), ended = TOOL_OK;

	state_file_close(live->state_file);
	if (live->kind == LIVE_RECORDINGS || live->kind == LIVE_STATES)
		Monitor_close(live->mon);
	else
		ended = session_end(live);
	free(live);
	return status != TOOL_OK ? status : ended;
}
