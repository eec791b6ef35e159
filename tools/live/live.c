// SPDX-License-Identifier: MIT
/*
 * Live: open and close the sources of `smile top` and `smile serve`.
 *
 * Each card or capture is opened as a recording session, like in `smile record`, even if its
 * records are not recorded.
 */
#include "tools/live/live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/live/files.h"
#include "tools/live/remote_recordings.h"
#include "tools/live/session.h"

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
	return !remote_is(source) && state_file_is(source) ? LIVE_STATES : LIVE_RECORDINGS;
}

static int is_recorded(enum live_kind kind)
{
	return kind == LIVE_RECORDINGS || kind == LIVE_STATES;
}

static int sources_check(const struct live_options *options, enum live_kind kind)
{
	const char *first = options->sources_count ? options->sources[0] : "dev:0";

	for (int i = 0; options->sources_count > 1 && i < options->sources_count; i++)
		if (kind_of(options->sources[i]) == LIVE_STATES)
			return tool_usage(
				"%s is a state file, which must be the only source; `smile "
				"view` shows it beside recordings",
				options->sources[i]);
	for (int i = 1; i < options->sources_count; i++)
		if (kind_of(options->sources[i]) != kind)
			return tool_usage("%s and %s cannot be watched together: give only "
					  "cards, only captures or only recordings",
					  first, options->sources[i]);
	for (int i = 0; i < options->sources_count; i++)
		if (!strcmp(options->sources[i], "emu:"))
			return tool_usage("emu: needs a capture: emu:CAPTURE");
	if (!is_recorded(kind))
		return TOOL_OK;
	if (options->output)
		return tool_usage(
			"-o saves the counts of a card or of a capture; %s is a recording already",
			first);
	if (options->configured)
		return tool_usage(
			"%s is a recording: it holds the configuration of its card, and no "
			"option can change that",
			first);
	return TOOL_OK;
}

/* Make the name of the source, such as "a.rec and 3 more". */
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

/*
 * Open a state file. The Monitor is an emulated card that receives no frames, so all its counts are
 * 0.
 */
