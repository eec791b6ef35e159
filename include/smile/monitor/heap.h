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
 * A site is a place in the program that allocates memory. A recorder that observes the program's
 * allocations counts the allocations of each site exactly. As far as its memory allows, it also
 * describes each block, so that the block of an address can be found. For each site, it counts the
 * blocks that it could not describe.
 */

#define MONITOR_SITE_CALLERS 16

/**
 * struct Monitor_site - A place in the program that allocates.
 * @callers: return addresses of the calls, the innermost first; unused elements are 0
 * @blocks: number of blocks that the site has allocated
 * @bytes: sum of the sizes of these blocks; memory that was allocated several times counts several
 *         times
 * @peak_bytes: the largest number of bytes that were allocated by the site at one time, not
 *              including the blocks that @lost counts
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
 * struct Monitor_block - A block of the heap, or several blocks at equal distances that have the
 * same size and the same site.
 * @address: first byte of the first block
 * @bytes: size of each block
 * @count: number of blocks
 * @stride: bytes from one block to the next; at least @bytes
 * @uses: number of allocations that the blocks represent; above @count if memory was freed and
 *        allocated again
 * @begin_ns: simulated time of the first allocation
 * @end_ns: simulated time at which the last block was freed; UINT64_MAX: never
 * @site: index of the site, as in Monitor_sites()
 * @flags: MONITOR_BLOCK_MERGED: the site had too many blocks to report each of them. This element
 *         describes memory that held @uses of its blocks. Blocks of other sites may have been
 *         between them
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
 * Return: the index of the site, from 0.
 * Errors: -EINVAL for an impossible address, or @lost above @blocks; -ENOMEM.
 */
int Monitor_site_add(struct Monitor *mon, const struct Monitor_site *site);

/**
 * Monitor_sites() - Get the sites, in the order in which they were added.
 * @sites: receives the sites; caller-owned array of @capacity elements; may be NULL if @capacity is
 *         0
 *
 * Return: the number of sites, of which at most @capacity were filled in.
 */
int Monitor_sites(struct Monitor *mon, struct Monitor_site *sites, size_t capacity);

/**
 * Monitor_block_add() - Report a block.
 * @block: the block, which is copied
 *
 * Blocks may overlap, because memory that was freed can be allocated again.
 *
 * Return: 0.
 * Errors: -EINVAL for impossible addresses, or a site that does not exist; -ENOMEM.
 */
int Monitor_block_add(struct Monitor *mon, const struct Monitor_block *block);

/**
 * Monitor_blocks() - Get the blocks, in the order in which they were added.
 * @blocks: receives the blocks; caller-owned array of @capacity elements; may be NULL if @capacity
 *          is 0
 *
 * Return: the number of blocks, of which at most @capacity were filled in.
 */
int Monitor_blocks(struct Monitor *mon, struct Monitor_block *blocks, size_t capacity);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SMILE_MONITOR_HEAP_H */
