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
 * A recorder that observes the program's allocations counts them exactly by site, which is the
 * place in the program that allocates. The recorder also keeps the blocks, as far as its memory
 * allows, so that addresses in them can be found. Each site has the number of its blocks that were
 * not kept.
 */

#define MONITOR_SITE_CALLERS 16

/**
 * struct Monitor_site - A place in the program that allocates.
 * @callers: return addresses of the calls, the innermost first; unused elements are 0
 * @blocks: number of blocks that the site has allocated
 * @bytes: bytes of these blocks; memory that was allocated again counts again
 * @peak_bytes: most bytes that the site had allocated at one time; the blocks of @lost are not
 *              included
 * @lost: number of @blocks that no Monitor_block describes
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
 * @address: first byte of the first block
 * @bytes: size of each block
 * @count: number of blocks
 * @stride: bytes from one block to the next; at least @bytes
 * @uses: number of allocations that the blocks represent; more than @count if memory was allocated
 *        again
 * @begin_ns: simulated time of the first allocation
 * @end_ns: simulated time at which the last block was freed; UINT64_MAX: never
 * @site: index of the site, as in Monitor_sites()
 * @flags: MONITOR_BLOCK_MERGED: memory that held @uses blocks of the site, perhaps between blocks
 *         of other sites; there were too many blocks to report each of them
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
 * Errors: -EINVAL for an impossible address, or @lost above @blocks; -ENOMEM.
 */
int Monitor_site_add(struct Monitor *mon, const struct Monitor_site *site);

/**
 * Monitor_sites() - The sites, in the order in which they were added.
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
 * Errors: -EINVAL for impossible addresses, or a site that does not exist; -ENOMEM.
 */
int Monitor_block_add(struct Monitor *mon, const struct Monitor_block *block);

/**
 * Monitor_blocks() - The blocks, in the order in which they were added.
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
