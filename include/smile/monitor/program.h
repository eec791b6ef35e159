/* SPDX-License-Identifier: MIT */
/*
 * Program: what was recorded besides the card's counts. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_PROGRAM_H
#define SMILE_MONITOR_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * A recording holds, after its records, all that its recorder knows about the program: where pages
 * lie, the regions of the address space, the names of phases, the parameters of the run, accesses
 * that have failed, and, by other headers, the program's allocations, its files, and nodes'
 * accesses to their own memory. It is known from Monitor_open() on. A program may add to it, in any
 * Monitor, until Monitor_close(), which writes it to the recording being saved, together with that
 * of the recording being read. Merged recordings must not contradict each other: Monitor_attach().
 *
 * If this part of a file is damaged, none of it is known, and Monitor_poll() reports that once all
 * records are read.
 */

/**
 * struct Monitor_home - Pages that lie on one node.
 * @page: number of the first
 * @pages: how many
 * @node: node
 * @reserved: 0
 */
struct Monitor_home {
	uint64_t page;
	uint64_t pages;
	uint32_t node;
	uint32_t reserved;
};

/**
 * Monitor_home_add() - Report where pages lie.
 * @page: number of the first
 * @pages: how many
 * @node: node
 *
 * In ascending order is fastest.
 *
 * Return: 0, also if it was called for these pages before.
 * Errors: -EINVAL if a page is on another node already, or for a page or node that cannot be;
 * -ENOMEM.
 */
int Monitor_home_add(struct Monitor *mon, uint64_t page, uint64_t pages, unsigned int node);

/**
 * Monitor_homes() - Where pages lie, accessed or not.
 * @homes: caller-owned, shape [@capacity]; ascending, neighbours on one node as one; may be NULL if
 *         @capacity is 0
 *
 * Return: the number of runs; min(that, @capacity) of them were filled in.
 */
int Monitor_homes(struct Monitor *mon, struct Monitor_home *homes, size_t capacity);

/* The kinds of regions of the address space. */
enum Monitor_region_kind {
	MONITOR_REGION_HEAP, /* what brk(2) gave */
	MONITOR_REGION_GLOBAL, /* writable data of the program or a library */
	MONITOR_REGION_PRIVATE, /* mapped by one process for itself */
	MONITOR_REGION_SHARED, /* mapped MAP_SHARED */
	MONITOR_REGION_NAMED, /* the program gave it a name: smile_alloc() */
	MONITOR_REGION_STACK, /* of a thread */
	/* nothing is counted here; it says where an object of the program lies */
	MONITOR_REGION_CODE,
	/* memory of an SCI adapter: a segment, as other nodes address it; or its messages */
	MONITOR_REGION_SEGMENT,
};

/**
 * struct Monitor_region - Part of the program's address space.
 * @start: first address
 * @end: one past the last
 * @offset: where it begins in the file @name; of MONITOR_REGION_NAMED, bytes of an item of the
 *          array that it holds, such as a row; 0: none
 * @bias: subtract it from an address to get the address in the file's ELF headers and DWARF
 * @kind: enum Monitor_region_kind; later releases may know more
 * @reserved: 0
 * @name: file, or the region's name; "" if it has none. Belongs to the Monitor, and is valid until
 *        Monitor_close()
 *
 * Only for MONITOR_REGION_GLOBAL and _CODE, @bias has a meaning; @offset for these and _NAMED.
 */
struct Monitor_region {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t bias;
	uint32_t kind;
	uint32_t reserved;
	const char *name;
};

/**
 * Monitor_region_add() - Report what is where.
 * @region: the region, which is copied, as is its name
 *
 * Regions may overlap: memory that is given back can become another region.
 *
 * Return: 0.
 * Errors: -EINVAL for addresses that cannot be; -ENOMEM.
 */
int Monitor_region_add(struct Monitor *mon, const struct Monitor_region *region);

/**
 * Monitor_regions() - The regions, in the order in which they came.
 * @regions: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of regions; min(that, @capacity) of them were filled in.
 */
int Monitor_regions(struct Monitor *mon, struct Monitor_region *regions, size_t capacity);

/**
 * Monitor_region_find() - What is at an address.
 * @address: address
 * @region: receives the region
 *
 * If the address is in several regions, the last one.
 *
 * Return: 0.
 * Errors: -ENOENT if nothing is known there; -ENOMEM.
 */
int Monitor_region_find(struct Monitor *mon, uint64_t address, struct Monitor_region *region);

