/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: their B-Link traffic.
 *
 * What lives here: one endless, known sequence of frames (requests of five nodes, their responses
 * twenty requests later, marks). Each test uses a part of the sequence as a capture. A child
 * process sends this capture. May use tests/qemu/setup.h.
 */
#ifndef TESTS_QEMU_TRAFFIC_H
#define TESTS_QEMU_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tests/qemu/setup.h"

#define TRAFFIC_FRAME_BYTES 24U

/**
 * struct traffic - A part of the sequence.
 * @first: number of the first frame
 * @count: number of frames
 * @step_ns: time from one frame to the next
 * @pages: number of different pages that the frames touch; 0: 50
 * @wide: ids and addresses have more bits than SMILE_MODE_NARROW keeps; the additional bits are set
 */
struct traffic {
	uint32_t first;
	uint32_t count;
	uint32_t step_ns;
	uint32_t pages;
	bool wide;
};

/* Return a frame of @traffic and its time stamp. */
void traffic_frame(const struct traffic *traffic, uint32_t number,
		   uint64_t frame[TRAFFIC_FRAME_BYTES / 8]);
uint64_t traffic_time(const struct traffic *traffic, uint32_t number);

/* Write a capture of @traffic to a file, a pipe or a socket. */
void traffic_write(int fd, const struct traffic *traffic);

/* Create a file that holds a capture. */
void traffic_create(const char *path, const struct traffic *traffic);

/*
 * Start a child that writes a capture to @fd and closes it as soon as all is written, even if the
 * reader has not read all. Then the child ends. @fd is closed in this process.
 */
pid_t traffic_send(int fd, const struct traffic *traffic);

/* Create a listening socket, or connect to one; traffic_connect() waits until the socket exists. */
int traffic_listen(const char *path);
int traffic_connect(const char *path);

#endif /* TESTS_QEMU_TRAFFIC_H */
