// SPDX-License-Identifier: MIT
/*
 * Recorded source: a live source whose data is recordings, in files of this machine and from other
 * machines.
 *
 * What lives here: the view of all recordings that exist. If a recording appears later, or is
 * restarted, it cannot be added to a view that has read records. The view is then made again from
 * all recordings. This is possible because all their records are in files.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/array.h>
#include <base/clock.h>

#include "lib/analysis/run_facts.h"
#include "lib/analysis/text.h"
#include "tools/common/recordings.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/live/files.h"
#include "tools/live/remote_recordings.h"
#include "tools/live/session.h"

/* The longest time that the first view waits for other machines. */
#define FIRST_NS 2000000000ULL
#define FIRST_MS 5
/* The time between two checks of the files. */
#define LOOK_NS 500000000ULL

/**
 * struct recorded_source - One of the sources that the user has named.
 * @name: the name that the user gave
 * @path: "file:PATH" of a file; NULL: the source is another machine
 * @remote: the connection to another machine; NULL: the source is a file
 * @there: the recordings of the source exist, and must be in the view
 * @first: index of the first member of the view that is a recording of this source
 * @members: number of these members; 1 while the source's first recording is awaited
 * @file: state of the file when it was last opened; its inode number is 0 if it was never opened
 * @start_ns: time at which the recording in the file began
 * @refused: the reason why the source cannot be in the view; "" if it can be
 * @before: a text with the counts of the source before its restart; "" if it was not restarted
 */
struct recorded_source {
	const char *name;
	char *path;
	struct remote *remote;
	int there;
	size_t first;
	size_t members;
	struct stat file;
	uint64_t start_ns;
	char refused[LIVE_TEXT_BYTES];
	char before[LIVE_TEXT_BYTES];
};

/**
 * struct view - A view, while it is made.
 * @members: the members of the view
 * @room: capacity of @members
 * @count: number of members
 * @open: number of members with an open Monitor
 * @mon: the Monitor of the view
 * @merged: the Monitor that merges several members; NULL: at most one member is open
 * @empty: the Monitor of a view that has no recordings yet; otherwise NULL
 * @firsts: for each source the index of its first member; and at the end the number of members
 */
struct view {
	struct live_member *members;
	size_t room;
	size_t count;
	size_t open;
	struct Monitor *mon;
	struct Monitor *merged;
	struct Monitor *empty;
	size_t *firsts;
};

static size_t sources_count(const struct live_session *session)
{
	return (size_t)session->options->sources_count;
}

/* ---- a view --------------------------------------------------------------------------------- */

static void view_close(struct view *view)
{
	Monitor_close(view->merged);
	for (size_t i = 0; i < view->count; i++)
		Monitor_close(view->members[i].mon);
	Monitor_close(view->empty);
	free(view->members);
	free(view->firsts);
}

/*
 * Add a member to the view. @path: path of the recording; NULL: it does not exist yet. Return: 0;
 * -errno with a message.
 */
static int member_add(struct view *view, const struct recorded_source *source, const char *path)
{
	struct live_member *member;
	int error = 0;

	if (array_reserve(&view->members, &view->room, view->count, sizeof(*view->members)))
		return Monitor_error_set(ENOMEM, "no memory");
	member = &view->members[view->count++];
	*member = (struct live_member){.state = path ? LIVE_RUNNING : LIVE_AWAITED};
	snprintf(member->name, sizeof(member->name), "%s", source->name);
	text_printable(member->name);
	if (!path)
		return 0;
	error = Monitor_open(&member->mon, path);
	if (error >= 0)
		error = Monitor_follow(member->mon);
	view->open++;
	return error;
}

static int source_add(struct view *view, const struct recorded_source *source)
{
	char path[LIVE_FILE_PATH_BYTES];
	int error = 0;

	if (!source->there)
		error = member_add(view, source, NULL);
	else if (source->path)
		error = member_add(view, source, source->path);
	for (size_t i = 0; source->there && source->remote && !error; i++) {
		if (i == remote_count(source->remote))
			break;
		error = member_add(view, source,
				   live_file_path(remote_file(source->remote, i), path));
	}
	return error;
}

