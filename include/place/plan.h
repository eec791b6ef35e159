/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The plan: the nodes that `smile place` requests for the memory of a program, and the results.
 *
 * What lives here: the layout of the memory between `smile place`, which writes the plan, and the
 * library in the program (run/place/), which follows it and writes the results. It may use
 * <stdatomic.h> and <stdint.h>. Not installed: both sides are of one build. Defined by this
 * project; no paper has it.
 *
 * The memory is one file (memfd), whose descriptor is in the environment as PLAN_VARIABLE: struct
 * plan_header, then objects, regions, runs and orders, at the offsets in the header.
 */
#ifndef PLACE_PLAN_H
#define PLACE_PLAN_H

#include <stdatomic.h>
#include <stdint.h>

/* The library, as it is installed. */
#define PLACE_LIBRARY "smile-place.so"
#define PLAN_MAGIC 0x314e4c50454d5353ULL
#define PLAN_VARIABLE "SMILE_PLACE"
#define PLAN_FILE "smile-place" /* its name in /proc/PID/maps */
#define PLAN_PATH_BYTES 256U
#define PLAN_NAME_BYTES 64U
#define PLAN_NODES_MAX 64U
#define PLAN_NO_OBJECT UINT32_MAX

/* Result for a page. */
enum plan_result {
	PLAN_PLACED,
	PLAN_ABSENT, /* never accessed, or returned to the system */
	PLAN_BUSY, /* in use by the kernel at the time of the move */
	PLAN_NO_NODE, /* the machine has no such node, or the program may not use it */
	PLAN_NO_MEMORY, /* the node is full, or the kernel has no memory for one more range */
	PLAN_SHARED, /* shared with another process */
	PLAN_FORBIDDEN, /* the system does not allow mbind() or move_pages() */
	PLAN_MOVED, /* placed on its node, but on another one now */
	PLAN_RESULTS,
};

enum plan_region_kind {
	PLAN_DATA, /* of an object, at an address in its ELF headers */
	PLAN_BLOCK, /* of the heap, by the address that the call of malloc() returns to */
	PLAN_NAMED, /* smile_alloc() */
	PLAN_PRIVATE, /* mmap() */
	PLAN_SHARED_MAPPING,
};

/* How the runs apply to a region whose size has changed. */
enum plan_scale {
	PLAN_SCALE_NONE, /* they follow no rule */
	PLAN_SCALE_SHARE, /* each is a share of the region, such as a half */
	PLAN_SCALE_TURN, /* they take turns */
};

/**
 * struct plan_object - A file of the program.
 * @path: its path; the last part if it is too long
 * @program: whether it is the program itself; 64 bits, to align the following array
 */
struct plan_object {
	char path[PLAN_PATH_BYTES];
	uint64_t program;
};

/**
 * struct plan_run - Neighbouring pages on one node.
 * @first: page, by the addresses of the recorded run
 * @last: page
 * @node: node of the machine
 * @refused: 1: the node does not exist
 */
struct plan_run {
	uint64_t first;
	uint64_t last;
	uint32_t node;
	uint32_t refused;
};

/**
 * struct plan_region - Memory of the program that has pages in the plan.
 * @kind: enum plan_region_kind
 * @object: for DATA and BLOCK: index of the object
 * @nth: number among equal regions, in the order of their first addresses, from 0
 * @runs: number of runs
 * @first_run: index of the first run; runs are ascending and do not overlap
 * @start: its address in the recorded run
 * @bytes: its size in the recorded run
 * @link: address in the ELF headers: of the data, or the return address
 * @now: its size in the file of this build; 0: as recorded
 * @pages: number of pages in its runs
 * @scale: enum plan_scale
 * @turn: pages of a turn, of PLAN_SCALE_TURN
 * @name: for NAMED: its name; for mappings: the path of their file
 * @found: 1: the region was found; the program writes this and the following fields
 * @found_bytes: its size when it was found
 * @known: 1: the state of its pages was looked up
 * @results: number of pages by enum plan_result, at the last time that the region existed
 */
struct plan_region {
	uint32_t kind;
	uint32_t object;
	uint32_t nth;
	uint32_t runs;
	uint64_t first_run;
	uint64_t start;
	uint64_t bytes;
	uint64_t link;
	uint64_t now;
	uint64_t pages;
	uint32_t scale;
	uint32_t turn;
	char name[PLAN_NAME_BYTES];
	uint32_t found;
	uint32_t known;
	uint64_t found_bytes;
	uint64_t results[PLAN_RESULTS];
};

/**
 * struct plan_order - The order in which threads first take a lock of an object.
 * @link: address of the lock in the ELF headers
 * @object: index of the object
 * @count: number of threads
 * @first: index of its first thread in the list of all orders' threads
 * @given_up: a thread came too late for its turn: written by the program
 */
struct plan_order {
	uint64_t link;
	uint32_t object;
	uint32_t count;
	uint32_t first;
	uint32_t given_up;
};

enum plan_state {
	PLAN_WAITS, /* the library was not loaded */
	PLAN_FOLLOWED,
	PLAN_LOOKED_UP, /* the results are complete */
};

/**
 * struct plan_header - The beginning of the memory.
 * @magic: PLAN_MAGIC
 * @bytes: size of the whole memory
 * @objects: number of objects
 * @regions: number of regions
 * @runs: number of runs
 * @nodes: number of nodes to which threads are bound in turn; 0: not bound
 * @node: the nodes, shape [@nodes]
 * @orders: number of orders
 * @objects_at: offset
 * @regions_at: offset
 * @runs_at: offset
 * @orders_at: offset
 * @threads_at: offset of the threads of all orders, by their numbers, uint32_t
 * @state: enum plan_state: written by the program, as is all below
 * @threads: number of threads created, including the first
 * @unbound: threads that could not be bound to their node
 * @no_node: calls of smile_place() for a node that the machine does not have
 */
struct plan_header {
	uint64_t magic;
	uint64_t bytes;
	uint32_t objects;
	uint32_t regions;
	uint32_t runs;
	uint32_t nodes;
	uint32_t node[PLAN_NODES_MAX];
	uint32_t orders;
	uint32_t reserved;
	uint64_t objects_at;
	uint64_t regions_at;
	uint64_t runs_at;
	uint64_t orders_at;
	uint64_t threads_at;
	_Atomic uint32_t state;
	_Atomic uint32_t threads;
	_Atomic uint32_t unbound;
	_Atomic uint32_t no_node;
};

#endif /* PLACE_PLAN_H */
