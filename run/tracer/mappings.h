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
 * Kind of mappings that are kept in the table only because they are not counted when constants are
 * not:
 */
#define MAPPINGS_CONSTANT 0xfeU

/**
 * struct mapping - A mapping, as in struct stream_region.
 * @index: index in the stream's table of regions, or -1
 * @first: entry at another address under which the mapping is reported, or -1
 * @first_start: start address of that entry
 * @renamed: the mapping is reported under other addresses than those of the process: under the
 *           parent's, or under the addresses in the program that all copies share
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
 * mappings_init() - Initialise the table, once, at the start. Return: 0 or -errno.
 */
int mappings_init(void);

/**
 * mappings_add() - Add a mapping and remove older ones at its addresses. @thread may be NULL before
 * the program's code starts.
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
 * mappings_turn() - Change memory of kind @from to kind @to: data of objects becomes constant, or
 * constants become data.
 *
 * Return: whether there was any such memory.
 */
bool mappings_turn(struct thread *thread, uint64_t start, uint64_t end, uint32_t from, uint32_t to);

/**
 * mappings_constant_kind() - Get the kind of an object's constants: they are counted like its data,
 * or they are not counted.
 * @preload: the object is the preload library, none of whose memory is counted
 */
uint32_t mappings_constant_kind(bool preload);

/**
 * mappings_constant() - Change private mappings of a file in [@start, @end) to its constants, when
 * its code is mapped.
 */
void mappings_constant(struct thread *thread, const struct mapping *code, uint64_t start,
		       uint64_t end, bool preload);

/**
 * mappings_give_back() - Report that the pages of private memory are new at the next access
 * (madvise(2)).
 */
void mappings_give_back(struct thread *thread, uint64_t start, uint64_t end);

/**
 * mappings_local() - Handle the start of a thread whose stack ends at @stack. Its thread-local data
 * is between there and its control block.
 */
void mappings_local(struct thread *thread, uint64_t stack, uint64_t control);

/**
 * mappings_local_first() - Handle the setup of the first thread by the loader. The control block of
 * this thread is at @control, behind its thread-local data. Only the loader allocates from that
 * memory.
 */
void mappings_local_first(struct thread *thread, uint64_t control);

/**
 * mappings_move() - Move or resize a mapping as mremap(2) does.
 * @known: the mapping at @from before the call; its end is 0 if there was none
 * @old_bytes: 0 if the old mapping stays
 */
void mappings_move(struct thread *thread, const struct mapping *known, uint64_t from,
		   uint64_t old_bytes, uint64_t to, uint64_t new_bytes);

/**
 * mappings_lend() - Stop counting whole pages while they are a thread's stack. mappings_return() -
 * Count them again, if they are still mapped.
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
 * mappings_begin() - Report and count all mappings when the program's code starts.
 */
void mappings_begin(struct thread *thread);

/**
 * mappings_forked() - In a child, adjust the table, before process.number is the child's own:
 * shared memory keeps its addresses.
 * @copies: private memory is counted, once mappings_report() has reported it
 */
void mappings_forked(bool copies);

/**
 * mappings_report() - Report the copies of the parent's private memory. mappings_withdraw() -
 * Report that all memory of this process is unmapped.
 */
void mappings_report(struct thread *thread);
void mappings_withdraw(struct thread *thread);

/**
 * mappings_translate() - Translate an address in shared memory to the address under which that
 * memory is reported.
 */
uint64_t mappings_translate(uint64_t address);

/* Does any mapping have an address to translate? */
extern _Atomic bool mappings_aliased;

/**
 * mappings_object() - Get the name of a lock or futex in the stream: its address or, in shared
 * memory, the address at which that memory was first mapped.
 */
static inline uint64_t mappings_object(uint64_t address)
{
	return atomic_load(&mappings_aliased) ? mappings_translate(address) : displaced(address);
}

#endif /* RUN_TRACER_MAPPINGS_H */
