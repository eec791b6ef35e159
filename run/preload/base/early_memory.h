/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Early memory: allocates blocks while dlsym(3) looks up the real allocator.
 *
 * What lives here: a small buffer for blocks that are allocated during this time. They are never
 * freed. This file may use real_functions.h.
 */
#ifndef RUN_PRELOAD_BASE_EARLY_MEMORY_H
#define RUN_PRELOAD_BASE_EARLY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "run/preload/base/real_functions.h"

/*
 * Check whether the real allocator is still being looked up. Only the first thread does this,
 * before other threads exist.
 */
static inline bool early_wanted(void)
{
	return next_searching && !next_found;
}

/* Allocate a block, all zero. Return: the block; NULL if the buffer is full. */
void *early_new(size_t bytes);

/* Check whether early_new() has allocated the block. */
bool early_is(const void *block);

/* Reallocate a block of early_new(). */
void *early_grow(const void *old, size_t bytes);

#endif /* RUN_PRELOAD_BASE_EARLY_MEMORY_H */
