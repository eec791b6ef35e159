/* SPDX-License-Identifier: MIT */
/*
 * run/allocations: the memory that a program has allocated, for its recordings.
 *
 * What lives here: sites, counted exactly, and the memory that each of them had. The files:
 *
 * 	allocations.c    as they come and go, and how they are written
 * 	small_blocks.c   small blocks that are too many to be written one by one
 *
 * May use the public API and <base/>. Not thread-safe. It prints nothing.
 */
#ifndef RUN_ALLOCATIONS_ALLOCATIONS_H
#define RUN_ALLOCATIONS_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/* Blocks of at least this size in bytes are written one by one. */
#define ALLOCATIONS_LARGE_BYTES 4096U
/* The C library leaves a gap smaller than this between neighbouring blocks. */
#define ALLOCATIONS_GAP_BYTES 64U

/**
 * struct allocations_rows - The memory of all sites, sorted by address, for recordings.
 * @list: the rows; shape [@count]
 * @count: number of rows
 */
struct allocations_rows {
	struct Monitor_block *list;
	size_t count;
};

struct allocations;

/*
 * Create an account without allocations. Return: the account, to be freed by
 * allocations_free(); NULL if there is no memory.
 */
struct allocations *allocations_new(void);
void allocations_free(struct allocations *allocations);

/*
 * Copy the blocks that are allocated, for a process that begins with the memory of another one:
 * they exist since time 0. Return: see allocations_new().
 */
struct allocations *allocations_copy(const struct allocations *allocations);

/**
 * allocations_block() - Record that a block of the heap was allocated or freed.
 * @callers: return addresses of the call that allocated it, the innermost first, 0 after the last
 *           one; shape [MONITOR_SITE_CALLERS]
 * @address: address of its first byte
 * @bytes: its size; 0: it was freed
 * @time_ns: when it happened
 *
 * A block for which there is no room counts as lost for its site.
 */
void allocations_block(struct allocations *allocations, const uint64_t *callers, uint64_t address,
		       uint64_t bytes, uint64_t time_ns);

/**
 * allocations_rows() - Make the rows for recordings. Nothing may be added afterwards.
 * @rows: receives them; the caller frees @rows->list
 *
 * Return: 0; -ENOMEM.
 */
int allocations_rows(struct allocations *allocations, struct allocations_rows *rows);

/**
 * allocations_write() - Write sites and rows into a recording.
 *
 * Return: 0; -errno, see Monitor_site_add() and Monitor_block_add().
 */
int allocations_write(const struct allocations *allocations, const struct allocations_rows *rows,
		      struct Monitor *mon);

/* Get how many blocks were allocated, and how many of them, the smallest ones, have no row. */
uint64_t allocations_all(const struct allocations *allocations);
uint64_t allocations_lost(const struct allocations *allocations);

/* ---- small_blocks.c ------------------------------------------------------------------------ */

/**
 * small_blocks_merge() - Merge small neighbouring blocks.
 * @rows: the rows, ascending by address; shape [@count]
 * @most: the largest number of rows that may become one
 *
 * Return: the number of rows that are left.
 */
size_t small_blocks_merge(struct Monitor_block *rows, size_t count, size_t most);

#endif /* RUN_ALLOCATIONS_ALLOCATIONS_H */
