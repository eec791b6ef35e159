/* SPDX-License-Identifier: MIT */
/*
 * Processor accesses: in front of the caches. Part of <smile/monitor.h>.
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
 * Monitor_accesses_add() - Report accesses of a node's processors, whether caches served them or
 * not.
 * @phase: as Monitor_phases() numbers them
 * @request: Monitor_request() of the node, the page's home, the type and the address of the first
 *           block
 * @block_bytes: length of a block; a power of two from 4 to 4096
 * @counts: accesses to this block and those after it, in one page; shape [@count]
 * @count: blocks
 *
 * A card behind caches counts transactions: what the caches do not serve, and what they write
 * back. These counts are kept apart from its counts, and Monitor_accesses_show() selects them.
 * They are added to the accesses that were reported before.
 *
 * Return: 0.
 * Errors: -EINVAL for blocks that are not in one page, or a type that cannot be; -ENOMEM.
 */
int Monitor_accesses_add(struct Monitor *mon, unsigned int phase, uint64_t request,
			 unsigned int block_bytes, const uint32_t *counts, size_t count);

/**
 * Monitor_accesses_node_add() - Report that all accesses of a node's processors are known.
 * @node: node
 *
 * Only what is reported for such nodes is kept in recordings.
 *
 * Return: 0, also if it was called for this node before.
 * Errors: -EINVAL for a node that cannot be; -ENOMEM.
 */
int Monitor_accesses_node_add(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_known() - Are all accesses of a node's processors known, apart from its
 * transactions?
 * @node: node
 *
 * Return: 1; 0 if not: the machine has no caches in front of all memory, or a card has counted.
 */
int Monitor_accesses_known(struct Monitor *mon, unsigned int node);

/**
 * Monitor_accesses_show() - Select what the views of pages, sections, structures and phases count.
 * @show: 1: accesses of processors; 0, as at first: what the cards have counted
 *
 * It holds for Monitor_walk_pages(), Monitor_walk_phases(), Monitor_walk_ranges(),
 * Monitor_histogram_info(), Monitor_histogram_page(), Monitor_sections_info(),
 * Monitor_sections_read(), Monitor_sections_write(), Monitor_structures_info(),
 * Monitor_spans_info(), Monitor_phases() and Monitor_phase_info(). An access counts where it
 * begins. On failure nothing has changed.
 *
 * Return: 0.
 * Errors: -ENODATA if no node's accesses are known; -EPROTO if the recording's are damaged;
 * -ENOMEM.
 */
int Monitor_accesses_show(struct Monitor *mon, int show);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_ACCESS_H */
