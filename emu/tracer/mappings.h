/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's memory: its mappings, which of them count, and what the reader knows of them.
 *
 * The table is this process's, under a lock of its own; each mapping that counts has its entry in
 * the stream's table of regions, and is reported by a record in the calling thread's channel.
 */
#ifndef TRACER_MAPPINGS_H
#define TRACER_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/stream.h"

struct thread;

/* A mapping that is only known so that what adjoins it is understood: data of uncounted objects. */
#define MAPPINGS_UNCOUNTED 0xffU

/**
 * struct mapping - As in struct stream_region.
 * @index: in the stream's table, or -1
 * @first: reported as this entry of the table, at another address, or -1
 * @first_start: where that begins
 * @serial: of all that were added, its number
 */
struct mapping {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	uint64_t bias;
	uint32_t kind;
	int32_t index;
	int32_t first;
	uint64_t first_start;
	uint64_t serial;
	char path[STREAM_PATH_BYTES];
};

/* All that are there, however late they came. */
#define MAPPINGS_ALL UINT64_MAX

/**
 * mappings_init() - At the start, once. Return: 0 or -errno.
 */
int mappings_init(void);

/**
 * mappings_add() - Memory is there. Whatever was there before is removed. @thread may be NULL
 * before the program's code begins.
 */
void mappings_add(struct thread *thread, const struct mapping *mapping);

/**
 * mappings_seen() - What is there by now, as opposed to what comes while a system call is made.
 */
uint64_t mappings_seen(void);

/**
 * mappings_remove() - Memory is gone, or is not written any more.
 * @seen: only what was there then: another thread may have got the addresses since
 */
void mappings_remove(struct thread *thread, uint64_t start, uint64_t end, uint64_t seen);

/**
 * mappings_seal() - Memory is no more writable: of the data of objects, that ends its counting.
 */
void mappings_seal(struct thread *thread, uint64_t start, uint64_t end);

/**
 * mappings_move() - As by mremap(2).
 * @known: what was at @from before the call; nothing if its end is 0
 * @old_bytes: 0 if the old one stays
 */
void mappings_move(struct thread *thread, const struct mapping *known, uint64_t from,
		   uint64_t old_bytes, uint64_t to, uint64_t new_bytes);

/**
 * mappings_lend() - Whole pages do not count for now: they are a thread's stack. mappings_return()
 * - They are what they were, if they are still there.
 */
void mappings_lend(const struct thread *owner, uint64_t start, uint64_t end);
void mappings_return(const struct thread *owner);

/**
 * mappings_lock(), mappings_unlock() - For lists of ranges that other parts change.
 */
void mappings_lock(void);
void mappings_unlock(void);

/**
 * mappings_find() - Copy the mapping at an address, or the one that ends there.
 */
bool mappings_find(uint64_t address, struct mapping *mapping);
bool mappings_before(uint64_t end, struct mapping *mapping);

/**
 * mappings_begin() - The program's code begins: report and count all that is there.
 */
void mappings_begin(struct thread *thread);

/**
 * mappings_forked() - In a child: what is private does not count.
 */
void mappings_forked(void);

/**
 * mappings_translate() - Where shared memory was mapped before at another address: that address.
 */
uint64_t mappings_translate(uint64_t address);

/* Whether there is anything to translate. */
extern _Atomic bool mappings_aliased;

#endif /* TRACER_MAPPINGS_H */
