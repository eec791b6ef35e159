/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses of the process as the stream has them: see STREAM_PROGRAM_AT(). An access of a process
 * other than the first one costs one more look-up in a table of 4 KB.
 */
#ifndef RUN_TRACER_DISPLACED_H
#define RUN_TRACER_DISPLACED_H

#include <stdatomic.h>
#include <stdint.h>

#include "run/stream.h"
#include "run/tracer/process.h"

/* Number of parts of the address space. */
#define DISPLACED_PARTS (STREAM_PROGRAMS_AT >> STREAM_PART_SHIFT)

/* The place of each part, plus 1; 0: it has no place yet. */
extern _Atomic uint8_t displaced_parts[DISPLACED_PARTS];

/* One bit for each place that is assigned to a part. */
extern _Atomic uint32_t displaced_taken;

/**
 * displaced_new() - Assign a place to a part. Return: the place plus 1.
 *
 * If no place is left, the part shares a place with another one, and the run is marked as
 * incomplete.
 */
uint8_t displaced_new(uint64_t part);

/**
 * displaced_adjoin() - Assign adjacent places to the parts of a mapping, so that it stays in one
 * piece.
 *
 * If adjacent places are not free, the run is marked as incomplete.
 */
void displaced_adjoin(uint64_t start, uint64_t end);

/**
 * displaced_in() - Get the stream's address for an address of the copy or program with this number.
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
