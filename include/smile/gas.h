/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: a global address space over the nodes of a cluster.
 *
 * What lives here: memory that all nodes see at the same virtual addresses, and whose pages of 4096
 * bytes lie on one node each; a barrier, locks and reductions; and moves of pages from node to node
 * while the program runs. This library is the layer between a program and the SISCI API (sisci(7)).
 *
 * All nodes run the same program, one process each, under smile cluster(1). Each makes the same
 * calls in the same order:
 *
 *	struct Gas *gas;
 *	void *memory;
 *
 *	if (Gas_open(&gas) < 0 || Gas_alloc(gas, bytes, GAS_ROUND_ROBIN, &memory) < 0 ||
 *	    Gas_share(gas, -1) < 0)
 *		errx(2, "%s", Gas_error_message());
 *	... loads and stores, Gas_barrier(), Gas_move() ...
 *	Gas_close(gas);
 *
 * A load or store of 1 to 8 aligned bytes of another node's page is one transaction, which the
 * cards of both nodes count. A load or store of an own page is an access to memory. There are no
 * caches: a store has changed the memory when its instruction ends.
 *
 * Collective: a call that all nodes must make. It returns when all have made it. It fails with
 * -EPROTO on both nodes if another node makes another collective call instead, with -EHOSTUNREACH
 * if a node ends or is lost, and with -EIO if accesses to another node have failed since the last
 * collective call. After any of these errors the memory holds no valid data, and the program can
 * only call Gas_close().
 *
 * Errors: every int function returns 0 or a count on success and a negative errno value on failure,
 * and sets a message for the calling thread that names the thing and the remedy
 * (Gas_error_message()). The library never prints and never exits.
 *
 * Threads: any thread may call Gas_lock() and Gas_unlock() and access the memory; every other call
 * is for one thread at a time. No thread may access the memory while Gas_move(), Gas_count_own() or
 * Gas_close() runs.
 *
 * smile_gas(7) has a run time that moves a program's pages to the nodes that use them.
 *
 * If the environment variable SMILE_NODES is not set, or is 1, a program runs on one node only, and
 * needs no adapter.
 */
#ifndef SMILE_GAS_H
#define SMILE_GAS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

#define GAS_PAGE_BYTES 4096
#define GAS_NODES_MAX 64
#define GAS_LOCKS 512 /* their numbers are 0 to 511 */

struct Gas;

/**
 * enum Gas_layout - Where the pages of an extent initially lie.
 * @GAS_ROUND_ROBIN: page p of the space, counted from its first extent, lies on node p modulo the
 *                   number of nodes
 * @GAS_BLOCK: the first share of the extent's pages lies on node 0, the next on node 1, and so on
 */
enum Gas_layout {
	GAS_ROUND_ROBIN,
	GAS_BLOCK,
};

/**
 * struct Gas_move - A page that a node requests to move.
 * @page: number in the space, from 0
 * @node: node to which the page moves
 */
struct Gas_move {
	size_t page;
	unsigned int node;
};

/**
 * Gas_open() - Create a global address space.
 * @out: receives the space
 *
 * The environment variables SMILE_NODE and SMILE_NODES have the number of this node and the number
 * of nodes. A node has at most one space at a time. Nothing is shared before Gas_share().
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if SMILE_NODE and SMILE_NODES are not numbers, or contradict each other; -ENOMEM.
 */
int Gas_open(struct Gas **out);

/**
 * Gas_node() - The number of this node.
 * @gas: space, from Gas_open()
 *
 * Return: the number, from 0.
 */
unsigned int Gas_node(const struct Gas *gas);

/**
 * Gas_nodes() - The number of nodes.
 * @gas: space, from Gas_open()
 *
 * Return: 1 to GAS_NODES_MAX.
 */
unsigned int Gas_nodes(const struct Gas *gas);

