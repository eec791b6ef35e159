/* SPDX-License-Identifier: MIT */
/*
 * Live source: a source that is polled while it counts.
 *
 * What lives here: the state of a card, a capture or growing recordings behind an open Monitor, and
 * the records delivered since the last look, with rates. Sums by page are in live_sums.h. May use
 * the public API and jansson. It prints nothing: the last error is kept in @trouble.
 *
 * One thread at a time, as with the Monitor in it.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SOURCE_H
#define LIB_ANALYSIS_LIVE_LIVE_SOURCE_H

#include <stdint.h>

#include <jansson.h>

#include <smile/monitor.h>

#include "lib/analysis/state/state_file.h"

enum live_kind {
	LIVE_CARD, /* dev:N, read:N: counts until it is stopped */
	LIVE_CAPTURE, /* emu:CAPTURE: as fast as it can be read */
	LIVE_RECORDINGS, /* files, followed until their writers close them */
	LIVE_STATES, /* a state file, also followed; its Monitor has no accesses */
};

enum live_state {
	LIVE_RUNNING,
	LIVE_ENDED, /* all records have been read */
	LIVE_FAILED, /* the source cannot continue, e.g. a removed card; see @trouble */
	LIVE_AWAITED, /* of a member: it does not exist yet; the source continues without it */
};

/* Kinds of changes; a bit mask. */
enum live_change {
	LIVE_RECORDS = 0x1, /* records or intervals were read, so counts have changed */
	LIVE_PROGRAM = 0x2, /* homes, regions or names of phases */
	LIVE_STATE = 0x4, /* @state */
	LIVE_TROUBLE = 0x8, /* @trouble */
	LIVE_MORE = 0x10, /* records remain that were not read for lack of time */
	LIVE_MEMBER = 0x20, /* one of several members has ended or failed; the others continue */
	LIVE_ANEW = 0x40, /* members appeared, or restarted: all counts are read again */
};

/**
 * struct live_interval - The data that a source delivered between two looks.
 * @seconds: length of the interval
 * @records: records read; of a state file, intervals
 * @events: events delivered: accesses that a card counted; in merged recordings, the sum of all
 *          cards
 * @lost: memory events lost
 * @packets: packets that the cards saw; 0 unless @packets_known
 * @packets_known: true for a card, false for a recording that is still being written
 */
struct live_interval {
	double seconds;
	uint64_t records;
	uint64_t events;
	uint64_t lost;
	uint64_t packets;
	int packets_known;
};

/**
 * struct live_totals - The data that a source delivered since live_begin().
 * @records: records read
 * @time_ns: time since live_begin()
 * @loss: the loss account; its accepted is valid if @loss.known
 * @statistics: the cards' counters, if @statistics_known
 * @statistics_known: false for a recording that was not closed, and for a removed card that was
 *                    never read before
 */
struct live_totals {
	uint64_t records;
	uint64_t time_ns;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int statistics_known;
};

#define LIVE_TEXT_BYTES 512
/* A member that has counted nothing for this time is reported. */
#define LIVE_QUIET_NS 5000000000ULL

/**
 * struct live_member - One card or recording of a source.
 * @mon: its Monitor: the source's Monitor, or a part of it (Monitor_merge()); NULL: it is awaited
 * @name: name of the opened source, without control characters
 * @node: its node id; 0 as long as it is awaited
 * @state: its own state; LIVE_FAILED for a failed card even if other cards continue
 * @closed: a recording that has ended was closed; otherwise its writer was killed
 * @incomplete: the reason why a recording that has ended does not have all counts of its run; ""
 * @records: number of records read
 * @news_ns: time of the last records, or of live_begin(), by the clock for intervals
 * @loss: its loss account; kept when it fails
 * @trouble: its last error, with its remedy; "" if no error occurred
 * @remark: a further remark: why it is missing, or its counts before it restarted; "" if there is
 *          none
 */
struct live_member {
	struct Monitor *mon;
	char name[LIVE_TEXT_BYTES];
	unsigned int node;
	enum live_state state;
	int closed;
	char incomplete[LIVE_TEXT_BYTES / 2];
	uint64_t records;
	uint64_t news_ns;
	struct Monitor_loss loss;
	char trouble[LIVE_TEXT_BYTES];
	char remark[LIVE_TEXT_BYTES];
};

