/* SPDX-License-Identifier: MIT */
/*
 * run/allocations: keeps a list of the memory that a program has allocated, for its recordings.
 *
 * What lives here: the sites that allocate memory, with exact counts of their allocations, and the
 * memory that each site has allocated. A site is the call stack of an allocation. The source files:
 *
 * 	allocations.c    recording of allocations while the program runs, and their output
 * 	small_blocks.c   merging of small blocks that are too many to be written one by one
 *
 * This file may use the public API and <base/>. The functions are not thread-safe. This code prints
 * nothing.
 */
#ifndef RUN_ALLOCATIONS_ALLOCATIONS_H
#define RUN_ALLOCATIONS_ALLOCATIONS_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

/* Blocks of at least this number of bytes are written one by one. */
#define ALLOCATIONS_LARGE_BYTES 4096U
/*
 * The gap that the C library leaves between neighbouring blocks is smaller than this number of
 * bytes.
 */
#define ALLOCATIONS_GAP_BYTES 64U

/**
 * struct allocations_rows - The memory of all sites, as rows for recordings, sorted by address.
 * @list: the rows; shape [@count]
 * @count: number of rows
 */
struct allocations_rows {
	struct Monitor_block *list;
	size_t count;
};

struct allocations;

/*
 * Create an empty list of allocations.
 *
 * Return: the list, which the caller must free with allocations_free(); NULL if memory is missing.
 */
struct allocations *allocations_new(void);
void allocations_free(struct allocations *allocations);

/*
 * Copy the blocks that are allocated now. A forked process needs this copy, because it begins with
 * a copy of its parent's memory. In the copy, the blocks exist from time 0 on.
 *
 * Return: the copy, which the caller must free with allocations_free(); NULL if memory is missing.
 */
struct allocations *allocations_copy(const struct allocations *allocations);

/**
 * allocations_block() - Record that a block of the heap was allocated or freed.
 * @callers: return addresses of the calls that allocated the block, from the innermost to the
 *           outermost call; 0 after the last address; shape [MONITOR_SITE_CALLERS]
 * @address: address of the first byte of the block
 * @bytes: size of the block; 0: the block was freed
 * @time_ns: time of the allocation or the release
 *
 * If there is no space for a block, the block counts as lost memory of its site.
 */
void allocations_block(struct allocations *allocations, const uint64_t *callers, uint64_t address,
		       uint64_t bytes, uint64_t time_ns);

/**
 * allocations_rows() - Make the rows for recordings. Call this function only after the last
 * allocations_block().
 * @rows: receives the rows; the caller must free @rows->list
 *
 * Return: 0 or -ENOMEM.
 */
int allocations_rows(struct allocations *allocations, struct allocations_rows *rows);

/**
 * allocations_write() - Write the sites and the rows into a recording.
 *
 * Return: 0; -errno, as for Monitor_site_add() and Monitor_block_add().
 */
int allocations_write(const struct allocations *allocations, const struct allocations_rows *rows,
		      struct Monitor *mon);

/*
 * allocations_all() gets the number of blocks that were allocated. allocations_lost() gets the
 * number of these blocks that have no row, because they were too small.
 */
uint64_t allocations_all(const struct allocations *allocations);
uint64_t allocations_lost(const struct allocations *allocations);

/* ---- small_blocks.c ------------------------------------------------------------------------ */

/**
 * small_blocks_merge() - Merge neighbouring small blocks.
 * @rows: the rows, in ascending order of address; shape [@count]
 * @most: the largest number of rows that may be merged into one extent
 *
 * Return: the number of rows that remain.
 */
size_t small_blocks_merge(struct Monitor_block *rows, size_t count, size_t most);

#endif /* RUN_ALLOCATIONS_ALLOCATIONS_H */