/**
 * Gas_alloc() - Add an extent to the space, before it is shared.
 * @gas: space, from Gas_open()
 * @bytes: its size, at least 1; rounded up to pages
 * @layout: where its pages lie, unless Gas_place() places them elsewhere
 * @memory: receives its address, which is the same on all nodes
 *
 * Extents follow one another without a gap. The memory can be used once Gas_share() has returned.
 * It is then zero.
 *
 * Return: 0.
 * Errors: -EINVAL for 0 bytes or an unknown layout; -EBUSY once the space is shared; -ENOMEM, also
 * for more than 4 GB in total, which is a node's part of the adapters' addresses.
 */
int Gas_alloc(struct Gas *gas, size_t bytes, enum Gas_layout layout, void **memory);

/**
 * Gas_name() - Name an extent, before the space is shared.
 * @gas: space, from Gas_open()
 * @memory: its address, from Gas_alloc()
 * @name: copied; 1 to 63 bytes, without control characters
 * @item_bytes: for an array, the bytes of an item, such as a row; 0: the extent is not an array
 *
 * A recording of the nodes' cards has the space's own addresses and the names of the extents:
 * `smile report structures` prints "grid", and an address in this extent is "grid[130]+136".
 * Extents without a name are called "extent 0", "extent 1" and so on, in the order of Gas_alloc().
 * All nodes must give the same names.
 *
 * Return: 0.
 * Errors: -EINVAL if no extent begins at @memory, for an invalid name, or for items larger than the
 * extent; -EBUSY once the space is shared.
 */
int Gas_name(struct Gas *gas, const volatile void *memory, const char *name, size_t item_bytes);

/**
 * Gas_place() - Choose the node of some pages, before the space is shared.
 * @gas: space, from Gas_open()
 * @start: first byte, in the space
 * @bytes: number of bytes; all pages that they touch are placed; if several calls place a page, the
 *         last call counts
 * @node: node on which the pages lie
 *
 * Return: 0.
 * Errors: -EINVAL for bytes outside the space, or a node that does not exist; -EBUSY once the space
 * is shared: then use Gas_move().
 */
int Gas_place(struct Gas *gas, const volatile void *start, size_t bytes, unsigned int node);

/**
 * Gas_share() - Share the space with the other nodes. Collective.
 * @gas: space, from Gas_open()
 * @timeout_ms: how long to wait for nodes that have not called Gas_share() yet; negative: no limit
 *
 * Each node needs memory of its adapter for all pages of the space, on any node, so that a page has
 * a page frame on each node to which it may move.
 *
 * Return: 0.
 * Errors: -ETIMEDOUT if a node has not made the call in time; -EINVAL if a node has another layout;
 * -EPROTONOSUPPORT if a node's program is built with another version of this library, or its driver
 * has another version. The message of these three errors names the node. -EINVAL for a space
 * without an extent; -ENOSPC if the adapter has too little memory or too small a window; -ENODEV if
 * there is no adapter; -EBUSY if the space is shared already, or if another program on this node
 * has a space.
 */
int Gas_share(struct Gas *gas, int timeout_ms);

/**
 * Gas_barrier() - Wait until all nodes have called it. Collective.
 * @gas: space, shared
 *
 * After the barrier all nodes see all stores that any node made before it. A barrier costs two
 * stores of 8 bytes in each other node's memory; a waiting node reads only its own memory.
 *
 * Return: 0.
 * Errors: -EPROTO if another node makes another collective call; -EHOSTUNREACH if a node has ended
 * or is lost; -EIO if accesses to a node have failed; -EINVAL before Gas_share().
 */
int Gas_barrier(struct Gas *gas);

/**
 * Gas_sum() - Add up one number of each node. Collective; also a barrier.
 * @gas: space, shared
 * @value: this node's number
 * @sum: receives the sum, the same bits on all nodes
 *
 * Values are added in the order of the nodes, from node 0 on, so a sum has the same bits in each
 * run.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_sum(struct Gas *gas, double value, double *sum);

/**
 * Gas_max() - Find the largest number of all nodes. Collective; also a barrier.
 * @gas: space, shared
 * @value: this node's number
 * @max: receives the maximum, the same on all nodes; NaNs are left out unless all values are NaN
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_max(struct Gas *gas, double value, double *max);

/**
 * Gas_lock() - Take a lock. Nodes get it in the order of their requests.
 * @gas: space, shared
 * @number: number of the lock; its words lie on node @number modulo the number of nodes
 *
 * The call costs one lock transaction, and loads until it is this caller's turn. A thread that
 * takes a lock that it already holds waits for ever.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for a number that is not below GAS_LOCKS, or before Gas_share(); -EHOSTUNREACH
 * if a node has ended or is lost; -EIO if accesses to a node have failed.
 */
