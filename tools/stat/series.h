/* SPDX-License-Identifier: MIT */
/*
 * Series: the readings of events by interval, and the state that is estimated from these readings.
 */
#ifndef TOOLS_STAT_SERIES_H
#define TOOLS_STAT_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/estimate/joint.h"

/**
 * struct series - Readings in rotation.
 * @names: names of the events, shape [@events]
 * @events: number of events
 * @values: readings; shape [@intervals][@events]; NAN: not read
 * @lengths_s: lengths of the intervals, shape [@intervals]
 * @intervals: number of intervals
 * @values_room: number of intervals that @values has room for
 * @lengths_room: number of intervals that @lengths_s has room for
 * @ended: called when all readings of an interval are complete, or NULL
 * @opaque: for @ended
 * @earlier: samples of an earlier run, which must have all events; NULL: none
 */
struct series {
	char **names;
	size_t events;
	double *values;
	double *lengths_s;
	size_t intervals;
	size_t values_room;
	size_t lengths_room;
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

/* Add an interval without readings yet. Return: its values. */
double *series_interval(struct series *series, double length_s);

/* Call when all readings of the last interval are complete. */
void series_end(const struct series *series);

/* The median length of the intervals. */
double series_nominal_s(const struct series *series);

/* Sum of the lengths of all intervals. */
double series_time_s(const struct series *series);

/**
 * struct stat_total - An event over the whole time.
 * @name: its name
 * @read: sum of the readings
 * @total: estimate of the total; @read if all intervals were read
 * @deviation: standard deviation of @total; NAN: unknown, since too little was read
 * @share: share of the time in which it was read: 0 to 1; 0: nothing is known
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
 * struct stat_next - Prediction of an event in the next interval, if it is as long as this one.
 * @estimate: the predicted count; NAN: unknown
 * @deviation: standard deviation of @estimate
 */
struct stat_next {
	double estimate;
	double deviation;
};

/**
 * struct stat_state - The state that is estimated from a series.
 * @totals: totals of the events; shape [@events]
 * @covariance: covariance of the totals, shape [@events][@events]
 * @estimates: estimates by interval; shape [intervals][@events]; NAN: unknown
 * @deviations: their standard deviations, the same shape
 * @next: predictions of the next interval, the same shape
 * @rates: rates that are computed from the events, shape [@rate_count]
 * @rate_count: number of rates
 * @rate_bands: bands of the rates by interval, shape [intervals][@rate_count]; value NAN: unknown
 * @events: number of events
 * @rho: share of the slow part that remains after @nominal_s; 0: no process was needed
 * @nominal_s: median length of the intervals
 * @sharing: how much the events share: enum joint_sharing
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
 * @ahead: predict the next interval even if all events were always read
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call stat_state_free() in both cases.
 */
int series_estimate(const struct series *series, int ahead, struct stat_state *state);

void stat_state_free(struct stat_state *state);

/* The lower end of a total's 95 % band, which is never below the sum of the readings. */
double stat_total_low(const struct stat_total *total);
double stat_total_high(const struct stat_total *total);

#endif /* TOOLS_STAT_SERIES_H */
