/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the traffic with which the card is measured.
 *
 * What lives here: the frames of a capture in memory, those of their events that the filter
 * accepts, and invented events that are hard for the range table. May use the library for reading a
 * capture, and the card's decoder.
 */
#ifndef TESTS_BENCH_TRAFFIC_H
#define TESTS_BENCH_TRAFFIC_H

#include "emu/card/card.h"

/**
 * struct traffic - Traffic in memory.
 * @name: name in the table
 * @events: decoded and accepted by the reset value of FILTER
 * @event_count: number of events
 * @frames: the frames that they come from, one after another in memory; NULL if the traffic is
 * invented
 * @frame_count: number of frames, including frames that the filter rejects
 * @bytes: bytes of all frames
 */
struct traffic {
	const char *name;
	struct blink_event *events;
	size_t event_count;
	struct card_frame *frames;
	size_t frame_count;
	size_t bytes;
};

/* Print an error message, and exit. */
void fail(const char *what);

/* Read the capture in file @path. */
void traffic_load(struct traffic *traffic, const char *path);

/*
 * Invent the traffic with number @index, of @events events. Return: false if there is no such
 * traffic.
 */
bool traffic_make(struct traffic *traffic, unsigned int index, size_t events);

void traffic_free(struct traffic *traffic);

#endif /* TESTS_BENCH_TRAFFIC_H */
