/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Mappings: the mappings in the memory of the program.
 *
 * What lives here: the table of mappings, and for each mapping whether its accesses are counted and
 * whether the reader knows it. The table belongs to this process, and has its own lock. Each
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
 * struct mapping - A mapping. For fields without a description here, see struct stream_region.
 * @index: index in the stream's table of regions; -1: not in this table
 * @first: index of another region, if this mapping is reported at the addresses of that region,
 *         which maps the same memory; otherwise -1
 * @first_start: start address of the region @first
 * @renamed: the mapping is not reported at its own addresses, but at its addresses in the parent
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

/* A serial number that is higher than the serial number of any mapping. */
#define MAPPINGS_ALL UINT64_MAX

/**
 * mappings_init() - Initialise the table. Call this function once, at the start.
 *
 * Return: 0 or -errno.
 */
int mappings_init(void);

/**
 * mappings_add() - Add a mapping, and remove older mappings at its addresses.
 * @thread: the calling thread; may be NULL before the program's code has started
 */
void mappings_add(struct thread *thread, const struct mapping *mapping);

/**
 * mappings_seen() - Get the serial number of the newest mapping. A caller that stores this number
 * at the start of a system call can distinguish the mappings that existed then from later ones.
 */
uint64_t mappings_seen(void);

/**
 * mappings_remove() - Remove memory that was unmapped.
 * @seen: remove only mappings up to this serial number. Later mappings stay, because another thread
 *        may have mapped other memory at these addresses
 */
void mappings_remove(struct thread *thread, uint64_t start, uint64_t end, uint64_t seen);

/**
 * mappings_turn() - For all memory in [@start, @end) that has the kind @from, change the kind to
 * @to. This is used when data of objects becomes constant, and when constants become data.
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
 * mappings_constant() - Change the kind of the private mappings of a file in [@start, @end) to
 * constants. Call this function after the code of the file was mapped, because only then it is
 * known that these mappings are constants.
 */
void mappings_constant(struct thread *thread, const struct mapping *code, uint64_t start,
		       uint64_t end, bool preload);

/**
 * mappings_give_back() - Report that the program has released pages of private memory. The next
 * access to each of these pages gets a new page.
 * @unmapped: other memory will be mapped at their addresses
 */
void mappings_give_back(struct thread *thread, uint64_t start, uint64_t end, bool unmapped);

/**
 * mappings_touch() - Report that the kernel has written memory for the thread.
 */
void mappings_touch(struct thread *thread, uint64_t start, uint64_t end);

/**
 * mappings_local() - Begin to count the thread-local data of a new thread separately from its
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
 * mappings_lend() - Stop counting accesses to whole pages while these pages are the stack of
 * @owner. mappings_return() counts accesses to these pages again, if the pages are still mapped.
 */
void mappings_lend(const struct thread *owner, uint64_t start, uint64_t end);
void mappings_return(const struct thread *owner);

/**
 * mappings_lock() takes the lock of the table, and mappings_unlock() releases it. Other files hold
 * the lock while they change a list of ranges.
 */
void mappings_lock(void);
void mappings_unlock(void);

/**
 * mappings_find() - Copy the mapping that contains an address. mappings_before() copies the mapping
 * that ends at an address.
 *
 * Return: true if there is such a mapping.
 */
bool mappings_find(uint64_t address, struct mapping *mapping);

bool mappings_before(uint64_t end, struct mapping *mapping);

/**
 * mappings_visit_shared() - Call @visit for each mapping of shared memory. The caller must hold the
 * lock.
 */
void mappings_visit_shared(void (*visit)(const struct mapping *mapping, void *opaque),
			   void *opaque);

/**
 * mappings_begin() - Report all mappings, and start to count their accesses. Call this function
 * when the program's code starts.
 */
void mappings_begin(struct thread *thread);

/**
 * mappings_forked() - Adjust the table in a forked child. Shared memory must keep its addresses in
 * the stream. Call this function therefore before process.number is set to the child's number.
 * @copies: private memory will be counted after mappings_report() has reported it
 */
void mappings_forked(bool copies);

/**
 * mappings_report() - Report the private memory that the child has copied from its parent.
 * mappings_withdraw() reports that all memory of this process was unmapped.
 */
void mappings_report(struct thread *thread);
void mappings_withdraw(struct thread *thread);

/**
 * mappings_translate() - Convert an address of shared memory in this process to the address under
 * which this memory is reported.
 */
uint64_t mappings_translate(uint64_t address);

/* Whether at least one mapping has addresses that mappings_translate() must convert. */
extern _Atomic bool mappings_aliased;

/**
 * mappings_object() - Get the name of a lock or a futex in the stream. The name of an object in
 * private memory is its address. The name of an object in shared memory is its address in the first
 * mapping of this memory.
 */
static inline uint64_t mappings_object(uint64_t address)
{
	return atomic_load(&mappings_aliased) ? mappings_translate(address) : displaced(address);
}

/**
 * mappings_common() - mappings_object() of a lock or a futex for the reader, with STREAM_COMMON if
 * processes share its memory.
 */
uint64_t mappings_common(uint64_t address);

#endif /* RUN_TRACER_MAPPINGS_H */
