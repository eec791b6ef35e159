/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stream's table of regions, as the tracer fills it: entries are taken, reported unmapped, and
 * reused when the reader no longer needs them. Several processes share the table; within one, the
 * caller holds the lock of mappings.h.
 */
#ifndef TRACER_REGION_TABLE_H
#define TRACER_REGION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

struct mapping;
struct thread;

struct stream_region *regions_at(int32_t index);

/**
 * regions_enter() - Enter a mapping. Return: index, or -1 if there is no room.
 */
int32_t regions_enter(const struct mapping *m);

/**
 * regions_leave() - A region is gone. Its UNMAP record must follow.
 */
void regions_leave(int32_t index);

/**
 * regions_first() - Shared memory that is a region already, of this process or another.
 * @distance: out: from the mapping to it
 *
 * Return: index, or -1 if it is not there, or there at the same addresses.
 */
int32_t regions_first(const struct mapping *m, uint64_t *distance);

/**
 * regions_await() - Before memory is mapped: if there is no room, wait as long as the reader has
 * words of this thread that may make some. Must be called without a lock.
 */
void regions_await(struct thread *thread);

#endif /* TRACER_REGION_TABLE_H */
