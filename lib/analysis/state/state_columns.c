// SPDX-License-Identifier: MIT
/*
 * State columns. See state_columns.h.
 */
#include "lib/analysis/state/state_columns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/document.h"

int state_columns_event(struct state_columns *columns, const char *name)
{
	struct state_event **events, *event;

	for (size_t i = 0; i < columns->count; i++)
		if (!strcmp(columns->events[i]->name, name))
			return (int)i;
	if (columns->count == STATE_EVENTS_MAX)
		return -E2BIG;
	events = reallocarray(columns->events, columns->count + 1, sizeof(struct state_event *));
	if (!events)
		return -ENOMEM;
	columns->events = events;
	event = calloc(1, sizeof(*event));
	if (event)
		event->name = strdup(name);
	if (!event || !event->name) {
		free(event);
		return -ENOMEM;
	}
	events[columns->count] = event;
	return (int)columns->count++;
}

/* Merge the estimate @other, which is for another period, into a cell. */
static void cell_join(struct state_cell *cell, const struct state_cell *other)
{
	double known_s = cell->known_s + other->known_s;

	cell->read_s += other->read_s;
	if (!(other->known_s > 0))
		return;
	if (!(cell->known_s > 0)) {
		double read_s = cell->read_s;

		*cell = *other;
		cell->read_s = read_s;
		return;
	}
	cell->rate = (cell->rate * cell->known_s + other->rate * other->known_s) / known_s;
	cell->low = fmin(cell->low, other->low);
	cell->high = fmax(cell->high, other->high);
	cell->known_s = known_s;
}

/* Merge each pair of columns into one column. */
static void columns_fold(struct state_columns *columns)
{
	for (size_t k = 0; k < columns->columns / 2; k++)
		columns->seconds[k] = columns->seconds[2 * k] + columns->seconds[2 * k + 1];
	for (size_t i = 0; i < columns->count; i++) {
		struct state_cell *cells = columns->events[i]->cells;

		for (size_t k = 0; k < columns->columns / 2; k++) {
			struct state_cell joined = cells[2 * k];

			cell_join(&joined, &cells[2 * k + 1]);
			cells[k] = joined;
		}
		memset(cells + columns->columns / 2, 0, columns->columns / 2 * sizeof(*cells));
	}
	columns->columns /= 2;
	columns->each *= 2;
}

static struct state_cell cell_of(const struct state_row *row, double seconds)
{
	double band = ESTIMATE_BAND_95 * row->deviation;

	if (isnan(row->estimate) || isnan(row->deviation))
		return (struct state_cell){.read_s = row->read ? seconds : 0};
	return (struct state_cell){
		.rate = row->estimate / seconds,
		.low = fmax(row->estimate - band, 0) / seconds,
		.high = (row->estimate + band) / seconds,
		.known_s = seconds,
		.read_s = row->read ? seconds : 0,
	};
}

void state_columns_add(struct state_columns *columns, double seconds, const struct state_row *rows,
		       size_t count)
{
	if (!columns->each)
		columns->each = 1;
	if (!columns->columns || columns->filled == columns->each) {
		if (columns->columns == STATE_COLUMNS_MAX)
			columns_fold(columns);
		columns->seconds[columns->columns++] = 0;
		columns->filled = 0;
	}
	columns->filled++;
	columns->intervals++;
	columns->time_s += seconds;
	columns->seconds[columns->columns - 1] += seconds;
	for (size_t i = 0; i < columns->count; i++) {
		columns->events[i]->now = (struct state_cell){0};
		columns->events[i]->differs = 0;
	}
	for (size_t k = 0; k < count; k++) {
		struct state_event *event = columns->events[rows[k].event];

		event->now = cell_of(&rows[k], seconds);
		event->differs = rows[k].differs;
		cell_join(&event->cells[columns->columns - 1], &event->now);
		cell_join(&event->all, &event->now);
	}
}

/* Convert a value to a JSON number with four digits, which is more than a diagram shows. */
static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	return value >= 1000 && value < 9e15 ? json_integer((json_int_t)llround(value))
					     : json_real(round(value * 1000) / 1000);
}

static json_t *now_json(const struct state_event *event)
{
	const struct state_cell *now = &event->now;
	json_t *object;

	if (!(now->known_s > 0))
		return json_null();
	object = json_pack("{s:o,s:o,s:o,s:b}", "rate", number(now->rate), "low_95",
			   number(now->low), "high_95", number(now->high), "read", now->read_s > 0);
	if (event->differs)
		json_object_set_new(object, "differs", json_true());
	return object;
}

static void columns_json(const struct state_columns *columns, const struct state_event *event,
			 json_t *object)
{
	json_t *rates = json_array(), *lows = json_array(), *highs = json_array();
	json_t *reads = json_array();

	for (size_t k = 0; k < columns->columns; k++) {
		const struct state_cell *cell = &event->cells[k];
		int known = cell->known_s > 0;

		json_array_append_new(rates, number(known ? cell->rate : NAN));
		json_array_append_new(lows, number(known ? cell->low : NAN));
		json_array_append_new(highs, number(known ? cell->high : NAN));
		json_array_append_new(reads, json_integer(cell->read_s > 0));
	}
	json_object_set_new(object, "rate", rates);
	json_object_set_new(object, "low_95", lows);
	json_object_set_new(object, "high_95", highs);
	json_object_set_new(object, "read", reads);
}

json_t *state_columns_json(const struct state_columns *columns, const char *name, int now)
{
	json_t *events = json_array(), *seconds = json_array(), *object;

	for (size_t i = 0; i < columns->count; i++) {
		const struct state_event *event = columns->events[i];
		double share = columns->time_s > 0 ? event->all.read_s / columns->time_s : 0;

		object = json_pack("{s:o,s:f,s:o}", "event", document_text(event->name),
				   "read_share", share, "now", now_json(event));
		if (!now)
			columns_json(columns, event, object);
		json_array_append_new(events, object);
	}
	object = json_pack("{s:o,s:s,s:I,s:f,s:o}", "file", document_text(name), "unit",
			   columns->rates ? "" : "events/s", "intervals",
			   (json_int_t)columns->intervals, "time_s", columns->time_s, "events",
			   events);
	for (size_t k = 0; k < columns->columns; k++)
		json_array_append_new(seconds, json_real(columns->seconds[k]));
	if (now)
		json_decref(seconds);
	else
		json_object_set_new(object, "seconds", seconds);
	json_object_set_new(object, "intervals_each", json_integer((json_int_t)columns->each));
	return object;
}

void state_columns_free(struct state_columns *columns)
{
	for (size_t i = 0; i < columns->count; i++) {
		free(columns->events[i]->name);
		free(columns->events[i]);
	}
	free(columns->events);
	*columns = (struct state_columns){0};
}
