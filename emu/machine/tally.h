/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tally: counts of requests, for callers that do not need the order of the requests.
 *
 * What lives here: counts by source, home, type and block of memory. The blocks are grouped in
 * chunks. Each chunk has an array of counts. Each source has a hash table that finds these arrays,
 * and a cache that is searched before the table. If only few blocks of a chunk are accessed, the
 * blocks are counted one by one (sparse.h). Most counts are small, so a count has only 16 bits; a
 * table stores the number of times that a count has wrapped. May use include/, sparse.h and the C
 * library except <stdio.h>.
 */
#ifndef EMU_MACHINE_TALLY_H
#define EMU_MACHINE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "sparse.h"

/* log2 of the largest number of blocks in a chunk. A chunk never extends beyond a page. */
#define TALLY_CHUNK_BITS 7U

/*
 * The number of chunks that are created even if only one of their blocks is accessed. Further
 * chunks are created only if they need at most TALLY_BLOCK_BYTES of new memory for each of their
 * accessed blocks.
 */
#define TALLY_CHUNKS_FREE 8192U
#define TALLY_BLOCK_BYTES 32U
/* The largest number of bytes that a table needs for a chunk. */
#define TALLY_SLOT_BYTES 64U

/*
 * The number of chunks in the cache of a source. Initially, it is TALLY_CACHE. The cache grows with
 * the table of the source, up to TALLY_CACHE_MAX.
 */
#define TALLY_CACHE 8192U
#define TALLY_CACHE_MAX (1U << 20)

/* The fields of a request that identify a chunk: address, home and type. */
#define TALLY_WHAT (BLINK_REQUEST_ADDRESS | BLINK_REQUEST_TARGET | BLINK_REQUEST_TYPE)

/* The lower one of the two bits of a request that hold the type. */
#define TALLY_TYPE_SHIFT 54

/* The number of bits of a block's count. A larger count wraps. */
#define TALLY_COUNT_BITS 16U
/* Marks keys of chunks in tally_source.wraps. The keys of blocks are smaller. */
#define TALLY_WRAPS_CHUNK (1ULL << 63)

/**
 * struct tally_slot - A chunk of one source, in the table or the cache.
 * @key: a request to the chunk, without its source, shifted by tally.key_shift, plus one; 0: the
 *       slot is empty
 * @counts: counts of the blocks in the chunk; shape [1 << tally.chunk_bits]
 */
struct tally_slot {
	uint64_t key;
	uint16_t *counts;
};

/**
 * struct tally_wraps - The number of times that the count of a block has wrapped.
 * @key: for a block: a request to the block, without its source, shifted by tally.shift, plus one.
 *       For a chunk in which counts have wrapped: the key of the chunk, with TALLY_WRAPS_CHUNK set
 * @count: number of times that the count has wrapped
 */
struct tally_wraps {
	uint64_t key;
	uint64_t count;
};

/**
 * struct tally_source - The requests of one node.
 * @cache: recently used slots of @table, by the low bits of their keys; shape [@cached]
 * @cached: number of slots in the cache, a power of two
 * @quarter: log2 of a quarter of @cached
 * @table: hash table of all chunks; shape [@size]
 * @size: number of slots in the table: a power of two, or 0
 * @used: number of chunks in the table
 * @sparse: blocks that are in no chunk
 * @wraps: hash table of struct tally_wraps; always has room for another block and its chunk, unless
 *         tally.crowded
 * @last: cycle of the last request that was counted, by home
 */
struct tally_source {
	struct tally_slot *cache;
	size_t cached;
	unsigned quarter;
	struct tally_slot *table;
	size_t size;
	size_t used;
	struct sparse sparse;
	struct hash_table wraps;
	uint64_t last[BLINK_REQUEST_NODES];
};

/**
 * struct tally - The counts of all nodes.
 * @shift: log2 of the size of a block in bytes
 * @chunk_bits: log2 of the number of blocks in a chunk
 * @key_shift: log2 of the size of a chunk in bytes, which is @shift + @chunk_bits
 * @sources: requests of each node; shape [@nodes]
 * @nodes: number of nodes
 * @spare: chunks that are in no table, and whose counts are all zero; shape [@spare_count]
 * @spare_count: number of spare chunks
 * @spare_size: number of chunks for which @spare has room
 * @used: number of chunks in the tables of all sources
 * @used_most: the largest value that @used has had, but at least TALLY_CHUNKS_FREE
 * @slabs: slabs, which are the memory of the chunks; shape [@slabs_count]
 * @slabs_count: number of slabs
 * @slabs_size: number of slabs for which @slabs has room
 * @bytes_most: the largest number of bytes that the chunks and tables may use; UINT64_MAX: no limit
 * @crowded: a source has no room for another count that wraps
 */