/**
 * struct live - A source that is polled. Read its members; only live_*() writes them.
 * @mon: its Monitor, of all members; may be read between calls of live_poll()
 * @members: its cards or recordings, shape [@members_count]; NULL for a state file
 * @members_count: number of members
 * @kind: kind of the source
 * @state_file: the state file, of LIVE_STATES; else NULL
 * @state: its state: running as long as a member is running; failed if all members have failed
 * @name: "dev:0", "a.rec", "a.rec and 3 more", without control characters
 * @nodes: Monitor_nodes()
 * @backlog: approximate number of records that recordings had when they were opened: later records
 *           are new
 * @trouble: the last error, with its remedy; "" if no error occurred
 * @troubles: number of errors
 * @clock_ns: the clock for intervals
 * @opened_ns: time of live_begin()
 * @looked_ns: time at which the current interval began
 * @looked: totals at that time
 * @totals: totals now; kept when the source fails
 */
struct live {
	struct Monitor *mon;
	struct live_member *members;
	size_t members_count;
	enum live_kind kind;
	struct state_file *state_file;
	enum live_state state;
	char name[LIVE_TEXT_BYTES];
	unsigned int nodes;
	uint64_t backlog;
	char trouble[LIVE_TEXT_BYTES];
	uint64_t troubles;
	uint64_t (*clock_ns)(void);
	uint64_t opened_ns;
	uint64_t looked_ns;
	struct live_totals looked;
	struct live_totals totals;
};

/**
 * live_begin() - Begin the first interval; no data of an earlier source in @live is kept.
 * @live: with @mon, running, @kind and @name set, and @mon and @name of each member; the caller
 *        keeps the Monitors and closes them
 * @clock_ns: clock for intervals; NULL: CLOCK_MONOTONIC
 */
void live_begin(struct live *live, uint64_t (*clock_ns)(void));

/**
 * live_poll() - Wait for the first record, and read the available records.
 * @timeout_ms: time to wait for the first record; reading then takes at most about LIVE_POLL_MS
 *
 * A signal ends the wait. Once the source has ended or failed, it returns 0 immediately.
 *
 * Return: a mask of enum live_change. Errors are in @state and @trouble.
 */
unsigned int live_poll(struct live *live, int timeout_ms);

#define LIVE_POLL_MS 100

/**
 * live_totals() - The data that the source delivered so far. Valid until the next live_*().
 */
const struct live_totals *live_totals(struct live *live);

/**
 * live_look() - The data that the source delivered since the last call; the next interval begins.
 *
 * Drains a card's counters first: call it before reading counts from @mon.
 *
 * Return: a mask of enum live_change; live_poll() does not report these again.
 */
unsigned int live_look(struct live *live, struct live_interval *interval);

/**
 * live_mark() - End the phase in all cards: raise event 0, which ends a phase unless the
 * configuration differs. @trouble names a card that could not be marked. @trouble also reports that
 * recordings cannot be marked, which is not an error.
 *
 * Return: a mask of enum live_change.
 */
unsigned int live_mark(struct live *live);

/**
 * live_rate() - A count per second. Return: 0 for an interval of length 0.
 */
double live_rate(uint64_t count, const struct live_interval *interval);

/* ---- members: live_member.c ----------------------------------------------------------------- */

/**
 * live_member_quiet_ns() - The time for which a running member has counted nothing. Return: the
 * time; 0 if it has ended or failed.
 */
uint64_t live_member_quiet_ns(const struct live *live, const struct live_member *member);

/**
 * live_quiet() - The number of members that have counted nothing for LIVE_QUIET_NS.
 */
size_t live_quiet(const struct live *live);

/**
 * live_member_note() - The note on a member that is awaited, is late, was not closed, has
 * restarted, or has failed; with its counts until then.
 * @text: caller-owned, LIVE_TEXT_BYTES long; receives "" if there is no note
 *
 * Return: @text.
 */
const char *live_member_note(const struct live *live, const struct live_member *member, char *text);

/**
 * live_notes() - The notes of all members of several: "node 1: ...; node 3: ...".
 * @text: caller-owned, @bytes long; a longer text is cut off
 */
void live_notes(const struct live *live, char *text, size_t bytes);

/**
 * live_state_name() - "running", "ended", "failed" or "awaited".
 */
const char *live_state_name(enum live_state state);

/**
 * live_members_json() - The members: node, source, state, note, and their loss account, at the last
 * live_totals() or live_look().
 *
 * Return: a new reference; NULL without memory.
 */
json_t *live_members_json(const struct live *live);

/**
 * live_account_json() - A loss account; an unknown number is null. Return: as live_members_json().
 */
json_t *live_account_json(const struct Monitor_loss *loss);

#endif /* LIB_ANALYSIS_LIVE_LIVE_SOURCE_H */
