/* SPDX-License-Identifier: MIT */
/*
 * Static events of a card, read in rotation: more events than it has counters.
 */
#ifndef TOOLS_STAT_CARD_H
#define TOOLS_STAT_CARD_H

#include "tools/common/static_spec.h"
#include "tools/stat/series.h"

/**
 * struct card_request - What to count.
 * @source: "dev:N" or "emu:CAPTURE"
 * @specs: shape [@count]
 * @texts: as the user wrote them, the events' names, shape [@count]
 * @count: how many
 * @at_once: counters in use
 * @stay: intervals for which a set of events stays on the counters
 * @ordered: sets follow each other as in @specs; else they are shuffled in each round
 * @narrow: the card has the historic widths
 * @interval_ns: of a set, of the card's clock
 * @program: to be counted; NULL: count until Ctrl-C, or the end of the capture
 */
struct card_request {
	const char *source;
	const struct static_spec *specs;
	const char *const *texts;
	size_t count;
	size_t at_once;
	unsigned int stay;
	int ordered;
	int narrow;
	uint64_t interval_ns;
	char **program;
};

/**
 * card_count() - Read the events in rotation.
 * @series: receives the readings; the time between two sets is an interval in which nothing is read
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_count(const struct card_request *request, struct series *series, int *status);

struct card_counting;

/**
 * card_open() - Open the card, for intervals that begin and end when the caller says so.
 * @series: receives the events' names, behind those that it has
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; card_close() in both cases.
 */
int card_open(struct card_counting **out, const struct card_request *request,
	      struct series *series);

/* If sets are ordered, the next set that begins is the set of this interval. */
void card_seek(struct card_counting *card, uint64_t interval);

/* The first interval begins. Return: TOOL_OK; TOOL_ERROR after a message. */
int card_begin(struct card_counting *card);

/**
 * card_turn() - An interval ends, and the next begins.
 * @values: of these events; NAN remains where nothing was read
 * @last: there is no next one
 *
 * While its events are exchanged a card does not count; the rate of the interval after it is taken
 * for that time.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_turn(struct card_counting *card, double *values, int last);

/* Close it; NULL does nothing. */
void card_close(struct card_counting *card);

#endif /* TOOLS_STAT_CARD_H */