struct tally {
	unsigned shift;
	unsigned chunk_bits;
	unsigned key_shift;
	struct tally_source *sources;
	unsigned nodes;
	uint16_t **spare;
	size_t spare_count;
	size_t spare_size;
	size_t used;
	size_t used_most;
	void **slabs;
	size_t slabs_count;
	size_t slabs_size;
	uint64_t bytes_most;
	bool crowded;
};

/**
 * tally_create() - Create a tally whose counts are all zero.
 * @block_bytes: size of a block: a power of two from SMILE_MAX_RANGE_MIN to SMILE_PAGE_BYTES
 *
 * Return: the tally; NULL if memory ran out.
 */
struct tally *tally_create(unsigned nodes, unsigned block_bytes);
void tally_destroy(struct tally *tally);

/**
 * tally_limit() - Limit the memory for counts to @bytes from now on. At this limit, the tally
 * behaves as if memory had run out.
 *
 * If this function is not called, only the system limits this memory. After tally_deliver(), all of
 * the memory is available for new counts.
 */
void tally_limit(struct tally *tally, uint64_t bytes);

/*
 * Count a request whose chunk is not in the cache. Return: false if the request was not counted,
 * because memory ran out.
 */
bool tally_count_apart(struct tally *tally, unsigned source, uint64_t what);

/* Record that a count of a block has wrapped to 0. */
void tally_wrap(struct tally *tally, unsigned source, uint64_t what);

/* Check whether all counts must be delivered before another request is counted. */
static inline bool tally_crowded(const struct tally *tally)
{
	return tally->crowded;
}

static inline struct tally_slot *tally_cached(const struct tally_source *source, uint64_t key,
					      uint64_t what)
{
	/*
	 * Each type has its own quarter of the cache, so that the reads and the writes of the same
	 * words do not replace each other's entries.
	 */
	return &source->cache[(key ^ (what >> TALLY_TYPE_SHIFT) << source->quarter) &
			      (source->cached - 1)];
}

/*
 * The numbers of bits that divide an address into chunk and block. They do not change while
 * requests are counted.
 */
struct tally_shape {
	unsigned shift;
	unsigned chunk_bits;
};

static inline struct tally_shape tally_shape(const struct tally *tally)
{
	return (struct tally_shape){tally->shift, tally->chunk_bits};
}

/*
 * Prefetch the count of a request that will be counted soon. This function is always inlined. If it
 * were not, the compiler would find that a function which only prefetches has no effect, and would
 * omit the calls.
 */
static inline __attribute__((always_inline)) void
tally_prefetch(const struct tally *tally, struct tally_shape shape, unsigned node, uint64_t what)
{
	uint64_t key = ((what & TALLY_WHAT) >> (shape.shift + shape.chunk_bits)) + 1;
	const struct tally_slot *slot = tally_cached(&tally->sources[node], key, what);

	if (slot->key == key)
		__builtin_prefetch(
			&slot->counts[what >> shape.shift & ((1U << shape.chunk_bits) - 1)], 1);
}

/*
 * Count a request. @shape is the shape of @tally. The shape is an argument, so that the compiler
 * can generate separate code for the usual shape. Return: true if the request was counted; false if
 * memory ran out.
 */
static inline __attribute__((always_inline)) bool
tally_count(struct tally *tally, struct tally_shape shape, unsigned node, uint64_t what)
{
	uint64_t key = ((what & TALLY_WHAT) >> (shape.shift + shape.chunk_bits)) + 1;
	struct tally_slot *slot = tally_cached(&tally->sources[node], key, what);
	uint16_t *count;

	if (__builtin_expect(slot->key != key, 0))
		return tally_count_apart(tally, node, what);
	count = &slot->counts[what >> shape.shift & ((1U << shape.chunk_bits) - 1)];
	if (__builtin_expect(++*count == 0, 0))
		tally_wrap(tally, node, what);
	return true;
}

/**
 * typedef tally_take - Receive some counts of requests between two nodes.
 * @request: request to the first block; format BLINK_REQUEST_*
 * @counts: counts of the first block and of the blocks after it, which are all in one page; shape
 *          [@count]
 */
typedef void tally_take(void *opaque, unsigned source, unsigned home, uint64_t request,
			const uint32_t *counts, size_t count);

/**
 * tally_deliver() - Deliver all counts, and reset them to 0.
 *
 * All counts with the same source, page and home are delivered one after another, in ascending
 * order of addresses. If the memory for sorting the counts runs out, they are delivered in any
 * order. If a count does not fit into 32 bits, it is delivered in several parts.
 */
void tally_deliver(struct tally *tally, tally_take *take, void *opaque);

/**
 * tally_size() - Get the number of blocks with counts and the number of pages with counts, by
 * source and home.
 *
 * If a block is in a chunk for one type and is counted as a single block for another type, the
 * number includes the block twice. If the count of a block is 0 because the count has just wrapped,
 * the number does not include the block.
 *
 * Return: 0; -ENOMEM.
 */
int tally_size(const struct tally *tally, uint64_t *blocks, uint64_t *pages);

#endif /* EMU_MACHINE_TALLY_H */