int Gas_lock(struct Gas *gas, unsigned int number);

/**
 * Gas_unlock() - Release a lock that the calling thread has taken.
 * @gas: space, shared
 * @number: number of the lock
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for a number that is not below GAS_LOCKS, or before Gas_share(); the error of an
 * earlier call, if the space has failed.
 */
int Gas_unlock(struct Gas *gas, unsigned int number);

/**
 * Gas_pages() - The number of pages of the space.
 * @gas: space, from Gas_open()
 *
 * Return: the number of pages. The page at an address has the number (address - first address) /
 * GAS_PAGE_BYTES.
 */
size_t Gas_pages(const struct Gas *gas);

/**
 * Gas_home() - The node on which a page lies.
 * @gas: space, from Gas_open()
 * @page: number in the space, from 0
 *
 * Return: the node.
 * Errors: -EINVAL if the space has no such page.
 */
int Gas_home(const struct Gas *gas, size_t page);

/**
 * Gas_card_page() - Find the page of the space behind a page number of a card.
 * @gas: space, shared
 * @card_page: as in struct Monitor_histogram_row and struct Monitor_count
 * @page: receives its number in the space
 *
 * A page that has moved had another number on the cards for each node where it lay. The call finds
 * the page by any of these numbers.
 *
 * Return: the node in whose memory that page number is.
 * Errors: -ENOENT if the page does not belong to the space, as words of barriers and locks, and
 * other segments.
 */
int Gas_card_page(const struct Gas *gas, uint64_t card_page, size_t *page);

/**
 * Gas_move() - Move pages to other nodes. Collective; also a barrier.
 * @gas: space, shared
 * @moves: the moves that this node requests, for pages on any node; shape [@count]
 * @count: 0 to the number of pages of the space
 *
 * Each node passes its own moves. If several nodes move one page, the move of the node with the
 * highest number counts; if one node moves a page several times, its last move counts. The page's
 * node copies the page while no node accesses it. The address stays the same, and no node ever
 * loads old contents of the page.
 *
 * A node whose arguments are invalid has not made the collective call: the other nodes still wait
 * for it.
 *
 * Return: the number of pages that have moved, the same on all nodes.
 * Errors: -EINVAL if a page or node does not exist, if @count is too large, or before Gas_share();
 * -ENOSPC if the adapter's window is too small for the new mappings; otherwise as Gas_barrier().
 */
int Gas_move(struct Gas *gas, const struct Gas_move *moves, size_t count);

/**
 * Gas_count_own() - Choose whether this node's card counts the node's accesses to its own pages.
 * @gas: space, shared
 * @on: 1: these accesses pass through the adapter; 0 (initially): they do not
 *
 * A card sees only accesses that pass through the adapter. A node that decides where pages should
 * lie must also know how often it uses its own pages. While this is on, an own page is as slow as
 * another node's page.
 *
 * Return: 0.
 * Errors: -EINVAL before Gas_share(); -ENOSPC as for Gas_move().
 */
int Gas_count_own(struct Gas *gas, int on);

/**
 * Gas_close() - Close the space. Collective, unless the space has failed or was not shared.
 * @gas: space, or NULL
 *
 * Even if the call fails, it unmaps the space's memory and frees @gas.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_close(struct Gas *gas);

/**
 * Gas_error_message() - Why the calling thread's last call failed.
 *
 * Context: any thread.
 * Return: one sentence, valid until this thread's next call of the library; "" if no call has
 * failed yet.
 */
const char *Gas_error_message(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_GAS_H */
