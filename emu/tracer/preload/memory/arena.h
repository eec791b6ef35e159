/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Arenas: whose memory a block of glibc's malloc lies in, and how it gets back there.
 *
 * What lives here: blocks that another thread gives back than the one that uses their arena. Were
 * they put there at once, then what the owner gets next would depend on which of the two is faster.
 * So they wait until both had their turn: first where they were given back, then with the arena. It
 * may use what preload.h names, and the two facts about glibc's heaps that arena.c reports.
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
 * arena_foreign() - Is it another thread's arena that this block lies in?
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
