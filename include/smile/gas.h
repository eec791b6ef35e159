/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: a global address space over the nodes of a cluster.
 *
 * What lives here: memory that all nodes see at the same virtual addresses, whose pages of 4096
 * bytes lie on one node each; barrier, locks and reductions; and pages that move from node to node
 * while the program runs. It is the layer between a program and the SISCI API (sisci(7)).
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
 * cards of both nodes count; one of an own page is an access to memory. There are no caches: a
 * store has changed the memory when its instruction ends.
 *
 * Collective: a call that all nodes must make. It returns when all have made it. If another node
 * makes another collective call instead, it fails with -EPROTO on both; if a node ends or is lost,
 * with -EHOSTUNREACH; if accesses to another node have failed since the last collective call, with
 * -EIO. After any of these the memory holds no valid data, and only Gas_close() is left to call.
 *
 * Errors: every int function returns 0 or a count on success and a negative errno value on failure,
 * and sets a message for the calling thread that names the thing and the remedy
 * (Gas_error_message()). The library never prints and never exits.
 *
 * Threads: Gas_lock(), Gas_unlock() and the memory are for all threads; every other call is for one
 * thread at a time. No thread may access the memory while Gas_move(), Gas_count_own() or
 * Gas_close() runs.
 *
 * smile_gas(7) has a run time that moves a program's pages to the nodes that use them.
 *
 * Without SMILE_NODES in the environment, or with 1 in it, a program runs alone, and needs no
 * adapter.
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
 * enum Gas_layout - Where the pages of an extent lie at first.
 * @GAS_ROUND_ROBIN: page p of the space, counted from its first extent, on node p modulo the nodes
 * @GAS_BLOCK: the first share of the extent's pages on node 0, the next on node 1, and so on
 */
enum Gas_layout {
	GAS_ROUND_ROBIN,
	GAS_BLOCK,
};

/**
 * struct Gas_move - A page that a node wants to have moved.
 * @page: number in the space, from 0
 * @node: where to
 */
struct Gas_move {
	size_t page;
	unsigned int node;
};

/**
 * Gas_open() - Begin a global address space.
 * @out: receives it
 *
 * Which node this is, and how many there are, is in the environment: SMILE_NODE and SMILE_NODES.
 * There is one space at a time on a node. Nothing is shared before Gas_share().
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL if these variables are not numbers, or contradict each other; -ENOMEM.
 */
int Gas_open(struct Gas **out);

/**
 * Gas_node() - Which node this is.
 * @gas: space, from Gas_open()
 *
 * Return: its number, from 0.
 */
unsigned int Gas_node(const struct Gas *gas);

/**
 * Gas_nodes() - How many nodes there are.
 * @gas: space, from Gas_open()
 *
 * Return: 1 to GAS_NODES_MAX.
 */
unsigned int Gas_nodes(const struct Gas *gas);

/**
 * Gas_alloc() - Add an extent to the space, before it is shared.
 * @gas: space, from Gas_open()
 * @bytes: its size, at least 1; rounded up to pages
 * @layout: where its pages lie, unless Gas_place() says otherwise
 * @memory: receives its address, which is the same on all nodes
 *
 * Extents follow one another without a gap. The memory can be used once Gas_share() has returned,
 * and is zero then.
 *
 * Return: 0.
 * Errors: -EINVAL for no bytes or another layout; -EBUSY once the space is shared; -ENOMEM, also
 * for more than 4 GB in all, which is a node's part of the adapters' addresses.
 */
int Gas_alloc(struct Gas *gas, size_t bytes, enum Gas_layout layout, void **memory);

/**
 * Gas_name() - Say what an extent is, before the space is shared.
 * @gas: space, from Gas_open()
 * @memory: its address, from Gas_alloc()
 * @name: copied; 1 to 63 bytes, without control characters
 * @item_bytes: of an array, the bytes of an item, such as a row; 0: none
 *
 * A recording of the nodes' cards has the space's own addresses, and these names: `smile report
 * structures` says "grid", and an address in it is "grid[130]+136". An extent without a name is
 * "extent 0", "extent 1" and so on, in the order of Gas_alloc(). All nodes give the same names.
 *
 * Return: 0.
 * Errors: -EINVAL if no extent begins there, for an invalid name, or for items larger than the
 * extent; -EBUSY once the space is shared.
 */
int Gas_name(struct Gas *gas, const volatile void *memory, const char *name, size_t item_bytes);

/**
 * Gas_place() - Choose the node of some pages, before the space is shared.
 * @gas: space, from Gas_open()
 * @start: first byte, in the space
 * @bytes: how many; all pages that they touch are placed, and the last call decides
 * @node: where they lie
 *
 * Return: 0.
 * Errors: -EINVAL for bytes outside the space, or a node that there is not; -EBUSY once the space
 * is shared: Gas_move() moves pages then.
 */
int Gas_place(struct Gas *gas, const volatile void *start, size_t bytes, unsigned int node);

