/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Region table: writes the stream's table of regions.
 *
 * What lives here: functions that use and reuse the entries of the table. The tracer enters a
 * region, and later reports that the region was unmapped. When the reader no longer needs the
 * entry, the tracer reuses it. Several processes share the table. In each process, the caller must
 * hold the lock of mappings.h.
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
 * regions_number() - Get the number that selects the part of the stream's addresses in which the
 * mapping @m is reported. For a named region, this is the number of the program, because all copies
 * of the program share the region. Otherwise this is the number of the process. regions_distance()
 * gets the difference between the addresses of @m in the stream and in this process.
 */
uint32_t regions_number(const struct mapping *m);
uint64_t regions_distance(const struct mapping *m);

/**
 * regions_enter() - Enter a mapping into the table. Return: the index of the entry; -1 if the table
 * is full.
 */
int32_t regions_enter(const struct mapping *m);

/**
 * regions_leave() - Record in the table that a region was unmapped. The caller must then write an
 * UNMAP record.
 */
void regions_leave(int32_t index);

/**
 * regions_part() - Get the end of the first part of a mapping that lies in at most one other region
 * of the same shared memory.
 */
uint64_t regions_part(const struct mapping *m);

/**
 * regions_first() - Find the first region that maps the same shared memory. This region may belong
 * to this process or to another process.
 * @distance: receives the difference between the addresses of that region and the addresses of the
 *            mapping
 *
 * Return: the index of the region; -1 if there is no such region, or if its addresses are the
 * addresses of the mapping.
 */
int32_t regions_first(const struct mapping *m, uint64_t *distance);

/**
 * regions_await() - Wait for a free entry, if the table is full. Call this function before the
 * program maps memory. The wait also ends when the reader has replayed all words of this thread.
 * The caller must hold no lock.
 */
void regions_await(struct thread *thread);

#endif /* RUN_TRACER_REGION_TABLE_H */
