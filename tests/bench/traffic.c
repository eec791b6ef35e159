/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the traffic with which the card is measured. See traffic.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "emu/card/card_inside.h"
#include "tests/bench/traffic.h"

void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
	exit(2);
}

/* Make room for one more element of @bytes bytes. */
static void *grown(void *array, size_t count, size_t bytes)
{
	if (count >= 4096 ? count & (count - 1) : count)
		return array;
	array = realloc(array, (count ? 2 * count : 4096) * bytes);
	if (!array)
		fail("no memory for the traffic");
	return array;
}

/* Keep a frame's event if it is a request: the reset value of FILTER accepts requests. */
static void decode(struct traffic *traffic, const void *frame, size_t bytes)
{
	static struct transaction_table table;
	struct blink_event event;

	blink_decode(&table, frame, bytes, false, &event);
	if (event.class != BLINK_CLASS_REQUEST)
		return;
	traffic->events = grown(traffic->events, traffic->event_count, sizeof(event));
	traffic->events[traffic->event_count++] = event;
}

void traffic_load(struct traffic *traffic, const char *path)
{
	struct Monitor_capture *capture;
	uint8_t *data = NULL;
	size_t size = 0, bytes;
	const void *frame;
	uint64_t time_ns;

	*traffic = (struct traffic){.name = "the capture"};
	if (Monitor_capture_open(&capture, path) < 0)
		fail(Monitor_error_message());
	while (Monitor_capture_read(capture, &frame, &bytes, &time_ns) > 0) {
		traffic->frames =
			grown(traffic->frames, traffic->frame_count, sizeof(*traffic->frames));
		while (traffic->bytes + bytes > size) {
			size = 2 * size + 65536;
			data = realloc(data, size);
			if (!data)
				fail("no memory for the traffic");
		}
		memcpy(data + traffic->bytes, frame, bytes);
		traffic->frames[traffic->frame_count++] =
			(struct card_frame){.bytes = bytes, .time_ns = time_ns};
		traffic->bytes += bytes;
		decode(traffic, frame, bytes);
	}
	Monitor_capture_close(capture);
	for (size_t i = 0; i < traffic->frame_count; i++) {
		traffic->frames[i].frame = data;
		data += traffic->frames[i].bytes;
	}
	if (!traffic->event_count)
		fail("a capture without requests");
}

/* ---- made up ---- */

static uint64_t address_of(unsigned int index, size_t i, uint64_t random)
{
	switch (index) {
	case 0:
		return 0x12344;
	case 1:
		return (uint64_t)i * SMILE_PAGE_BYTES;
	case 2:
		return (uint64_t)i * SMILE_WORD_BYTES;
	case 3:
		return random % SMILE_PAGE_BYTES;
	case 4:
		return random % 100 * SMILE_PAGE_BYTES;
	default:
		return random % 2 * SMILE_PAGE_BYTES;
	}
}

bool traffic_make(struct traffic *traffic, unsigned int index, size_t events)
{
	static const char *const names[] = {
		"one word",	      "rising pages",	  "rising words",
		"any word of a page", "any of 100 pages", "either of two pages",
	};
	uint64_t random = 88172645463325252ULL;

	if (index >= sizeof(names) / sizeof(names[0]))
		return false;
	*traffic = (struct traffic){.name = names[index], .event_count = events};
	traffic->events = malloc(events * sizeof(*traffic->events));
	if (!traffic->events)
		fail("no memory for the traffic");
	for (size_t i = 0; i < events; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		traffic->events[i] = (struct blink_event){
			.class = BLINK_CLASS_REQUEST,
			.type = SMILE_TYPE_READ,
			.source = 1,
			.target = 2,
			.address = address_of(index, i, random >> 8),
		};
	}
	return true;
}

void traffic_free(struct traffic *traffic)
{
	free(traffic->events);
	if (traffic->frames)
		free((void *)traffic->frames[0].frame);
	free(traffic->frames);
}
