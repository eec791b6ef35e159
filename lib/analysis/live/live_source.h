/* SPDX-License-Identifier: MIT */
/*
 * Live source: reads a source repeatedly while the source still counts accesses.
 *
 * What lives here: the state of a source, and the number and the rates of the records that the
 * source has delivered since the last call of live_look(). A source is a card, a capture, growing
 * recordings or a state file, and is read through an open Monitor. Sums by page are in live_sums.h.
 * May use the public API and jansson. This code prints nothing. It stores the last error in the
 * member @trouble of struct live.
 *
 * A source may be used by only one thread at a time, like its Monitor.
 */
#ifndef LIB_ANALYSIS_LIVE_LIVE_SOURCE_H
#define LIB_ANALYSIS_LIVE_LIVE_SOURCE_H

#include <stdint.h>

#include <jansson.h>

#include <smile/monitor.h>

#include "lib/analysis/state/state_file.h"

enum live_kind {
	LIVE_CARD, /* dev:N, read:N: a card that counts until it is stopped */
	LIVE_CAPTURE, /* emu:CAPTURE: a capture, which is read as fast as possible */
	LIVE_RECORDINGS, /* recordings, which grow until their writers close them */
	LIVE_STATES, /* a state file, which is read while it grows; its Monitor has no accesses */
};

enum live_state {
	LIVE_RUNNING,
	LIVE_ENDED, /* all records have been read */
	/*
	 * the source cannot continue, for example because its card was removed; the member @trouble
	 * has the error
	 */
	LIVE_FAILED,
	/* the card or recording does not exist yet; the source continues without it */
	LIVE_AWAITED,
};

/* Kinds of changes. They are bits of a mask. */
enum live_change {
	LIVE_RECORDS = 0x1, /* records or intervals were read, so counts have changed */
	LIVE_PROGRAM = 0x2, /* homes, regions or names of phases have changed */
	LIVE_STATE = 0x4, /* @state has changed */
	LIVE_TROUBLE = 0x8, /* @trouble has changed */
	LIVE_MORE = 0x10, /* the time limit was reached before all records were read */
	/* one of several members has ended or failed, and the others continue */
	LIVE_MEMBER = 0x20,
	/* cards or recordings have appeared or restarted, so all counts are read again */
	LIVE_ANEW = 0x40,
};

/**
 * struct live_interval - The data that a source delivered between two calls of live_look().
 * @seconds: length of the interval
 * @records: number of records that were read; for a state file, the number of intervals that were
 *          read
 * @events: number of memory events that the source delivered, which is the sum over all its cards
 *          or recordings
 * @lost: number of lost memory events
 * @packets: number of packets that the cards saw; valid only if @packets_known is set, otherwise 0
 * @packets_known: true for a card, false for a recording whose writer has not closed it
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
 * @records: number of records that were read
 * @time_ns: time since live_begin()
 * @loss: the loss account. @loss.accepted is valid only if @loss.known is set
 * @statistics: the statistics of the cards; valid only if @statistics_known is set
 * @statistics_known: false for a recording that was not closed, and for a card that was removed
 *                    before its counters were read
 */
struct live_totals {
	uint64_t records;
	uint64_t time_ns;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int statistics_known;
};

#define LIVE_TEXT_BYTES 512
/* If a running card or recording has counted nothing for this time, live_notes() reports it. */
#define LIVE_QUIET_NS 5000000000ULL

/**
 * struct live_member - One card or recording of a source.
 * @mon: the member's Monitor, which is the source's Monitor or a part of it (Monitor_merge());
 *       NULL: the member does not exist yet
 * @name: name of the opened source, without control characters
 * @node: the node id of the card or recording; 0 if it does not exist yet
 * @state: the state of this card or recording, which does not depend on the states of the others
 * @closed: the writer closed the recording. If this is not set and the recording has ended, the
 *       writer was killed
 * @incomplete: the reason why an ended recording lacks counts of its run; "" if it has all counts
 * @records: number of records that were read
 * @news_ns: time at which records of the member were last read; the time of live_begin() if none
 *           were read. It is read from @clock_ns of struct live
 * @loss: the member's loss account; it stays valid after a failure
 * @trouble: the member's last error, with its remedy; "" if no error occurred
 * @remark: if the member does not exist yet, the reason; if it has restarted, the counts that it
 *          had before; otherwise ""
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
 * struct live - A source that is read while it counts. Only the live_*() functions write to the
 * members. Other functions may read them.
 * @mon: the Monitor of all members; the caller may read it between calls of live_poll()
 * @members: cards or recordings of the source, shape [@members_count]; NULL for a state file
 * @members_count: number of members
 * @kind: kind of the source
 * @state_file: the state file if @kind is LIVE_STATES; otherwise NULL
 * @state: state of the source. It is running as long as a member is running, and failed if all
 *         members have failed
 * @name: name of the source for messages, such as "dev:0", "a.rec" or "a.rec and 3 more", without
 *         control characters
 * @nodes: the result of Monitor_nodes()
 * @backlog: approximate number of records that the recordings had when they were opened. Records
 *           beyond this number are new
 * @trouble: the last error, with its remedy; "" if no error occurred
 * @troubles: number of errors
 * @clock_ns: the clock for intervals
 * @opened_ns: time of live_begin()
 * @looked_ns: time at which the current interval began
 * @looked: the totals at the time @looked_ns
 * @totals: present totals; they stay valid after the source fails
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
 * live_begin() - Begin the first interval, and discard all data of an earlier source in @live.
 * @live: the caller must have set @mon, @kind, @name and the state LIVE_RUNNING, and @mon and @name
 *        of each member. The caller still owns the Monitors and must close them
 * @clock_ns: clock for intervals; NULL: CLOCK_MONOTONIC
 */
