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
 * @name: for people
 * @events: decoded and accepted by the reset value of FILTER
 * @event_count: how many
 * @frames: the frames that they come from, one after another in memory; NULL if made up
 * @frame_count: how many, those that the filter rejects included
 * @bytes: of all frames
 */
struct traffic {
	const char *name;
	struct blink_event *events;
	size_t event_count;
	struct card_frame *frames;
	size_t frame_count;
	size_t bytes;
};

/* Say what went wrong, and exit. */
void fail(const char *what);

/* Read the capture in file @path. */
void traffic_load(struct traffic *traffic, const char *path);

/* Make up the traffic of number @index, @events events. Return: false if there is none. */
bool traffic_make(struct traffic *traffic, unsigned int index, size_t events);

void traffic_free(struct traffic *traffic);

#endif /* TESTS_BENCH_TRAFFIC_H */
