// SPDX-License-Identifier: MIT
/*
 * Readings. See tools/stat/readings.h.
 */
#include "tools/stat/readings.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <smile/estimate.h>

#include "tools/common/csv_read.h"
#include "tools/common/tool.h"
#include "tools/stat/series.h"

#define READINGS_HEADER "interval,dt_s,event,value"

enum reading_column {
	COLUMN_INTERVAL,
	COLUMN_DT,
	COLUMN_EVENT,
	COLUMN_VALUE,
	COLUMNS,
};

/**
 * struct reading - A file of readings while it is read.
 * @csv: the file
 * @ops: callbacks that receive the data
 * @opaque: passed to the callbacks
 * @begun: at least one interval was read
 * @now: the current interval
 * @room: capacity of the arrays of @now
 * @seen: for each event, the line of its last reading; shape [@seen_room]
 * @seen_room: capacity of @seen
 * @first_line: first line of the current interval
 */
struct reading {
	struct csv_read csv;
	const struct readings_ops *ops;
	void *opaque;
	int begun;
	struct readings_interval now;
	size_t room;
	uint64_t *seen;
	size_t seen_room;
	uint64_t first_line;
};

static int interval_end(struct reading *state)
{
	int going = state->ops->take(state->opaque, &state->now);

	state->now.count = 0;
	return going;
}

/*
 * Read the interval of the row. If it is a new interval, pass on the one before it. Return: 1; 0 if
 * reading must stop; -1 after a message.
 */
static int interval_take(struct reading *state)
{
	const struct csv_read *csv = &state->csv;
	uint64_t interval;
	double dt_s;

	if (csv_read_whole(csv, COLUMN_INTERVAL, "interval", &interval) < 0 ||
	    csv_read_real(csv, COLUMN_DT, "dt_s", &dt_s) < 0)
		return -1;
	if (!(dt_s > 0))
		return csv_read_error(csv, "dt_s %s: an interval must be longer than 0",
				      csv->cells[COLUMN_DT]);
	if (dt_s > ESTIMATE_NUMBER_MAX)
		return csv_read_error(csv, "dt_s %s is beyond 1e100", csv->cells[COLUMN_DT]);
	if (state->begun && interval == state->now.number) {
		if (dt_s < state->now.dt_s || dt_s > state->now.dt_s)
			return csv_read_error(csv,
					      "interval %" PRIu64 " has two lengths: %g and "
					      "%s s",
					      interval, state->now.dt_s, csv->cells[COLUMN_DT]);
		return 1;
	}
	if (state->begun && interval < state->now.number)
		return csv_read_error(csv,
				      "interval %" PRIu64 " comes after interval %" PRIu64
				      ": intervals must ascend",
				      interval, state->now.number);
	if (state->begun && !interval_end(state))
		return 0;
	state->begun = 1;
	state->first_line = csv->line;
	state->now.number = interval;
	state->now.dt_s = dt_s;
	return 1;
}

static int reading_take(struct reading *state)
{
	const struct csv_read *csv = &state->csv;
	const char *event = csv->cells[COLUMN_EVENT];
	double value;
	size_t i;

	/* A state file also has rows for events that were not counted: skip them. */
	if (!*csv->cells[COLUMN_VALUE] && (!*event || csv->columns > COLUMNS))
		return 1;
	if (!*event)
		return csv_read_error(csv, "a value without an event");
	i = state->ops->find(state->opaque, event);
	if (i == SIZE_MAX)
		return csv_read_error(csv,
				      "event %s is not in the parameters: give only readings of "
				      "events that --fit has found to be a process",
				      event);
	if (csv_read_real(csv, COLUMN_VALUE, "value", &value) < 0)
		return -1;
	if (state->ops->counts && value < 0)
		return csv_read_error(csv, "value %s: no count is below 0",
				      csv->cells[COLUMN_VALUE]);
	if (fabs(value) > ESTIMATE_NUMBER_MAX)
		return csv_read_error(csv, "value %s is beyond 1e100", csv->cells[COLUMN_VALUE]);
	if (i >= state->seen_room) {
		size_t room = 2 * i + 64;

		state->seen = tool_larger(state->seen, room, sizeof(*state->seen));
		memset(state->seen + state->seen_room, 0,
		       (room - state->seen_room) * sizeof(*state->seen));
		state->seen_room = room;
	}
	if (state->seen[i] >= state->first_line)
		return csv_read_error(
			csv, "event %s was read in this interval already, in line %" PRIu64, event,
			state->seen[i]);
	state->seen[i] = csv->line;
	if (state->now.count == state->room) {
		state->room = state->room ? 2 * state->room : 64;
		state->now.counters =
			tool_larger(state->now.counters, state->room, sizeof(*state->now.counters));
		state->now.values =
			tool_larger(state->now.values, state->room, sizeof(*state->now.values));
	}
	state->now.counters[state->now.count] = i;
	state->now.values[state->now.count++] = value;
	return 1;
}

