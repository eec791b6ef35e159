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
 * @seen: for each event, the line of its last reading; shape [@room]
 * @room: capacity of @seen and of the arrays of @now
 * @first_line: first line of the current interval
 */
struct reading {
	struct csv_read csv;
	const struct readings_ops *ops;
	void *opaque;
	int begun;
	struct readings_interval now;
	uint64_t *seen;
	size_t room;
	uint64_t first_line;
};

static int interval_end(struct reading *state)
{
	int going = state->ops->take(state->opaque, &state->now);

	state->now.count = 0;
	return going;
}

/*
 * Read the interval of the row. If the row begins a new interval, pass on the previous interval.
 * Return: 1; 0 if reading must stop; -1 after a message.
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

/*
 * Make room for events with indices below @room. An interval has at most one reading of each event.
 */
static void events_room(struct reading *state, size_t room)
{
	struct readings_interval *now = &state->now;

	now->counters = tool_larger(now->counters, room, sizeof(*now->counters));
	now->values = tool_larger(now->values, room, sizeof(*now->values));
	state->seen = tool_larger(state->seen, room, sizeof(*state->seen));
	memset(state->seen + state->room, 0, (room - state->room) * sizeof(*state->seen));
	state->room = room;
}

static int reading_take(struct reading *state)
{
	const struct csv_read *csv = &state->csv;
	const char *event = csv->cells[COLUMN_EVENT];
	double value;
	size_t i;

	/* Skip rows for events that were not counted, which a state file also has. */
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
	if (i >= state->room)
		events_room(state, 2 * i + 64);
	if (state->seen[i] >= state->first_line)
		return csv_read_error(
			csv, "event %s was read in this interval already, in line %" PRIu64, event,
			state->seen[i]);
	state->seen[i] = csv->line;
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

/* A reading: its event, and its value. */
struct collected_reading {
	size_t counter;
	double value;
};

/* An interval: the end of its readings, and its length. */
struct collected_interval {
	size_t end;
	double length_s;
};

/**
 * struct collected - All readings of a file, until the number of events is known.
 * @series: a series with the names of the events so far
 * @readings: all readings; shape [@count]
 * @intervals: all intervals; shape [@interval_count]
 */
struct collected {
	struct series *series;
	struct collected_reading *readings;
	size_t count, room;
	struct collected_interval *intervals;
	size_t interval_count, interval_room;
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

	for (size_t k = 0; k < interval->count; k++) {
		tool_reserve(&all->readings, &all->room, all->count, sizeof(*all->readings));
		all->readings[all->count++] =
			(struct collected_reading){interval->counters[k], interval->values[k]};
	}
	tool_reserve(&all->intervals, &all->interval_room, all->interval_count,
		     sizeof(*all->intervals));
	all->intervals[all->interval_count++] =
		(struct collected_interval){all->count, interval->dt_s};
	return 1;
}

int readings_series(const char *path, struct series *series)
{
	static const struct readings_ops ops = {collected_find, collected_take, 1};
	struct collected all = {.series = series};
	int status = readings_read(path, &ops, &all);
	size_t k = 0;

	if (status == TOOL_OK && !series->events)
		status = tool_error("%s has no reading", path);
	for (size_t t = 0; t < all.interval_count && status == TOOL_OK; t++) {
		double *values = series_interval(series, all.intervals[t].length_s);

		for (; k < all.intervals[t].end; k++)
			values[all.readings[k].counter] = all.readings[k].value;
		series_end(series);
	}
	free(all.readings);
	free(all.intervals);
	return status;
}
