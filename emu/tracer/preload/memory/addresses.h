/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses: deterministic memory for threads that allocate at the same time.
 *
 * What lives here: all decisions about addresses are made in the order of the replay, so that a
 * block has the same address in every run. Small blocks come from the arena of glibc's malloc that
 * belongs to the thread. For these, only two things are ordered: the assignment of arenas, and the
 * return of blocks to their arena (arena.h). May use preload.h and arena.h.
 */
#ifndef TRACER_PRELOAD_MEMORY_ADDRESSES_H
#define TRACER_PRELOAD_MEMORY_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Blocks of so many bytes can, with what malloc() adds, be mappings of their own
 * (M_MMAP_THRESHOLD).
 */
#define ADDRESSES_LARGE ((128UL << 10) - 64)

/**
 * addresses_turn() - Wait until the thread may get memory or give it back.
 *
 * Return: whether addresses_turn_end() must follow; not where there is one thread, or no turns.
 */
bool addresses_turn(void);
void addresses_turn_end(bool turn);

/**
 * addresses_ordered() - Are there several threads, turns, and glibc's malloc? Another one may ask
 * for memory with a lock of its own, which the thread that has the turn then waits for.
 */
bool addresses_ordered(void);

/**
 * addresses_turn_block() - A turn if getting a block of so many bytes needs one.
 * @site: the caller
 */
bool addresses_turn_block(size_t bytes, const void *site);

/**
 * addresses_return() - Give back a block of another thread's arena.
 * @bytes: that it can hold
 * @site: the caller
 */
void addresses_return(void *block, size_t bytes, const void *site);

/**
 * addresses_start() - At the beginning of the program.
 */
void addresses_start(void);

/**
 * addresses_several() - From here on there can be several threads.
 */
void addresses_several(void);

/**
 * addresses_forked() - In a new process: there is one thread.
 */
void addresses_forked(void);

/**
 * addresses_thread() - The calling thread has begun: it gets its arena, once. At its end it says
 * when that is free. No thread may wait for it meanwhile.
 */
void addresses_thread(void);

#endif /* TRACER_PRELOAD_MEMORY_ADDRESSES_H */
