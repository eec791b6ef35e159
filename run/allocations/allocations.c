// SPDX-License-Identifier: MIT
/*
 * run/allocations: records the memory that the program has allocated. See allocations.h.
 *
 * What lives here: the site and the times of each allocation, within a limited amount of memory.
 * Sites are counted exactly. If one site allocates the same memory several times, the memory is
 * stored once. Adjacent small blocks of the same site and size are reported as one row. If there is
 * no space for a block, the block counts as lost memory of its site.
 */
#include "run/allocations/allocations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#define SITES_MAX 4096U
#define SITE_SLOTS 16384U /* a power of two, several times SITES_MAX */
#define BLOCKS_MAX (1U << 20)
#define BUCKETS (1U << 19)
#define NONE UINT32_MAX
/*
 * The largest number of sites whose blocks at the same address are stored. Blocks of further sites
 * at this address count as lost.
 */
#define TURNS_MAX 16
/* The largest number of rows. This number of rows takes 1 MB in each recording. */
#define REPORTED_MAX 16384U

/**
 * struct site - A line of code that allocates memory, with its callers.
 * @site: the site, as it is reported
 * @live_bytes: bytes that the site has allocated and not freed
 */
struct site {
	struct Monitor_site site;
	uint64_t live_bytes;
};

/**
 * struct block - Memory that a site has allocated, once or several times.
 * @address: address of the first byte of the block
 * @bytes: the largest number of bytes that the site had at this address at one time
 * @live_bytes: number of bytes that the site has at this address now; 0: the block is freed
 * @uses: number of times that the site has allocated the block
 * @begin_ns: time of the first allocation
 * @end_ns: time of the last release
 * @site: index of the site
 * @next: index of the next block in the bucket
 */
struct block {
	uint64_t address;
	uint64_t bytes;
	uint64_t live_bytes;
	uint64_t uses;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t site;
	uint32_t next;
};

/**
 * struct allocations - All sites and blocks.
 * @sites: the sites; shape [@sites_count]. The last of SITES_MAX sites represents all sites for
 *         which there is no room
 * @sites_count: number of sites
 * @slots: indices of sites, by a hash of their callers; shape [SITE_SLOTS]
 * @blocks: the blocks; shape [@blocks_count]
 * @blocks_count: number of blocks
 * @blocks_size: number of blocks for which @blocks has room
 * @buckets: indices of blocks, by a hash of their address; shape [BUCKETS]
 */
struct allocations {
	struct site *sites;
	size_t sites_count;
	uint32_t *slots;
	struct block *blocks;
	size_t blocks_count;
	size_t blocks_size;
	uint32_t *buckets;
};

static uint64_t mix(uint64_t value)
{
	value *= 0x9e3779b97f4a7c15ULL;
	return value ^ value >> 32;
}

void allocations_free(struct allocations *heap)
{
	if (!heap)
		return;
	free(heap->sites);
	free(heap->slots);
	free(heap->blocks);
	free(heap->buckets);
	free(heap);
}

struct allocations *allocations_new(void)
{
	struct allocations *heap = calloc(1, sizeof(*heap));

	if (!heap)
		return NULL;
	heap->sites = calloc(SITES_MAX, sizeof(*heap->sites));
	heap->slots = malloc(SITE_SLOTS * sizeof(*heap->slots));
	heap->buckets = malloc(BUCKETS * sizeof(*heap->buckets));
	if (!heap->sites || !heap->slots || !heap->buckets) {
		allocations_free(heap);
		return NULL;
	}
	memset(heap->slots, 0xff, SITE_SLOTS * sizeof(*heap->slots));
	memset(heap->buckets, 0xff, BUCKETS * sizeof(*heap->buckets));
	return heap;
}

/* ---- allocations and releases ---------------------------------------------------------------- */

static uint32_t site_find(struct allocations *heap, const uint64_t *callers);

/*
 * Find the site with @caller as its only caller. When little room is left for sites, such a site
 * represents all call stacks that end in @caller. For example, a recursive parser allocates memory
 * at many depths of calls, and these allocations then share one site.
 */
static uint32_t site_find_alone(struct allocations *heap, uint64_t caller)
{
	const uint64_t callers[MONITOR_SITE_CALLERS] = {caller};

	return site_find(heap, callers);
}