/*
 * Check that either all recordings hold samples, or none. The header of a recording contains this
 * property, so it is known even while another machine still sends the recording. Return: 0; -EINVAL
 * with a message.
 */
static int kinds_check(const struct view *view)
{
	const struct live_member *first = NULL;

	for (size_t i = 0; i < view->count; i++) {
		const struct live_member *member = &view->members[i];

		if (!member->mon)
			continue;
		if (!first)
			first = member;
		else if (run_facts_are_sampled(first->mon) != run_facts_are_sampled(member->mon))
			return Monitor_error_set(
				EINVAL,
				"%s is not of the same kind as %s: samples and exact counts are "
				"not added up",
				member->name, first->name);
	}
	return 0;
}

/* Refuse a view with recordings of samples of two processes. Return: 0; -EINVAL with a message. */
static int processes_check(const struct view *view)
{
	char text[RECORDINGS_TEXT_BYTES];
	struct recordings_part first = {NULL, NULL};

	for (size_t i = 0; i < view->count; i++) {
		struct recordings_part part = {view->members[i].name, view->members[i].mon};

		if (!part.mon)
			continue;
		if (first.mon && recordings_of_two(&first, &part, text))
			return Monitor_error_set(EINVAL, "%s", text);
		if (!first.mon)
			first = part;
	}
	return 0;
}

/* Merge the open members into one Monitor. Return: 0; -errno with a message. */
static int view_merge(struct view *view)
{
	struct Monitor **parts = calloc(view->open + 1, sizeof(struct Monitor *));
	size_t count = 0;
	int error = 0;

	if (!parts)
		return Monitor_error_set(ENOMEM, "no memory");
	for (size_t i = 0; i < view->count; i++)
		if (view->members[i].mon)
			parts[count++] = view->members[i].mon;
	if (!count)
		error = Monitor_open(&view->empty, "emu:");
	else if (count > 1)
		error = Monitor_merge(&view->merged, parts, count);
	view->mon = view->empty ? view->empty : view->merged ? view->merged : parts[0];
	free(parts);
	return error;
}

static int view_make(struct view *view, struct live_session *session)
{
	size_t count = sources_count(session);
	int error = 0;

	*view = (struct view){.firsts = calloc(count + 1, sizeof(*view->firsts))};
	if (!view->firsts)
		return Monitor_error_set(ENOMEM, "no memory");
	for (size_t i = 0; i < count && !error; i++) {
		error = source_add(view, &session->sources[i]);
		view->firsts[i + 1] = view->count;
	}
	if (!error)
		error = kinds_check(view);
	if (!error)
		error = processes_check(view);
	if (!error)
		error = view_merge(view);
	if (error < 0)
		view_close(view);
	return error;
}

static void view_end(struct live_session *session)
{
	struct view view = {.members = session->live.members,
			    .count = session->live.members_count,
			    .merged = session->merged,
			    .empty = session->empty};

	view_close(&view);
	session->live.members = NULL;
	session->live.members_count = 0;
	session->merged = session->empty = session->live.mon = NULL;
}

