/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An emulated NUMA machine, for the tests of the machine.
 *
 * What lives here: a recorder that turns each frame into a line of text, so that a failing test
 * shows the frames, and short names for accesses. May use emu/machine, cmocka and the C library.
 */
#ifndef TESTS_UNIT_MACHINE_FIXTURE_H
#define TESTS_UNIT_MACHINE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "emu/machine/machine.h"

/**
 * struct recorder - The frames of the machine as text.
 * @machine: the machine
 * @text: a line for each frame: "node: @ns command source>target #id address +length"
 * @used: number of bytes in @text
 * @room: size of @text in bytes
 * @frames: number of frames of each node
 * @last_ns: time of the last frame of each node
 * @request: bytes of the last request or event
 * @response: bytes of the last response
 */
struct recorder {
	struct machine *machine;
	char *text;
	size_t used;
	size_t room;
	uint64_t frames[MACHINE_NODES_MAX];
	uint64_t last_ns[MACHINE_NODES_MAX];
	uint8_t request[BLINK_BYTES_MAX];
	uint8_t response[BLINK_BYTES_MAX];
};

/* A machine and its recorder. */
struct recorder *recorder_new(const struct machine_config *config);
void recorder_free(struct recorder *recorder);

/* Flush all frames. Fail unless the frames since the last comparison are equal to @text. */
void recorder_expect(struct recorder *recorder, const char *text);

struct machine_statistics recorder_statistics(const struct recorder *recorder, unsigned node);

/*
 * Let all threads meet at a barrier, and put a global event on the B-Link of every node. Return:
 * like machine_barrier().
 */
int machine_mark(struct machine *machine, unsigned event);

static inline void machine_access(struct machine *machine, unsigned processor, unsigned type,
				  uint64_t address, size_t bytes)
{
	machine_step(machine, processor, 0, type, address, bytes);
}

static inline void machine_read(struct machine *machine, unsigned processor, uint64_t address,
				size_t bytes)
{
	machine_access(machine, processor, SMILE_TYPE_READ, address, bytes);
}

static inline void machine_write(struct machine *machine, unsigned processor, uint64_t address,
				 size_t bytes)
{
	machine_access(machine, processor, SMILE_TYPE_WRITE, address, bytes);
}

/* An atomic read-modify-write. */
static inline void machine_lock(struct machine *machine, unsigned processor, uint64_t address,
				size_t bytes)
{
	machine_access(machine, processor, SMILE_TYPE_LOCK, address, bytes);
}

#endif /* TESTS_UNIT_MACHINE_FIXTURE_H */