static uint32_t site_find(struct allocations *heap, const uint64_t *callers)
{
	const size_t bytes = sizeof(heap->sites->site.callers);
	uint64_t hash = 0;
	uint32_t slot;

	for (unsigned i = 0; i < MONITOR_SITE_CALLERS; i++)
		hash = mix(hash ^ callers[i]);
	for (slot = hash % SITE_SLOTS; heap->slots[slot] != NONE; slot = (slot + 1) % SITE_SLOTS)
		if (!memcmp(heap->sites[heap->slots[slot]].site.callers, callers, bytes))
			return heap->slots[slot];
	if (heap->sites_count >= SITES_MAX / 2 && callers[1])
		return site_find_alone(heap, callers[0]);
	if (heap->sites_count == SITES_MAX)
		return SITES_MAX - 1;
	/*
	 * The last site has no callers, because it represents all sites for which there is no room.
	 */
	if (heap->sites_count < SITES_MAX - 1) {
		memcpy(heap->sites[heap->sites_count].site.callers, callers, bytes);
		heap->slots[slot] = (uint32_t)heap->sites_count;
	}
	return (uint32_t)heap->sites_count++;
}

static struct block *block_new(struct allocations *heap)
{
	if (heap->blocks_count == BLOCKS_MAX ||
	    array_reserve(&heap->blocks, &heap->blocks_size, heap->blocks_count,
			  sizeof(*heap->blocks)) < 0)
		return NULL;
	return &heap->blocks[heap->blocks_count++];
}

/*
 * Find the block of a site at an address. If the block does not exist, add it. Return: the block;
 * NULL if there is no space.
 */
static struct block *block_at(struct allocations *heap, uint64_t address, uint32_t site)
{
	uint32_t *bucket = &heap->buckets[mix(address) % BUCKETS];
	struct block *block;
	unsigned turns = 0;

	for (uint32_t at = *bucket; at != NONE; at = block->next) {
		block = &heap->blocks[at];
		if (block->address != address)
			continue;
		if (block->site == site)
			return block;
		if (++turns == TURNS_MAX)
			return NULL;
	}
	block = block_new(heap);
	if (!block)
		return NULL;
	*block = (struct block){.address = address, .site = site, .next = *bucket};
	*bucket = (uint32_t)heap->blocks_count - 1;
	return block;
}

static void block_end(struct allocations *heap, uint64_t address, uint64_t time_ns)
{
	uint32_t at = heap->buckets[mix(address) % BUCKETS];

	for (; at != NONE; at = heap->blocks[at].next) {
		struct block *block = &heap->blocks[at];

		if (block->address != address || !block->live_bytes)
			continue;
		heap->sites[block->site].live_bytes -= block->live_bytes;
		block->live_bytes = 0;
		block->end_ns = time_ns;
	}
}

static void block_begin(struct allocations *heap, const uint64_t *callers, uint64_t address,
			uint64_t bytes, uint64_t time_ns)
{
	uint32_t index = site_find(heap, callers);
	struct site *site = &heap->sites[index];
	struct block *block = block_at(heap, address, index);

	site->site.blocks++;
	site->site.bytes += bytes;
	if (!block) {
		site->site.lost++;
		return;
	}
	if (!block->uses++)
		block->begin_ns = time_ns;
	block->live_bytes = bytes;
	block->end_ns = UINT64_MAX;
	if (block->bytes < bytes)
		block->bytes = bytes;
	site->live_bytes += bytes;
	if (site->site.peak_bytes < site->live_bytes)
		site->site.peak_bytes = site->live_bytes;
}

void allocations_block(struct allocations *heap, const uint64_t *callers, uint64_t address,
		       uint64_t bytes, uint64_t time_ns)
{
	/*
	 * If an older block at this address was not reported as freed, end it, because its memory
	 * is now part of another block.
	 */
	block_end(heap, address, time_ns);
	if (bytes)
		block_begin(heap, callers, address, bytes, time_ns);
}

struct allocations *allocations_copy(const struct allocations *heap)
{
	struct allocations *copy = allocations_new();

	for (size_t i = 0; copy && i < heap->blocks_count; i++) {
		const struct block *block = &heap->blocks[i];

		if (block->live_bytes)
			block_begin(copy, heap->sites[block->site].site.callers, block->address,
				    block->live_bytes, 0);
	}
	return copy;
}

/* ---- the rows -------------------------------------------------------------------------------- */

