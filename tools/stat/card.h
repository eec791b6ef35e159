/* SPDX-License-Identifier: MIT */
/*
 * Count events with the static counters of a card. If there are more events than counters, sets of
 * events are counted in rotation.
 */
#ifndef TOOLS_STAT_CARD_H
#define TOOLS_STAT_CARD_H

#include "tools/common/static_spec.h"
#include "tools/stat/series.h"

/**
 * struct card_request - The events to count, and the options.
 * @source: "dev:N" or "emu:CAPTURE"
 * @specs: the events; shape [@count]
 * @texts: names of the events, as the user wrote them, shape [@count]
 * @count: number of events
 * @at_once: number of counters that are used
 * @stay: number of consecutive intervals for which a set of events is counted
 * @ordered: the sets have a fixed order, that of @specs; otherwise the events are shuffled in each
 *           round
 * @narrow: the card uses its historic widths of fields
 * @interval_ns: length of an interval, measured by the card's clock
 * @program: the program to run; NULL: count until Ctrl-C, or until the end of the capture
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
 * card_count() - Count sets of events in rotation, until the end.
 * @series: receives the readings. The time between two sets is recorded as an interval without
 *          readings
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_count(const struct card_request *request, struct series *series, int *status);

struct card_counting;

/**
 * card_open() - Open the card for a caller that itself starts and ends the intervals.
 * @series: receives the names of the events, after the events that it already has
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call card_close() in both cases.
 */
int card_open(struct card_counting **out, const struct card_request *request,
	      struct series *series);

/* If the sets have a fixed order, continue with the set that belongs to this interval. */
void card_seek(struct card_counting *card, uint64_t interval);

/* Start the first interval. Return: TOOL_OK; TOOL_ERROR after a message. */
int card_begin(struct card_counting *card);

/**
 * card_turn() - End an interval, and start the next one.
 * @values: receives the counts of the events; NAN remains for events that were not counted
 * @last: do not start another interval
 *
 * While the next set of events is loaded, the card does not count. The counts of the next interval
 * are scaled up, so that they include this time.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int card_turn(struct card_counting *card, double *values, int last);

/* Close the card. @card may be NULL. */
void card_close(struct card_counting *card);

#endif /* TOOLS_STAT_CARD_H */
