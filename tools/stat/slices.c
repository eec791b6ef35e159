// SPDX-License-Identifier: MIT
/*
 * smile stat --slices: count the requests on a B-Link exactly, in slices of time. An estimate can
 * be compared with these counts, and --fit can use them as samples. The events are transfers by
 * source, destination and type, followed by pages by type. The transfers and the pages are each
 * sorted by their numbers of accesses.
 */
#include "tools/stat/stat.h"

#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/blink_frame.h>
#include <base/field.h>
#include <base/hash_table.h>
#include <hw/blink.h>
#include <smile/monitor.h>

#include "tools/common/csv.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/rotation.h"
#include "tools/stat/samples.h"
#include "tools/stat/slices.h"

/*
 * The largest number of slices. A larger number is probably a mistake, because the argument of -I
 * is in milliseconds.
 */
#define SLICES_MAX 10000000U

/**
 * struct sliced - The counts of an event.
 * @key: key of the event
 * @total: sum of all slices
 * @counts: counts by slice; shape [@room]
 * @room: capacity of @counts
 */
struct sliced {
	uint64_t key;
	uint64_t total;
	uint32_t *counts;
	size_t room;
};

/**
 * struct place - An entry of the hash table of events.
 * @key: key of the event, plus one
 * @index: index of the event, plus one; 0: the entry is new
 */
struct place {
	uint64_t key;
	uint32_t index;
};

/**
 * struct slicing - All events of the capture.
 * @events: the events; shape [@count]
 * @count: number of events
 * @room: capacity of @events
 * @places: hash table of struct place, by which an event is found in @events
 * @slices: number of slices so far
 */
struct slicing {
	struct sliced *events;
	size_t count;
	size_t room;
	struct hash_table places;
	size_t slices;
};

/*
 * The bits of a key. Bit 63 is set for pages, and bits 61 and 62 are the type. A page number has 36
 * bits, and the page's node 16 bits.
 */
#define KEY_PAGE (1ULL << 63)
#define KEY_TYPE_SHIFT 61

static const char *const type_names[] = {"read", "write", "lock"};

static struct sliced *event_of(struct slicing *slicing, uint64_t key)
{
	struct place *place = hash_table_add(&slicing->places, key + 1, sizeof(*place));

	if (!place) {
		tool_error("no memory for %zu events", slicing->count + 1);
		exit(TOOL_ERROR);
	}
	tool_reserve(&slicing->events, &slicing->room, slicing->count, sizeof(*slicing->events));
	if (!place->index) {
		slicing->events[slicing->count] = (struct sliced){.key = key};
		place->index = (uint32_t)++slicing->count;
	}
	return &slicing->events[place->index - 1];
}

static void event_count(struct slicing *slicing, uint64_t key, size_t slice)
{
	struct sliced *event = event_of(slicing, key);

	if (slice >= event->room) {
		size_t room = slice + slice / 2 + 64;
		uint32_t *counts = tool_memory(room, sizeof(*counts));

		if (event->room)
			memcpy(counts, event->counts, event->room * sizeof(*counts));
		free(event->counts);
		event->counts = counts;
		event->room = room;
	}
	event->counts[slice]++;
	event->total++;
}

static void request_count(struct slicing *slicing, const uint64_t *words, unsigned int command_type,
			  size_t slice)
{
	uint64_t bd1 = le64toh(words[0]), bd2 = le64toh(words[1]);
	uint64_t source = SMILE_GET(BLINK_BD1_SOURCE, bd1);
	uint64_t target = SMILE_GET(BLINK_BD1_TARGET, bd1);
	uint64_t page = SMILE_GET(BLINK_BD2_ADDRESS, bd2) / SMILE_PAGE_BYTES;
	uint64_t type = (uint64_t)(command_type - SMILE_TYPE_READ) << KEY_TYPE_SHIFT;

	event_count(slicing, type | target << 16 | source, slice);
	event_count(slicing, KEY_PAGE | type | target << 36 | page, slice);
}

static int capture_slice(struct slicing *slicing, struct Monitor_capture *capture, const char *path,
			 uint64_t slice_ns)
{
	uint64_t time_ns, first_ns = 0, last_ns = 0, frames = 0, malformed = 0;
	const void *frame;
	size_t bytes;
	int got;

	while ((got = Monitor_capture_read(capture, &frame, &bytes, &time_ns)) > 0) {
		enum blink_frame_class class;
		uint64_t words[2];
		unsigned int type;

		if (signals_count())
			return tool_error("interrupted");
		class = blink_frame_class(frame, bytes, &type);
		malformed += class == BLINK_FRAME_MALFORMED;
		if (!frames++)
			first_ns = last_ns = time_ns;
		/* The time of the capture never decreases, as the clock of a card. */
		if (time_ns > last_ns)
			last_ns = time_ns;
		if ((last_ns - first_ns) / slice_ns >= SLICES_MAX)
			return tool_error("more than %u slices: give a longer -I", SLICES_MAX);
		slicing->slices = (size_t)((last_ns - first_ns) / slice_ns);
		if (class != BLINK_FRAME_REQUEST)
			continue;
		memcpy(words, frame, sizeof(words));
		request_count(slicing, words, type, slicing->slices);
	}
	if (malformed)
		tool_message("warning: %s: %" PRIu64 " of %" PRIu64 " frames were malformed", path,
			     malformed, frames);
	/* The last slice is incomplete, so it is left out. */
	if (!got && !slicing->slices)
		return tool_error("the capture is shorter than one slice: give a shorter -I");
	return tool_result(got);
}

