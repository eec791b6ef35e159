/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Displaced addresses: converts the addresses of a process to the addresses by which the stream
 * reports them. See STREAM_PROGRAM_AT().
 *
 * What lives here: the table that assigns a slot of the stream's addresses to each used part of the
 * process's address space. The addresses of the first process are the same in the stream. For any
 * other process, an access needs one more look-up, in a table of 4 KB.
 */
#ifndef RUN_TRACER_DISPLACED_H
#define RUN_TRACER_DISPLACED_H

#include <stdatomic.h>
#include <stdint.h>

#include "run/stream.h"
#include "run/tracer/process.h"

/* Number of parts of the address space; each has STREAM_PART_BYTES bytes. */
#define DISPLACED_PARTS (STREAM_PROGRAMS_AT >> STREAM_PART_SHIFT)

/* For each part, the number of its slot plus 1; 0: the part has no slot yet. */
extern _Atomic uint8_t displaced_parts[DISPLACED_PARTS];

/* Bit N is set if slot N is assigned to a part. */
extern _Atomic uint32_t displaced_taken;

/**
 * displaced_new() - Assign a slot to a part. If no slot is free, use the slot of another part, and
 * mark the run as incomplete.
 *
 * Return: the number of the slot plus 1.
 */
uint8_t displaced_new(uint64_t part);

/**
 * displaced_adjoin() - Assign adjacent slots to the parts of the mapping [@start, @end), so that
 * the mapping is contiguous in the stream.
 *
 * If there are no free adjacent slots, the run is marked as incomplete.
 */
void displaced_adjoin(uint64_t start, uint64_t end);

/**
 * displaced_in() - Get the stream's address for an address of the forked process or program
 * @number.
 */
static inline uint64_t displaced_in(uint32_t number, uint64_t address)
{
	uint64_t part = address >> STREAM_PART_SHIFT;
	uint8_t at;

	if (!number || part >= DISPLACED_PARTS)
		return address;
	at = atomic_load_explicit(&displaced_parts[part], memory_order_relaxed);
	if (__builtin_expect(!at, 0))
		at = displaced_new(part);
	return STREAM_PROGRAM_AT(number) + ((uint64_t)(at - 1) << STREAM_PART_SHIFT) +
	       (address & (STREAM_PART_BYTES - 1));
}

static inline uint64_t displaced(uint64_t address)
{
	return displaced_in(process.number, address);
}

#endif /* RUN_TRACER_DISPLACED_H */
