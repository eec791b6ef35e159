/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: what its files share.
 *
 * What lives here: the space, and what lies in each node's segment. May use: <smile/gas.h>, the
 * SISCI API (include/sisci/), POSIX, libc.
 *
 * Each node has one segment: the words of barriers, the words of locks, the node's list of moves,
 * and a page frame for each page of the space. Page p lies in page frame p of its node: so a page
 * has its place on each node before it comes, and nothing is allocated when it moves.
 */
#ifndef LIB_GAS_GAS_H
#define LIB_GAS_GAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <sisci/sisci_api.h>
#include <smile/gas.h>

#define GAS_BASE 0x200000000000UL /* where neither Linux nor AddressSanitizer maps anything */
#define GAS_PAGES_MAX (((size_t)1 << 32) / GAS_PAGE_BYTES) /* addresses of a node */
#define GAS_SEGMENT 0x47415300U /* id of the first space's segments; GAS_SEGMENTS follow it */
#define GAS_SEGMENTS 256U
#define GAS_ADAPTER 0
#define GAS_NO_END (-1)
#define GAS_NAME_BYTES 64
#define GAS_HOMES_MAX 2048U /* homes in a line of the file of names */

/*
 * The version of the contents of a segment, and of the accesses of nodes to each other's segments.
 * Raise it with any change of these. Some things are equal in all versions, so that a node can
 * refuse another version by its number: the slots, which come first, MEETING_SHARE, MEETING_CLOSE,
 * and the version in the upper 16 bits of the value of MEETING_SHARE.
 */
#define GAS_VERSION 1U
#define GAS_VERSION_SHIFT 48
#define GAS_VERSION_IN(sum)                                                                        \
	((uint64_t)GAS_VERSION << GAS_VERSION_SHIFT | (sum) >> (64 - GAS_VERSION_SHIFT))
#define GAS_VERSION_OF(brought) ((unsigned int)((brought) >> GAS_VERSION_SHIFT))

/**
 * struct slot - The place where another node reports that it has come to a collective call.
 * @value: what it brings along
 * @arrival: number of the call << 8 | enum meeting; stored after @value
 */
struct slot {
	uint64_t value;
	uint64_t arrival;
};

/**
 * struct control - The first pages of a segment.
 * @slot: of each node; two, since a node may be one call ahead of another, and never two
 * @reserved: up to the page's end
 * @ticket: of each lock: the next one; by fetch and increment
 * @serving: of each lock: the ticket whose turn it is
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
enum meeting {
	MEETING_SHARE = 1,
	MEETING_SHARED,
	MEETING_BARRIER,
	MEETING_SUM,
	MEETING_MAX,
	MEETING_MOVE,
	MEETING_MOVED,
	MEETING_CLOSE,
};

/**
 * struct peer - A node, as this one sees it; this node is one of them.
 * @segment: its segment
 * @map, @lock_map, @list_map: its words, the same for fetch and increment, its list of moves
 * @sequence: tells whether accesses to it have failed
 * @control: @map in memory
 * @ticket: @lock_map in memory
 * @list: @list_map in memory
 * @first_page: of its page frames, as cards number pages
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
 * struct run - Pages that are mapped together, since they lie side by side on one node.
 * @map: their mapping
 * @pages: how many; 0: no run begins at this page
 */
struct run {
	sci_map_t map;
	size_t pages;
};

/**
 * struct extent - Memory of one Gas_alloc().
 * @page: its first page, from 0
 * @pages: how many
 * @item_bytes: of the array that it holds; 0: not known
 * @name: what it is called
 */
struct extent {
	size_t page;
	size_t pages;
	size_t item_bytes;
	char name[GAS_NAME_BYTES];
};

/**
 * struct Gas - A space.
 * @node, @nodes: this node, and how many there are
 * @pages: of the space
 * @home: node of each page
 * @extent: ascending, [@extents]
 * @extents: how many
 * @run: by the first page of each run
 * @shared: Gas_share() has succeeded
 * @own_counted: own pages are mapped through the adapter
 * @failed: why no collective call can succeed any more; else 0
 * @id: of the segments
 * @step: number of the last collective call
 * @held: of each lock: the holder's ticket; the holder's alone
 * @sd, @segment, @map, @queue: of the SISCI API; NULL if the program runs alone
 * @control: this node's words
 * @list: this node's list of moves
 * @peer: by node
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

/* Set the calling thread's message. Return: @why. */
int gas_fail(int why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* While @keep is true, no call of the thread changes its message. */
void gas_message_keep(bool keep);
/* As gas_fail(), for an error of the SISCI API. @doing: the work that failed. Return: a negative
 * errno. */
int gas_fail_sisci(sci_error_t error, const char *doing);
/* -EINVAL if the space is not shared, the failure if it has failed, else 0. */
int gas_usable(const struct Gas *gas);

/* ---- share.c ---- */

/* Do nodes differ in the values that they brought to MEETING_SHARE? Return: 0; the failure. */
int gas_difference(const uint64_t *brought, unsigned int nodes);

/* ---- meet.c ---- */

/*
 * A collective call: bring a value along, and get the values of all nodes. @values: shape [nodes].
 * @timeout_ms: how long other nodes may take; GAS_NO_END: any time, unless one of them is gone. A
 * failure is final.
 */
int gas_meet(struct Gas *gas, enum meeting meeting, uint64_t value, uint64_t *values,
	     int timeout_ms);
/*
 * A collective call that says how this node has done: 0 or a negative errno. Return: this, if it is
 * not 0, or what another node said.
 */
int gas_agree(struct Gas *gas, enum meeting meeting, int result);
/* Are @timeout_ms since @start over? */
bool gas_late(const struct timespec *start, int timeout_ms);

/* ---- frames.c ---- */

/* Bytes of a segment, and where its page frames begin. */
size_t gas_segment_bytes(const struct Gas *gas);
size_t gas_frames(const struct Gas *gas);
/* Unmap the runs with a page of @changed, by page, or all runs if it is NULL. */
int gas_unmap(struct Gas *gas, const bool *changed);
/* Map all pages that are not mapped. */
int gas_map(struct Gas *gas);

/* ---- names.c ---- */

/* Say to a recorder, if there is one, what the space is; before its memory can be accessed. */
void gas_names_share(const struct Gas *gas);
/* Say that pages have moved. @changed: shape [pages] */
void gas_names_move(const struct Gas *gas, const bool *changed);

#endif /* LIB_GAS_GAS_H */
