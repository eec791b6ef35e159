// SPDX-License-Identifier: MIT
/* Time distribution: computes the exact distribution of times. See time_distribution.h. */
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

int time_distribution_sort(struct time_distribution *times)
{
	struct time_distribution_value *merged, *to;
	size_t old = 0, fresh = 0;

	if (!times->fresh_count)
		return 0;
	merged = malloc((times->distinct + times->fresh_count) * sizeof(*merged));
	if (!merged)
		return -ENOMEM;
	qsort(times->fresh, times->fresh_count, sizeof(*times->fresh), by_value);
	to = merged;
	while (old < times->distinct || fresh < times->fresh_count) {
		uint64_t value;

		if (old < times->distinct && (fresh == times->fresh_count ||
					      times->values[old].value <= times->fresh[fresh]))
			*to = times->values[old++];
		else
			*to = (struct time_distribution_value){times->fresh[fresh], 0};
		value = to->value;
		while (fresh < times->fresh_count && times->fresh[fresh] == value) {
			to->count++;
			fresh++;
		}
		to++;
	}
	free(times->values);
	times->values = merged;
	times->distinct = (size_t)(to - merged);
	times->fresh_count = 0;
	return 0;
}

int time_distribution_add(struct time_distribution *times, uint64_t value)
{
	if (!times->fresh) {
		times->fresh = malloc(TIME_DISTRIBUTION_NEW * sizeof(*times->fresh));
		if (!times->fresh)
			return -ENOMEM;
	}
	times->fresh[times->fresh_count++] = value;
	times->count++;
	return times->fresh_count == TIME_DISTRIBUTION_NEW ? time_distribution_sort(times) : 0;
}

void time_distribution_free(struct time_distribution *times)
{
	free(times->values);
	free(times->fresh);
	memset(times, 0, sizeof(*times));
}

void time_distribution_summarize(const struct time_distribution *times,
				 struct time_distribution_summary *summary)
{
	double sum = 0, squares = 0, both;

	memset(summary, 0, sizeof(*summary));
	if (!times->distinct)
		return;
	summary->count = times->count;
	summary->least = times->values[0].value;
	summary->most = times->values[times->distinct - 1].value;
	for (size_t i = 0; i < times->distinct; i++)
		sum += (double)times->values[i].value * (double)times->values[i].count;
	summary->mean = sum / (double)times->count;
	for (size_t i = 0; i < times->distinct; i++) {
		double apart = (double)times->values[i].value - summary->mean;

		squares += apart * apart * (double)times->values[i].count;
	}
	summary->deviation = sqrt(squares / (double)times->count);
	both = summary->deviation + summary->mean;
	summary->burstiness = both > 0 ? (summary->deviation - summary->mean) / both : 0;
}

uint64_t time_distribution_quantile(const struct time_distribution *times, double share)
{
	uint64_t wanted = (uint64_t)ceil(share * (double)times->count), passed = 0;

	for (size_t i = 0; i < times->distinct; i++) {
		passed += times->values[i].count;
		if (passed >= wanted)
			return times->values[i].value;
	}
	return times->distinct ? times->values[times->distinct - 1].value : 0;
}

uint64_t time_distribution_between(const struct time_distribution *times, uint64_t first,
				   uint64_t last)
{
	uint64_t count = 0;

	for (size_t i = 0; i < times->distinct; i++)
		if (times->values[i].value >= first && times->values[i].value <= last)
			count += times->values[i].count;
	return count;
}

uint64_t time_distribution_step(uint64_t limit)
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
