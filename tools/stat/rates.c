// SPDX-License-Identifier: MIT
/*
 * Rates. See tools/stat/rates.h. The four of 2006, eq. 6.26 to 6.29, and the common ones of perf
 * stat.
 */
#include "tools/stat/rates.h"

#include <math.h>
#include <string.h>

/* A series of more events has no rates. */
#define EVENTS_MAX 256

/* Bytes of a line of the P6 family's caches. */
#define LINE_BYTES 32.0

enum rate_kind {
	RATE_SHARE, /* of / by */
	RATE_HIT, /* 1 - of / by */
	RATE_RATIO, /* of / by, which can be above 1 */
	RATE_BANDWIDTH, /* of lines by time */
};

/**
 * struct rate_rule - A rate.
 * @of: sum of these events
 * @by: by the sum of these
 */
struct rate_rule {
	const char *name;
	enum rate_kind kind;
	const char *of[2];
	const char *by[2];
};

static const struct rate_rule rules[] = {
	{"L1 instruction hit rate", RATE_HIT, {"IFU_IFETCH_MISS"}, {"IFU_IFETCH"}},
	{"L2 hit rate", RATE_HIT, {"L2_LINES_IN"}, {"DCU_LINES_IN", "IFU_IFETCH_MISS"}},
	{"L1-L2 bandwidth", RATE_BANDWIDTH, {"DCU_LINES_IN", "IFU_IFETCH_MISS"}, {NULL}},
	{"L2-memory bandwidth", RATE_BANDWIDTH, {"L2_LINES_IN"}, {NULL}},
	{"cache miss rate", RATE_SHARE, {"cache-misses"}, {"cache-references"}},
	{"branch miss rate", RATE_SHARE, {"branch-misses"}, {"branch-instructions"}},
	{"branch miss rate", RATE_SHARE, {"branch-misses"}, {"branches"}},
	{"L1 data load miss rate", RATE_SHARE, {"L1-dcache-load-misses"}, {"L1-dcache-loads"}},
	{"last level load miss rate", RATE_SHARE, {"LLC-load-misses"}, {"LLC-loads"}},
	{"data TLB load miss rate", RATE_SHARE, {"dTLB-load-misses"}, {"dTLB-loads"}},
	{"instructions a cycle", RATE_RATIO, {"instructions"}, {"cycles"}},
	{"major faults of all", RATE_SHARE, {"major-faults"}, {"page-faults"}},
};

/* Weights of the events in a sum. Return: 0 if one of them was not read. */
static int sum_weights(const struct series *series, const struct stat_state *state,
		       const char *const *names, double *weights, double *sum)
{
	*sum = 0;
	memset(weights, 0, series->events * sizeof(*weights));
	for (size_t k = 0; k < 2 && names[k]; k++) {
		size_t i = series_find(series, names[k]);

		if (i == series->events || !(state->totals[i].share > 0))
			return 0;
		weights[i] = 1;
		*sum += state->totals[i].total;
	}
	return names[0] != NULL;
}

/* Deviation of a weighted sum of totals. */
static double sum_deviation(const struct stat_state *state, const double *weights)
{
	double variance = 0;

	for (size_t i = 0; i < state->events; i++) {
		if (weights[i] < 0 || weights[i] > 0)
			variance += 0 * state->totals[i].deviation;
		for (size_t j = 0; j < state->events; j++)
			variance +=
				weights[i] * weights[j] * state->covariance[i * state->events + j];
	}
	return sqrt(fmax(variance, 0) + 0 * variance);
}

static int rate_derive(const struct series *series, const struct stat_state *state,
		       const struct rate_rule *rule, struct stat_rate *rate)
{
	double of[EVENTS_MAX], by[EVENTS_MAX], top, bottom, scale, ratio;

	if (series->events > EVENTS_MAX || !sum_weights(series, state, rule->of, of, &top))
		return 0;
	*rate = (struct stat_rate){.name = rule->name, .unit = ""};
	if (rule->kind == RATE_BANDWIDTH) {
		scale = LINE_BYTES / 1e6 / series_time_s(series);
		rate->unit = "MB/s";
		rate->value = top * scale;
		rate->deviation = sum_deviation(state, of) * scale;
		return 1;
	}
	if (!sum_weights(series, state, rule->by, by, &bottom) || !(bottom > 0))
		return 0;
	/* d(a / b) = (da - a / b db) / b */
	ratio = top / bottom;
	for (size_t i = 0; i < series->events; i++)
		of[i] = (of[i] - ratio * by[i]) / bottom;
	rate->deviation = sum_deviation(state, of);
	rate->value = rule->kind == RATE_HIT ? 1 - ratio : ratio;
	rate->impossible = rule->kind != RATE_RATIO && (rate->value < 0 || rate->value > 1);
	return 1;
}

size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates)
{
	size_t count = 0;

	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]) && count < RATES_MAX; k++)
		count += (size_t)rate_derive(series, state, &rules[k], &rates[count]);
	return count;
}
