/* SPDX-License-Identifier: MIT */
/*
 * Series: the readings of events by interval, and the state that is estimated from them.
 */
#ifndef TOOLS_STAT_SERIES_H
#define TOOLS_STAT_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/estimate/joint.h"

/**
 * struct series - Readings in rotation.
 * @names: of the events, shape [@events]
 * @events: how many
 * @values: shape [@intervals][@events]; NAN: not read
 * @lengths_s: of the intervals, shape [@intervals]
 * @intervals: how many
 * @room: for how many there is memory
 * @ended: called when all readings of an interval are there, or NULL
 * @opaque: for @ended
 * @earlier: of an earlier run, which must have all events; NULL: there is none
 */
struct series {
	char **names;
	size_t events;
	double *values;
	double *lengths_s;
	size_t intervals;
	size_t room;
	void (*ended)(void *opaque, const struct series *series);
	void *opaque;
	const struct samples *earlier;
};

struct samples;

void series_init(struct series *series);
void series_free(struct series *series);

/* Add an event, before the first interval. Return: its index. */
size_t series_event(struct series *series, const char *name);

/* Return: the index of an event; the number of events if none has this name. */
size_t series_find(const struct series *series, const char *name);

/**
 * series_learned() - Does the earlier run have samples of all events?
 *
 * Return: TOOL_OK, also if there was none; TOOL_ERROR after naming an event without samples.
 */
int series_learned(const struct series *series);

/* Add an interval in which nothing is read yet. Return: its values. */
double *series_interval(struct series *series, double length_s);

/* All readings of the last interval are there. */
void series_end(const struct series *series);

/* The length of most intervals: half of them are shorter, half longer. */
double series_nominal_s(const struct series *series);

/* Sum of the lengths. */
double series_time_s(const struct series *series);

/**
 * struct stat_total - An event over the whole time.
 * @name: of it
 * @read: sum of the readings
 * @total: estimate; @read if all intervals were read
 * @deviation: of it; NAN: unknown, too little was read
 * @share: the share of the time in which it was read: 0 to 1; 0: nothing is known
 * @raised: the estimate was less than the sum of the readings, and was raised to that sum
 */
struct stat_total {
	const char *name;
	double read;
	double total;
	double deviation;
	double share;
	int raised;
};

struct stat_rate;

/**
 * struct stat_next - An event in the interval to come, if that is as long as this one.
 * @estimate: NAN: unknown
 * @deviation: of it
 */
struct stat_next {
	double estimate;
	double deviation;
};

/**
 * struct stat_state - The state that is estimated from a series.
 * @totals: shape [@events]
 * @covariance: of them, shape [@events][@events]
 * @estimates: shape [intervals][@events]; NAN: unknown
 * @deviations: the same
 * @next: the same
 * @rates: which follow from the events, shape [@rate_count]
 * @rate_count: how many
 * @rate_bands: of each interval, shape [intervals][@rate_count]; value NAN: unknown
 * @events: how many
 * @rho: the share of the slow part that is left after @nominal_s; 0: no process was needed
 * @nominal_s: length of most intervals
 * @sharing: how much the events share
 */
struct stat_state {
	struct stat_total *totals;
	double *covariance;
	double *estimates;
	double *deviations;
	struct stat_next *next;
	struct stat_rate *rates;
	size_t rate_count;
	struct Estimate_band *rate_bands;
	size_t events;
	double rho;
	double nominal_s;
	enum joint_sharing sharing;
};

/**
 * series_estimate() - Estimate totals and intervals.
 * @ahead: predict the interval to come even if all events were always read
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; stat_state_free() in both cases.
 */
int series_estimate(const struct series *series, int ahead, struct stat_state *state);

void stat_state_free(struct stat_state *state);

/* The 95 % band of a total: never below what was read. */
double stat_total_low(const struct stat_total *total);
double stat_total_high(const struct stat_total *total);

#endif /* TOOLS_STAT_SERIES_H */
