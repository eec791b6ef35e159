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
 * @name: of it; with -C behind the processor, as the events'
 * @unit: "" for a share
 * @rate: how it follows from the events of the series
 * @band: what is known of it
 */
struct stat_rate {
	char name[64];
	const char *unit;
	struct Estimate_rate rate;
	struct Estimate_band band;
};

/* Rates at most. */
#define RATES_MAX 64

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
