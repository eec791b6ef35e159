/* SPDX-License-Identifier: MIT */
/*
 * State columns: estimates of events over time, with their confidence intervals.
 *
 * What lives here: the data of a state file that `smile view`, `smile top` and `smile serve` draw.
 * A column is usually one interval. In a long run, each column is a fixed number of successive
 * intervals, and the rate of the column is the mean of the intervals' rates. The confidence
 * interval of a column contains the confidence intervals of all its intervals. May use jansson.
 * Units: events per second, seconds.
 */
#ifndef LIB_ANALYSIS_STATE_STATE_COLUMNS_H
#define LIB_ANALYSIS_STATE_STATE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <smile/estimate/rate.h>

/* The largest number of columns. It must be even. */
#define STATE_COLUMNS_MAX 512

/* The largest number of events, so that reading a damaged file does not exhaust the memory. */
#define STATE_EVENTS_MAX 4096

/**
 * struct state_cell - The estimate of an event in a column.
 * @rate: mean rate over the time @known_s
 * @low: lower end of the 95 % confidence interval: the lowest end of all intervals of the column;
 *           at least 0
 * @high: upper end of the 95 % confidence interval: the highest end of all intervals of the column
 * @known_s: the part of the column's time for which there is an estimate; if it is 0, the other
 *           members have no meaning
 * @read_s: time during which the event was read
 */
struct state_cell {
	double rate;
	double low;
	double high;
	double known_s;
	double read_s;
};

/**
 * struct state_event - An event.
 * @name: name of the event
 * @cells: estimate in each column
 * @all: estimate over the whole time
 * @now: estimate in the last interval
 * @differs: in the last interval, the event's rate on its node differed from the rates on the other
 *           nodes
 */
struct state_event {
	char *name;
	struct state_cell cells[STATE_COLUMNS_MAX];
	struct state_cell all;
	struct state_cell now;
	int differs;
};

/**
 * struct state_columns - All events. If all members are 0, the set is empty.
 * @events: shape [@count]
 * @count: number of events
 * @seconds: length of each column
 * @columns: number of columns
 * @each: number of intervals in each column except the last
 * @filled: number of intervals in the last column
 * @intervals: number of all intervals
 * @time_s: total length of all intervals
 * @rates: the events are rates, and the name of each has its unit
 */
struct state_columns {
	struct state_event **events;
	size_t count;
	double seconds[STATE_COLUMNS_MAX];
	size_t columns;
	uint64_t each;
	uint64_t filled;
	uint64_t intervals;
	double time_s;
	int rates;
};

/**
 * state_columns_event() - Get the index of an event. If the event is new, add it.
 *
 * Return: the index. Errors: -E2BIG, -ENOMEM.
 */
int state_columns_event(struct state_columns *columns, const char *name);

/**
 * struct state_row - The values of an event in one interval.
 * @event: index of the event
 * @read: the event was read
 * @estimate: events in the interval; NAN: unknown
 * @deviation: standard deviation of @estimate; NAN: unknown
 * @differs: the event's rate on its node differs from the rates on the other nodes
 */
struct state_row {
	size_t event;
	int read;
	double estimate;
	double deviation;
	int differs;
};

/**
 * state_columns_add() - Add an interval.
 * @seconds: length of the interval, above 0
 * @rows: the values of the known events; shape [@count]. The value of an event without a row is not
 *        known in the interval
 */
void state_columns_add(struct state_columns *columns, double seconds, const struct state_row *rows,
		       size_t count);

/**
 * state_columns_json() - Get the columns as a JSON object. docs/view.md describes this object under
 * the key "state".
 * @name: name of the file
 * @now: if set, include only the last interval of each event
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *state_columns_json(const struct state_columns *columns, const char *name, int now);

void state_columns_free(struct state_columns *columns);

#endif /* LIB_ANALYSIS_STATE_STATE_COLUMNS_H */
