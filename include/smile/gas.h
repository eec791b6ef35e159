/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: a global address space over the nodes of a cluster.
 *
 * What lives here: functions for memory that all nodes see at the same virtual addresses; for
 * barriers, locks and reductions; and for moves of pages from node to node while the program runs.
 * Each page of 4096 bytes of this memory lies on one node. The library is a layer between a program
 * and the SISCI API (sisci(7)).
 *
 * Under smile cluster(1), each node runs one process of the same program. All processes make the
 * same calls in the same order:
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
 * A load or store of 1 to 8 aligned bytes in another node's page is one transaction, which the
 * cards of both nodes count. A load or store in a page of this node is an access to local memory.
 * There are no caches. When a store instruction ends, the memory has changed.
 *
 * Collective calls: all nodes must make a collective call, and it returns when all nodes have made
 * it. If two nodes make different collective calls at the same time, both calls fail with -EPROTO.
 * A collective call fails with -EHOSTUNREACH if a node ends or is lost, and with -EIO if accesses
 * to another node have failed since the last collective call. After any of these errors, the memory
 * holds no valid data, and the program can only call Gas_close().
 *
 * Errors: on success, every int function returns 0 or a count. On failure, it returns a negative
 * errno value, and sets a message for the calling thread that names the cause and the remedy
 * (Gas_error_message()). The library never prints anything and never ends the process.
 *
 * Threads: any thread may call Gas_lock() and Gas_unlock(), and may access the memory. Only one
 * thread at a time may make any other call. No thread may access the memory while Gas_move(),
 * Gas_count_own() or Gas_close() runs.
 *
 * smile_gas(7) describes a run-time system that moves a program's pages to the nodes that use them.
 *
 * If the environment variable SMILE_NODES is not set or is 1, a program runs on one node only, and
 * does not need an adapter.
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
#define GAS_LOCKS 512 /* numbered from 0 to 511 */

struct Gas;

/**
 * enum Gas_layout - The initial nodes of an extent's pages.
 * @GAS_ROUND_ROBIN: page p of the space, counted from its first extent, lies on node p modulo the
 *                   number of nodes
 * @GAS_BLOCK: the pages of the extent are divided into one block for each node; the first block
 *             lies on node 0, the second block on node 1, and so on
 */
enum Gas_layout {
	GAS_ROUND_ROBIN,
	GAS_BLOCK,
};

/**
 * struct Gas_move - A move of a page that a node requests.
 * @page: number of the page in the space, from 0
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
 * The call reads the number of this node and the number of nodes from the environment variables
 * SMILE_NODE and SMILE_NODES. A node can have only one space at a time. The nodes do not share the
 * space until Gas_share() is called.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if SMILE_NODE and SMILE_NODES are not numbers, or contradict each other; -ENOMEM.
 */
int Gas_open(struct Gas **out);

/**
 * Gas_node() - Get the number of this node.
 * @gas: space, from Gas_open()
 *
 * Return: the number, from 0.
 */
unsigned int Gas_node(const struct Gas *gas);

/**
 * Gas_nodes() - Get the number of nodes.
 * @gas: space, from Gas_open()
 *
 * Return: the number, 1 to GAS_NODES_MAX.
 */
unsigned int Gas_nodes(const struct Gas *gas);

/**
 * Gas_alloc() - Add an extent to the space, before it is shared.
 * @gas: space, from Gas_open()
 * @bytes: size of the extent, at least 1; it is rounded up to whole pages
 * @layout: initial nodes of the extent's pages, except for pages that Gas_place() places
 * @memory: receives the address of the extent, which is the same on all nodes
 *
 * The extents of a space follow one another without gaps. The memory can be used after Gas_share()
 * has returned. It is then filled with zeros.
 *
 * Return: 0.
 * Errors: -EINVAL for 0 bytes or an unknown layout; -EBUSY if the space is shared already; -ENOMEM
 * if memory is missing, or if the extents would have more than 4 GB in total, which is the size of
 * a node's part of the adapters' address space.
 */
