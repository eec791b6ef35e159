/* SPDX-License-Identifier: MIT */
/*
 * run/allocations: what a program has allocated, for its recordings.
 *
 * What lives here: sites, counted exactly, and the memory that each of them had. The files:
 *
 *	allocations.c    as they come and go, and how they are written
 *	small_blocks.c   small blocks that are too many to be written one by one
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
 * struct allocations_rows - The memory of all sites, by address, for recordings.
 * @list: shape [@count]
 * @count: how many
 */
struct allocations_rows {
	struct Monitor_block *list;
	size_t count;
};

struct allocations;

/* Return: none yet, to be freed by allocations_free(); NULL: no memory. */
struct allocations *allocations_new(void);
void allocations_free(struct allocations *allocations);

/*
 * Blocks that are there, as those of a process that begins with the memory of another one: since
 * time 0. Return: as allocations_new().
 */
struct allocations *allocations_copy(const struct allocations *allocations);

/**
 * allocations_block() - A block of the heap came or went.
 * @callers: return addresses of the call that made it, the innermost first, 0 where there are no
 *           more; shape [MONITOR_SITE_CALLERS]
 * @address: its first byte
 * @bytes: its size; 0: it was freed
 * @time_ns: when
 *
 * A block for which there is no room counts as lost for its site.
 */
void allocations_block(struct allocations *allocations, const uint64_t *callers, uint64_t address,
		       uint64_t bytes, uint64_t time_ns);

/**
 * allocations_rows() - Make the rows for recordings. Nothing may be added after that.
 * @rows: receives them; @rows->list is to be freed
 *
 * Return: 0; -ENOMEM.
 */
int allocations_rows(struct allocations *allocations, struct allocations_rows *rows);

/**
 * allocations_write() - Write sites and rows into a recording.
 *
 * Return: 0; -errno as Monitor_site_add() and Monitor_block_add().
 */
int allocations_write(const struct allocations *allocations, const struct allocations_rows *rows,
		      struct Monitor *mon);

/* How many blocks were allocated, and how many of them no row describes: the smallest. */
uint64_t allocations_all(const struct allocations *allocations);
uint64_t allocations_lost(const struct allocations *allocations);

/* ---- small_blocks.c ------------------------------------------------------------------------ */

/**
 * small_blocks_merge() - Merge small neighbours.
 * @rows: ascending by address; shape [@count]
 * @most: how many may become one
 *
 * Return: how many rows are left.
 */
size_t small_blocks_merge(struct Monitor_block *rows, size_t count, size_t most);

#endif /* RUN_ALLOCATIONS_ALLOCATIONS_H */
