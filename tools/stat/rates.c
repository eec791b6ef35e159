// SPDX-License-Identifier: MIT
/*
 * Rates. See tools/stat/rates.h. The four of 2006, eq. 6.26 to 6.29, and the common ones of perf
 * stat.
 */
#include "tools/stat/rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

/* Bytes of a line of the P6 family's caches. */
#define LINE_BYTES 32.0

/**
 * struct rate_rule - A rate.
 * @of: sum of these events
 * @by: by the sum of these
 */
struct rate_rule {
	const char *name;
	enum Estimate_rate_kind kind;
	const char *of[2];
	const char *by[2];
};

static const struct rate_rule rules[] = {
	{"L1 instruction hit rate", ESTIMATE_REST, {"IFU_IFETCH_MISS"}, {"IFU_IFETCH"}},
	{"L2 hit rate", ESTIMATE_REST, {"L2_LINES_IN"}, {"DCU_LINES_IN", "IFU_IFETCH_MISS"}},
	{"L1-L2 bandwidth", ESTIMATE_PER_SECOND, {"DCU_LINES_IN", "IFU_IFETCH_MISS"}, {NULL}},
	{"L2-memory bandwidth", ESTIMATE_PER_SECOND, {"L2_LINES_IN"}, {NULL}},
	{"cache miss rate", ESTIMATE_SHARE, {"cache-misses"}, {"cache-references"}},
	{"branch miss rate", ESTIMATE_SHARE, {"branch-misses"}, {"branch-instructions"}},
	{"branch miss rate", ESTIMATE_SHARE, {"branch-misses"}, {"branches"}},
	{"L1 data load miss rate", ESTIMATE_SHARE, {"L1-dcache-load-misses"}, {"L1-dcache-loads"}},
	{"last level load miss rate", ESTIMATE_SHARE, {"LLC-load-misses"}, {"LLC-loads"}},
	{"data TLB load miss rate", ESTIMATE_SHARE, {"dTLB-load-misses"}, {"dTLB-loads"}},
	{"instructions a cycle", ESTIMATE_RATIO, {"instructions"}, {"cycles"}},
	{"major faults of all", ESTIMATE_SHARE, {"major-faults"}, {"page-faults"}},
};

/* The events of a sum. Return: how many; 0: one of them is not there. */
static size_t terms_find(const struct series *series, const char *prefix, const char *const *names,
			 size_t *terms)
{
	char name[128];
	size_t count = 0;

	for (; count < 2 && names[count]; count++) {
		snprintf(name, sizeof(name), "%s%s", prefix, names[count]);
		terms[count] = series_find(series, name);
		if (terms[count] == series->events)
			return 0;
	}
	return count;
}

/* The rates of the events with this prefix, behind those that are there. Return: how many now. */
static size_t prefix_find(const struct series *series, const char *prefix, struct stat_rate *rates,
			  size_t count)
{
	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]) && count < RATES_MAX; k++) {
		const struct rate_rule *rule = &rules[k];
		int bandwidth = rule->kind == ESTIMATE_PER_SECOND;
		struct stat_rate *rate = &rates[count];

		*rate = (struct stat_rate){.unit = bandwidth ? "MB/s" : ""};
		snprintf(rate->name, sizeof(rate->name), "%s%s", prefix, rule->name);
		rate->rate.kind = rule->kind;
		rate->rate.scale = bandwidth ? LINE_BYTES / 1e6 : 1;
		rate->rate.of_count = terms_find(series, prefix, rule->of, rate->rate.of);
		rate->rate.by_count = terms_find(series, prefix, rule->by, rate->rate.by);
		count += rate->rate.of_count && (bandwidth || rate->rate.by_count);
	}
	return count;
}

size_t stat_rates_find(const struct series *series, struct stat_rate *rates)
{
	size_t count = prefix_find(series, "", rates, 0);
	char prefix[16] = "", other[16];
	int processor;

	/* Events of a processor follow each other. */
	for (size_t i = 0; i < series->events; i++) {
		if (sscanf(series->names[i], "cpu%d: ", &processor) != 1)
			continue;
		snprintf(other, sizeof(other), "cpu%d: ", processor);
		if (!strcmp(other, prefix) || strncmp(series->names[i], other, strlen(other)) != 0)
			continue;
		memcpy(prefix, other, sizeof(prefix));
		count = prefix_find(series, prefix, rates, count);
	}
	return count;
}

/* Was each event of it read? */
static int was_read(const struct Estimate_rate *rate, const struct stat_state *state)
{
	int read = 1;

	for (size_t k = 0; k < rate->of_count; k++)
		read &= state->totals[rate->of[k]].share > 0;
	for (size_t k = 0; k < rate->by_count; k++)
		read &= state->totals[rate->by[k]].share > 0;
	return read;
}

size_t stat_rates(const struct series *series, const struct stat_state *state,
		  struct stat_rate *rates)
{
	size_t n = state->events, found = stat_rates_find(series, rates), count = 0;
	double *totals = tool_memory(n, sizeof(*totals));
	double *covariance = tool_memory(n * n, sizeof(*covariance));

	memcpy(covariance, state->covariance, n * n * sizeof(*covariance));
	for (size_t i = 0; i < n; i++) {
		totals[i] = state->totals[i].total;
		if (isnan(state->totals[i].deviation))
			covariance[i * n + i] = NAN;
	}
	for (size_t k = 0; k < found; k++) {
		struct stat_rate *rate = &rates[k];

		if (!was_read(&rate->rate, state) ||
		    Estimate_rate_derive(&rate->rate, totals, covariance, n, series_time_s(series),
					 &rate->band) < 0)
			continue;
		rates[count++] = *rate;
	}
	free(totals);
	free(covariance);
	return count;
}