int Gas_alloc(struct Gas *gas, size_t bytes, enum Gas_layout layout, void **memory);

/**
 * Gas_name() - Name an extent, before the space is shared.
 * @gas: space, from Gas_open()
 * @memory: address of the extent, from Gas_alloc()
 * @name: name of 1 to 63 bytes without control characters, copied
 * @item_bytes: if the extent is an array, the size of an item, such as a row, in bytes; otherwise 0
 *
 * Recordings of the nodes' cards hold the addresses of the space and the names of its extents. If
 * an extent has the name "grid", `smile report structures` prints this name, and an address in the
 * extent is printed as "grid[130]+136". Extents without a name are called "extent 0", "extent 1"
 * and so on, in the order of the Gas_alloc() calls. All nodes must set the same names.
 *
 * Return: 0.
 * Errors: -EINVAL if no extent begins at @memory, for an invalid name, or for items larger than the
 * extent; -EBUSY if the space is shared already.
 */
int Gas_name(struct Gas *gas, const volatile void *memory, const char *name, size_t item_bytes);

/**
 * Gas_place() - Choose the node of some pages, before the space is shared.
 * @gas: space, from Gas_open()
 * @start: first byte, in the space
 * @bytes: number of bytes; the call places each page that contains any of these bytes. If several
 *         calls place a page, the last call counts
 * @node: node on which to place the pages
 *
 * Return: 0.
 * Errors: -EINVAL for bytes outside the space, or a node that does not exist; -EBUSY if the space
 * is shared already: use Gas_move() instead.
 */
int Gas_place(struct Gas *gas, const volatile void *start, size_t bytes, unsigned int node);

/**
 * Gas_share() - Share the space with the other nodes. This call is collective.
 * @gas: space, from Gas_open()
 * @timeout_ms: time limit for all nodes to call Gas_share(); negative: no limit
 *
 * Each node needs enough memory in its adapter for all pages of the space, including the pages that
 * lie on other nodes, so that each page has a page frame on every node to which it may move. If the
 * call fails because of the delay, the layout or the version of another node, the message names
 * that node.
 *
 * Return: 0.
 * Errors: -ETIMEDOUT if a node has not made the call in time; -EINVAL if the extents or the
 * placement differ on another node, or if the space has no extent; -EPROTONOSUPPORT if another
 * node's program uses another version of this library, or another node's driver has another
 * version; -ENOSPC if the adapter has too little memory or too small a window; -ENODEV if the node
 * has no adapter; -EBUSY if the space is shared already, or if another program on this node has a
 * space.
 */
int Gas_share(struct Gas *gas, int timeout_ms);

/**
 * Gas_barrier() - Wait until all nodes have called this function. This call is collective.
 * @gas: space, shared
 *
 * After the barrier, all nodes see all stores that any node made before the barrier. Each node
 * makes two stores of 8 bytes in the memory of each other node. While it waits, it reads only its
 * own memory.
 *
 * Return: 0.
 * Errors: -EPROTO if another node makes a different collective call; -EHOSTUNREACH if a node has
 * ended or is lost; -EIO if accesses to a node have failed; -EINVAL before Gas_share().
 */
int Gas_barrier(struct Gas *gas);

/**
 * Gas_sum() - Add up the numbers that all nodes pass. This call is collective, and is also a
 * barrier.
 * @gas: space, shared
 * @value: this node's number
 * @sum: receives the sum, which is identical in all bits on all nodes
 *
 * The values are added in the order of the nodes, starting with node 0, so that the rounding of the
 * sum is the same in each run.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_sum(struct Gas *gas, double value, double *sum);

/**
 * Gas_max() - Find the largest of the numbers that all nodes pass. This call is collective, and is
 * also a barrier.
 * @gas: space, shared
 * @value: this node's number
 * @max: receives the maximum, which is the same on all nodes; NaNs are ignored unless all values
 *       are NaN
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_max(struct Gas *gas, double value, double *max);

/**
 * Gas_lock() - Take a lock. Nodes receive the lock in the order of their requests.
 * @gas: space, shared
 * @number: number of the lock; the memory of the lock lies on node @number modulo the number of
 *          nodes
 *
 * The call makes one lock transaction. It then loads repeatedly until the caller has the lock. A
 * thread that tries to take a lock that it already holds waits for ever.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if @number is not below GAS_LOCKS, or if the space is not shared yet;
 * -EHOSTUNREACH if a node has ended or is lost; -EIO if accesses to a node have failed.
 */
