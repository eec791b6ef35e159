/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The writer's side of the stream's table of regions. The tracer takes an entry, reports its region
 * unmapped, and reuses it when the reader no longer needs it. Several processes share the table.
 * Within one process, the caller holds the lock of mappings.h.
 */
#ifndef RUN_TRACER_REGION_TABLE_H
#define RUN_TRACER_REGION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"

struct mapping;
struct thread;

struct stream_region *regions_at(int32_t index);

/**
 * regions_number() - Get the number of the process under whose addresses @m is reported.
 * regions_distance() - Get the distance from the addresses of @m to its addresses in the stream.
 */
uint32_t regions_number(const struct mapping *m);
uint64_t regions_distance(const struct mapping *m);

/**
 * regions_enter() - Enter a mapping. Return: the index, or -1 if there is no room.
 */
int32_t regions_enter(const struct mapping *m);

/**
 * regions_leave() - Release the entry of an unmapped region. The caller then writes its UNMAP
 * record.
 */
void regions_leave(int32_t index);

/**
 * regions_first() - Find shared memory that is already a region of this or another process.
 * @distance: receives the address of that region minus the address of the mapping
 *
 * Return: the index, or -1 if there is no such region, or if it has the same addresses.
 */
int32_t regions_first(const struct mapping *m, uint64_t *distance);

/**
 * regions_await() - Wait for a free entry before memory is mapped. The wait ends when the reader
 * has replayed all words of this thread. The caller must hold no lock.
 */
void regions_await(struct thread *thread);

#endif /* RUN_TRACER_REGION_TABLE_H */
