/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tally: where chunks come from, and how they are handed out. See tally.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

/* Chunks that are allocated at once. */
#define SLAB_CHUNKS 128U
#define TABLE_FIRST 256U

static size_t chunk_blocks(const struct tally *tally)
{
	return (size_t)1 << tally->chunk_bits;
}

struct tally *tally_create(unsigned nodes, unsigned block_bytes)
{
	struct tally *tally = calloc(1, sizeof(*tally));

	if (!tally)
		return NULL;
	tally->nodes = nodes;
	tally->sources = calloc(nodes, sizeof(*tally->sources));
	tally->shift = (unsigned)__builtin_ctz(block_bytes);
	tally->chunk_bits = (unsigned)__builtin_ctz(SMILE_PAGE_BYTES) - tally->shift;
	if (tally->chunk_bits > TALLY_CHUNK_BITS)
		tally->chunk_bits = TALLY_CHUNK_BITS;
	tally->key_shift = tally->shift + tally->chunk_bits;
	if (!tally->sources) {
		free(tally);
		return NULL;
	}
	return tally;
}

void tally_destroy(struct tally *tally)
{
	if (!tally)
		return;
	for (unsigned n = 0; n < tally->nodes; n++)
		free(tally->sources[n].table);
	for (size_t i = 0; i < tally->slabs_count; i++)
		free(tally->slabs[i]);
	free(tally->slabs);
	free(tally->spare);
	free(tally->sources);
	free(tally);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static int pointers_reserve(void ***list, size_t *size, size_t count)
{
	size_t larger = *size ? 2 * *size : SLAB_CHUNKS;
	void **grown;

	if (count <= *size)
		return 0;
	while (larger < count)
		larger *= 2;
	grown = realloc(*list, larger * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	*list = grown;
	*size = larger;
	return 0;
}

/* Room for all chunks there are: so giving one back never fails. */
static int slab_add(struct tally *tally)
{
	size_t blocks = chunk_blocks(tally), chunks = (tally->slabs_count + 1) * SLAB_CHUNKS;
	uint32_t *slab;

	if (pointers_reserve(&tally->slabs, &tally->slabs_size, tally->slabs_count + 1) < 0 ||
	    pointers_reserve((void ***)&tally->spare, &tally->spare_size, chunks) < 0)
		return -ENOMEM;
	slab = calloc(SLAB_CHUNKS * blocks, sizeof(*slab));
	if (!slab)
		return -ENOMEM;
	tally->slabs[tally->slabs_count++] = slab;
	/* The last one is used first. */
	for (size_t i = SLAB_CHUNKS; i-- > 0;)
		tally->spare[tally->spare_count++] = slab + i * blocks;
	return 0;
}

static size_t key_start(uint64_t key, size_t size)
{
	return (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & (size - 1);
}

static struct tally_slot *table_find(const struct tally_source *source, uint64_t key)
{
	size_t at = key_start(key, source->size);

	while (source->table[at].key && source->table[at].key != key)
		at = (at + 1) & (source->size - 1);
	return &source->table[at];
}

/* At most half full. */
static int table_grow(struct tally_source *source)
{
	struct tally_source larger = {.size = source->size ? 2 * source->size : TABLE_FIRST};

	if (2 * source->used < source->size)
		return 0;
	larger.table = calloc(larger.size, sizeof(*larger.table));
	if (!larger.table)
		return -ENOMEM;
	for (size_t i = 0; i < source->size; i++)
		if (source->table[i].key)
			*table_find(&larger, source->table[i].key) = source->table[i];
	free(source->table);
	source->table = larger.table;
	source->size = larger.size;
	return 0;
}

uint32_t *tally_find(struct tally *tally, unsigned node, uint64_t what)
{
	struct tally_source *source = &tally->sources[node];
	uint64_t key = ((what & TALLY_WHAT) >> tally->key_shift) + 1;
	struct tally_slot *slot;

	if (table_grow(source) < 0)
		return NULL;
	slot = table_find(source, key);
	if (!slot->key) {
		if (!tally->spare_count && slab_add(tally) < 0)
			return NULL;
		*slot = (struct tally_slot){key, tally->spare[--tally->spare_count]};
		source->used++;
	}
	*tally_cached(source->cache, key, what) = *slot;
	return slot->counts;
}

/* All chunks go back, as zeros. */
static void source_clear(struct tally *tally, struct tally_source *source)
{
	for (size_t i = 0; i < source->size; i++) {
		if (!source->table[i].key)
			continue;
		memset(source->table[i].counts, 0,
		       chunk_blocks(tally) * sizeof(*source->table[i].counts));
		tally->spare[tally->spare_count++] = source->table[i].counts;
	}
	/* Not kept at the size of the largest phase: there can be many small ones. */
	free(source->table);
	source->table = NULL;
	source->size = 0;
	source->used = 0;
	memset(source->cache, 0, sizeof(source->cache));
}

/* ---- handing out ----------------------------------------------------------------------------- */

/* The first request of a chunk, without its source. */
static uint64_t slot_what(const struct tally *tally, const struct tally_slot *slot)
{
	return (slot->key - 1) << tally->key_shift;
}

/**
 * struct chunk - A chunk in its place in the order.
 * @order: page and home, then the rest of the address, then the type
 * @slot: it
 */
struct chunk {
	uint64_t order;
	struct tally_slot slot;
};

static int chunk_compare(const void *a, const void *b)
{
	const struct chunk *one = a, *other = b;

	return (one->order > other->order) - (one->order < other->order);
}

/* @address is below 2^48, and there are 6 bits of home and 2 of type. */
static uint64_t what_order(uint64_t what)
{
	uint64_t address = what & BLINK_REQUEST_ADDRESS;

	return address / SMILE_PAGE_BYTES << 20 | SMILE_GET(BLINK_REQUEST_TARGET, what) << 14 |
	       address % SMILE_PAGE_BYTES << 2 | SMILE_GET(BLINK_REQUEST_TYPE, what);
}

static struct chunk *source_sorted(const struct tally *tally, const struct tally_source *source)
{
	struct chunk *list = malloc((source->used + 1) * sizeof(*list));
	size_t count = 0;

	if (!list)
		return NULL;
	for (size_t i = 0; i < source->size; i++) {
		const struct tally_slot *slot = &source->table[i];

		if (slot->key)
			list[count++] = (struct chunk){what_order(slot_what(tally, slot)), *slot};
	}
	qsort(list, count, sizeof(*list), chunk_compare);
	return list;
}

/* Hand out a row of counts; @what has no source. */
static void row_deliver(unsigned node, uint64_t what, const uint32_t *counts, size_t count,
			tally_take *take, void *opaque)
{
	take(opaque, node, (unsigned)SMILE_GET(BLINK_REQUEST_TARGET, what),
	     what | SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node), counts, count);
}

static int source_deliver(struct tally *tally, unsigned node, tally_take *take, void *opaque)
{
	struct tally_source *source = &tally->sources[node];
	struct chunk *list = source->used ? source_sorted(tally, source) : NULL;

	if (!source->used)
		return 0;
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < source->used; i++)
		row_deliver(node, slot_what(tally, &list[i].slot), list[i].slot.counts,
			    chunk_blocks(tally), take, opaque);
	free(list);
	source_clear(tally, source);
	return 0;
}

int tally_deliver(struct tally *tally, tally_take *take, void *opaque)
{
	const uint32_t half = 1U << 31;
	int err = 0;

	for (unsigned n = 0; n < tally->nodes && err == 0; n++)
		err = source_deliver(tally, n, take, opaque);
	for (size_t i = 0; i < 2 * tally->overflows_count && err == 0; i++) {
		uint64_t what = tally->overflows[i / 2];

		row_deliver((unsigned)SMILE_GET(BLINK_REQUEST_SOURCE, what),
			    (what & TALLY_WHAT) >> tally->shift << tally->shift, &half, 1, take,
			    opaque);
	}
	if (err == 0)
		tally->overflows_count = 0;
	return err;
}

/* ---- size ------------------------------------------------------------------------------------ */

/* Blocks of which any type has a count; @list: the types' chunks, [@types]. */
static uint64_t blocks_of(const struct tally *tally, const struct chunk *list, size_t types)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < chunk_blocks(tally); i++) {
		uint32_t any = 0;

		for (size_t t = 0; t < types; t++)
			any |= list[t].slot.counts[i];
		blocks += any != 0;
	}
	return blocks;
}

#define ORDER_PAGE_SHIFT 14U /* page and home */
#define ORDER_TYPE_BITS 2U

int tally_size(const struct tally *tally, uint64_t *blocks, uint64_t *pages)
{
	*blocks = 0;
	*pages = 0;
	for (unsigned n = 0; n < tally->nodes; n++) {
		const struct tally_source *source = &tally->sources[n];
		struct chunk *list = source_sorted(tally, source);
		size_t next;

		if (!list)
			return -ENOMEM;
		for (size_t i = 0; i < source->used; i = next) {
			for (next = i + 1;
			     next < source->used && list[next].order >> ORDER_TYPE_BITS ==
							    list[i].order >> ORDER_TYPE_BITS;)
				next++;
			*blocks += blocks_of(tally, list + i, next - i);
			*pages += !i || list[i].order >> ORDER_PAGE_SHIFT !=
						list[i - 1].order >> ORDER_PAGE_SHIFT;
		}
		free(list);
	}
	return 0;
}
