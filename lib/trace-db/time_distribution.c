// SPDX-License-Identifier: MIT
/*
 * Spread: distributions of times. See time_distribution.h.
 */
#include "lib/trace-db/time_distribution.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

int spread_sort(struct spread *spread)
{
	struct spread_value *merged, *to;
	size_t old = 0, fresh = 0;

	if (!spread->fresh_count)
		return 0;
	merged = malloc((spread->distinct + spread->fresh_count) * sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	qsort(spread->fresh, spread->fresh_count, sizeof(*spread->fresh), by_value);
	to = merged;
	while (old < spread->distinct || fresh < spread->fresh_count) {
		uint64_t value;

		if (old < spread->distinct && (fresh == spread->fresh_count ||
					       spread->values[old].value <= spread->fresh[fresh]))
			*to = spread->values[old++];
		else
			*to = (struct spread_value){spread->fresh[fresh], 0};
		value = to->value;
		while (fresh < spread->fresh_count && spread->fresh[fresh] == value) {
			to->count++;
			fresh++;
		}
		to++;
	}
	free(spread->values);
	spread->values = merged;
	spread->distinct = (size_t)(to - merged);
	spread->fresh_count = 0;
	return 0;
}

int spread_add(struct spread *spread, uint64_t value)
{
	if (!spread->fresh) {
		spread->fresh = malloc(SPREAD_NEW * sizeof(*spread->fresh));
		if (!spread->fresh)
			return -ENOMEM;
	}
	spread->fresh[spread->fresh_count++] = value;
	spread->count++;
	return spread->fresh_count == SPREAD_NEW ? spread_sort(spread) : 0;
}

void spread_free(struct spread *spread)
{
	free(spread->values);
	free(spread->fresh);
	memset(spread, 0, sizeof(*spread));
}

void spread_summarize(const struct spread *spread, struct spread_summary *summary)
{
	double sum = 0, squares = 0, both;

	memset(summary, 0, sizeof(*summary));
	if (!spread->distinct)
		return;
	summary->count = spread->count;
	summary->least = spread->values[0].value;
	summary->most = spread->values[spread->distinct - 1].value;
	for (size_t i = 0; i < spread->distinct; i++)
		sum += (double)spread->values[i].value * (double)spread->values[i].count;
	summary->mean = sum / (double)spread->count;
	for (size_t i = 0; i < spread->distinct; i++) {
		double apart = (double)spread->values[i].value - summary->mean;

		squares += apart * apart * (double)spread->values[i].count;
	}
	summary->deviation = sqrt(squares / (double)spread->count);
	both = summary->deviation + summary->mean;
	summary->burstiness = both > 0 ? (summary->deviation - summary->mean) / both : 0;
}

uint64_t spread_quantile(const struct spread *spread, double share)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)spread->count), passed = 0;

	for (size_t i = 0; i < spread->distinct; i++) {
		passed += spread->values[i].count;
		if (passed >= wanted)
			return spread->values[i].value;
	}
	return spread->distinct ? spread->values[spread->distinct - 1].value : 0;
}

uint64_t spread_between(const struct spread *spread, uint64_t first, uint64_t last)
{
	uint64_t count = 0;

	for (size_t i = 0; i < spread->distinct; i++)
		if (spread->values[i].value >= first && spread->values[i].value <= last)
			count += spread->values[i].count;
	return count;
}

uint64_t spread_step(uint64_t limit)
{
	uint64_t power = 1;

	if (!limit)
		return 1;
	while (power <= limit / 10)
		power *= 10;
	if (limit < 2 * power)
		return 2 * power;
	if (limit < 5 * power)
		return 5 * power;
	return power > UINT64_MAX / 10 ? UINT64_MAX : 10 * power;
}