int Gas_lock(struct Gas *gas, unsigned int number);

/**
 * Gas_unlock() - Release a lock that the calling thread has taken.
 * @gas: space, shared
 * @number: number of the lock
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if @number is not below GAS_LOCKS, or if the space is not shared yet; if the
 * space has failed, the error of the earlier call.
 */
int Gas_unlock(struct Gas *gas, unsigned int number);

/**
 * Gas_pages() - Get the number of pages of the space.
 * @gas: space, from Gas_open()
 *
 * Return: the number of pages. The page at an address has the number (address - first address) /
 * GAS_PAGE_BYTES.
 */
size_t Gas_pages(const struct Gas *gas);

/**
 * Gas_home() - Get the node on which a page lies.
 * @gas: space, from Gas_open()
 * @page: number of the page in the space, from 0
 *
 * Return: the node.
 * Errors: -EINVAL if the space does not have the page.
 */
int Gas_home(const struct Gas *gas, size_t page);

/**
 * Gas_card_page() - Find the page of the space that has a given page number on a card.
 * @gas: space, shared
 * @card_page: page number on the card, as in struct Monitor_histogram_row and struct Monitor_count
 * @page: receives the number of the page in the space
 *
 * A page that has moved has had a different number on the card of each node on which it lay. The
 * call finds the page by any of these numbers.
 *
 * Return: the node in whose memory the card has counted the page under this number.
 * Errors: -ENOENT if the page is not a page of the space, for example because it holds barriers or
 * locks, or belongs to another segment.
 */
int Gas_card_page(const struct Gas *gas, uint64_t card_page, size_t *page);

/**
 * Gas_move() - Move pages to other nodes. This call is collective, and is also a barrier.
 * @gas: space, shared
 * @moves: the moves that this node requests, for pages on any node; shape [@count]
 * @count: number of moves, at most the number of pages of the space
 *
 * Each node passes the moves that it requests. If several nodes request to move one page, the
 * request of the node with the highest number counts. If one node requests to move a page several
 * times, its last request counts. The node on which the page lies copies it while no node accesses
 * it. The address of the page stays the same, and no node ever loads old contents of the page.
 *
 * If the arguments of a node are invalid, its call does not count as a collective call, and the
 * other nodes continue to wait for this node.
 *
 * Return: the number of pages that have moved, the same on all nodes.
 * Errors: -EINVAL if a page or node does not exist, if @count is too large, or before Gas_share();
 * -ENOSPC if the adapter's window is too small for the new mappings; as Gas_barrier().
 */
int Gas_move(struct Gas *gas, const struct Gas_move *moves, size_t count);

/**
 * Gas_count_own() - Choose whether this node's card counts the node's accesses to its own pages.
 * @gas: space, shared
 * @on: 1: accesses to own pages pass through the adapter; 0 (initially): they do not
 *
 * A card sees only accesses that pass through the adapter. A node that decides where pages should
 * lie must also know how often it uses its own pages. With this call, the node lets its card count
 * these accesses. While this is on, an access to a page of this node takes as long as an access to
 * another node's page.
 *
 * Return: 0.
 * Errors: -EINVAL before Gas_share(); -ENOSPC as for Gas_move().
 */
int Gas_count_own(struct Gas *gas, int on);

/**
 * Gas_close() - Close the space. This call is collective, unless the space has failed or was not
 * shared.
 * @gas: space, or NULL
 *
 * Even if the call fails, it unmaps the space's memory and frees @gas.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_close(struct Gas *gas);

/**
 * Gas_error_message() - Get the reason why the calling thread's last call failed.
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
