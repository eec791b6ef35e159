/* SPDX-License-Identifier: MIT */
/*
 * Static events of a card, read in rotation: more events than it has counters.
 */
#ifndef TOOLS_STAT_CARD_H
#define TOOLS_STAT_CARD_H

#include "tools/common/child.h"
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
 * @narrow: the card has the historic widths
 * @interval_ns: of a set, of the card's clock
 * @program: to run meanwhile; NULL: until Ctrl-C, or the end of the capture
 */
struct card_request {
	const char *source;
	const struct static_spec *specs;
	const char *const *texts;
	size_t count;
	size_t at_once;
	unsigned int stay;
	int narrow;
	uint64_t interval_ns;
	char **program;
};

/**
 * card_count() - Read the events in rotation.
 * @series: receives the readings; the time between two sets is an interval in which nothing is read
 * @status: receives the program's exit status
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int card_count(const struct card_request *request, struct series *series, int *status);

#endif /* TOOLS_STAT_CARD_H */
