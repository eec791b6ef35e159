// SPDX-License-Identifier: MIT
/*
 * Samples. See tools/stat/samples.h.
 */
#include "tools/stat/samples.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <smile/estimate.h>

#include "lib/analysis/state/state_file.h"
#include "tools/common/csv.h"
#include "tools/common/csv_read.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"

/* The times between samples may differ by this fraction, because clocks differ. */
#define JITTER 0.1

enum sample_column {
	COLUMN_SET,
	COLUMN_DT,
	COLUMN_EVENT,
	COLUMN_VALUE,
};

/*
 * Find an event by its name, or add it. The rows of the file are grouped by event, or the events
 * alternate. Therefore compare first with the last event that was found, and then with the event
 * after it.
 */
static struct sampled *event_of(struct samples *samples, const char *name, size_t *hint)
{
	struct sampled *event;

	for (size_t i = 0; i < samples->count; i++) {
		size_t at = (*hint + i) % samples->count;

		if (strcmp(samples->events[at].name, name))
			continue;
		*hint = at;
		return &samples->events[at];
	}
	samples->events =
		tool_larger(samples->events, samples->count + 1, sizeof(*samples->events));
	event = &samples->events[samples->count++];
	*event = (struct sampled){.name = strdup(name), .dt_least = INFINITY};
	if (!event->name) {
		tool_error("no memory for the samples");
		exit(TOOL_ERROR);
	}
	return event;
}

static void sets_grow(struct sampled *event)
{
	size_t room = event->sets_room ? 2 * event->sets_room : 8;

	event->lengths = tool_larger(event->lengths, room, sizeof(*event->lengths));
	event->numbers = tool_larger(event->numbers, room, sizeof(*event->numbers));
	event->places = tool_larger(event->places, room, sizeof(*event->places));
	event->sets_room = room;
}

static void value_add(struct sampled *event, uint64_t set, double dt_s, double value)
{
	tool_reserve(&event->values, &event->room, event->count, sizeof(*event->values));
	if (!event->sets || event->numbers[event->sets - 1] != set) {
		if (event->sets == event->sets_room)
			sets_grow(event);
		event->lengths[event->sets] = 0;
		event->numbers[event->sets++] = set;
	}
	event->lengths[event->sets - 1]++;
	event->values[event->count++] = value;
	event->dt_least = fmin(event->dt_least, dt_s);
	event->dt_most = fmax(event->dt_most, dt_s);
	event->dt_sum += dt_s;
}

static int row_take(struct samples *samples, const struct csv_read *csv, size_t *hint)
{
	struct sampled *event;
	double dt_s, value;
	uint64_t set;

	if (csv_read_whole(csv, COLUMN_SET, "set", &set) < 0 ||
	    csv_read_real(csv, COLUMN_DT, "dt_s", &dt_s) < 0 ||
	    csv_read_real(csv, COLUMN_VALUE, "value", &value) < 0)
		return -1;
	if (!(dt_s > 0) || dt_s > ESTIMATE_NUMBER_MAX)
		return csv_read_error(csv, "dt_s %s: must be above 0, and at most 1e100",
				      csv->cells[COLUMN_DT]);
	if (fabs(value) > ESTIMATE_NUMBER_MAX)
		return csv_read_error(csv, "value %s is beyond 1e100", csv->cells[COLUMN_VALUE]);
	if (!*csv->cells[COLUMN_EVENT])
		return csv_read_error(csv, "event has no name");
	event = event_of(samples, csv->cells[COLUMN_EVENT], hint);
	if (event->sets && set < event->numbers[event->sets - 1])
		return csv_read_error(csv,
				      "set %" PRIu64 " of event %s comes after set %" PRIu64
				      ": sets must ascend",
				      set, event->name, event->numbers[event->sets - 1]);
	if (fmax(event->dt_most, dt_s) - fmin(event->dt_least, dt_s) >
	    JITTER * fmax(event->dt_most, dt_s))
		return csv_read_error(csv,
				      "event %s: samples %g and %g s apart: the autocorrelation "
				      "needs equal times",
				      event->name, event->dt_least, dt_s);
	value_add(event, set, dt_s, value);
	return 0;
}