/* Read all rows, and pass on the intervals. Return: TOOL_OK or TOOL_ERROR. */
static int rows_pass(struct reading *state)
{
	int got, going = 1;

	while (going > 0 && (got = csv_read_row(&state->csv)) > 0) {
		going = interval_take(state);
		if (going > 0)
			going = reading_take(state);
	}
	if (going < 0 || (going && got < 0))
		return TOOL_ERROR;
	if (!state->begun)
		return tool_error("%s has no interval", state->csv.name);
	if (going)
		interval_end(state);
	return TOOL_OK;
}

int readings_read(const char *path, const struct readings_ops *ops, void *opaque)
{
	struct reading state = {.ops = ops, .opaque = opaque};
	int status;

	if (csv_read_open(&state.csv, path, READINGS_HEADER, 1) != TOOL_OK)
		return TOOL_ERROR;
	status = rows_pass(&state);
	csv_read_close(&state.csv);
	free(state.now.counters);
	free(state.now.values);
	free(state.seen);
	return status;
}

/* ---- as a series ----------------------------------------------------------------------------- */

/**
 * struct collected - All readings of a file, until the number of events is known.
 * @series: a series with the names of the events so far
 * @counters: for each reading, the index of its event; shape [@count]
 * @values: values of all readings; shape [@count]
 * @counts: for each interval, the number of its readings; shape [@intervals]
 * @lengths_s: length of each interval; shape [@intervals]
 */
struct collected {
	struct series *series;
	size_t *counters;
	double *values;
	size_t count, room;
	size_t *counts;
	double *lengths_s;
	size_t intervals, intervals_room;
};

static size_t collected_find(void *opaque, const char *name)
{
	struct collected *all = opaque;
	size_t i = series_find(all->series, name);

	return i < all->series->events ? i : series_event(all->series, name);
}

static int collected_take(void *opaque, const struct readings_interval *interval)
{
	struct collected *all = opaque;

	if (all->count + interval->count > all->room) {
		all->room = 2 * (all->count + interval->count);
		all->counters = tool_larger(all->counters, all->room, sizeof(*all->counters));
		all->values = tool_larger(all->values, all->room, sizeof(*all->values));
	}
	if (all->intervals == all->intervals_room) {
		all->intervals_room = 2 * all->intervals + 64;
		all->counts = tool_larger(all->counts, all->intervals_room, sizeof(*all->counts));
		all->lengths_s =
			tool_larger(all->lengths_s, all->intervals_room, sizeof(*all->lengths_s));
	}
	for (size_t k = 0; k < interval->count; k++) {
		all->counters[all->count] = interval->counters[k];
		all->values[all->count++] = interval->values[k];
	}
	all->counts[all->intervals] = interval->count;
	all->lengths_s[all->intervals++] = interval->dt_s;
	return 1;
}

int readings_series(const char *path, struct series *series)
{
	static const struct readings_ops ops = {collected_find, collected_take, 1};
	struct collected all = {.series = series};
	int status = readings_read(path, &ops, &all);
	size_t next = 0;

	for (size_t t = 0; t < all.intervals && status == TOOL_OK; t++) {
		double *values = series_interval(series, all.lengths_s[t]);

		for (size_t k = 0; k < all.counts[t]; k++, next++)
			values[all.counters[next]] = all.values[next];
		series_end(series);
	}
	free(all.counters);
	free(all.values);
	free(all.counts);
	free(all.lengths_s);
	if (status == TOOL_OK && !series->events)
		return tool_error("%s has no reading", path);
	return status;
}