/**
 * Monitor_region_within() - What is at the first known address of an extent.
 * @start: first address
 * @end: one past the last
 * @region: receives the region
 * @address: receives that address
 *
 * Return: 1; 0 if none of the addresses is in a region.
 * Errors: -ENOMEM.
 */
int Monitor_region_within(struct Monitor *mon, uint64_t start, uint64_t end,
			  struct Monitor_region *region, uint64_t *address);

/**
 * struct Monitor_failed - Accesses of a node that have failed.
 * @node: whose
 * @reserved: 0
 * @accesses: how many: loads gave ones, stores changed nothing
 */
struct Monitor_failed {
	uint32_t node;
	uint32_t reserved;
	uint64_t accesses;
};

/**
 * Monitor_failed_add() - Report accesses of a node's SCI adapter that have failed, none included.
 * @failed: the node, and how many
 *
 * No card sees an access that has failed. So all counts are exact, but the program has computed
 * with wrong data.
 *
 * Return: 0.
 * Errors: -EINVAL for a node that cannot be, or if another number was reported for it; -ENOMEM.
 */
int Monitor_failed_add(struct Monitor *mon, const struct Monitor_failed *failed);

/**
 * Monitor_failed() - Accesses that have failed, of all nodes whose number is known.
 * @failed: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of nodes; min(that, @capacity) of them were filled in.
 */
int Monitor_failed(struct Monitor *mon, struct Monitor_failed *failed, size_t capacity);

/**
 * Monitor_names_follow() - Take in the names that a program gives its memory while a card counts
 * it.
 * @file: open file descriptor, read from its beginning with pread(2); it stays the caller's
 *
 * A card counts by the place of memory: a page of a global address space has a number on each node.
 * The program knows its own addresses, and libsmile-gas writes them, with names and homes, to the
 * file that SMILE_NAMES in its environment names, before it accesses the memory. docs/recording.md
 * describes the file. From then on the records that are read have the program's addresses, as
 * records of `smile run` do: with these they are saved, counted and handed out. Regions are added
 * as they come.
 *
 * A line that is not understood is left out; Monitor_names_end() reports the first.
 *
 * Return: 0.
 * Errors: -EBUSY once records were read, or if it was called before; -EOPNOTSUPP for recordings,
 * merged Monitors, and a card with narrow node ids; -ENOMEM.
 */
int Monitor_names_follow(struct Monitor *mon, int file);

/**
 * Monitor_names_end() - Add the homes of the pages that have not moved, and read no more names.
 *
 * A page that has moved has no home: its counts tell where it was. If this call fails, the names
 * that were understood are in the Monitor nevertheless.
 *
 * Return: 0.
 * Errors: -ENOENT without Monitor_names_follow(); -EPROTO if a line was not understood; -E2BIG if
 * there were too many; -EINVAL if a home contradicts one that was added; -ENOMEM.
 */
int Monitor_names_end(struct Monitor *mon);

/**
 * Monitor_phase_name_add() - Name a phase.
 * @start_ns: the card's clock when it begins; never less than that of the previous phase
 * @name: copied; may be ""
 *
 * Return: 0.
 * Errors: -EINVAL without a name, or if @start_ns is less than that of the previous phase; -ENOMEM.
 */
int Monitor_phase_name_add(struct Monitor *mon, uint64_t start_ns, const char *name);

/**
 * Monitor_phase_name() - What a phase is called.
 * @phase: as Monitor_phases() numbers them
 *
 * The name is the last one whose @start_ns is not after the beginning of the phase.
 *
 * Return: the name, "" if it has none; valid until Monitor_close().
 */
const char *Monitor_phase_name(struct Monitor *mon, size_t phase);

/**
 * Monitor_parameters_set() - Keep the parameters and results of the run.
 * @json: a JSON object with a key "schema"; `smile run` keeps its smile.run/2. The library does not
 *        look into it
 *
 * Parameters that are set before Monitor_save() or Monitor_save_counts(), up to 65536 bytes, are in
 * the recording from its beginning, for readers of a recording that is not complete. Those that are
 * set later replace them when the recording is closed.
 *
 * Return: 0.
 * Errors: -EINVAL if it is NULL; -ENOMEM.
 */
int Monitor_parameters_set(struct Monitor *mon, const char *json);

/**
 * Monitor_parameters() - What Monitor_parameters_set() has set, or the recording holds.
 *
 * Return: the text, NULL if there is none; valid until the next Monitor_parameters_set() or
 * Monitor_attach().
 */
const char *Monitor_parameters(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_PROGRAM_H */