void live_begin(struct live *live, uint64_t (*clock_ns)(void));

/**
 * live_poll() - Wait for the first record, and read the available records.
 * @timeout_ms: the longest time to wait for the first record. After the wait, reading the records
 *              takes at most about LIVE_POLL_MS
 *
 * A signal ends the wait. If the source has ended or failed, the call returns 0 immediately.
 *
 * Return: a mask of enum live_change. After an error, live->state and live->trouble describe it.
 */
unsigned int live_poll(struct live *live, int timeout_ms);

#define LIVE_POLL_MS 100

/**
 * live_totals() - Get the data that the source has delivered since live_begin(). The result is
 * valid until the next call of a live_*() function.
 */
const struct live_totals *live_totals(struct live *live);

/**
 * live_look() - Get the data that the source delivered since the last call of live_look(), and
 * begin the next interval.
 *
 * If the source is a card, the function first swaps out the card's counters. Call the function
 * before you read counts from live->mon.
 *
 * Return: a mask of enum live_change; live_poll() does not report these changes again.
 */
unsigned int live_look(struct live *live, struct live_interval *interval);

/**
 * live_mark() - End the present phase in all cards. The function raises event 0 in each card. Event
 * 0 ends a phase unless the card is configured differently. If the phase of a card could not be
 * ended, live->trouble names the card. If the source is a recording, its phase cannot be ended, and
 * live->trouble reports this.
 *
 * Return: a mask of enum live_change.
 */
unsigned int live_mark(struct live *live);

/**
 * live_rate() - Convert a count of an interval to a count per second. Return: the rate; 0 if the
 * length of the interval is 0.
 */
double live_rate(uint64_t count, const struct live_interval *interval);

/* ---- members: live_member.c ----------------------------------------------------------------- */

/**
 * live_member_quiet_ns() - Get the time for which a running member has counted nothing. Return: the
 * time; 0 if the member has ended or failed.
 */
uint64_t live_member_quiet_ns(const struct live *live, const struct live_member *member);

/**
 * live_quiet() - Get the number of members that have counted nothing for LIVE_QUIET_NS.
 */
size_t live_quiet(const struct live *live);

/**
 * live_member_note() - Get the note on a member. A member has a note if it does not exist yet, is
 * late, was not closed, has restarted, or has failed. The note contains the counts that the member
 * had before it restarted or failed.
 * @text: caller-owned, LIVE_TEXT_BYTES long; receives "" if the member has no note
 *
 * Return: @text.
 */
const char *live_member_note(const struct live *live, const struct live_member *member, char *text);

/**
 * live_notes() - Get the notes of all members of a source with several members: "node 1: ...; node
 * 3: ...".
 * @text: caller-owned, @bytes long; a longer text is cut off
 */
void live_notes(const struct live *live, char *text, size_t bytes);

/**
 * live_state_name() - Get the name of a state: "running", "ended", "failed" or "awaited".
 */
const char *live_state_name(enum live_state state);

/**
 * live_members_json() - Get the members: the node, source, state, note and loss account of each.
 * The values are those of the last call of live_totals() or live_look().
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *live_members_json(const struct live *live);

/**
 * live_account_json() - Convert a loss account to JSON. A number that is not known is null. Return:
 * a new reference; NULL if memory is missing.
 */
json_t *live_account_json(const struct Monitor_loss *loss);

#endif /* LIB_ANALYSIS_LIVE_LIVE_SOURCE_H */
