/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Arenas: to which arena of glibc's malloc a block belongs, and when a block returns to it.
 *
 * What lives here: blocks that are freed by another thread than the owner of their arena. If they
 * returned at once, the owner's next block would depend on which of the two threads is faster. They
 * wait instead, until both threads have had their turn. May use preload.h, and the two facts about
 * glibc's heaps in arena.c.
 */
#ifndef TRACER_PRELOAD_MEMORY_ARENA_H
#define TRACER_PRELOAD_MEMORY_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/**
 * arena_start() - At the beginning of the program, by its first thread, whose arena is the first.
 */
void arena_start(void);

/**
 * arena_glibc() - Is the program's malloc() glibc's? If not, blocks have no arena that is known.
 */
bool arena_glibc(void);

/**
 * arena_enter(), arena_leave() - The calling thread uses an arena, or no longer. It has its turn.
 *
 * Return: whether it has that for itself.
 */
bool arena_enter(void);
void arena_leave(void);

/**
 * arena_forked() - In a new process: there is one thread.
 */
void arena_forked(void);

/**
 * arena_due() - A thread gets a block: is it time to look what others gave back?
 * @bytes: of the block
 * @site: the caller; not in the middle of libc, which may have locks of its own
 */
bool arena_due(size_t bytes, const void *site);

/**
 * arena_foreign() - Is it another thread's arena that this block is in?
 */
bool arena_foreign(const void *block);

/**
 * arena_by_chance() - Did a block, got without a turn, need memory from the system?
 */
bool arena_by_chance(const void *block);

/**
 * arena_mapping() - Is a block a mapping of its own? It can be smaller than those are at first.
 */
bool arena_mapping(const void *block);

/**
 * arena_return() - Give such a block back. Return: whether it is time to pass on what was.
 * @bytes: that it can hold
 * @site: as of arena_due()
 */
bool arena_return(void *block, size_t bytes, const void *site);

/**
 * arena_exchange() - Pass on what the thread gave back, and take in what others did of its own. It
 * has its turn, or there are none.
 */
void arena_exchange(void);

#endif /* TRACER_PRELOAD_MEMORY_ARENA_H */
