/* SPDX-License-Identifier: MIT */
/*
 * Live: a source that is watched while it counts; what `smile top` and `smile serve` share.
 *
 * What lives here: a card, a capture or recordings, some of which may still be growing, behind one
 * way to open, to poll and to end; and what came in since the last look, with its rates. Sums by
 * page are in lib/analysis/live. It uses the public API alone, and prints nothing between
 * live_open() and live_end(), so that a screen stays whole: what goes wrong in between is kept in
 * @trouble.
 *
 * One thread at a time, as with the Monitor in it.
 */
#ifndef TOOLS_LIVE_H
#define TOOLS_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/config_options.h"
#include "tools/common/session.h"

enum live_kind {
	LIVE_CARD, /* dev:N, read:N: it counts on until it is stopped */
	LIVE_CAPTURE, /* emu:CAPTURE: as fast as it can be read */
	/* files: those that are being written are followed until they are closed */
	LIVE_RECORDINGS,
};

enum live_state {
	LIVE_RUNNING,
	LIVE_ENDED, /* all there was has been taken in */
	LIVE_FAILED, /* the source cannot go on, as a card that is gone; @trouble says why */
};

/* What live_poll() has seen change; or'ed together. */
enum live_change {
	LIVE_RECORDS = 0x1, /* records were taken in: counts have changed */
	LIVE_PROGRAM = 0x2, /* what is known of the program has: homes, regions, names of phases */
	LIVE_STATE = 0x4, /* the state has */
	LIVE_TROUBLE = 0x8, /* @trouble has */
	LIVE_MORE = 0x10, /* there was more than could be taken in in that time */
};

/**
 * struct live_options - What the user asked for.
 * @sources: one of dev:N, read:N, /dev/..., emu:CAPTURE; or recordings; shape [@sources_count]
 * @sources_count: how many; 0: dev:0
 * @config: configuration of a card or a capture's card, checked: config_options_check()
 * @configured: the user gave any of its options: for recordings, an error
 * @output: recording to save what comes from a card or a capture; NULL: none
 * @command_line: kept in it
 * @clock_ns: clock for intervals; NULL: tool_now_ns(), which is CLOCK_MONOTONIC
 */
struct live_options {
	char **sources;
	int sources_count;
	const struct config_options *config;
	int configured;
	const char *output;
	const char *command_line;
	uint64_t (*clock_ns)(void);
};

/**
 * struct live_interval - What came in between two looks.
 * @seconds: how long it was
 * @records: records taken in
 * @events: events delivered: accesses counted by a card, of merged recordings by each card
 * @lost: memory events lost
 * @packets: packets that the cards saw; 0 unless @packets_known
 * @packets_known: so it is for a card, not for a recording that is being written
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
 * struct live_totals - What came in since live_open().
 * @records: records taken in
 * @time_ns: time on @clock_ns since live_open()
 * @loss: the loss account; accepted is known as soon as @loss.known
 * @statistics: the cards' counters, if @statistics_known
 * @statistics_known: not for a recording that was not closed, nor for a card that is gone unless
 *                    they were known before
 */
struct live_totals {
	uint64_t records;
	uint64_t time_ns;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int statistics_known;
};

#define LIVE_TEXT_BYTES 512

/**
 * struct live - A source that is being watched. Read its members; only live_*() writes them.
 * @mon: the Monitor; ask it whatever there is to ask, between calls of live_poll()
 * @kind: what it is
 * @state: whether it goes on
 * @name: "dev:0", "a.rec", "a.rec and 3 more"; control characters replaced
 * @nodes: Monitor_nodes()
 * @backlog: records that recordings had when they were opened, or a few more: what comes behind
 *           them is new
 * @trouble: the last thing that went wrong, with its remedy; "" if nothing has
 * @troubles: how often something did
 * @session: the recording being saved, and how a card is stopped
 * @clock_ns: the clock
 * @opened_ns: when live_open() was called
 * @looked_ns: when the interval began
 * @looked: totals at that time
 * @totals: totals now, kept when the source fails
 */
struct live {
	struct Monitor *mon;
	enum live_kind kind;
	enum live_state state;
	char name[LIVE_TEXT_BYTES];
	unsigned int nodes;
	uint64_t backlog;
	char trouble[LIVE_TEXT_BYTES];
	uint64_t troubles;
	struct session session;
	uint64_t (*clock_ns)(void);
	uint64_t opened_ns;
	uint64_t looked_ns;
	struct live_totals looked;
	struct live_totals totals;
};

/**
 * live_open() - Open; configure and start what is no recording.
 * @out: receives it
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not, with nothing left open.
 */
int live_open(struct live **out, const struct live_options *options);

/**
 * live_poll() - Take in what is there, waiting for the first of it.
 * @timeout_ms: how long to wait; it goes on taking in for about LIVE_POLL_MS at most, however much
 *              there is
 *
 * A signal ends the waiting. Once the source has ended or failed it returns 0 at once: wait
 * elsewhere then. Return: LIVE_* changes, or'ed; 0: none. Never fails: see @state and @trouble.
 */
unsigned int live_poll(struct live *live, int timeout_ms);

#define LIVE_POLL_MS 100

/**
 * live_totals() - What came in so far. Valid until the next live_poll(), live_look() or live_end().
 */
const struct live_totals *live_totals(struct live *live);

/**
 * live_look() - What came in since the last call, or since live_open(); the next interval begins.
 *
 * A card's counters are written out and taken in first: look before you ask @mon for counts.
 *
 * Return: LIVE_* changes that this brought, or'ed; live_poll() does not report them again.
 */
unsigned int live_look(struct live *live, struct live_interval *interval);

/**
 * live_rate() - A count by second. Return: 0 for an interval of no length.
 */
double live_rate(uint64_t count, const struct live_interval *interval);

/**
 * live_end() - Stop and drain what live_open() started, complete the recording being saved, report
 * its account on standard error, and free @live.
 *
 * Return: TOOL_OK; TOOL_ERROR, after saying why, if the source had failed or something was not
 * saved.
 */
int live_end(struct live *live);

#endif /* TOOLS_LIVE_H */
