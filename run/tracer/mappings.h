/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's memory: its mappings, which of them count, and which of them the reader has
 * received.
 *
 * The table belongs to this process and has its own lock. Each mapping that counts has an entry in
 * the stream's table of regions, and a record in the calling thread's channel reports it.
 */
#ifndef RUN_TRACER_MAPPINGS_H
#define RUN_TRACER_MAPPINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"

struct thread;

/*
 * Mappings that are kept only because they do not count, if constants do not: mappings of objects,
 * and memory that the loader makes read-only after it has linked an object.
 */
#define MAPPINGS_CONSTANT 0xfeU

/**
 * struct mapping - As in struct stream_region.
 * @index: index in the stream's table of regions, or -1
 * @first: entry at another address under which the mapping is reported, or -1
 * @first_start: start address of that entry
 * @renamed: it is reported under other addresses than the process's: the parent's, or the addresses
 *           in the program that all copies share
 * @serial: serial number in the order of addition
 * @internal: data of an object whose code does not count
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
	bool renamed;
	uint64_t first_start;
	uint64_t serial;
	bool internal;
	char path[STREAM_PATH_BYTES];
};

/* All mappings, whenever they were added. */
#define MAPPINGS_ALL UINT64_MAX

/**
 * mappings_init() - Initialise the table, once at the start. Return: 0 or -errno.
 */
int mappings_init(void);

/**
 * mappings_add() - Add a mapping and remove older ones at its addresses. @thread may be NULL before
 * the program's code begins.
 */
void mappings_add(struct thread *thread, const struct mapping *mapping);

/**
 * mappings_seen() - Return the current serial number. It separates existing mappings from those
 * that are added during a system call.
 */
uint64_t mappings_seen(void);

/**
 * mappings_remove() - Remove memory that was unmapped.
 * @seen: remove only mappings that existed then, because another thread may have reused the
 *        addresses
 */
void mappings_remove(struct thread *thread, uint64_t start, uint64_t end, uint64_t seen);

/**
 * mappings_turn() - Memory of kind @from becomes memory of kind @to: data of objects becomes
 * constant, or the other way round.
 *
 * Return: whether there was any.
 */
bool mappings_turn(struct thread *thread, uint64_t start, uint64_t end, uint32_t from, uint32_t to);

/**
 * mappings_constant_kind() - The kind of an object's constants: they count as its data does, or
 * not.
 * @preload: of the preload library, none of whose memory counts
 */
uint32_t mappings_constant_kind(bool preload);

/**
 * mappings_constant() - Private mappings of a file in [@start, @end), where its code was mapped
 * now, are its constants.
 */
void mappings_constant(struct thread *thread, const struct mapping *code, uint64_t start,
		       uint64_t end, bool preload);

/**
 * mappings_give_back() - The pages of private memory are new at the next access (madvise(2)).
 */
void mappings_give_back(struct thread *thread, uint64_t start, uint64_t end);

/**
 * mappings_local() - A thread begins whose stack ends at @stack. Its thread-local data lies between
 * there and its control block.
 */
void mappings_local(struct thread *thread, uint64_t stack, uint64_t control);

/**
 * mappings_local_first() - The loader has set up the first thread, whose control block is at
 * @control, behind its thread-local data. The loader alone allocates from that memory.
 */
void mappings_local_first(struct thread *thread, uint64_t control);

/**
 * mappings_move() - Move or resize a mapping as mremap(2) does.
 * @known: the mapping at @from before the call; none if its end is 0
 * @old_bytes: 0 if the old mapping stays
 */
void mappings_move(struct thread *thread, const struct mapping *known, uint64_t from,
		   uint64_t old_bytes, uint64_t to, uint64_t new_bytes);

/**
 * mappings_lend() - Stop counting whole pages while they are a thread's stack. mappings_return() -
 * Count them as before, if they are still mapped.
 */
void mappings_lend(const struct thread *owner, uint64_t start, uint64_t end);
void mappings_return(const struct thread *owner);

/**
 * mappings_lock(), mappings_unlock() - Hold the lock while another part changes a list of ranges.
 */
void mappings_lock(void);
void mappings_unlock(void);

/**
 * mappings_find() - Copy the mapping that contains an address or ends there.
 */
bool mappings_find(uint64_t address, struct mapping *mapping);
bool mappings_before(uint64_t end, struct mapping *mapping);

/**
 * mappings_begin() - Report and count all mappings when the program's code begins.
 */
void mappings_begin(struct thread *thread);

/**
 * mappings_forked() - In a child, before process.number is its own: what is shared keeps its
 * addresses.
 * @copies: private memory counts, once mappings_report() has reported it
 */
void mappings_forked(bool copies);

/**
 * mappings_report() - Report the copies of the parent's private memory. mappings_withdraw() -
 * Report that all memory of this process is gone.
 */
void mappings_report(struct thread *thread);
void mappings_withdraw(struct thread *thread);

/**
 * mappings_translate() - Translate an address in shared memory to the address under which that
 * memory is reported.
 */
uint64_t mappings_translate(uint64_t address);

/* Whether any mapping has an address to translate. */
extern _Atomic bool mappings_aliased;

/**
 * mappings_object() - The name of a lock or futex in the stream: its address or, in shared memory,
 * the address at which that memory was first mapped.
 */
static inline uint64_t mappings_object(uint64_t address)
{
	return atomic_load(&mappings_aliased) ? mappings_translate(address) : displaced(address);
}

#endif /* RUN_TRACER_MAPPINGS_H */
