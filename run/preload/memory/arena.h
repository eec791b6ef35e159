/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Arenas of glibc's malloc: finds the arena to which a block belongs, and decides when a freed
 * block returns to its arena.
 *
 * What lives here: the blocks that a thread has freed although they belong to the arena of another
 * thread. If they returned to this arena immediately, the address of the other thread's next block
 * would depend on which of the two threads is faster. For this reason, the blocks are held back
 * until both threads have had a turn. This file may use preload.h, and the two facts about glibc's
 * heaps that arena.c describes.
 */
#ifndef RUN_PRELOAD_MEMORY_ARENA_H
#define RUN_PRELOAD_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/**
 * arena_start() - Initialise arena.c. The first thread calls this function at the beginning of the
 * program. It has the first arena.
 */
void arena_start(void);

/**
 * arena_glibc() - Check whether the program's malloc() is glibc's. If the program has another
 * malloc(), the arenas of blocks are not known.
 */
bool arena_glibc(void);

/**
 * arena_enter() - Begin the calling thread's use of an arena; arena_leave() ends the use. The
 * calling thread must have its turn when it calls either function.
 *
 * Return: true if no other thread uses the arena.
 */
bool arena_enter(void);
void arena_leave(void);

/**
 * arena_forked() - Reset the state in a forked process, which has only one thread.
 */
void arena_forked(void);

/**
 * arena_due() - Count an allocation of @bytes bytes.
 * @site: return address of malloc(). If this address is in libc, libc may hold locks, so freed
 *        blocks are collected later
 *
 * Return: true if the thread should now collect the blocks of its arena that other threads have
 * freed.
 */
bool arena_due(size_t bytes, const void *site);

/**
 * arena_foreign() - Check whether the block belongs to the arena of another thread.
 */
bool arena_foreign(const void *block);

/**
 * arena_by_chance() - Check whether malloc() needed memory from the system for a block. Call this
 * function after a block was allocated without a turn. If the result is true, the address of the
 * block depends on the host.
 */
bool arena_by_chance(const void *block);

/**
 * arena_mapping() - Check whether the block is a separate mapping. After realloc(), such a block
 * can be smaller than the threshold for mappings.
 */
bool arena_mapping(const void *block);

/**
 * arena_return() - Hold back a block of another thread's arena, which the calling thread frees.
 * @bytes: usable size of the block
 * @site: return address of free(), as in arena_due()
 *
 * Return: true if the thread should now pass on the blocks that it has held back.
 */
bool arena_return(void *block, size_t bytes, const void *site);

/**
 * arena_exchange() - Pass on the blocks that the thread has freed and held back, and collect the
 * blocks of its own arena that other threads have freed. If threads take turns, the calling thread
 * must have its turn.
 */
void arena_exchange(void);

#endif /* RUN_PRELOAD_MEMORY_ARENA_H */
