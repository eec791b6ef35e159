/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The memory of the program: its mappings.
 *
 * What lives here: the table of mappings, and for each mapping whether its accesses are counted and
 * whether the reader knows it. The table belongs to this process, and has a lock of its own. Each
 * counted mapping also has an entry in the stream's table of regions; the calling thread reports
 * this entry by a record in its channel.
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
 * The kind of constants, if accesses to constants are not counted. Mappings of this kind are in the
 * table only to mark their accesses as not counted.
 */
#define MAPPINGS_CONSTANT 0xfeU

/**
 * struct mapping - A mapping. The fields that are not described here are as in struct
 * stream_region.
 * @index: index in the stream's table of regions; -1: not in this table
 * @first: if the mapping is reported at the addresses of another mapping of the same memory, the
 *         index of that region; otherwise -1
 * @first_start: start address of the region @first
 * @renamed: the mapping is reported at other addresses than its own: at its addresses in the parent
 *           process, or at the addresses that all copies of the program share
 * @serial: number of the mapping, in the order of addition
 * @internal: the mapping has data of an object whose code is not counted
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

/* A serial number that is higher than that of any mapping. */
#define MAPPINGS_ALL UINT64_MAX

/**
 * mappings_init() - Initialise the table. Call this function once, at the start.
 *
 * Return: 0 or -errno.
 */
int mappings_init(void);

/**
 * mappings_add() - Add a mapping, and remove older mappings at its addresses.
 * @thread: the calling thread; may be NULL before the program's code starts
 */
void mappings_add(struct thread *thread, const struct mapping *mapping);

/**
 * mappings_seen() - Get the serial number of the newest mapping. A caller that stores this number
 * at the start of a system call can distinguish the mappings that existed then from later ones.
 */
uint64_t mappings_seen(void);

/**
 * mappings_remove() - Remove memory that was unmapped.
 * @seen: remove only mappings up to this serial number, because another thread may have mapped
 *        other memory at these addresses since
 */
void mappings_remove(struct thread *thread, uint64_t start, uint64_t end, uint64_t seen);

/**
 * mappings_turn() - Change the kind of all memory in [@start, @end) that has the kind @from to the
 * kind @to. This is used when data of objects becomes constant, and when constants become data.
 *
 * Return: whether there was such memory.
 */
bool mappings_turn(struct thread *thread, uint64_t start, uint64_t end, uint32_t from, uint32_t to);

/**
 * mappings_constant_kind() - Get the kind of an object's constants. It depends on whether constants
 * are counted.
 * @preload: the object is the preload library, whose memory is never counted
 */
uint32_t mappings_constant_kind(bool preload);

/**
 * mappings_constant() - After the code of a file was mapped, change the kind of the private
 * mappings of the same file in [@start, @end), which are now known to be constants.
 */
void mappings_constant(struct thread *thread, const struct mapping *code, uint64_t start,
		       uint64_t end, bool preload);

/**
 * mappings_give_back() - Report that the program has released the pages of private memory by
 * madvise(2). The next access to each of them gets a new page.
 */
void mappings_give_back(struct thread *thread, uint64_t start, uint64_t end);

/**
 * mappings_local() - When a thread starts, begin to count its thread-local data separately from its
 * stack. The data is between the end of the stack, @stack, and the thread's control block,
 * @control.
 */
void mappings_local(struct thread *thread, uint64_t stack, uint64_t control);

/**
 * mappings_local_first() - Mark the mapping that contains the control block of the first thread,
 * @control, as thread-local data. Call this function after the loader has set up the first thread.
 * The thread-local data precedes the control block, and only the loader allocates memory in this
 * mapping.
 */
void mappings_local_first(struct thread *thread, uint64_t control);

/**
 * mappings_move() - Move or resize a mapping as mremap(2) does.
 * @known: the mapping at @from before the call; its member end is 0 if there was none
 * @old_bytes: size of the old mapping; 0 if the old mapping stays
 */
void mappings_move(struct thread *thread, const struct mapping *known, uint64_t from,
		   uint64_t old_bytes, uint64_t to, uint64_t new_bytes);

/**
 * mappings_lend() - Stop counting accesses to whole pages while they are the stack of @owner.
 * mappings_return() - Count accesses to these pages again, as far as the pages are still mapped.
 */
void mappings_lend(const struct thread *owner, uint64_t start, uint64_t end);
void mappings_return(const struct thread *owner);

/**
 * mappings_lock(), mappings_unlock() - Take and release the lock of the table. Other files hold it
 * while they change a list of ranges.
 */
void mappings_lock(void);
void mappings_unlock(void);

/**
 * mappings_find() - Copy the mapping that contains an address.
 * mappings_before() - Copy the mapping that ends at an address.
 *
 * Return: whether there is such a mapping.
 */
bool mappings_find(uint64_t address, struct mapping *mapping);
bool mappings_before(uint64_t end, struct mapping *mapping);

/**
 * mappings_begin() - When the program's code starts, report all mappings, and start to count their
 * accesses.
 */
void mappings_begin(struct thread *thread);

/**
 * mappings_forked() - Adjust the table in a forked child. Call this function before process.number
 * is set to the child's number, so that shared memory keeps its addresses in the stream.
 * @copies: private memory will be counted after mappings_report() has reported it
 */
void mappings_forked(bool copies);

/**
 * mappings_report() - Report the private memory that the child has copied from its parent.
 * mappings_withdraw() - Report that all memory of this process was unmapped.
 */
void mappings_report(struct thread *thread);
void mappings_withdraw(struct thread *thread);

/**
 * mappings_translate() - Get the address under which shared memory is reported, from its address in
 * this process.
 */
uint64_t mappings_translate(uint64_t address);

/* Whether any mapping has addresses that mappings_translate() must translate. */
extern _Atomic bool mappings_aliased;

/**
 * mappings_object() - Get the name of a lock or a futex in the stream. If the lock is in private
 * memory, its name is its address. If it is in shared memory, its name is its address in the first
 * mapping of this memory.
 */
static inline uint64_t mappings_object(uint64_t address)
{
	return atomic_load(&mappings_aliased) ? mappings_translate(address) : displaced(address);
}

#endif /* RUN_TRACER_MAPPINGS_H */
