// SPDX-License-Identifier: MIT
/*
 * Rates. See tools/stat/rates.h. The known rates are the four rates of [2006], eq. 6.26 to 6.29,
 * the usual rates of perf stat, and the rates that the user has defined.
 */
#include "tools/stat/rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

/* Number of bytes in a cache line of the P6 family. */
#define LINE_BYTES 32.0

/**
 * struct rate_rule - The definition of a rate.
 * @name: name of the rate
 * @kind: how the rate is computed
 * @of: the events of the first sum, ended by NULL
 * @by: the events of the second sum, by which the first sum is divided, ended by NULL
 */
struct rate_rule {
	const char *name;
	enum Estimate_rate_kind kind;
	const char *of[ESTIMATE_TERMS_MAX];
	const char *by[ESTIMATE_TERMS_MAX];
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
	/*
	 * The kernel's "node" events count loads that memory serves. A load that the memory of
	 * another NUMA node serves counts as a miss.
	 */
	{"remote load rate", ESTIMATE_SHARE, {"node-load-misses"}, {"node-loads"}},
	{"remote store rate", ESTIMATE_SHARE, {"node-store-misses"}, {"node-stores"}},
	{"instructions a cycle", ESTIMATE_RATIO, {"instructions"}, {"cycles"}},
	{"major faults of all", ESTIMATE_SHARE, {"major-faults"}, {"page-faults"}},
};

/* The rates that the option --rate has defined. */
static struct rate_rule given[RATES_GIVEN_MAX];
static size_t given_count;

/* ---- from the command line ------------------------------------------------------------------- */

static int among(const char *term, const char *const *terms, size_t count)
{
	size_t at = 0;

	while (at < count && strcmp(term, terms[at]) != 0)
		at++;
	return at < count;
}

/* Split "EVENT+EVENT" into its events. Return: the number of events; 0 after a message. */
static size_t sum_parse(char *text, const char **terms)
{
	size_t count = 0;
	char *next;

	for (; text; text = next) {
		next = strchr(text, '+');
		if (next)
			*next++ = '\0';
		if (!*text || count == ESTIMATE_TERMS_MAX || among(text, terms, count)) {
			tool_usage("--rate: a sum is 1 to %d events, as EVENT+EVENT, each of them "
				   "once",
				   ESTIMATE_TERMS_MAX);
			return 0;
		}
		terms[count++] = text;
	}
	return count;
}

int stat_rates_take(void *unused, const char *text)
{
	char *name = strdup(text), *of = name ? strchr(name, '=') : NULL, *by;
	struct rate_rule *rule = &given[given_count];
	size_t of_count, by_count = 0;

	(void)unused;
	if (given_count == RATES_GIVEN_MAX)
		return tool_usage("--rate: more than %d are too many", RATES_GIVEN_MAX);
	if (!of || of == name)
		return tool_usage("--rate: '%s' is not NAME=EVENT+EVENT/EVENT+EVENT", text);
	*of++ = '\0';
	by = strchr(of, '/');
	if (by)
		*by++ = '\0';
	*rule = (struct rate_rule){.name = name, .kind = ESTIMATE_PER_SECOND};
	of_count = sum_parse(of, rule->of);
	if (by && of_count)
		by_count = sum_parse(by, rule->by);
	if (!of_count || (by && !by_count))
		return TOOL_ERROR;
	if (by)
		rule->kind = ESTIMATE_SHARE;
	for (size_t i = 0; by && i < of_count; i++)
		if (!among(rule->of[i], rule->by, by_count))
			rule->kind = ESTIMATE_RATIO;
	given_count++;
	return TOOL_OK;
}

/* ---- the rates of a series ------------------------------------------------------------------- */

/*
 * Find the events of a sum in the series. Return: the number of events; 0 if one of them is
 * missing.
 */
static size_t terms_find(const struct series *series, const char *prefix, const char *const *names,
			 size_t *terms)
{
	char name[128];
	size_t count = 0;

	for (; count < ESTIMATE_TERMS_MAX && names[count]; count++) {
		snprintf(name, sizeof(name), "%s%s", prefix, names[count]);
		terms[count] = series_find(series, name);
		if (terms[count] == series->events)
			return 0;
	}
	return count;
}

/**
 * rule_find() - Make a rate from the events whose names begin with a prefix.
 * @bytes: bytes that one event of the first sum transfers; 0: the rate is not a bandwidth
 *
 * Return: 1 if the series has all events of the rate; 0.
 */
static int rule_find(const struct series *series, const char *prefix, const struct rate_rule *rule,
		     double bytes, struct stat_rate *rate)
{
	int alone = rule->kind == ESTIMATE_PER_SECOND;

	*rate = (struct stat_rate){.unit = !alone ? "" : bytes > 0 ? "MB/s" : "/s"};
	snprintf(rate->name, sizeof(rate->name), "%s%s", prefix, rule->name);
	rate->rate.kind = rule->kind;
	rate->rate.scale = alone && bytes > 0 ? bytes / 1e6 : 1;
	rate->rate.of_count = terms_find(series, prefix, rule->of, rate->rate.of);
	rate->rate.by_count = terms_find(series, prefix, rule->by, rate->rate.by);
	return rate->rate.of_count && (alone || rate->rate.by_count);
}

/*
 * Append the rates of the events whose names begin with this prefix. Return: the new number of
 * rates.
 */
static size_t prefix_find(const struct series *series, const char *prefix, struct stat_rate *rates,
			  size_t count)
{
	for (size_t k = 0; k < given_count && count < RATES_MAX; k++)
		count += (size_t)rule_find(series, prefix, &given[k], 0, &rates[count]);
	for (size_t k = 0; k < sizeof(rules) / sizeof(rules[0]) && count < RATES_MAX; k++)
		count += (size_t)rule_find(series, prefix, &rules[k], LINE_BYTES, &rates[count]);
	return count;
}

/* Check whether @end is the whole name, or the part of it after a processor's name. */
static int name_ends(const char *name, const char *end)
{
	size_t length = strlen(name), wanted = strlen(end);

	return length >= wanted && !strcmp(name + length - wanted, end);
}

size_t stat_rates_find(const struct series *series, struct stat_rate *rates)
{
	size_t count = prefix_find(series, "", rates, 0);
	char prefix[16] = "", other[16];
	int processor;

	/* The events of a processor are adjacent in the series. */
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

void stat_rates_missed(const struct series *series)
{
	struct stat_rate rates[RATES_MAX];
	size_t count = stat_rates_find(series, rates);

	for (size_t k = 0; k < given_count; k++) {
		size_t at = 0;

		while (at < count && !name_ends(rates[at].name, given[k].name))
			at++;
		if (at == count)
			tool_message("--rate %s is left out: not all of its events are counted",
				     given[k].name);
	}
}

/* Check whether all events of the rate were counted. */
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
