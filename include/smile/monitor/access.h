/* SPDX-License-Identifier: MIT */
/* Accesses of processors, including accesses that a cache serves. Part of <smile/monitor.h>. */
#ifndef SMILE_MONITOR_ACCESS_H
#define SMILE_MONITOR_ACCESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/**
 * Monitor_accesses_add() - Report accesses of a node's processors, including accesses that caches
 * served.
 * @phase: number of the phase, as in Monitor_phases()
 * @request: word that Monitor_request() makes from the accessing node, the page's home node, the
 *           type of the accesses and the address of the first block
 * @block_bytes: length of a block; a power of two from 4 to 4096
 * @counts: number of accesses to the first block, the second block and so on; all blocks are in one
 *          page; shape [@count]
 * @count: number of blocks
 *
 * If the nodes have caches, a card counts transactions: only the accesses that the caches do not
 * serve, and the write-backs of cache lines. The library keeps the counts of accesses separate from
 * the card's counts, and Monitor_accesses_show() selects which of the two the views show. Each call
 * adds its accesses to the accesses that were reported before.
 *
 * Return: 0.
 * Errors: -EINVAL for blocks that are not in one page, or an invalid type; -ENOMEM.
 */
int Monitor_accesses_add(struct Monitor *mon, unsigned int phase, uint64_t request,
			 unsigned int block_bytes, const uint32_t *counts, size_t count);

/**
 * Monitor_accesses_node_add() - Report that all accesses of a node's processors are known.
 * @node: node
 *
 * Recordings keep only the accesses of nodes for which this call was made.
 *
 * Return: 0, even if the node was reported before.
 * Errors: -EINVAL for an impossible node; -ENOMEM.
 */
int Monitor_accesses_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_known() - Check whether the recording has all accesses of a node's processors,
 * and not only the node's transactions.
 * @node: node
 *
 * Return: 1 if the accesses are known. 0 if they are not known: either the machine has no caches
 * that serve accesses to all memory, or the counts were made by a card.
 */
int Monitor_accesses_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_show() - Select what the views of pages, sections, structures and phases count.
 * @show: 1: count the accesses of processors; 0 (initially): count the transactions that the cards
 *        have seen
 *
 * The selection applies to Monitor_walk_pages(), Monitor_walk_phases(), Monitor_walk_ranges(),
 * Monitor_histogram_info(), Monitor_histogram_page(), Monitor_sections_info(),
 * Monitor_sections_read(), Monitor_sections_write(), Monitor_structures_info(),
 * Monitor_spans_info(), Monitor_phases() and Monitor_phase_info(). An access counts for the block
 * in which it begins. A failed call changes nothing.
 *
 * Return: 0.
 * Errors: -ENODATA if no node's accesses are known; -EPROTO if the accesses in the recording are
 * damaged; -ENOMEM.
 */
int Monitor_accesses_show(struct Monitor *mon, int show);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ACCESS_H */