static int by_address(const void *left, const void *right)
{
	const struct block *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/*
 * Check whether @next is adjacent to the last block of @row and has the same size and the same
 * site.
 */
static int continues(const struct Monitor_block *row, const struct block *next)
{
	uint64_t last = row->address + (row->count - 1) * row->stride;

	if (row->site != next->site || row->bytes != next->bytes ||
	    row->bytes >= ALLOCATIONS_LARGE_BYTES || next->address < last + row->bytes ||
	    next->address - last - row->bytes >= ALLOCATIONS_GAP_BYTES)
		return 0;
	return row->count == 1 || next->address - last == row->stride;
}

static void continue_row(struct Monitor_block *row, const struct block *next)
{
	if (row->count++ == 1)
		row->stride = next->address - row->address;
	row->uses += next->uses;
	if (row->begin_ns > next->begin_ns)
		row->begin_ns = next->begin_ns;
	if (row->end_ns < next->end_ns)
		row->end_ns = next->end_ns;
}

/*
 * Sort the blocks by address, and make rows of them. Return: the rows; NULL if memory is missing.
 */
static struct Monitor_block *rows_of(struct allocations *heap, size_t *count)
{
	struct Monitor_block *rows = calloc(heap->blocks_count + 1, sizeof(*rows));

	*count = 0;
	if (!rows)
		return NULL;
	qsort(heap->blocks, heap->blocks_count, sizeof(*heap->blocks), by_address);
	for (size_t i = 0; i < heap->blocks_count; i++) {
		const struct block *block = &heap->blocks[i];

		if (*count && continues(&rows[*count - 1], block)) {
			continue_row(&rows[*count - 1], block);
			continue;
		}
		rows[(*count)++] = (struct Monitor_block){
			.address = block->address,
			.bytes = block->bytes,
			.count = 1,
			.stride = block->bytes,
			.uses = block->uses,
			.begin_ns = block->begin_ns,
			.end_ns = block->end_ns,
			.site = block->site,
		};
	}
	return rows;
}

static int by_size(const void *left, const void *right)
{
	const struct Monitor_block *a = left, *b = right;
	uint64_t a_bytes = a->count * a->bytes, b_bytes = b->count * b->bytes;

	if (a_bytes != b_bytes)
		return a_bytes > b_bytes ? -1 : 1;
	return a->address < b->address ? -1 : a->address > b->address;
}

static int by_row_address(const void *left, const void *right)
{
	const struct Monitor_block *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->site < b->site ? -1 : a->site > b->site;
}

/*
 * If there are too many rows, merge neighbouring small blocks. If there are still too many, keep
 * only the largest rows. Return: the number of rows.
 */
static size_t leave_out(struct allocations *heap, struct Monitor_block *rows, size_t count)
{
	for (size_t most = 16; count > REPORTED_MAX && most < BLOCKS_MAX; most *= 4)
		count = small_blocks_merge(rows, count, most);
	if (count <= REPORTED_MAX)
		return count;
	qsort(rows, count, sizeof(*rows), by_size);
	for (size_t i = REPORTED_MAX; i < count; i++)
		heap->sites[rows[i].site].site.lost += rows[i].uses;
	qsort(rows, REPORTED_MAX, sizeof(*rows), by_row_address);
	return REPORTED_MAX;
}

int allocations_rows(struct allocations *heap, struct allocations_rows *rows)
{
	*rows = (struct allocations_rows){0};
	rows->list = rows_of(heap, &rows->count);
	if (!rows->list)
		return -ENOMEM;
	rows->count = leave_out(heap, rows->list, rows->count);
	return 0;
}

int allocations_write(const struct allocations *heap, const struct allocations_rows *rows,
		      struct Monitor *mon)
{
	int err = 0;

	for (size_t i = 0; i < heap->sites_count && err >= 0; i++)
		err = Monitor_site_add(mon, &heap->sites[i].site);
	for (size_t i = 0; i < rows->count && err >= 0; i++)
		err = Monitor_block_add(mon, &rows->list[i]);
	return err < 0 ? err : 0;
}

uint64_t allocations_all(const struct allocations *heap)
{
	uint64_t all = 0;

	for (size_t i = 0; i < heap->sites_count; i++)
		all += heap->sites[i].site.blocks;
	return all;
}

uint64_t allocations_lost(const struct allocations *heap)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < heap->sites_count; i++)
		lost += heap->sites[i].site.lost;
	return lost;
}
