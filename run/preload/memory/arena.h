/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Arenas: to which arena of glibc's malloc a block belongs, and when a block returns to it.
 *
 * What lives here: blocks that are freed by a thread other than the owner of their arena. If they
 * returned immediately, the owner's next block would depend on which of the two threads is faster.
 * They wait instead until both threads have had their turn. May use preload.h, and the two facts
 * about glibc's heaps in arena.c.
 */
#ifndef RUN_PRELOAD_MEMORY_ARENA_H
#define RUN_PRELOAD_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/**
 * arena_start() - Initialise at the beginning of the program, in its first thread, which has the
 * first arena.
 */
void arena_start(void);

/**
 * arena_glibc() - Return whether the program's malloc() is glibc's. Otherwise the arenas of blocks
 * are unknown.
 */
bool arena_glibc(void);

/**
 * arena_enter(), arena_leave() - Begin and end the calling thread's use of an arena. The thread
 * must have its turn.
 *
 * Return: whether no other thread uses the arena.
 */
bool arena_enter(void);
void arena_leave(void);

/**
 * arena_forked() - Reset in a new process, which has one thread.
 */
void arena_forked(void);

/**
 * arena_due() - Count an allocation. Return whether to collect the blocks that other threads have
 * freed.
 * @bytes: size of the block
 * @site: the caller; not in the middle of libc, which may hold locks of its own
 */
bool arena_due(size_t bytes, const void *site);

/**
 * arena_foreign() - Return whether the block belongs to another thread's arena.
 */
bool arena_foreign(const void *block);

/**
 * arena_by_chance() - Return whether malloc() needed memory from the system for a block that was
 * allocated without a turn.
 */
bool arena_by_chance(const void *block);

/**
 * arena_mapping() - Return whether the block is a mapping of its own. After realloc(), such a block
 * can be smaller than the threshold.
 */
bool arena_mapping(const void *block);

/**
 * arena_return() - Free a block of another thread's arena. Return: whether to pass on the freed
 * blocks.
 * @bytes: usable size of the block
 * @site: as for arena_due()
 */
bool arena_return(void *block, size_t bytes, const void *site);

/**
 * arena_exchange() - Pass on the blocks that the thread has freed, and collect the blocks of its
 * own arena that others have freed. The thread must have its turn, unless threads take no turns.
 */
void arena_exchange(void);

#endif /* RUN_PRELOAD_MEMORY_ARENA_H */
