/* SPDX-License-Identifier: MIT */
/*
 * Program: data about the program, recorded in addition to the card's counts. Part of
 * <smile/monitor.h>.
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
 * A recording holds, after its records, all data that its recorder has about the program: where
 * pages lie, the regions of the address space, the names of phases, the parameters of the run, and
 * accesses that have failed. Other headers describe the program's allocations, its files, and
 * nodes' accesses to their own memory. This data is available after Monitor_open(). A program may
 * add data, in any Monitor, until Monitor_close(). Monitor_close() writes the added data to the
 * recording being saved, together with the data of the recording being read. Merged recordings must
 * not contradict each other: see Monitor_attach().
 *
 * If this part of a file is damaged, none of its data is available, and Monitor_poll() reports the
 * damage once all records are read.
 */

/**
 * struct Monitor_home - Pages that lie on one node.
 * @page: number of the first page
 * @pages: number of pages
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
 * @page: number of the first page
 * @pages: number of pages
 * @node: node
 *
 * Calls in ascending order of pages are fastest.
 *
 * Return: 0, also if it was called for these pages before.
 * Errors: -EINVAL if a page was reported on another node before, or for an impossible page or node;
 * -ENOMEM.
 */
int Monitor_home_add(struct Monitor *mon, uint64_t page, uint64_t pages, unsigned int node);

/**
 * Monitor_homes() - Where pages lie, accessed or not.
 * @homes: caller-owned, shape [@capacity]; ascending; neighbouring pages on one node are one
 *         element; may be NULL if @capacity is 0
 *
 * Return: the number of runs; min(that, @capacity) of them were filled in.
 */
int Monitor_homes(struct Monitor *mon, struct Monitor_home *homes, size_t capacity);

/* The kinds of regions of the address space. */
enum Monitor_region_kind {
	MONITOR_REGION_HEAP, /* allocated by brk(2) */
	MONITOR_REGION_GLOBAL, /* writable data of the program or a library */
	MONITOR_REGION_PRIVATE, /* mapped by one process for itself */
	MONITOR_REGION_SHARED, /* mapped MAP_SHARED */
	MONITOR_REGION_NAMED, /* named by the program: smile_alloc() */
	MONITOR_REGION_STACK, /* stack of a thread */
	/* nothing is counted here; the region tells where an object of the program lies */
	MONITOR_REGION_CODE,
	/* memory of an SCI adapter: a segment at the addresses that other nodes use, or messages */
	MONITOR_REGION_SEGMENT,
};

/**
 * struct Monitor_region - Part of the program's address space.
 * @start: first address
 * @end: one past the last
 * @offset: offset in the file @name at which the region begins; for MONITOR_REGION_NAMED, the bytes
 *          of an item, such as a row, of the array that the region holds; 0: no array
 * @bias: subtract it from an address to get the address in the file's ELF headers and DWARF
 * @kind: enum Monitor_region_kind; later releases may add kinds
 * @reserved: 0
 * @name: path of the file, or the region's name; "" if the region has no name. Belongs to the
 *        Monitor, and is valid until Monitor_close()
 *
 * @bias has a meaning only for MONITOR_REGION_GLOBAL and _CODE, @offset only for these kinds and
 *       _NAMED.
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
 * Monitor_region_add() - Report a region.
 * @region: the region; it and its name are copied
 *
 * Regions may overlap: memory that the program has freed can become another region.
 *
 * Return: 0.
 * Errors: -EINVAL for impossible addresses; -ENOMEM.
 */
int Monitor_region_add(struct Monitor *mon, const struct Monitor_region *region);

/**
 * Monitor_regions() - The regions, in the order in which they were added.
 * @regions: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of regions; min(that, @capacity) of them were filled in.
 */
int Monitor_regions(struct Monitor *mon, struct Monitor_region *regions, size_t capacity);

/**
 * Monitor_region_find() - The region at an address.
 * @address: address
 * @region: receives the region
 *
 * If the address is in several regions, the call returns the last of them.
 *
 * Return: 0.
 * Errors: -ENOENT if the address is in no region; -ENOMEM.
 */
int Monitor_region_find(struct Monitor *mon, uint64_t address, struct Monitor_region *region);

/**
 * Monitor_region_within() - The region at the first address of an extent that is in a region.
 * @start: first address
 * @end: one past the last
 * @region: receives the region
 * @address: receives this first address
 *
 * Return: 1; 0 if none of the addresses is in a region.
 * Errors: -ENOMEM.
 */
