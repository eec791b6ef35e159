/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Early memory: blocks for dlsym(3), which finds the allocator and may itself allocate.
 *
 * What lives here: a small buffer, whose blocks are never freed. May use real_functions.h.
 */
#ifndef RUN_PRELOAD_BASE_EARLY_MEMORY_H
#define RUN_PRELOAD_BASE_EARLY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "run/preload/base/real_functions.h"

/* Is the allocator still being looked up? The first call is made before there are threads. */
static inline bool early_wanted(void)
{
	return next_searching && !next_found;
}

/* A block, zeroed. Return: NULL if there is no room. */
void *early_new(size_t bytes);

/* Is this a block of early_new()? */
bool early_is(const void *block);

/* realloc() of a block of early_new(). */
void *early_grow(const void *old, size_t bytes);

#endif /* RUN_PRELOAD_BASE_EARLY_MEMORY_H */