/* Sort transfers before pages. Within both groups, sort by descending count. */
static int by_count(const void *a, const void *b)
{
	const struct sliced *x = a, *y = b;

	if ((x->key ^ y->key) & KEY_PAGE)
		return x->key & KEY_PAGE ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return (x->key > y->key) - (x->key < y->key);
}

static void event_name(const struct sliced *event, char *name, size_t size)
{
	const char *type = type_names[event->key >> KEY_TYPE_SHIFT & 3];
	uint64_t rest = event->key & ((1ULL << KEY_TYPE_SHIFT) - 1);

	if (event->key & KEY_PAGE)
		snprintf(name, size, "node%" PRIu64 ".page%" PRIu64 ":%s", rest >> 36,
			 rest & (((uint64_t)1 << 36) - 1), type);
	else
		snprintf(name, size, "%" PRIu64 ">%" PRIu64 ":%s", rest & 0xffff, rest >> 16, type);
}

static void slices_print(const struct slicing *slicing, size_t events, double slice_s)
{
	char name[96];

	csv_begin(SAMPLES_HEADER);
	for (size_t i = 0; i < slicing->count && i < events; i++) {
		const struct sliced *event = &slicing->events[i];

		event_name(event, name, sizeof(name));
		for (size_t slice = 0; slice < slicing->slices; slice++) {
			csv_count(1);
			csv_real(slice_s);
			csv_text(name);
			csv_count(slice < event->room ? event->counts[slice] : 0);
			if (!csv_end())
				return;
		}
	}
}

/* Read the events of the capture, and sort them by their counts. Return: TOOL_OK or TOOL_ERROR. */
static int slicing_take(struct slicing *slicing, const char *path, uint64_t slice_ns)
{
	struct Monitor_capture *capture;
	int status;

	if (tool_result(Monitor_capture_open(&capture, path)) != TOOL_OK)
		return TOOL_ERROR;
	signals_catch();
	status = capture_slice(slicing, capture, path, slice_ns);
	Monitor_capture_close(capture);
	if (status == TOOL_OK)
		qsort(slicing->events, slicing->count, sizeof(*slicing->events), by_count);
	return status;
}

static void slicing_free(struct slicing *slicing)
{
	for (size_t i = 0; i < slicing->count; i++)
		free(slicing->events[i].counts);
	free(slicing->events);
	hash_table_free(&slicing->places);
}

int stat_slices(const char *path, uint64_t slice_ns, size_t events)
{
	struct slicing slicing = {0};
	int status = slicing_take(&slicing, path, slice_ns);

	if (status == TOOL_OK)
		slices_print(&slicing, events, (double)slice_ns / 1e9);
	slicing_free(&slicing);
	return status;
}

static void slicing_series(const struct slicing *slicing, double slice_s, size_t events,
			   size_t at_once, struct series *series)
{
	size_t *set = tool_memory(events, sizeof(*set)), *order;
	struct rotation rotation;
	char name[96];

	order = tool_memory(events, sizeof(*order));
	rotation_init(&rotation, events, at_once ? at_once : events, order);
	for (size_t i = 0; i < events; i++) {
		event_name(&slicing->events[i], name, sizeof(name));
		series_event(series, name);
	}
	for (size_t slice = 0; slice < slicing->slices; slice++) {
		double *values = series_interval(series, slice_s);
		size_t count = rotation_next(&rotation, set);

		for (size_t k = 0; k < count; k++) {
			const struct sliced *event = &slicing->events[set[k]];

			values[set[k]] = slice < event->room ? event->counts[slice] : 0;
		}
		series_end(series);
	}
	free(order);
	free(set);
}

int slices_series(const char *path, uint64_t slice_ns, size_t events, size_t at_once,
		  struct series *series)
{
	struct slicing slicing = {0};
	int status = slicing_take(&slicing, path, slice_ns);

	if (status == TOOL_OK)
		slicing_series(&slicing, (double)slice_ns / 1e9,
			       events < slicing.count ? events : slicing.count, at_once, series);
	slicing_free(&slicing);
	return status;
}

int slices_source_is(const char *source)
{
	return !strncmp(source, SLICES_SOURCE, strlen(SLICES_SOURCE));
}
