/* SPDX-License-Identifier: MIT */
/*
 * Static events of a card, which are read in rotation if there are more events than counters.
 */
#ifndef TOOLS_STAT_CARD_H
#define TOOLS_STAT_CARD_H

#include "tools/common/static_spec.h"
#include "tools/stat/series.h"

/**
 * struct card_request - The events to count.
 * @source: "dev:N" or "emu:CAPTURE"
 * @specs: the events; shape [@count]
 * @texts: names of the events, as the user wrote them, shape [@count]
 * @count: number of events
 * @at_once: number of counters in use
 * @stay: number of intervals for which a set of events stays on the counters
 * @ordered: sets follow each other as in @specs; otherwise they are shuffled in each round
 * @narrow: the card has the historic widths
 * @interval_ns: interval of a set, by the card's clock
 * @program: the program; NULL: count until Ctrl-C, or the end of the capture
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
 * @series: receives the readings; the time between two sets is an interval without readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_count(const struct card_request *request, struct series *series, int *status);

struct card_counting;

/**
 * card_open() - Open the card, for intervals whose start and end the caller determines.
 * @series: receives the events' names, behind its other events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call card_close() in both cases.
 */
int card_open(struct card_counting **out, const struct card_request *request,
	      struct series *series);

/* If sets are ordered, continue with the set of this interval. */
void card_seek(struct card_counting *card, uint64_t interval);

/* Begin the first interval. Return: TOOL_OK; TOOL_ERROR after a message. */
int card_begin(struct card_counting *card);

/**
 * card_turn() - End an interval, and begin the next.
 * @values: receives the counts of these events; NAN remains for events that were not read
 * @last: no interval follows
 *
 * While its events are exchanged, a card does not count. For this time, the rate of the interval
 * after it is assumed.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_turn(struct card_counting *card, double *values, int last);

/* Close the card; NULL does nothing. */
void card_close(struct card_counting *card);

#endif /* TOOLS_STAT_CARD_H */
