/* SPDX-License-Identifier: MIT */
/*
 * Rates: compute rates from the events of a series. The events are found by their names.
 */
#ifndef TOOLS_STAT_RATES_H
#define TOOLS_STAT_RATES_H

#include <smile/estimate.h>

#include "tools/stat/series.h"

/**
 * struct stat_rate - A rate.
 * @name: name of the rate; with -C it begins with the name of the processor, like the names of
 *        events
 * @unit: unit of the rate; "" for a share
 * @rate: how the rate is computed from the events of the series
 * @band: value of the rate, and its confidence interval
 */
struct stat_rate {
	char name[64];
	const char *unit;
	struct Estimate_rate rate;
	struct Estimate_band band;
};

/* The largest number of rates. */
#define RATES_MAX 64
/* The largest number of rates that --rate can define. */
#define RATES_GIVEN_MAX 16

/**
 * stat_rates_take() - Parse the definition of a rate, which is the argument of --rate:
 * NAME=EVENT+EVENT/EVENT+EVENT.
 *
 * A rate is a sum of events, or one sum divided by another. If there is only one sum, the rate is
 * per second. If a sum is divided by a second sum that contains all events of the first sum, the
 * rate is a share; otherwise it is a ratio. From now on, the rate is computed for all series.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_rates_take(void *unused, const char *text);

/*
 * Print the names of the user's rates that cannot be computed, because the series lacks some of
 * their events.
 */
void stat_rates_missed(const struct series *series);

/**
 * stat_rates_find() - Find all rates whose events are in the series.
 * @rates: receives the rates, without confidence intervals; shape [RATES_MAX]
 *
 * Return: the number of rates.
 */
size_t stat_rates_find(const struct series *series, struct stat_rate *rates);

/**
 * stat_rates() - Compute all rates whose events were counted, for the whole time.
 * @rates: receives the rates; shape [RATES_MAX]
 *
 * Return: the number of rates.
 */
size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates);

#endif /* TOOLS_STAT_RATES_H */