int recorded_file(const struct live_session *session, size_t index)
{
	for (size_t i = 0; i < sources_count(session); i++) {
		const struct recorded_source *source = &session->sources[i];
		char path[LIVE_FILE_PATH_BYTES];
		const char *file = source->path;
		int fd;

		if (index < source->first || index >= source->first + source->members)
			continue;
		if (!source->there)
			return -EAGAIN;
		if (source->remote)
			file = live_file_path(remote_file(source->remote, index - source->first),
					      path);
		fd = open(file + strlen("file:"), O_RDONLY | O_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	return -ENOENT;
}

/*
 * Estimate the number of unread records from the sizes of the files. The headers add a few records
 * to the estimate.
 */
static uint64_t backlog_of(const struct live_session *session)
{
	uint64_t bytes = 0;
	struct stat status;

	for (size_t i = 0; i < sources_count(session); i++) {
		const struct recorded_source *source = &session->sources[i];

		if (source->path && !stat(source->path + strlen("file:"), &status))
			bytes += (uint64_t)status.st_size;
		for (size_t k = 0; source->remote && k < remote_count(source->remote); k++)
			if (!fstat(remote_file(source->remote, k), &status))
				bytes += (uint64_t)status.st_size;
	}
	return bytes / SMILE_RECORD_BYTES;
}

static void view_show(struct live_session *session, const struct view *view)
{
	struct live *live = &session->live;

	view_end(session);
	live->mon = view->mon;
	live->members = view->members;
	live->members_count = view->count;
	live->backlog = backlog_of(session);
	session->merged = view->merged;
	session->empty = view->empty;
	session->anew++;
	for (size_t i = 0; i < sources_count(session); i++) {
		struct recorded_source *source = &session->sources[i];
		struct Monitor_origin origin;

		source->first = view->firsts[i];
		source->members = view->firsts[i + 1] - source->first;
		if (source->there && source->path &&
		    Monitor_origin(live->members[source->first].mon, &origin) >= 0)
			source->start_ns = origin.start_ns;
	}
	free(view->firsts);
	live_begin(live, session->options->clock_ns);
}

/* ---- changes of the files ------------------------------------------------------------------- */

/*
 * Check whether the file is of a type from which a read can block. While a read blocked, the view
 * could not be updated.
 */
static bool can_block(const struct stat *status)
{
	return S_ISFIFO(status->st_mode) || S_ISCHR(status->st_mode) || S_ISSOCK(status->st_mode);
}

static int can_block_error(const struct recorded_source *source)
{
	return Monitor_error_set(EINVAL,
				 "%s is a pipe, a device or a socket: a live view needs a file, "
				 "such as `smile record -o FILE` writes",
				 source->name);
}

/*
 * Check whether the recording exists. An empty file does not count, since the recorder has not
 * written it yet.
 */
static int file_is_there(const struct recorded_source *source, struct stat *status)
{
	return !stat(source->path + strlen("file:"), status) &&
	       (status->st_size || !S_ISREG(status->st_mode));
}

static int is_running(const struct live_session *session, const struct recorded_source *source)
{
	for (size_t i = 0; i < source->members; i++)
		if (session->live.members[source->first + i].state == LIVE_RUNNING)
			return 1;
	return 0;
}

static void source_refuse(struct recorded_source *source)
{
	snprintf(source->refused, sizeof(source->refused), "%s", Monitor_error_message());
	text_printable(source->refused);
}

static int file_is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/*
 * Check whether the file's time is old enough. A file that has changed just now can change again
 * without a change of its time, because the time has a limited resolution.
 */
static bool is_settled(const struct stat *status)
{
	return clock_time_ns(CLOCK_REALTIME) / 1000000000 > (uint64_t)status->st_ctim.tv_sec + 1;
}

/*
 * Check whether a recorder has started or restarted the recording in the file. A recording that was
 * already in the view, or that was refused, has not been restarted if its file has only grown.
 */
static int file_has_begun(const struct live_session *session, struct recorded_source *source)
{
	struct Monitor_origin origin;
	struct Monitor *mon = NULL;
	struct stat status;
	int begun;

	if (is_running(session, source) || !file_is_there(source, &status) ||
	    file_is_same(&status, &source->file))
		return 0;
	if (is_settled(&status))
		source->file = status;
	if ((can_block(&status) ? can_block_error(source) : Monitor_open(&mon, source->path)) < 0) {
		if (!source->there)
			source_refuse(source);
		return 0;
	}
	begun = Monitor_origin(mon, &origin) >= 0 && origin.start_ns != source->start_ns;
	if (begun)
		source->start_ns = origin.start_ns;
	Monitor_close(mon);
	return begun;
}

/* Note the counts of a source's members, because the new view will not contain these counts. */
static void before_write(const struct live_session *session, struct recorded_source *source)
{
	uint64_t delivered = 0, lost = 0;
	char text[2][TEXT_COUNT_BYTES];
	int any = 0;

	for (size_t i = 0; i < source->members; i++) {
		const struct live_member *member = &session->live.members[source->first + i];

		any |= member->state != LIVE_AWAITED;
		delivered += member->loss.delivered;
		lost += member->loss.lost;
	}
	if (any)
		snprintf(
			source->before, sizeof(source->before),
			"it was begun again: its counts before, %s delivered + %s lost, are not in "
			"the view",
			text_count(text[0], delivered), text_count(text[1], lost));
}

static void remarks_write(struct live_session *session)
{
	for (size_t i = 0; i < sources_count(session); i++) {
		const struct recorded_source *source = &session->sources[i];
		const char *why = source->remote ? remote_trouble(source->remote) : "";

		if (!source->there && source->path)
			why = "there is no such recording yet";
		if (*source->refused)
			why = source->refused;
		for (size_t k = 0; k < source->members; k++) {
			struct live_member *member = &session->live.members[source->first + k];

			snprintf(member->remark, sizeof(member->remark), "%.200s%s%.200s", why,
				 *why && *source->before ? "; " : "", source->before);
		}
	}
}

/*
 * Try to add the sources of @begun to the view. If a view with all of them cannot be made, try them
 * one by one. A source that fails is not added, and the reason is stored for the user. Return: 1 if
 * the view was made again; 0.
 */
static int view_renew(struct live_session *session, const char *begun)
{
	size_t count = sources_count(session);
	struct view view;
	int renewed = 0;

	for (size_t i = 0; i < count; i++)
		if (begun[i]) {
			before_write(session, &session->sources[i]);
			session->sources[i].there = 1;
			*session->sources[i].refused = '\0';
		}
	if (view_make(&view, session) >= 0) {
		view_show(session, &view);
		return 1;
	}
	for (size_t i = 0; i < count; i++)
		if (begun[i])
			session->sources[i].there = 0;
	for (size_t i = 0; i < count; i++) {
		struct recorded_source *source = &session->sources[i];

		if (!begun[i])
			continue;
		source->there = 1;
		if (view_make(&view, session) >= 0) {
			view_show(session, &view);
			renewed = 1;
			continue;
		}
		source_refuse(source);
		source->there = 0;
	}
	if (!renewed && view_make(&view, session) >= 0) {
		view_show(session, &view);
		renewed = 1;
	}
	return renewed;
}

/*
 * Find the sources whose recordings were started or restarted. @begun: receives a mark for each of
 * them. Return: the number of these sources.
 */
static size_t changes_find(struct live_session *session, char *begun)
{
	uint64_t now = tool_now_ns();
	int files = now >= session->looked_ns + LOOK_NS;
	size_t found = 0;

	if (files)
		session->looked_ns = now;
	for (size_t i = 0; i < sources_count(session); i++) {
		struct recorded_source *source = &session->sources[i];

		begun[i] = (char)(source->remote ? remote_attend(source->remote)
						 : files && file_has_begun(session, source));
		found += (size_t)begun[i];
	}
	return found;
}

/* Also try the sources again that were refused before, because the view changes. */
static void refused_retry(const struct live_session *session, char *begun)
{
	for (size_t i = 0; i < sources_count(session); i++) {
		const struct recorded_source *source = &session->sources[i];

		if (*source->refused && !source->there)
			begun[i] |= source->remote ? remote_count(source->remote) > 0
						   : source->start_ns != 0;
	}
}

unsigned int recorded_attend(struct live_session *session)
{
	char *begun = calloc(sources_count(session), 1);
	unsigned int changes = 0;

	if (!begun)
		return 0;
	if (changes_find(session, begun)) {
		refused_retry(session, begun);
		if (view_renew(session, begun))
			changes = LIVE_ANEW | LIVE_PROGRAM;
	}
	session->behind = 0;
	for (size_t i = 0; i < sources_count(session); i++)
		if (session->sources[i].remote)
			session->behind |= remote_is_behind(session->sources[i].remote);
	if (session->behind)
		session->live.backlog = backlog_of(session);
	free(begun);
	remarks_write(session);
	return changes;
}

/* ---- begin and end -------------------------------------------------------------------------- */

static int source_begin(const struct live_session *session, struct recorded_source *source,
			const char *name)
{
	struct stat status = {0};

	source->name = name;
	if (remote_is(name)) {
		source->remote = remote_new(name);
		return source->remote ? TOOL_OK : TOOL_ERROR;
	}
	if (asprintf(&source->path, "%s%s", strncmp(name, "file:", 5) ? "file:" : "", name) < 0) {
		source->path = NULL;
		return tool_error("no memory");
	}
	/*
	 * If only one source was named and it is missing, this is an error. If one of several
	 * sources is missing, it may appear later.
	 */
	source->there = file_is_there(source, &status) || sources_count(session) == 1;
	if (can_block(&status)) {
		can_block_error(source);
		return tool_error("%s", Monitor_error_message());
	}
	if (!source->there)
		tool_message("%s does not exist yet: waiting for it", name);
	return TOOL_OK;
}

/* Wait for other machines, so that recordings that arrive soon are already in the first view. */
static void remotes_await(struct live_session *session)
{
	uint64_t until = tool_now_ns() + FIRST_NS;
	size_t missing;
	int waits;

	do {
		missing = 0;
		for (size_t i = 0; i < sources_count(session); i++) {
			struct recorded_source *source = &session->sources[i];

			if (!source->remote || source->there)
				continue;
			source->there = remote_attend(source->remote);
			missing += !source->there;
		}
		waits = missing && tool_now_ns() < until && !signals_count();
		if (waits)
			poll(NULL, 0, FIRST_MS);
	} while (waits);
}

/* If the recordings of some nodes of a sampled run were not given, print a note. */
static void missing_note(const struct live *live)
{
	struct run_facts *sampled = run_facts_sampled(live->mon);

	if (sampled)
		recordings_missing(sampled, live->members_count);
	run_facts_sampled_free(sampled);
}

int recorded_begin(struct live_session *session)
{
	const struct live_options *options = session->options;
	int status = TOOL_OK, remotes = 0;
	struct view view;

	session->sources = calloc(sources_count(session), sizeof(*session->sources));
	if (!session->sources)
		return tool_error("no memory");
	for (int i = 0; i < options->sources_count && status == TOOL_OK; i++) {
		status = source_begin(session, &session->sources[i], options->sources[i]);
		remotes |= session->sources[i].remote != NULL;
	}
	if (status != TOOL_OK)
		return status;
	/*
	 * Make a view without the other machines first, so that errors of files are reported before
	 * waiting.
	 */
	if (view_make(&view, session) < 0)
		return tool_error("%s", Monitor_error_message());
	view_show(session, &view);
	if (!remotes)
		missing_note(&session->live);
	if (remotes) {
		char *begun = calloc(sources_count(session), 1);

		if (!begun)
			return tool_error("no memory");
		remotes_await(session);
		for (size_t i = 0; i < sources_count(session); i++)
			begun[i] = session->sources[i].remote && session->sources[i].there;
		if (memchr(begun, 1, sources_count(session)))
			view_renew(session, begun);
		free(begun);
	}
	remarks_write(session);
	return TOOL_OK;
}

void recorded_end(struct live_session *session)
{
	view_end(session);
	for (size_t i = 0; session->sources && i < sources_count(session); i++) {
		remote_free(session->sources[i].remote);
		free(session->sources[i].path);
	}
	free(session->sources);
}