static int states_begin(struct live *live, const struct live_options *options)
{
	if (state_file_open(&live->state_file, options->sources[0]) < 0 ||
	    Monitor_open(&live->mon, "emu:") < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/*
 * Report why a card could not be started. The driver's message names the card. If the card is busy,
 * its owner is probably another `smile` command.
 */
static int start_error(const char *source, int error)
{
	tool_error("%s", Monitor_error_message());
	if (error == -EBUSY)
		tool_message("if `smile record` or another program uses %s, end it, or watch the "
			     "recording that it writes",
			     source);
	return TOOL_ERROR;
}

/*
 * Make the name NAME-nodeN.rec from NAME or NAME.rec. Return: the name, which the caller must free;
 * NULL if memory ran out.
 */
static char *output_of_node(const char *output, unsigned int node)
{
	size_t length = strlen(output);
	char *name;

	if (length > 4 && !strcmp(output + length - 4, ".rec"))
		length -= 4;
	return asprintf(&name, "%.*s-node%u.rec", (int)length, output, node) < 0 ? NULL : name;
}

/*
 * Configure a card. If there are several sources, --node is the node id of the first source, and
 * the other sources get the following ids. Without --node, a card keeps its own id. Captures have
 * no id of their own, so they get the ids from 0 on.
 */
static int session_configure(struct recording_session *session, const struct live_options *options,
			     enum live_kind kind, size_t index)
{
	struct config_options config = *options->config;

	if (options->sources_count > 1 && (config.node_given || kind == LIVE_CAPTURE)) {
		config.config.node = (config.node_given ? config.config.node : 0) + (__u32)index;
		config.node_given = 1;
	}
	return config_options_apply(&config, session->mon);
}

/*
 * Record the counts of this card into a file without a name. The server offers this file to other
 * servers.
 */
static int session_offer(struct live_session *opened, size_t index,
			 const struct live_options *options)
{
	char path[LIVE_FILE_PATH_BYTES];

	opened->files[index] = live_file_new();
	if (opened->files[index] < 0)
		return tool_error("no file can be made for the recording that is offered: %s; set "
				  "TMPDIR to another folder",
				  strerror(errno));
	if (Monitor_save(opened->sessions[index].mon,
			 live_file_path(opened->files[index], path) + strlen("file:"),
			 options->command_line) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/* If the card must be recorded, create its recording. */
static int session_save(struct live_session *opened, size_t index,
			const struct live_options *options)
{
	struct recording_session *session = &opened->sessions[index];
	struct smile_info info;
	char *file;

	if (!options->output)
		return opened->files ? session_offer(opened, index, options) : TOOL_OK;
	if (Monitor_info(session->mon, &info) < 0)
		return tool_error("%s", Monitor_error_message());
	file = options->sources_count > 1 ? output_of_node(options->output, info.config.node)
					  : strdup(options->output);
	if (!file)
		return tool_error("no memory");
	session->file = file;
	if (Monitor_save(session->mon, file, options->command_line) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

static int session_begin(struct live_session *opened, const struct live_options *options,
			 size_t index)
{
	const char *given = options->sources_count ? options->sources[index] : "dev:0";
	struct recording_session *session = &opened->sessions[index];
	char *source;
	int error;

	if (asprintf(&source, "%s%s", *given == '/' ? "dev:" : "", given) < 0)
		return tool_error("no memory");
	session->source = opened->live.members[index].name;
	error = Monitor_open(&session->mon, source);
	free(source);
	if (error < 0)
		return start_error(given, error);
	return session_configure(session, options, opened->live.kind, index);
}

/* When all sources are open and have their node ids, merge them into one view. */
static int members_merge(struct live_session *opened, const struct live_options *options)
{
	struct live *live = &opened->live;
	struct Monitor **parts = calloc(live->members_count, sizeof(struct Monitor *));
	int status = TOOL_OK, error;

	if (!parts)
		return tool_error("no memory");
	for (size_t i = 0; i < live->members_count; i++)
		parts[i] = live->members[i].mon = opened->sessions[i].mon;
	live->mon = parts[0];
	if (live->members_count > 1) {
		error = Monitor_merge(&opened->merged, parts, live->members_count);
		live->mon = opened->merged;
		if (error == -EEXIST)
			status = tool_error("%s: --node N gives the first source the id N, and the "
					    "others the next ids",
					    Monitor_error_message());
		else if (error < 0)
			status = tool_error("%s", Monitor_error_message());
	}
	free(parts);
	for (size_t i = 0; status == TOOL_OK && i < live->members_count; i++)
		status = session_save(opened, i, options);
	return status;
}

static int members_begin(struct live_session *opened, const struct live_options *options)
{
	struct live *live = &opened->live;
	int status = TOOL_OK, error;

	live->members_count = options->sources_count ? (size_t)options->sources_count : 1;
	live->members = calloc(live->members_count, sizeof(*live->members));
	opened->sessions = calloc(live->members_count, sizeof(*opened->sessions));
	opened->files = options->offered && !options->output
				? malloc(live->members_count * sizeof(*opened->files))
				: NULL;
	if (!live->members || !opened->sessions ||
	    (options->offered && !options->output && !opened->files))
		return tool_error("no memory");
	for (size_t i = 0; opened->files && i < live->members_count; i++)
		opened->files[i] = -1;
	for (size_t i = 0; status == TOOL_OK && i < live->members_count; i++) {
		snprintf(live->members[i].name, sizeof(live->members[i].name), "%s",
			 options->sources_count ? options->sources[i] : "dev:0");
		text_printable(live->members[i].name);
		status = session_begin(opened, options, i);
	}
	if (status == TOOL_OK)
		status = members_merge(opened, options);
	if (status != TOOL_OK)
		return status;
	error = Monitor_start(live->mon);
	if (error < 0)
		return start_error(live->name, error);
	live_begin(live, options->clock_ns);
	return TOOL_OK;
}

static void session_free(struct live_session *opened)
{
	for (size_t i = 0; opened->sessions && i < opened->live.members_count; i++)
		free((char *)(uintptr_t)opened->sessions[i].file);
	for (size_t i = 0; opened->files && i < opened->live.members_count; i++)
		if (opened->files[i] >= 0)
			close(opened->files[i]);
	free(opened->files);
	free(opened->sessions);
	free(opened->live.members);
	free(opened);
}

/* Close the sources that belong to no member. */
static void sources_close(struct live_session *opened)
{
	struct live *live = &opened->live;

	state_file_close(live->state_file);
	if (live->kind == LIVE_STATES)
		Monitor_close(live->mon);
	if (live->kind == LIVE_RECORDINGS)
		recorded_end(opened);
	Monitor_close(opened->merged);
}

/* If a source could not be opened, close the other sources, and free all memory. */
static void abandon(struct live_session *opened)
{
	const struct live *live = &opened->live;

	sources_close(opened);
	for (size_t i = 0; opened->sessions && i < live->members_count; i++)
		Monitor_close(opened->sessions[i].mon);
	session_free(opened);
}

int live_open(struct live **out, const struct live_options *options)
{
	struct live_session *opened = calloc(1, sizeof(*opened));
	struct live *live;
	int status;

	if (!opened)
		return tool_error("no memory");
	live_files_allow();
	live = &opened->live;
	opened->options = options;
	live->kind = options->sources_count ? kind_of(options->sources[0]) : LIVE_CARD;
	name_set(live, options);
	status = sources_check(options, live->kind);
	if (status != TOOL_OK) {
		free(opened);
		return status;
	}
	if (live->kind == LIVE_STATES) {
		status = states_begin(live, options);
		if (status == TOOL_OK)
			live_begin(live, options->clock_ns);
	} else if (live->kind == LIVE_RECORDINGS) {
		status = recorded_begin(opened);
	} else {
		status = members_begin(opened, options);
	}
	if (status != TOOL_OK) {
		abandon(opened);
		return status;
	}
	*out = live;
	return TOOL_OK;
}

unsigned int live_attend(struct live *live)
{
	return live->kind == LIVE_RECORDINGS ? recorded_attend((struct live_session *)live) : 0;
}

uint64_t live_anew(const struct live *live)
{
	return ((const struct live_session *)live)->anew;
}

int live_behind(const struct live *live)
{
	return ((const struct live_session *)live)->behind;
}

const struct live_options *live_options_of(const struct live *live)
{
	return ((const struct live_session *)live)->options;
}

int live_recording(const struct live *live, size_t index)
{
	const struct live_session *opened = (const struct live_session *)live;
	char path[LIVE_FILE_PATH_BYTES];
	const char *file = NULL;
	int fd;

	if (live->kind == LIVE_RECORDINGS)
		return recorded_file(opened, index);
	if (opened->files)
		file = live_file_path(opened->files[index], path) + strlen("file:");
	else if (opened->sessions)
		file = opened->sessions[index].file;
	if (!file)
		return -ENOENT;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
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

static int session_end(const struct live_member *member, struct recording_session *session)
{
	session->records = member->records;
	/* If a card was removed, it can be neither stopped nor read. */
	if (member->state != LIVE_FAILED)
		session_stop(session);
	if (session->file)
		return session_close(session, 0);
	if (Monitor_close(session->mon) < 0 && member->state != LIVE_FAILED) {
		tool_error("%s", Monitor_error_message());
		session->failed = 1;
	}
	return session->failed ? TOOL_ERROR : TOOL_OK;
}

int live_end(struct live *live)
{
	struct live_session *opened = (struct live_session *)live;
	int status = troubles_report(live);

	sources_close(opened);
	for (size_t i = 0; opened->sessions && i < live->members_count; i++)
		if (session_end(&live->members[i], &opened->sessions[i]) != TOOL_OK)
			status = TOOL_ERROR;
	session_free(opened);
	return status;
}