int samples_read(struct samples *samples, const char *path)
{
	struct csv_read csv;
	size_t hint = 0;
	int got;

	*samples = (struct samples){0};
	if (strcmp(path, "-") != 0 && state_file_is(path))
		return tool_error("%s is a state file of -o or --rates: --samples writes the "
				  "samples of a run",
				  path);
	if (csv_read_open(&csv, path, SAMPLES_HEADER, 0) != TOOL_OK)
		return TOOL_ERROR;
	while ((got = csv_read_row(&csv)) > 0)
		if (row_take(samples, &csv, &hint) < 0)
			break;
	csv_read_close(&csv);
	if (got)
		return TOOL_ERROR;
	if (!samples->count)
		return tool_error("%s has no sample", csv.name);
	return TOOL_OK;
}

/* ---- sets ------------------------------------------------------------------------------------ */

size_t *samples_sets(const struct samples *samples, size_t apart, size_t *sets, size_t *rows)
{
	size_t *next = tool_memory(samples->count, sizeof(*next)), *begins = NULL;

	*sets = *rows = 0;
	for (;;) {
		uint64_t least = UINT64_MAX;
		size_t length = 0;

		/*
		 * The numbers of each event's sets are ascending. Find the lowest number that was
		 * not processed yet.
		 */
		for (size_t i = 0; i < samples->count; i++) {
			const struct sampled *event = &samples->events[i];

			if (next[i] < event->sets && event->numbers[next[i]] < least)
				least = event->numbers[next[i]];
		}
		for (size_t i = 0; i < samples->count; i++) {
			const struct sampled *event = &samples->events[i];

			if (next[i] == event->sets || event->numbers[next[i]] != least)
				continue;
			event->places[next[i]] = *sets;
			if (event->lengths[next[i]] > length)
				length = event->lengths[next[i]];
			next[i]++;
		}
		if (!length)
			break;
		begins = tool_larger(begins, *sets + 1, sizeof(*begins));
		begins[*sets] = *sets ? *rows + apart : 0;
		*rows = begins[(*sets)++] + length;
	}
	free(next);
	return begins;
}

/* Check whether the same events were counted in both intervals. */
static int same_events(const struct series *series, size_t a, size_t b)
{
	size_t n = series->events;

	for (size_t i = 0; i < n; i++)
		if (!isnan(series->values[a * n + i]) != !isnan(series->values[b * n + i]))
			return 0;
	return 1;
}

int samples_write(const struct series *series, const char *path)
{
	double nominal_s = series_nominal_s(series);
	size_t n = series->events, last = SIZE_MAX;
	FILE *file = output_file_create(path);
	uint64_t set = 0;

	if (!file)
		return TOOL_ERROR;
	fputs(SAMPLES_HEADER "\n", file);
	for (size_t t = 0; t < series->intervals; t++) {
		/*
		 * Leave out intervals of another length. The lengths of the remaining intervals
		 * differ from each other by at most JITTER of the longer one.
		 */
		if (fabs(series->lengths_s[t] - nominal_s) > JITTER / 2 * (1 - JITTER) * nominal_s)
			continue;
		set += last == SIZE_MAX || last + 1 != t || !same_events(series, last, t);
		last = t;
		for (size_t i = 0; i < n; i++) {
			double value = series->values[t * n + i];

			if (isnan(value))
				continue;
			fprintf(file, "%" PRIu64 ",%.12g,", set, series->lengths_s[t]);
			csv_file_text(file, series->names[i]);
			fprintf(file, ",%.12g\n", value);
		}
	}
	return csv_file_close(file, path);
}

void samples_free(struct samples *samples)
{
	for (size_t i = 0; i < samples->count; i++) {
		free(samples->events[i].name);
		free(samples->events[i].values);
		free(samples->events[i].lengths);
		free(samples->events[i].numbers);
		free(samples->events[i].places);
	}
	free(samples->events);
}
