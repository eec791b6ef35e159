/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tally: how often each transaction was made, if their order does not matter.
 *
 * What lives here: counts by source, home, type and block of memory, in arrays that are found
 * through a cache and a table of each source; blocks far apart are counted one by one (sparse.h).
 * Counts have 16 bits: most words are accessed less often, and many are counted. How often one has
 * wrapped is in a table. It may use include/, sparse.h and the C library without <stdio.h>.
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

/* Blocks of a chunk, at most: a chunk lies in one page. */
#define TALLY_CHUNK_BITS 7U

/*
 * The number of chunks that are made for a single block each. After these, a chunk that needs new
 * memory is made only once it takes at most TALLY_BLOCK_BYTES for each of its accessed blocks.
 */
#define TALLY_CHUNKS_FREE 8192U
#define TALLY_BLOCK_BYTES 32U
/* The most bytes that a chunk takes in a table. */
#define TALLY_SLOT_BYTES 64U

/* Chunks that a source remembers at first; and at most, if its table has room for as many. */
#define TALLY_CACHE 8192U
#define TALLY_CACHE_MAX (1U << 20)

/* Address, home and type of a request: the parts of a chunk's key. */
#define TALLY_WHAT (BLINK_REQUEST_ADDRESS | BLINK_REQUEST_TARGET | BLINK_REQUEST_TYPE)

/* The type: two bits of the request, from this one on. */
#define TALLY_TYPE_SHIFT 54

/* Where a count of a block wraps. */
#define TALLY_COUNT_BITS 16U
/* Marks the key of a chunk in tally_source.wraps; keys of blocks are smaller. */
#define TALLY_WRAPS_CHUNK (1ULL << 63)

/**
 * struct tally_slot - A chunk of one source.
 * @key: a request of the chunk, without its source, shifted by tally.key_shift, plus one; 0: the
 *       slot is empty
 * @counts: by block; [1 << tally.chunk_bits]
 */
struct tally_slot {
	uint64_t key;
	uint16_t *counts;
};

/**
 * struct tally_wraps - How often the count of a block has wrapped.
 * @key: of the block: a request, without its source, shifted by tally.shift, plus one; or of a
 *       chunk that has such blocks: its key and TALLY_WRAPS_CHUNK
 * @count: how often
 */
struct tally_wraps {
	uint64_t key;
	uint64_t count;
};

/**
 * struct tally_source - The requests of one node.
 * @cache: recently used slots of @table, by the lowest bits of their keys; [@cached]
 * @cached: a power of two
 * @quarter: log2 of a quarter of @cached
 * @table: all chunks; [@size]
 * @size: a power of two, or 0
 * @used: chunks
 * @sparse: blocks that are in no chunk
 * @wraps: of struct tally_wraps; with room for one more block
 * @last: cycle of the last request counted, by home
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
 * struct tally - All of it.
 * @shift: log2 of a block's bytes
 * @chunk_bits: log2 of a chunk's blocks
 * @key_shift: both together
 * @sources: by node; [@nodes]
 * @nodes: how many
 * @spare: chunks of zeros that are in no table, [@spare_count]
 * @spare_count: how many
 * @spare_size: room
 * @used: chunks of all sources
 * @used_most: the most chunks at one time, or TALLY_CHUNKS_FREE
 * @slabs: memory of chunks, [@slabs_count]
 * @slabs_count: how many
 * @slabs_size: room
 * @bytes_most: that chunks and tables may take
 * @crowded: there is no room for one more block in the wraps of a source
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
 * tally_create() - Nothing is counted yet.
 * @block_bytes: a power of two from SMILE_MAX_RANGE_MIN to SMILE_PAGE_BYTES
 *
 * Return: NULL without memory.
 */
struct tally *tally_create(unsigned nodes, unsigned block_bytes);
void tally_destroy(struct tally *tally);

/**
 * tally_limit() - From now on, counts take at most @bytes: beyond them, there is no memory.
 *
 * Without this call, counts take as much memory as the system gives. Delivering frees all of it.
 */
void tally_limit(struct tally *tally, uint64_t bytes);

/* Count a request whose chunk is not in the cache. Return: whether it was; false without memory. */
bool tally_count_apart(struct tally *tally, unsigned source, uint64_t what);

/* A count of a block has become 0 again. */
void tally_wrap(struct tally *tally, unsigned source, uint64_t what);

/* Must all counts be delivered before another one? */
static inline bool tally_crowded(const struct tally *tally)
{
	return tally->crowded;
}

static inline struct tally_slot *tally_cached(const struct tally_source *source, uint64_t key,
					      uint64_t what)
{
	/* Each type has a quarter of its own, since words that are written are often read, too. */
	return &source->cache[(key ^ (what >> TALLY_TYPE_SHIFT) << source->quarter) &
			      (source->cached - 1)];
}

/*
 * The parameters that map addresses to blocks and chunks, which do not change while requests are
 * counted.
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
 * Prefetch for a request that will be counted soon. Always inline: the compiler takes a function
 * that only prefetches for one without effects, and leaves its calls out.
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
 * Count a request. @shape: the shape of @tally, an argument so that the usual one is compiled
 * separately. Return: true; false if it was not counted for lack of memory.
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
 * typedef tally_take - Some counts of requests between two nodes.
 * @request: BLINK_REQUEST_*, to the first block
 * @counts: of this block and those after it, in one page; shape [@count]
 */
typedef void tally_take(void *opaque, unsigned source, unsigned home, uint64_t request,
			const uint32_t *counts, size_t count);

/**
 * tally_deliver() - Report all counts and reset them to 0.
 *
 * Those of a source, page and home are delivered together, by address; without memory for the
 * sorting, in any order. A count beyond 32 bits comes in several parts.
 */
void tally_deliver(struct tally *tally, tally_take *take, void *opaque);

/**
 * tally_size() - Number of blocks with counts, by source and home; likewise of pages.
 *
 * A block that is in a chunk for some types, and in none for others, counts twice. One whose count
 * has just wrapped is left out.
 *
 * Return: 0; -ENOMEM.
 */
int tally_size(const struct tally *tally, uint64_t *blocks, uint64_t *pages);

#endif /* EMU_MACHINE_TALLY_H */
