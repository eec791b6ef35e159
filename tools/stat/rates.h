/* SPDX-License-Identifier: MIT */
/*
 * Rates that are computed from the events of a series, which are found by their names.
 */
#ifndef TOOLS_STAT_RATES_H
#define TOOLS_STAT_RATES_H

#include <smile/estimate.h>

#include "tools/stat/series.h"

/**
 * struct stat_rate - A rate.
 * @name: its name; with -C it begins with the processor, like the names of events
 * @unit: "" for a share
 * @rate: its computation from the events of the series
 * @band: its value and band
 */
struct stat_rate {
	char name[64];
	const char *unit;
	struct Estimate_rate rate;
	struct Estimate_band band;
};

/* Largest number of rates. */
#define RATES_MAX 64
/* Largest number of rates of --rate. */
#define RATES_GIVEN_MAX 16

/**
 * stat_rates_take() - Take in a rate of the user: the option --rate NAME=EVENT+EVENT/EVENT+EVENT.
 *
 * A sum divided by a sum is a share if the second sum has all events of the first, and otherwise a
 * ratio; a single sum is a rate per second. The rate applies to all series from now on.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_rates_take(void *unused, const char *text);

/* Name the rates of the user that cannot be computed from the events of the series. */
void stat_rates_missed(const struct series *series);

/**
 * stat_rates_find() - Find all rates whose events are in the series.
 * @rates: receives them without bands, shape [RATES_MAX]
 *
 * Return: the number of rates.
 */
size_t stat_rates_find(const struct series *series, struct stat_rate *rates);

/**
 * stat_rates() - Compute all rates whose events were read, over the whole time.
 * @rates: receives them, shape [RATES_MAX]
 *
 * Return: the number of rates.
 */
size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates);

#endif /* TOOLS_STAT_RATES_H */