/**
 * Gas_share() - Share the space with the other nodes. Collective.
 * @gas: space, from Gas_open()
 * @timeout_ms: how long to wait for nodes that have not come yet; negative: without end
 *
 * Each node needs memory of its adapter for all pages of the space, wherever they lie, so that a
 * page has a place on each node to which it may move.
 *
 * Return: 0.
 * Errors: -ETIMEDOUT if a node has not come in time, -EINVAL if it has another layout, and
 * -EPROTONOSUPPORT if its program is built with another version of this library, or its driver is
 * of another version, with a message that names it; -EINVAL for a space without an extent; -ENOSPC
 * if the adapter has too little memory or window; -ENODEV if there is no adapter; -EBUSY if it is
 * shared already, or if another program of this node has a space.
 */
int Gas_share(struct Gas *gas, int timeout_ms);

/**
 * Gas_barrier() - Wait until all nodes have come here. Collective.
 * @gas: space, shared
 *
 * All stores of all nodes before the barrier are seen by all nodes after it. It costs one store of
 * 8 bytes, twice, in each other node's memory; a node waits by looking at its own.
 *
 * Return: 0.
 * Errors: -EPROTO if another node makes another collective call; -EHOSTUNREACH if a node has ended
 * or is lost; -EIO if accesses to one have failed; -EINVAL before Gas_share().
 */
int Gas_barrier(struct Gas *gas);

/**
 * Gas_sum() - Add up a number of each node. Collective; a barrier, too.
 * @gas: space, shared
 * @value: this node's
 * @sum: receives the sum, the same bits on all nodes
 *
 * Values are added in the order of the nodes, from 0 on, so a sum has the same bits in each run.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_sum(struct Gas *gas, double value, double *sum);

/**
 * Gas_max() - Find the largest number of all nodes. Collective; a barrier, too.
 * @gas: space, shared
 * @value: this node's
 * @max: receives it, the same on all nodes; NaNs are left out unless all are NaN
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_max(struct Gas *gas, double value, double *max);

/**
 * Gas_lock() - Take a lock, in the order in which nodes ask for it.
 * @gas: space, shared
 * @number: which; its words lie on the node that is @number modulo the nodes
 *
 * It costs one lock transaction, and loads until it is this caller's turn. A lock that its holder
 * takes once more waits for ever.
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for a number that is not below GAS_LOCKS, or before Gas_share(); -EHOSTUNREACH
 * if a node has ended or is lost; -EIO if accesses to one have failed.
 */
int Gas_lock(struct Gas *gas, unsigned int number);

/**
 * Gas_unlock() - Release a lock that the calling thread has taken.
 * @gas: space, shared
 * @number: which
 *
 * Context: any thread.
 * Return: 0.
 * Errors: -EINVAL for a number that is not below GAS_LOCKS, or before Gas_share(); the error of an
 * earlier call, if the space has failed.
 */
int Gas_unlock(struct Gas *gas, unsigned int number);

/**
 * Gas_pages() - How many pages the space has.
 * @gas: space, from Gas_open()
 *
 * Return: the number of pages. The page at an address has the number (address - first address) /
 * GAS_PAGE_BYTES.
 */
size_t Gas_pages(const struct Gas *gas);

/**
 * Gas_home() - Where a page lies.
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
 * A page that has moved has had another number on the cards on each node where it lay; all of them
 * lead to it.
 *
 * Return: the node in whose memory that page number is.
 * Errors: -ENOENT if it is not of the space: words of barriers and locks, and other segments.
 */
int Gas_card_page(const struct Gas *gas, uint64_t card_page, size_t *page);

/**
 * Gas_move() - Move pages to other nodes. Collective; a barrier, too.
 * @gas: space, shared
 * @moves: the moves that this node asks for, whichever node has the pages now; shape [@count]
 * @count: may be 0; at most the pages of the space
 *
 * Each node passes its own moves. If several nodes move one page, the move of the node with the
 * highest number counts; if one node moves it several times, its last move. The page's node copies
 * it while no node accesses it; the address stays the same, and no node ever loads what the page
 * was before.
 *
 * A node whose arguments are invalid has not taken part: the others still wait for it.
 *
 * Return: how many pages have moved, the same number on all nodes.
 * Errors: -EINVAL if a page or node does not exist, if @count is too large, or before Gas_share();
 * -ENOSPC if the adapter's window is too small for the new mappings; otherwise as Gas_barrier().
 */
int Gas_move(struct Gas *gas, const struct Gas_move *moves, size_t count);

/**
 * Gas_count_own() - Let this node's card count the node's accesses to its own pages, or not.
 * @gas: space, shared
 * @on: 1: they go through the adapter; 0, as at first: they do not
 *
 * A card sees what passes the adapter. A node that decides where pages belong also has to know how
 * much it uses those that it has. While this is on, an own page is as slow as another node's.
 *
 * Return: 0.
 * Errors: -EINVAL before Gas_share(); -ENOSPC as of Gas_move().
 */
int Gas_count_own(struct Gas *gas, int on);

/**
 * Gas_close() - End the space. Collective, unless it has failed or was not shared.
 * @gas: space, or NULL
 *
 * Its memory is unmapped and @gas freed in any case.
 *
 * Return: 0.
 * Errors: as Gas_barrier().
 */
int Gas_close(struct Gas *gas);

/**
 * Gas_error_message() - Why the calling thread's last call failed.
 *
 * Context: any thread.
 * Return: one sentence, valid until this thread's next call of the library; "" before any failure.
 */
const char *Gas_error_message(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_GAS_H */
