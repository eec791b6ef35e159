/* SPDX-License-Identifier: MIT */
/*
 * Rates: derived from totals, with bands by propagation of their covariance.
 */
#ifndef TOOLS_STAT_RATES_H
#define TOOLS_STAT_RATES_H

#include "tools/stat/series.h"

/**
 * struct stat_rate - A rate.
 * @name: of it
 * @unit: "" for a share
 * @value: of it
 * @deviation: standard deviation; NAN: unknown
 * @impossible: a share below 0 or above 1
 */
struct stat_rate {
	const char *name;
	const char *unit;
	double value;
	double deviation;
	int impossible;
};

/* Rates at most. */
#define RATES_MAX 16

/**
 * stat_rates() - All rates that can be derived from the events that were read.
 * @rates: receives them, shape [RATES_MAX]
 *
 * Return: how many.
 */
size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates);

#endif /* TOOLS_STAT_RATES_H */
