/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the B-Link traffic they use.
 *
 * What lives here: one endless, known sequence of frames (requests of five nodes, their responses
 * twenty requests later, marks), from which each test takes a part as a capture; a child that sends
 * it; and what a card makes of it, computed in this process. May use emu/card.
 */
#ifndef TESTS_QEMU_TRAFFIC_H
#define TESTS_QEMU_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <hw/smile_regs.h>

/* The node of the card, as on QEMU's command line and in the frames. */
#define NODE 3

#define TRAFFIC_FRAME_BYTES 24U

/**
 * struct traffic - A part of the sequence.
 * @first: number of the first frame
 * @count: frames
 * @step_ns: time from one to the next
 */
struct traffic {
	uint32_t first;
	uint32_t count;
	uint32_t step_ns;
};

/* Write a capture of @traffic to a file, a pipe or a socket. */
void traffic_write(int fd, const struct traffic *traffic);

/* Create a file that holds a capture. */
void traffic_create(const char *path, const struct traffic *traffic);

/*
 * Start a child that writes a capture to @fd, closes it as soon as all is written, whether it has
 * been read or not, and ends. This process's @fd is closed.
 */
pid_t traffic_send(int fd, const struct traffic *traffic);

/* Make or find a socket. The second one waits until it is there. */
int traffic_listen(const char *path);
int traffic_connect(const char *path);

/**
 * struct records - A stream of records.
 * @record: them
 * @count: how many
 * @capacity: places in @record
 */
struct records {
	struct smile_record *record;
	size_t count;
	size_t capacity;
};

void records_append(struct records *records, const struct smile_record *record);

/* Sums of the counts of counting records, and of the events that LOST records tell of. */
uint64_t records_counted(const struct records *records);
uint64_t records_lost(const struct records *records);

/* End the test unless both are the same. */
void records_compare(const char *what, const struct records *found, const struct records *expected);

/**
 * struct setup - What the driver asks of the card.
 * @filter: FILTER
 * @mode: MODE
 * @max_range_bytes: MAX_RANGE
 * @phase_events: PHASE_EVENTS
 * @swap_when_full: at the nth time that the ring is full, SWAP_OUT and raise event 9; 0: never
 */
struct setup {
	uint32_t filter;
	uint32_t mode;
	uint32_t max_range_bytes;
	uint32_t phase_events;
	uint32_t swap_when_full;
};

/*
 * The records that a card with @setup makes of @traffic, if it is drained whenever its ring is full
 * and swapped out at the end.
 */
void records_expect(struct records *records, const struct setup *setup,
		    const struct traffic *traffic);

#endif /* TESTS_QEMU_TRAFFIC_H */