int Monitor_region_within(struct Monitor *mon, uint64_t start, uint64_t end,
			  struct Monitor_region *region, uint64_t *address);

/**
 * struct Monitor_failed - Accesses of a node that have failed.
 * @node: the node that accessed
 * @reserved: 0
 * @accesses: number of failed accesses: loads returned all ones, stores changed nothing
 */
struct Monitor_failed {
	uint32_t node;
	uint32_t reserved;
	uint64_t accesses;
};

/**
 * Monitor_failed_add() - Report the number of failed accesses of a node's SCI adapter, which may be
 * 0.
 * @failed: the node and the number
 *
 * No card sees a failed access. So all counts are exact, but the program has computed with wrong
 * data.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible node, or if another number was reported for the node before;
 * -ENOMEM.
 */
int Monitor_failed_add(struct Monitor *mon, const struct Monitor_failed *failed);

/**
 * Monitor_failed() - Failed accesses of all nodes for which they are known.
 * @failed: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of nodes; min(that, @capacity) of them were filled in.
 */
int Monitor_failed(struct Monitor *mon, struct Monitor_failed *failed, size_t capacity);

/**
 * Monitor_names_follow() - Take in a program's names of its memory while a card counts.
 * @file: open file descriptor, read from its beginning with pread(2); it stays the caller's
 *
 * A card counts by the location of memory: a page of a global address space has a different number
 * on each node. libsmile-gas writes the program's own addresses, with names and homes, to the file
 * that the environment variable SMILE_NAMES names, before the program accesses the memory.
 * docs/recording.md describes the file. After this call the library translates the addresses of all
 * records that it reads to the program's addresses, as in records of `smile run`, and saves, counts
 * and returns the records with these addresses. It adds regions as their lines arrive in the file.
 *
 * The library ignores lines that it cannot parse; Monitor_names_end() reports the first of them.
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already, or if the call was made before; -EOPNOTSUPP for
 * recordings, merged Monitors, and a card with narrow node ids; -ENOMEM.
 */
int Monitor_names_follow(struct Monitor *mon, int file);

/**
 * Monitor_names_end() - Add the homes of the pages that have not moved, and stop reading names.
 *
 * A page that has moved has no single home: its counts tell where it was. If this call fails, the
 * Monitor still has the names of all lines that could be parsed.
 *
 * Return: 0.
 * Errors: -ENOENT without Monitor_names_follow(); -EPROTO if a line could not be parsed; -E2BIG if
 * the file had too many lines; -EINVAL if a home contradicts one that was added; -ENOMEM.
 */
int Monitor_names_end(struct Monitor *mon);

/**
 * Monitor_phase_name_add() - Name a phase.
 * @start_ns: the card's clock when the phase begins; at least the @start_ns of the previous phase
 * @name: copied; may be ""
 *
 * Return: 0.
 * Errors: -EINVAL without a name, or if @start_ns is less than for the previous phase; -ENOMEM.
 */
int Monitor_phase_name_add(struct Monitor *mon, uint64_t start_ns, const char *name);

/**
 * Monitor_phase_name() - The name of a phase.
 * @phase: number of the phase, as in Monitor_phases()
 *
 * The call returns the last name whose @start_ns is not after the beginning of the phase.
 *
 * Return: the name, "" if the phase has none; valid until Monitor_close().
 */
const char *Monitor_phase_name(struct Monitor *mon, size_t phase);

/**
 * Monitor_parameters_set() - Store the parameters and results of the run.
 * @json: a JSON object with a key "schema"; `smile run` stores its smile.run/2. The library does
 *        not parse the object
 *
 * Parameters that are set before Monitor_save() or Monitor_save_counts(), up to 65536 bytes, are in
 * the recording from its beginning, for readers of a recording that is not complete. Those that are
 * set later replace them when the recording is closed.
 *
 * Return: 0.
 * Errors: -EINVAL if @json is NULL; -ENOMEM.
 */
int Monitor_parameters_set(struct Monitor *mon, const char *json);

/**
 * Monitor_parameters() - The parameters set by Monitor_parameters_set() or held in the recording.
 *
 * Return: the text, NULL if no parameters exist; valid until the next Monitor_parameters_set() or
 * Monitor_attach().
 */
const char *Monitor_parameters(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_PROGRAM_H */
