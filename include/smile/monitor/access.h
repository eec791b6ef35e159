/* SPDX-License-Identifier: MIT */
/*
 * Processor accesses, counted in front of the caches. Part of <smile/monitor.h>.
 */
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
 * Monitor_accesses_add() - Report accesses of a node's processors, including those that caches
 * served.
 * @phase: as Monitor_phases() numbers them
 * @request: Monitor_request() of the node, the page's home, the type and the address of the first
 *           block
 * @block_bytes: length of a block; a power of two from 4 to 4096
 * @counts: accesses to this block and the blocks after it, in one page; shape [@count]
 * @count: number of blocks
 *
 * A card behind caches counts transactions: the accesses that the caches do not serve, and the
 * write-backs. The library keeps counts of accesses apart from the card's counts, and
 * Monitor_accesses_show() selects between the two. The reported accesses are added to those
 * reported before.
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
 * Return: 0, also if it was called for this node before.
 * Errors: -EINVAL for an impossible node; -ENOMEM.
 */
int Monitor_accesses_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_known() - Whether all accesses of a node's processors are known, in addition to
 * its transactions.
 * @node: node
 *
 * Return: 1 if they are known; 0 if not: the machine has no caches in front of all memory, or a
 * card has counted.
 */
int Monitor_accesses_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_show() - Select what the views of pages, sections, structures and phases count.
 * @show: 1: accesses of processors; 0 (initially): the transactions that the cards have counted
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
