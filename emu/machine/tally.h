/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tally: how often each request was made, if their order does not matter.
 *
 * What lives here: counts by source, home, type and block of memory, in arrays that are found
 * through a cache and a table of each source; blocks that are far from each other are counted one
 * by one (sparse.h). Counts have 16 bits, since most words are accessed less often, and there are
 * many counts. A table stores how often a count has wrapped. It may use include/, sparse.h and the
 * C library without <stdio.h>.
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

/* The largest number of blocks in a chunk: a chunk is in one page. */
#define TALLY_CHUNK_BITS 7U

/*
 * The number of chunks that are created even for a single block each. After these, a chunk that
 * needs new memory is created only when it needs at most TALLY_BLOCK_BYTES for each of its accessed
 * blocks.
 */
#define TALLY_CHUNKS_FREE 8192U
#define TALLY_BLOCK_BYTES 32U
/* The most bytes that a chunk occupies in a table. */
#define TALLY_SLOT_BYTES 64U

/*
 * The number of chunks that a source remembers at first; and the largest number, if its table has
 * room for as many.
 */
#define TALLY_CACHE 8192U
#define TALLY_CACHE_MAX (1U << 20)

/* Address, home and type of a request: the parts of a chunk's key. */
#define TALLY_WHAT (BLINK_REQUEST_ADDRESS | BLINK_REQUEST_TARGET | BLINK_REQUEST_TYPE)

/* The type: two bits of the request, from this one on. */
#define TALLY_TYPE_SHIFT 54

/* The number of bits at which a count of a block wraps. */
#define TALLY_COUNT_BITS 16U
/* Marks the key of a chunk in tally_source.wraps; keys of blocks are smaller. */
#define TALLY_WRAPS_CHUNK (1ULL << 63)

/**
 * struct tally_slot - A chunk of one source.
 * @key: a request of the chunk, without its source, shifted by tally.key_shift, plus one; 0: the
 *       slot is empty
 * @counts: the counts of its blocks; shape [1 << tally.chunk_bits]
 */
struct tally_slot {
	uint64_t key;
	uint16_t *counts;
};

/**
 * struct tally_wraps - How often the count of a block has wrapped.
 * @key: for a block, a request, without its source, shifted by tally.shift, plus one; or, for a
 *       chunk that has such blocks, the chunk's key and TALLY_WRAPS_CHUNK
 * @count: how often it has wrapped
 */
struct tally_wraps {
	uint64_t key;
	uint64_t count;
};

/**
 * struct tally_source - The requests of one node.
 * @cache: recently used slots of @table, by the lowest bits of their keys; shape [@cached]
 * @cached: a power of two
 * @quarter: log2 of a quarter of @cached
 * @table: all chunks; shape [@size]
 * @size: a power of two, or 0
 * @used: number of chunks
 * @sparse: blocks that are in no chunk
 * @wraps: entries of struct tally_wraps; with room for another block
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
 * @shift: log2 of a block's bytes
 * @chunk_bits: log2 of a chunk's blocks
 * @key_shift: sum of both
 * @sources: the requests of each node; shape [@nodes]
 * @nodes: number of nodes
 * @spare: chunks of zeros that are in no table; shape [@spare_count]
 * @spare_count: number of spare chunks
 * @spare_size: number of chunks for which @spare has room
 * @used: number of chunks of all sources
 * @used_most: the largest number of chunks at one time, or TALLY_CHUNKS_FREE
 * @slabs: memory of chunks; shape [@slabs_count]
 * @slabs_count: number of slabs
 * @slabs_size: number of slabs for which @slabs has room
 * @bytes_most: the largest memory for chunks and tables
 * @crowded: the wraps of a source have no room for another block
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
 * tally_create() - Create a tally without counts.
 * @block_bytes: a power of two from SMILE_MAX_RANGE_MIN to SMILE_PAGE_BYTES
 *
 * Return: NULL if there is no memory.
 */
struct tally *tally_create(unsigned nodes, unsigned block_bytes);
void tally_destroy(struct tally *tally);

/**
 * tally_limit() - Limit the memory for counts to @bytes from now on: beyond this limit, there is no
 * memory.
 *
 * Without this call, counts take as much memory as the system gives. A delivery frees all of it.
 */
void tally_limit(struct tally *tally, uint64_t bytes);

/*
 * Count a request whose chunk is not in the cache. Return: whether it was counted; false if there
 * is no memory. False without memory.
 */
bool tally_count_apart(struct tally *tally, unsigned source, uint64_t what);

/* Handle a count of a block that has become 0 again. */
void tally_wrap(struct tally *tally, unsigned source, uint64_t what);

/* Must all counts be delivered before another one? */
static inline bool tally_crowded(const struct tally *tally)
{
	return tally->crowded;
}

static inline struct tally_slot *tally_cached(const struct tally_source *source, uint64_t key,
					      uint64_t what)
{
	/*
	 * Each type has its own quarter of the cache, since words that are written are often read,
	 * too.
	 */
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
 * Prefetch for a request that will be counted soon. This is always inlined: the compiler would
 * treat a function that only prefetches as one without effects, and omit its calls.
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
 * typedef tally_take - Receive some counts of requests between two nodes.
 * @request: BLINK_REQUEST_*, to the first block
 * @counts: counts of this block and of those after it, in one page; shape [@count]
 */
typedef void tally_take(void *opaque, unsigned source, unsigned home, uint64_t request,
			const uint32_t *counts, size_t count);

/**
 * tally_deliver() - Report all counts and reset them to 0.
 *
 * The counts of a source, page and home are delivered together, by address; if there is no memory
 * to sort them, in any order. A count beyond 32 bits is delivered in several parts.
 */
void tally_deliver(struct tally *tally, tally_take *take, void *opaque);

/**
 * tally_size() - Get the number of blocks with counts, by source and home; and the number of pages.
 *
 * A block that is in a chunk for some types, but not for others, counts twice. A block whose count
 * has just wrapped is left out.
 *
 * Return: 0; -ENOMEM.
 */
int tally_size(const struct tally *tally, uint64_t *blocks, uint64_t *pages);

#endif /* EMU_MACHINE_TALLY_H */
