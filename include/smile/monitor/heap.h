/* SPDX-License-Identifier: MIT */
/*
 * Heap: the program's allocations. Part of <smile/monitor.h>.
 */
#ifndef SMILE_MONITOR_HEAP_H
#define SMILE_MONITOR_HEAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct Monitor;

/*
 * A recorder that knows the program's allocations counts them exactly by site, the place in the
 * program that asks for them. It also keeps the blocks, so that addresses in them are found, as far
 * as its memory allows. A site has the number of its blocks that were not kept.
 */

#define MONITOR_SITE_CALLERS 16

/**
 * struct Monitor_site - A place in the program that allocates.
 * @callers: return addresses of the calls, the innermost first; 0 where there are no more
 * @blocks: blocks that it has allocated
 * @bytes: their bytes; memory that was allocated again counts again
 * @peak_bytes: most bytes that it had at one time; the blocks of @lost are not included
 * @lost: how many of @blocks no Monitor_block describes
 */
struct Monitor_site {
	uint64_t callers[MONITOR_SITE_CALLERS];
	uint64_t blocks;
	uint64_t bytes;
	uint64_t peak_bytes;
	uint64_t lost;
};

/**
 * struct Monitor_block - A block of the heap, or several of one size and site in a row.
 * @address: first byte of the first
 * @bytes: of each
 * @count: how many
 * @stride: from one to the next, bytes; at least @bytes
 * @uses: allocations that it stands for: more than @count where memory was allocated again
 * @begin_ns: simulated time of the first allocation
 * @end_ns: simulated time at which the last one was freed; UINT64_MAX: never
 * @site: index of its site, as of Monitor_sites()
 * @flags: MONITOR_BLOCK_MERGED: not one block, but memory in which @uses blocks of the site were,
 *         side by side with others, perhaps of other sites, too many to be reported one by one
 */
struct Monitor_block {
	uint64_t address;
	uint64_t bytes;
	uint64_t count;
	uint64_t stride;
	uint64_t uses;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t site;
	uint32_t flags;
};

#define MONITOR_BLOCK_MERGED 0x1U

/**
 * Monitor_site_add() - Report a site.
 * @site: the site, which is copied
 *
 * Return: its index, from 0.
 * Errors: -EINVAL for an address that cannot be, or @lost above @blocks; -ENOMEM.
 */
int Monitor_site_add(struct Monitor *mon, const struct Monitor_site *site);

/**
 * Monitor_sites() - The sites, in the order in which they came.
 * @sites: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of sites; min(that, @capacity) of them were filled in.
 */
int Monitor_sites(struct Monitor *mon, struct Monitor_site *sites, size_t capacity);

/**
 * Monitor_block_add() - Report a block.
 * @block: the block, which is copied
 *
 * Blocks may overlap: memory that was freed can be allocated again.
 *
 * Return: 0.
 * Errors: -EINVAL for addresses that cannot be, or a site that is not there; -ENOMEM.
 */
int Monitor_block_add(struct Monitor *mon, const struct Monitor_block *block);

/**
 * Monitor_blocks() - The blocks, in the order in which they came.
 * @blocks: caller-owned, shape [@capacity]; may be NULL if @capacity is 0
 *
 * Return: the number of blocks; min(that, @capacity) of them were filled in.
 */
int Monitor_blocks(struct Monitor *mon, struct Monitor_block *blocks, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_HEAP_H */
