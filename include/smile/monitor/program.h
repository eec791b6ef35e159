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
 * After its records, a recording holds all data that its recorder has about the program: the home
 * nodes of pages, the regions of the address space, the names of phases, the parameters of the run,
 * and the number of failed accesses. This data also includes the program's allocations, its files,
 * and the nodes' accesses to their own memory, which have their own headers. The data of a
 * recording is available after Monitor_open(). A caller may add data to any Monitor until it calls
 * Monitor_close(), which writes the added data to the recording being saved, together with the data
 * of the recording being read. The data of merged recordings must not be contradictory (see
 * Monitor_attach()).
 *
 * If the data about the program is damaged in a recording, none of it is available, and
 * Monitor_poll() reports the damage after all records are read.
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
 * Monitor_home_add() - Report the home node of pages.
 * @page: number of the first page
 * @pages: number of pages
 * @node: node
 *
 * The calls are fastest if they are made in ascending order of pages.
 *
 * Return: 0, even if the same home node was reported for these pages before.
 * Errors: -EINVAL if another home node was reported for one of the pages before, or for an
 * impossible page or node; -ENOMEM.
 */
int Monitor_home_add(struct Monitor *mon, uint64_t page, uint64_t pages, unsigned int node);

/**
 * Monitor_homes() - Get the home nodes of pages, including pages that were not accessed.
 * @homes: receives the homes, in ascending order of pages, with neighbouring pages on one node in
 *         one element; caller-owned array of @capacity elements; may be NULL if @capacity is 0
 *
 * Return: the number of elements, of which at most @capacity were filled in.
 */
int Monitor_homes(struct Monitor *mon, struct Monitor_home *homes, size_t capacity);

/* The kinds of regions of the address space. */
enum Monitor_region_kind {
	MONITOR_REGION_HEAP, /* heap, allocated by brk(2) */
	MONITOR_REGION_GLOBAL, /* writable data of the program or a library */
	MONITOR_REGION_PRIVATE, /* mapped by one process for itself */
	MONITOR_REGION_SHARED, /* mapped MAP_SHARED */
	MONITOR_REGION_NAMED, /* named by the program: smile_alloc() */
	MONITOR_REGION_STACK, /* stack of a thread */
	/* code of an object of the program; no accesses to it are counted */
	MONITOR_REGION_CODE,
	/* memory of an SCI adapter at the addresses that other nodes use: a segment, or messages */
	MONITOR_REGION_SEGMENT,
};

/**
 * struct Monitor_region - Part of the program's address space.
 * @start: first address
 * @end: one past the last address
 * @offset: offset in the file @name at which the region begins. For MONITOR_REGION_NAMED, if the
 *          region holds an array, the size of an item of the array, such as a row, in bytes; 0 if
 *          it holds no array
 * @bias: number to subtract from an address in memory to get the corresponding address in the
 *        file's ELF headers and debug information
 * @kind: enum Monitor_region_kind; later releases may add kinds
 * @reserved: 0
 * @name: path of the file, or the region's name; "" if the region has no name. The string belongs
 *        to the Monitor, and is valid until Monitor_close()
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
 * Monitor_regions() - Get the regions, in the order in which they were added.
 * @regions: receives the regions; caller-owned array of @capacity elements; may be NULL if
 *           @capacity is 0
 *
 * Return: the number of regions, of which at most @capacity were filled in.
 */
int Monitor_regions(struct Monitor *mon, struct Monitor_region *regions, size_t capacity);

/**
 * Monitor_region_find() - Find the region at an address.
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
 * Monitor_region_within() - Find the first address of an extent that is in a region, and the
 * region.
 * @start: first address
 * @end: one past the last
 * @region: receives the region
 * @address: receives the first address that is in a region
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
 * @accesses: number of failed accesses: loads that returned all ones, and stores that changed
 *            nothing
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
 * No card sees a failed access. The counts are therefore exact even if accesses have failed, but
 * the program has computed with wrong data.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible node, or if a different number was reported for the node
 * before; -ENOMEM.
 */
int Monitor_failed_add(struct Monitor *mon, const struct Monitor_failed *failed);

/**
 * Monitor_failed() - Get the number of failed accesses of each node for which it is known.
 * @failed: receives the numbers; caller-owned array of @capacity elements; may be NULL if @capacity
 *          is 0
 *
 * Return: the number of nodes, of which at most @capacity were filled in.
 */
int Monitor_failed(struct Monitor *mon, struct Monitor_failed *failed, size_t capacity);

/**
 * Monitor_names_follow() - Read a program's names for its memory while a card counts.
 * @file: open file descriptor, read from its beginning with pread(2); the library does not close it
 *
 * A card counts by the location of memory in its node, so a page of a global address space has a
 * different number on each node. Before the program accesses the memory, libsmile-gas writes a list
 * of the memory's regions, each with its address in the program, its name and its home nodes, to
 * the file that the environment variable SMILE_NAMES gives. docs/recording.md describes this file.
 * After this call, the library translates the addresses of all records that it reads to the
 * program's addresses, which are also those in records of `smile run`. It saves, counts and returns
 * the records with the translated addresses. When lines that describe regions arrive in the file,
 * the library adds the regions.
 *
 * The library ignores lines that it cannot parse, and Monitor_names_end() reports the first of
 * these lines.
 *
 * Return: 0.
 * Errors: -EBUSY if records were read already, or if the call was made before; -EOPNOTSUPP for
 * recordings, merged Monitors, and a card with narrow node ids; -ENOMEM.
 */
int Monitor_names_follow(struct Monitor *mon, int file);

/**
 * Monitor_names_end() - Add the home nodes of the pages that have not moved, and stop reading
 * names.
 *
 * A page that has moved has no single home node; its counts tell on which nodes it was. If this
 * call fails, the Monitor still has the names from all lines that it could parse.
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
 * Errors: -EINVAL if @name is NULL, or if @start_ns is less than the @start_ns of the previous
 * phase; -ENOMEM.
 */
int Monitor_phase_name_add(struct Monitor *mon, uint64_t start_ns, const char *name);

/**
 * Monitor_phase_name() - Get the name of a phase.
 * @phase: number of the phase, as in Monitor_phases()
 *
 * The call returns the last name whose @start_ns is not after the beginning of the phase.
 *
 * Return: the name, or "" if the phase has no name; valid until Monitor_close().
 */
const char *Monitor_phase_name(struct Monitor *mon, size_t phase);

/**
 * Monitor_parameters_set() - Store the parameters and results of the run.
 * @json: a JSON object with a key "schema"; `smile run` stores an object of the schema smile.run/2.
 *        The library does not parse the object
 *
 * If parameters of up to 65536 bytes are set before Monitor_save() or Monitor_save_counts(), the
 * recording has them from its beginning, so that they can be read even from an incomplete
 * recording. If parameters are set later, they replace the earlier parameters when the recording is
 * closed.
 *
 * Return: 0.
 * Errors: -EINVAL if @json is NULL; -ENOMEM.
 */
int Monitor_parameters_set(struct Monitor *mon, const char *json);

/**
 * Monitor_parameters() - Get the parameters that Monitor_parameters_set() has set, or that the
 * recording holds.
 *
 * Return: the text, or NULL if no parameters exist; valid until the next Monitor_parameters_set()
 * or Monitor_attach().
 */
const char *Monitor_parameters(struct Monitor *mon);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_PROGRAM_H */
