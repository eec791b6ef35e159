// SPDX-License-Identifier: MIT
/*
 * Live: a source that is watched while it counts.
 *
 * What lives here: from what the user names to a Monitor that runs, and to its end. A card and a
 * capture are a session, as for `smile record`, whether saved or not.
 */
#include "tools/live/live.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/output.h"
#include "tools/common/recordings.h"
#include "tools/common/tool.h"

/* A source that fails without end is given up. */
#define LIVE_TROUBLES_MAX 100000

#define LIVE_POLL_NS (LIVE_POLL_MS * 1000000ULL)

/*
 * ---- what the user names -----------------------------------------------------------------------
 */

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
	return LIVE_RECORDINGS;
}

static int sources_check(const struct live_options *options, enum live_kind kind)
{
	const char *first = options->sources_count ? options->sources[0] : "dev:0";

	for (int i = 0; options->sources_count > 1 && i < options->sources_count; i++)
		if (kind_of(options->sources[i]) != LIVE_RECORDINGS)
			return tool_usage("%s cannot be watched together with others: only "
					  "recordings can, those of one run",
					  options->sources[i]);
	if (!strcmp(first, "emu:"))
		return tool_usage("emu: needs a capture: emu:CAPTURE");
	if (kind != LIVE_RECORDINGS)
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

static void nodes_look(struct live *live)
{
	int nodes = Monitor_nodes(live->mon);

	live->nodes = nodes > 0 ? (unsigned int)nodes : 1;
}

/*
 * ---- open
 * ----------------------------------------------------------------------------------------
 */

/* By their sizes: headers count as the few records more. */
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
	live->mon = recordings_open(options->sources, options->sources_count);
	if (!live->mon)
		return TOOL_ERROR;
	if (Monitor_follow(live->mon) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

/* The driver's message names the thing; what the other process may be is known here. */
static int start_error(const char *source, int error)
{
	tool_error("%s", Monitor_error_message());
	if (error == -EBUSY)
		tool_message("if `smile record` or another program has %s, end it, or watch the "
			     "recording that it writes",
			     source);
	return TOOL_ERROR;
}

static int session_begin(struct live *live, const struct live_options *options)
{
	const char *given = options->sources_count ? options->sources[0] : "dev:0";
	struct session *session = &live->session;
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

static void totals_take(struct live *live)
{
	struct live_totals *totals = &live->totals;
	struct smile_statistics statistics;
	struct Monitor_loss loss;

	totals->time_ns = live->clock_ns() - live->opened_ns;
	/* A card that is gone cannot be asked: what it reported last stays. */
	if (live->state == LIVE_FAILED && totals->statistics_known)
		return;
	if (Monitor_loss(live->mon, &loss) >= 0)
		totals->loss = loss;
	totals->statistics_known = Monitor_statistics(live->mon, &statistics) >= 0;
	if (totals->statistics_known)
		totals->statistics = statistics;
}

int live_open(struct live **out, const struct live_options *options)
{
	struct live *live = calloc(1, sizeof(*live));
	int status;

	if (!live)
		return tool_error("no memory");
	live->kind = options->sources_count ? kind_of(options->sources[0]) : LIVE_CARD;
	live->clock_ns = options->clock_ns ? options->clock_ns : tool_now_ns;
	name_set(live, options);
	status = sources_check(options, live->kind);
	if (status == TOOL_OK)
		status = live->kind == LIVE_RECORDINGS ? recordings_begin(live, options)
						       : session_begin(live, options);
	if (status != TOOL_OK) {
		Monitor_close(live->mon);
		free(live);
		return status;
	}
	nodes_look(live);
	live->opened_ns = live->looked_ns = live->clock_ns();
	totals_take(live);
	live->looked = live->totals;
	*out = live;
	return TOOL_OK;
}

/*
 * ---- poll
 * ----------------------------------------------------------------------------------------
 */

static void trouble(struct live *live)
{
	snprintf(live->trouble, sizeof(live->trouble), "%s", Monitor_error_message());
	text_printable(live->trouble);
	live->troubles++;
}

/* Return: LIVE_*. */
static unsigned int poll_error(struct live *live, int error)
{
	if (error == -EINTR)
		return 0;
	trouble(live);
	/*
	 * A damaged record, or a recording that cannot be written, must not hide what comes next.
	 */
	if (error == -ENODEV || live->troubles > LIVE_TROUBLES_MAX) {
		live->state = LIVE_FAILED;
		return LIVE_TROUBLE | LIVE_STATE;
	}
	return LIVE_TROUBLE;
}

static void taken(struct live *live, int records)
{
	live->totals.records += (uint64_t)records;
	live->session.records += (uint64_t)records;
}

/* What is still in a card's counters is written out and taken in. Return: LIVE_*. */
static unsigned int drain(struct live *live)
{
	int got = Monitor_swap(live->mon);

	/* One that has no room goes on at the next look. */
	if (got == -EAGAIN)
		return 0;
	if (got < 0)
		return poll_error(live, got);
	taken(live, got);
	return got ? LIVE_RECORDS : 0;
}

static int is_over(const struct live *live)
{
	/* A card's link that is down can come back. */
	return live->kind != LIVE_CARD && Monitor_ended(live->mon);
}

unsigned int live_poll(struct live *live, int timeout_ms)
{
	uint64_t end_ns = tool_now_ns() + LIVE_POLL_NS;
	unsigned int changes = 0;
	int got;

	if (live->state != LIVE_RUNNING)
		return 0;
	do {
		got = Monitor_poll(live->mon, changes ? 0 : timeout_ms);
		if (got < 0)
			changes |= poll_error(live, got);
		if (got > 0) {
			taken(live, got);
			changes |= LIVE_RECORDS;
		}
	} while (got > 0 && tool_now_ns() < end_ns);
	if (got > 0)
		changes |= LIVE_MORE;
	if (live->state == LIVE_RUNNING && is_over(live)) {
		live->state = LIVE_ENDED;
		changes |= LIVE_STATE;
		/* What a recording says of the program comes at its end. */
		changes |= live->kind == LIVE_RECORDINGS ? LIVE_PROGRAM : drain(live);
	}
	nodes_look(live);
	return changes;
}

/*
 * ---- what came in
 * --------------------------------------------------------------------------------
 */

const struct live_totals *live_totals(struct live *live)
{
	totals_take(live);
	return &live->totals;
}

static uint64_t since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

unsigned int live_look(struct live *live, struct live_interval *interval)
{
	const struct live_totals *now, *before = &live->looked;
	unsigned int changes = 0;
	uint64_t now_ns;

	/* A card keeps its counts until it needs room: they are asked for. */
	if (live->kind == LIVE_CARD && live->state == LIVE_RUNNING) {
		changes = drain(live);
		nodes_look(live);
	}
	now = live_totals(live);
	now_ns = live->opened_ns + now->time_ns;
	*interval = (struct live_interval){
		.seconds = (double)since(now_ns, live->looked_ns) / 1e9,
		.records = since(now->records, before->records),
		.events = since(now->loss.delivered, before->loss.delivered),
		.lost = since(now->loss.lost, before->loss.lost),
	};
	if (now->statistics_known && before->statistics_known) {
		interval->packets_known = 1;
		interval->packets =
			since(now->statistics.packets_seen, before->statistics.packets_seen);
	}
	live->looked = *now;
	live->looked_ns = now_ns;
	return changes;
}

double live_rate(uint64_t count, const struct live_interval *interval)
{
	return interval->seconds > 0 ? (double)count / interval->seconds : 0;
}

/*
 * ---- end
 * -----------------------------------------------------------------------------------------
 */

/* Return: TOOL_OK; TOOL_ERROR after saying what went wrong while no error could be reported. */
static int troubles_report(const struct live *live)
{
	if (!live->troubles)
		return TOOL_OK;
	tool_error("%s", live->trouble);
	if (live->troubles > 1)
		tool_message("something went wrong %llu times; the last is reported here",
			     (unsigned long long)live->troubles);
	return TOOL_ERROR;
}

static int session_end(struct live *live)
{
	struct session *session = &live->session;

	/* A card that is gone can be neither stopped nor asked. */
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

	if (live->kind == LIVE_RECORDINGS)
		Monitor_close(live->mon);
	else
		ended = session_end(live);
	free(live);
	return status != TOOL_OK ? status : ended;
}
