/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses: deterministic memory for threads that allocate at the same time.
 *
 * What lives here: all decisions about addresses are made in the order of the replay, so that a
 * block has the same address in every run. Small blocks are allocated in the thread's own arena of
 * glibc's malloc. For small blocks only the assignment of arenas and the return of blocks to their
 * arena (arena.h) are ordered. May use preload.h and arena.h.
 */
#ifndef RUN_PRELOAD_MEMORY_ADDRESSES_H
#define RUN_PRELOAD_MEMORY_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * With malloc()'s overhead, a block of at least this size can be a mapping of its own
 * (M_MMAP_THRESHOLD).
 */
#define ADDRESSES_LARGE ((128UL << 10) - 64)

/**
 * addresses_turn() - Wait until the thread may allocate or free memory.
 *
 * Return: whether the caller must call addresses_turn_end(). This is not necessary if there is one
 * thread, or if threads take no turns.
 */
bool addresses_turn(void);
void addresses_turn_end(bool turn);

/**
 * addresses_ordered() - Return whether allocations are ordered: there are several threads, they
 * take turns, and malloc is glibc's. Another malloc may hold a lock of its own when it maps memory,
 * and the thread that has its turn could then wait for this lock.
 */
bool addresses_ordered(void);

/**
 * addresses_turn_block() - Take a turn if the allocation of @bytes needs a turn.
 * @site: the caller
 */
bool addresses_turn_block(size_t bytes, const void *site);

/**
 * addresses_return() - Free a block of another thread's arena.
 * @bytes: usable size of the block
 * @site: the caller
 */
void addresses_return(void *block, size_t bytes, const void *site);

/**
 * addresses_start() - Initialise at the beginning of the program.
 */
void addresses_start(void);

/**
 * addresses_several() - Note that there can be several threads from now on.
 */
void addresses_several(void);

/**
 * addresses_forked() - Reset in a new process, which has one thread.
 */
void addresses_forked(void);

/**
 * addresses_thread() - Assign an arena to the calling thread when it begins, once. The thread
 * reports at its end when the arena is free. No thread may wait for the calling thread during this
 * call.
 */
void addresses_thread(void);

#endif /* RUN_PRELOAD_MEMORY_ADDRESSES_H */
