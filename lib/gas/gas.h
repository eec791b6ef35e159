/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: the declarations that its files share.
 *
 * What lives here: the struct of a space, which is a global address space over all nodes, and the
 * contents of each node's segment. May use: <smile/gas.h>, the SISCI API (include/sisci/), POSIX,
 * libc.
 *
 * Each node has one segment. It contains the words of barriers, the words of locks, the node's list
 * of moves, and a page frame for each page of the space. The data of page p is in page frame p of
 * its home node. Because every node has a page frame for each page, a page can move to another node
 * without allocating memory.
 */
#ifndef LIB_GAS_GAS_H
#define LIB_GAS_GAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <sisci/sisci_api.h>
#include <smile/gas.h>

#define GAS_BASE 0x200000000000UL /* neither Linux nor AddressSanitizer maps memory here */
#define GAS_PAGES_MAX (((size_t)1 << 32) / GAS_PAGE_BYTES) /* limit of a node's addresses */
/* id of the segments of the first space; GAS_SEGMENTS spaces have consecutive ids */
#define GAS_SEGMENT 0x47415300U
#define GAS_SEGMENTS 256U
#define GAS_ADAPTER 0
#define GAS_NO_END (-1)
#define GAS_NAME_BYTES 64
#define GAS_HOMES_MAX 2048U /* number of homes in a line of the file of names */

/*
 * The version of the contents of a segment, and of the accesses of nodes to each other's segments.
 * Increment it with any change of the contents or of the accesses. A node rejects a node that has
 * another version, so it must be able to read the version of every other node. For this reason,
 * three things must never change: the slots, which are at the beginning of the segment; the values
 * MEETING_SHARE and MEETING_CLOSE; and the version in the upper 16 bits of the value that a node
 * passes to MEETING_SHARE.
 */
#define GAS_VERSION 1U
#define GAS_VERSION_SHIFT 48
#define GAS_VERSION_IN(sum)                                                                        \
	((uint64_t)GAS_VERSION << GAS_VERSION_SHIFT | (sum) >> (64 - GAS_VERSION_SHIFT))
#define GAS_VERSION_OF(brought) ((unsigned int)((brought) >> GAS_VERSION_SHIFT))

/**
 * struct slot - The words in which another node reports that it has reached a collective call.
 * @value: the value that the node passes
 * @arrival: number of the call << 8 | enum meeting; the node stores it after @value
 */
struct slot {
	uint64_t value;
	uint64_t arrival;
};

/**
 * struct control - The first pages of a segment.
 * @slot: two slots for each node, because a node can be ahead of another node by at most one call
 * @reserved: unused bytes up to the end of the page
 * @ticket: for each lock, the next ticket; a thread takes a ticket by an atomic fetch and increment
 * @serving: for each lock, the ticket that holds the lock
 */
struct control {
	struct slot slot[2][GAS_NODES_MAX];
	uint8_t reserved[GAS_PAGE_BYTES - 2 * GAS_NODES_MAX * sizeof(struct slot)];
	uint32_t ticket[GAS_LOCKS];
	uint32_t serving[GAS_LOCKS];
};

#define GAS_LOCK_PAGE offsetof(struct control, ticket)

_Static_assert(sizeof(struct control) == 2 * GAS_PAGE_BYTES, "words of barriers, words of locks");

/* Collective calls. */
enum collective {
	COLLECTIVE_SHARE = 1,
	COLLECTIVE_SHARED,
	COLLECTIVE_BARRIER,
	COLLECTIVE_SUM,
	COLLECTIVE_MAX,
	COLLECTIVE_MOVE,
	COLLECTIVE_MOVED,
	COLLECTIVE_CLOSE,
};

/**
 * struct peer - The connection of this node to one of the nodes, which can be this node itself.
 * @segment: the node's segment
 * @map, @lock_map, @list_map: mappings of three parts of the other node's segment: its struct
 *                             control, the tickets in it for fetch and increment, and its list of
 *                             moves
 * @sequence: SISCI sequence, which reports whether accesses to the node have failed
 * @control: address of @map
 * @ticket: address of @lock_map
 * @list: address of @list_map
 * @first_page: number of the other node's first page frame, as cards report it in their records
 */
struct peer {
	sci_remote_segment_t segment;
	sci_map_t map;
	sci_map_t lock_map;
	sci_map_t list_map;
	sci_sequence_t sequence;
	volatile struct control *control;
	volatile uint32_t *ticket;
	volatile uint64_t *list;
	uint64_t first_page;
};

/**
 * struct run - Neighbouring pages on one node, which are in the same mapping.
 * @map: the mapping
 * @pages: number of pages; 0: no run begins at this page
 */
struct run {
	sci_map_t map;
	size_t pages;
};

