/* SPDX-License-Identifier: MIT */
/*
 * Series: the readings of events in all intervals, and the state that is estimated from them.
 */
#ifndef TOOLS_STAT_SERIES_H
#define TOOLS_STAT_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "lib/estimate/joint_process.h"

/**
 * struct series - The readings of events, which may be counted in rotation.
 * @names: names of the events, shape [@events]
 * @events: number of events
 * @values: readings; NAN: the event was not counted in the interval; shape [@intervals][@events]
 * @lengths_s: lengths of the intervals, shape [@intervals]
 * @intervals: number of intervals
 * @values_room: capacity of @values in intervals
 * @lengths_room: capacity of @lengths_s in intervals
 * @ended: called when all readings of an interval are complete; NULL: not called
 * @opaque: passed to @ended
 * @earlier: samples of an earlier run, which must have samples of all events; NULL: none
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

/* Add an event. All events must be added before the first interval. Return: index of the event. */
size_t series_event(struct series *series, const char *name);

/*
 * Find an event by its name. Return: index of the event; the number of events if none has this
 * name.
 */
size_t series_find(const struct series *series, const char *name);

/**
 * series_learned() - Check whether the earlier run has samples of all events.
 *
 * Return: TOOL_OK, also if there is no earlier run; TOOL_ERROR after a message that names an event
 *         without samples.
 */
int series_learned(const struct series *series);

/*
 * Add an interval, in which no event has a reading yet. Return: the values of the interval, to be
 * filled in.
 */
double *series_interval(struct series *series, double length_s);

/* Report that all readings of the last interval are complete. */
void series_end(const struct series *series);

/* Get the median of the lengths of the intervals. */
double series_nominal_s(const struct series *series);

/* Get the sum of the lengths of all intervals. */
double series_time_s(const struct series *series);

/**
 * struct stat_total - The count of an event over the whole time.
 * @name: name of the event
 * @read: sum of the event's readings
 * @total: estimate of the total count; equal to @read if the event was counted in all intervals
 * @deviation: standard deviation of @total; NAN: not known, because there are too few readings
 * @share: share of the time in which the event was counted, 0 to 1; 0: it was never counted
 * @raised: the estimate was below @read, and was therefore raised to @read
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
 * struct stat_next - The prediction of an event's count in the next interval. It assumes that the
 * next interval is as long as the current one.
 * @estimate: the predicted count; NAN: not known
 * @deviation: standard deviation of @estimate
 */
struct stat_next {
	double estimate;
	double deviation;
};

/**
 * struct stat_state - The state that is estimated from a series.
 * @totals: totals of all events; shape [@events]
 * @covariance: covariance of the totals; shape [@events][@events]
 * @estimates: estimated counts by interval; NAN: not known; shape [intervals][@events]
 * @deviations: standard deviations of @estimates; shape [intervals][@events]
 * @next: predictions for the next interval, by interval; shape [intervals][@events]
 * @rates: rates that can be computed from the events; shape [@rate_count]
 * @rate_count: number of rates
 * @rate_bands: confidence intervals of the rates by interval; a value of NAN is not known; shape
 *              [intervals][@rate_count]
 * @events: number of events
 * @rho: the share of the slow part of a count that remains after the time @nominal_s; 0: no process
 *       was fitted
 * @nominal_s: median of the lengths of the intervals
 * @sharing: how much of the process the events share: enum joint_sharing
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
 * series_estimate() - Estimate the totals, and the counts in each interval.
 * @ahead: also predict the next interval if all events were counted in all intervals
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The caller must call stat_state_free() in both
 *         cases.
 */
int series_estimate(const struct series *series, int ahead, struct stat_state *state);

void stat_state_free(struct stat_state *state);

/*
 * Get the lower end of the 95 % confidence interval of a total. It is never below the sum of the
 * readings.
 */
double stat_total_low(const struct stat_total *total);
double stat_total_high(const struct stat_total *total);

#endif /* TOOLS_STAT_SERIES_H */
