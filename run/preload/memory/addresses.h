/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses: gives memory the same addresses in each run, although several threads allocate memory
 * at the same time.
 *
 * What lives here: functions that make all decisions about addresses in the order of the replay,
 * which is the same in each run. A thread allocates small blocks in its own arena of glibc's
 * malloc. For small blocks, only two decisions must be ordered: which arena each thread gets, and
 * when a freed block returns to its arena (see arena.h). This file may use preload.h and arena.h.
 */
#ifndef RUN_PRELOAD_MEMORY_ADDRESSES_H
#define RUN_PRELOAD_MEMORY_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A block of at least this number of bytes can be a separate mapping, because with the overhead of
 * malloc() its size reaches M_MMAP_THRESHOLD.
 */
#define ADDRESSES_LARGE ((128UL << 10) - 64)

/**
 * addresses_turn() - Wait for the thread's turn to allocate or free memory. If there is only one
 * thread, or if threads take no turns, the function returns immediately.
 *
 * Return: true if the thread has a turn. The caller must pass this value to addresses_turn_end().
 */
bool addresses_turn(void);
void addresses_turn_end(bool turn);

/**
 * addresses_ordered() - Check whether allocations are ordered. They are ordered if there are
 * several threads, threads take turns, and malloc is the malloc of glibc. Another malloc may hold
 * its own lock while it maps memory. A thread could wait for a turn while it holds this lock, and
 * the thread that has the turn could wait for the lock.
 */
bool addresses_ordered(void);

/**
 * addresses_turn_block() - If an allocation of @bytes bytes needs a turn, wait for it.
 * @site: return address of the program's call
 *
 * Return: true if the thread has a turn. The caller must pass this value to addresses_turn_end().
 */
bool addresses_turn_block(size_t bytes, const void *site);

/**
 * addresses_return() - Free a block that belongs to another thread's arena.
 * @bytes: usable size of the block
 * @site: return address of the program's call
 */
void addresses_return(void *block, size_t bytes, const void *site);

/**
 * addresses_start() - Initialise addresses.c. Call this function at the beginning of the program.
 */
void addresses_start(void);

/**
 * addresses_several() - Record that the process can have several threads from now on.
 */
void addresses_several(void);

/**
 * addresses_forked() - Reset the state in a forked process, which has only one thread.
 */
void addresses_forked(void);

/**
 * addresses_thread() - Assign an arena to the calling thread. Each thread must call this function
 * once, when it begins. When the thread ends, it reports that the arena is free. During the call,
 * no other thread may wait for the calling thread.
 */
void addresses_thread(void);

#endif /* RUN_PRELOAD_MEMORY_ADDRESSES_H */