/**
 * struct extent - The memory that one call of Gas_alloc() has allocated.
 * @page: number of the first page, from 0
 * @pages: number of pages
 * @item_bytes: size of an item of the array in the extent; 0: not known
 * @name: name of the memory
 */
struct extent {
	size_t page;
	size_t pages;
	size_t item_bytes;
	char name[GAS_NAME_BYTES];
};

/**
 * struct Gas - A global address space.
 * @node, @nodes: number of this node, and number of nodes
 * @pages: number of pages of the space
 * @home: node of each page
 * @extent: extents, ascending, [@extents]
 * @extents: number of extents
 * @run: runs, indexed by the first page of each run
 * @shared: Gas_share() has succeeded for this space
 * @own_counted: this node's own pages are mapped through the adapter, so that cards count their
 *               accesses
 * @failed: the error after which every collective call fails; 0: no such error
 * @id: id of the segments
 * @step: number of collective calls so far
 * @held: for each lock that this node holds, its ticket; only the holder of the lock accesses this
 *               member
 * @sd, @segment, @map, @queue: handles of the SISCI API; NULL if the program runs on only one node
 * @control: the struct control of this node's segment
 * @list: this node's list of moves
 * @peer: connections, by node
 */
struct Gas {
	unsigned int node;
	unsigned int nodes;
	size_t pages;
	uint8_t *home;
	struct extent *extent;
	size_t extents;
	struct run *run;
	bool shared;
	bool own_counted;
	_Atomic int failed;
	unsigned int id;
	uint64_t step;
	uint32_t held[GAS_LOCKS];
	sci_desc_t sd;
	sci_local_segment_t segment;
	sci_map_t map;
	sci_dma_queue_t queue;
	volatile struct control *control;
	volatile uint64_t *list;
	struct peer peer[GAS_NODES_MAX];
};

/* ---- gas.c ---- */

/* Set the error message of the calling thread. Return: @why, which is a negative errno. */
int gas_fail(int why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * If @keep is true, gas_fail() and gas_fail_sisci() do not change the error message of this thread
 * any more.
 */
void gas_message_keep(bool keep);
/*
 * Set the error message of the calling thread for an error of the SISCI API. @doing: what failed,
 * for the message. Return: a negative errno.
 */
int gas_fail_sisci(sci_error_t error, const char *doing);
/* Return: 0; -EINVAL if the space is not shared; the first error if the space has failed. */
int gas_usable(const struct Gas *gas);

/* ---- share.c ---- */

/*
 * Compare the values that the nodes passed to the meeting MEETING_SHARE. Return: 0 if they are
 * equal; an error if they differ.
 */
int gas_difference(const uint64_t *brought, unsigned int nodes);

/* ---- collective.c ---- */

/*
 * Make a collective call: pass a value to all nodes, and get the values of all nodes.
 * @values: shape [nodes]. @timeout_ms: the longest time to wait for other nodes; GAS_NO_END: wait
 * without a limit. In either case, do not wait for a node that no longer exists. After a failure,
 * all later collective calls fail.
 */
int gas_collective(struct Gas *gas, enum collective call, uint64_t value, uint64_t *values,
		   int timeout_ms);
/*
 * Make a collective call with which all nodes agree whether an operation has succeeded. @result:
 * this node's result, which is 0 or a negative errno. Return: @result if it is not 0; otherwise an
 * error of another node, or 0.
 */
int gas_agree(struct Gas *gas, enum collective call, int result);
/* Return whether @timeout_ms have passed since @start. */
bool gas_late(const struct timespec *start, int timeout_ms);
/* Sleep between two checks of a word that another node will store. */
void gas_sleep(void);
/* Check whether accesses to a node have failed. If they have, set gas->failed, and return it. */
int gas_access_check(struct Gas *gas, unsigned int node);
/* Check all nodes. A program that runs on only one node has no other nodes. */
int gas_access_check_all(struct Gas *gas);

/* ---- frames.c ---- */

/*
 * gas_segment_bytes() gets the size of a segment; gas_frames() gets the offset of its page frames.
 */
size_t gas_segment_bytes(const struct Gas *gas);
size_t gas_frames(const struct Gas *gas);
/*
 * Unmap the runs that contain a changed page. @changed: for each page, whether it has changed;
 * NULL: unmap all runs.
 */
int gas_unmap(struct Gas *gas, const bool *changed);
/* Map all pages that are not mapped. */
int gas_map(struct Gas *gas);

/* ---- page_names.c ---- */

/*
 * If a recorder records this node's card, report the names and homes of the space's pages to it.
 * Call this function before the program can access the memory of the space.
 */
void gas_names_share(const struct Gas *gas);
/* Report to the recorder that pages have moved. @changed: for each page, whether it has moved. */
void gas_names_move(const struct Gas *gas, const bool *changed);

#endif /* LIB_GAS_GAS_H */
