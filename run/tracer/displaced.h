/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses of the process as the stream has them: see STREAM_PROGRAM_AT(). An access of a process
 * other than the first costs one look into a table of 4 KB more.
 */
#ifndef RUN_TRACER_DISPLACED_H
#define RUN_TRACER_DISPLACED_H

#include <stdatomic.h>
#include <stdint.h>

#include "run/stream.h"
#include "run/tracer/process.h"

/* Parts of the address space. */
#define DISPLACED_PARTS (STREAM_PROGRAMS_AT >> STREAM_PART_SHIFT)

/* By part, its place plus 1; 0: it has none yet. */
extern _Atomic uint8_t displaced_parts[DISPLACED_PARTS];

/* A bit for each place that a part has. */
extern _Atomic uint32_t displaced_taken;

/**
 * displaced_new() - Give a part its place. Return: the place plus 1.
 *
 * If no place is left, the part shares a place with another one, and the run is noted as
 * incomplete.
 */
uint8_t displaced_new(uint64_t part);

/**
 * displaced_adjoin() - Give the parts of a mapping places side by side: it stays in one piece.
 *
 * If they cannot have them, the run is noted as incomplete.
 */
void displaced_adjoin(uint64_t start, uint64_t end);

/**
 * displaced_in() - An address of the process, in the copy or program with this number.
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
