/* SPDX-License-Identifier: MIT */
/*
 * Rates: which follow from the events of a series, by their names.
 */
#ifndef TOOLS_STAT_RATES_H
#define TOOLS_STAT_RATES_H

#include <smile/estimate.h>

#include "tools/stat/series.h"

/**
 * struct stat_rate - A rate.
 * @name: its name; with -C it begins with the processor, like the names of events
 * @unit: "" for a share
 * @rate: how it follows from the events of the series
 * @band: its value and band
 */
struct stat_rate {
	char name[64];
	const char *unit;
	struct Estimate_rate rate;
	struct Estimate_band band;
};

/* Rates at most. */
#define RATES_MAX 64
/* Those of --rate at most. */
#define RATES_GIVEN_MAX 16

/**
 * stat_rates_take() - A rate of the user's: the option --rate NAME=EVENT+EVENT/EVENT+EVENT.
 *
 * A sum divided by a sum is a share if the second sum has all events of the first, and otherwise a
 * ratio; a sum alone is a rate a second. It holds for all series from now on.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_rates_take(void *unused, const char *text);

/* Say which rates of the user's do not follow from the events of the series. */
void stat_rates_missed(const struct series *series);

/**
 * stat_rates_find() - All rates whose events are there.
 * @rates: receives them without a band, shape [RATES_MAX]
 *
 * Return: how many.
 */
size_t stat_rates_find(const struct series *series, struct stat_rate *rates);

/**
 * stat_rates() - All rates whose events were read, over the whole time.
 * @rates: receives them, shape [RATES_MAX]
 *
 * Return: how many.
 */
size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates);

#endif /* TOOLS_STAT_RATES_H */
