/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The plan: the nodes on which `smile place` wants to place the memory of a program, and the
 * results.
 *
 * What lives here: the layout of the memory that `smile place` shares with the library in the
 * program (run/place/). `smile place` writes the plan. The library executes the plan and writes the
 * results. This file may use <stdatomic.h> and <stdint.h>. It is not installed, because both sides
 * belong to the same build. This project defines the layout; no paper describes it.
 *
 * The memory is a file (memfd), whose descriptor is the value of the environment variable
 * PLAN_VARIABLE. It begins with struct plan_header, which has the offsets of the objects, regions,
 * runs and orders.
 */
#ifndef PLACE_PLAN_H
#define PLACE_PLAN_H

#include <stdatomic.h>
#include <stdint.h>

/* The file name of the installed library. */
#define PLACE_LIBRARY "smile-place.so"
#define PLAN_MAGIC 0x314e4c50454d5353ULL
#define PLAN_VARIABLE "SMILE_PLACE"
#define PLAN_FILE "smile-place" /* name of the memory in /proc/PID/maps */
#define PLAN_PATH_BYTES 256U
#define PLAN_NAME_BYTES 64U
#define PLAN_NODES_MAX 64U
#define PLAN_NO_OBJECT UINT32_MAX

/* The result for a page. */
enum plan_result {
	PLAN_PLACED,
	PLAN_ABSENT, /* never accessed, or returned to the system */
	PLAN_BUSY, /* in use by the kernel at the time of the move */
	PLAN_NO_NODE, /* the machine has no such node, or the program may not use it */
	PLAN_NO_MEMORY, /* the node is full, or the kernel has no memory for one more range */
	PLAN_SHARED, /* shared with another process */
	PLAN_FORBIDDEN, /* the system does not allow mbind() or move_pages() */
	PLAN_MOVED, /* placed on its node, but now on another node */
	PLAN_RESULTS,
};

enum plan_region_kind {
	PLAN_DATA, /* data of an object, by its address in the ELF headers */
	PLAN_BLOCK, /* block of the heap, by the return address of the call of malloc() */
	PLAN_NAMED, /* smile_alloc() */
	PLAN_PRIVATE, /* mmap() */
	PLAN_SHARED_MAPPING,
};

/* How to apply the runs to a region whose size differs from the recorded size. */
enum plan_scale {
	PLAN_SCALE_NONE, /* not at all: the runs have no pattern */
	PLAN_SCALE_SHARE, /* each run is a share of the region, such as a half */
	PLAN_SCALE_TURN, /* the nodes alternate: repeat the first runs */
};

/**
 * struct plan_object - A file of the program.
 * @path: path of the file; if it is too long, only its last part
 * @program: 1 if the file is the program itself, else 0; it has 64 bits to align the array that
 *           follows
 */
struct plan_object {
	char path[PLAN_PATH_BYTES];
	uint64_t program;
};

/**
 * struct plan_run - Neighbouring pages on one node.
 * @first: first page, by its address in the recorded run
 * @last: last page, by its address in the recorded run
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
 * @object: for DATA and BLOCK, index of the object
 * @nth: index of this region, from 0, among the regions with the same description, in ascending
 *       order of their first addresses
 * @runs: number of runs
 * @first_run: index of the first run; the runs ascend and do not overlap
 * @start: address of the region in the recorded run
 * @bytes: size of the region in the recorded run
 * @link: for DATA, the address of the data; for BLOCK, the return address of the call of malloc();
 *        both as in the ELF headers of @object
 * @now: size of the data in the present build of the file; 0: the recorded size
 * @pages: number of pages in all runs of the region
 * @scale: enum plan_scale
 * @turn: with PLAN_SCALE_TURN, the number of pages after which the nodes repeat
 * @name: for NAMED, the name of the region; for mappings, the path of their file
 * @found: 1: the region was found; the program writes this and the following fields
 * @found_bytes: size of the region when it was found
 * @known: 1: the nodes of the region's pages were looked up
 * @results: number of pages with each enum plan_result, at the last moment at which the region
 *           existed
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
 * @first: index of this order's first thread in the list that holds the threads of all orders
 * @given_up: 1: the order was given up because a thread did not request the lock in time; written
 *            by the program
 */
struct plan_order {
	uint64_t link;
	uint32_t object;
	uint32_t count;
	uint32_t first;
	uint32_t given_up;
};

enum plan_state {
	PLAN_WAITS, /* the library has not been loaded */
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
 * @nodes: number of nodes to which threads are bound in rotation; 0: threads are not bound
 * @node: the nodes, shape [@nodes]
 * @orders: number of orders
 * @objects_at: offset of the objects in the memory
 * @regions_at: offset of the regions
 * @runs_at: offset of the runs
 * @orders_at: offset of the orders
 * @threads_at: offset of the list of the threads of all orders; each element is the number of a
 *              thread, a uint32_t
 * @state: enum plan_state; the program writes this member and all members below
 * @threads: number of threads that were created, including the first thread
 * @unbound: number of threads that could not be bound to their node
 * @no_node: number of calls of smile_place() for a node that the machine does not have
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
