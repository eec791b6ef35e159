/* SPDX-License-Identifier: MIT */
/*
 * State columns: estimates of events over time, with their bands.
 *
 * What lives here: the data of a state file that `smile view`, `smile top` and `smile serve` draw.
 * A column is one interval, or in a long run a fixed number of successive intervals: its rate is
 * their mean, and its band contains all of their bands, so that drawing makes no band narrower. May
 * use jansson. Units: events per second, seconds.
 */
#ifndef LIB_ANALYSIS_STATE_STATE_COLUMNS_H
#define LIB_ANALYSIS_STATE_STATE_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include <smile/estimate/rate.h>

/* The largest number of columns; it is even. */
#define STATE_COLUMNS_MAX 512

/* The largest number of events, so that a damaged file does not use all memory. */
#define STATE_EVENTS_MAX 4096

/**
 * struct state_cell - An event in a column.
 * @rate: mean over @known_s
 * @low: lower end of the 95 % band, of the interval where it is lowest; never below 0
 * @high: upper end, of the interval where it is highest
 * @known_s: time for which there is an estimate; 0: the other members have no meaning
 * @read_s: time in which the event was read
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
 * @cells: cells by column
 * @all: cell over the whole time
 * @now: cell of the last interval
 * @differs: in the last interval, its node differs from the others
 */
struct state_event {
	char *name;
	struct state_cell cells[STATE_COLUMNS_MAX];
	struct state_cell all;
	struct state_cell now;
	int differs;
};

/**
 * struct state_columns - All events; all zero is an empty set.
 * @events: shape [@count]
 * @count: number of events
 * @seconds: length of each column
 * @columns: number of columns
 * @each: number of intervals in a whole column
 * @filled: number of intervals in the last column
 * @intervals: number of all intervals
 * @time_s: length of all intervals
 * @rates: events are rates, whose units are in their names
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
 * state_columns_event() - The index of an event, which is added if it is new.
 *
 * Return: the index. Errors: -E2BIG, -ENOMEM.
 */
int state_columns_event(struct state_columns *columns, const char *name);

/**
 * struct state_row - An event in one interval.
 * @event: index of the event
 * @read: the event was read
 * @estimate: events in the interval; NAN: unknown
 * @deviation: standard deviation of @estimate; NAN: unknown
 * @differs: its node differs from the others
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
 * @rows: shape [@count]; events without a row are unknown
 */
void state_columns_add(struct state_columns *columns, double seconds, const struct state_row *rows,
		       size_t count);

/**
 * state_columns_json() - The columns as an object: docs/view.md, key "state".
 * @name: name of the file
 * @now: only the last interval of each event
 *
 * Return: a new reference; NULL without memory.
 */
json_t *state_columns_json(const struct state_columns *columns, const char *name, int now);

void state_columns_free(struct state_columns *columns);

#endif /* LIB_ANALYSIS_STATE_STATE_COLUMNS_H */
