/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tally: creating chunks of counts, and delivering the counts. See tally.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <base/array.h>
#include <base/field.h>

#include "tally.h"

/*
 * The number of chunks in a slab. The chunks of a slab are allocated together: if blocks are words,
 * a slab fills a huge page. Accesses to counts are spread over all chunks, so with small pages each
 * of them would cause a TLB miss.
 */
#define SLAB_CHUNKS 8192U
#define TABLE_FIRST 256U
/* The number of slabs that may be allocated even if the memory limit is lower. */
#define TALLY_SLABS_LEAST 16U

static size_t chunk_blocks(const struct tally *tally)
{
	return (size_t)1 << tally->chunk_bits;
}

/*
 * Get the smallest number of counted blocks for which a chunk needs no more memory than single
 * blocks.
 */
static unsigned sparse_limit(const struct tally *tally)
{
	size_t blocks = chunk_blocks(tally);
	size_t limit = (blocks * sizeof(uint16_t) + TALLY_SLOT_BYTES) / TALLY_BLOCK_BYTES;

	/*
	 * Single blocks must not be used for most of a chunk, because the search among them would
	 * take too long.
	 */
	return (unsigned)(limit < blocks / 2 ? limit : blocks / 2);
}

/*
 * Replace the cache of a source by an empty one for @slots chunks. Return: 0; -ENOMEM, and then
 * nothing has changed.
 */
static int cache_make(struct tally_source *source, size_t slots)
{
	struct tally_slot *cache = calloc(slots, sizeof(*cache));

	if (!cache)
		return -ENOMEM;
	free(source->cache);
	source->cache = cache;
	source->cached = slots;
	source->quarter = (unsigned)__builtin_ctzll(slots) - 2;
	return 0;
}

/* Reserve entries for the next block whose count wraps, and for the chunk of this block. */
static int wraps_reserve(struct tally_source *source)
{
	return hash_table_reserve(&source->wraps, 2, sizeof(struct tally_wraps));
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
	tally->used_most = TALLY_CHUNKS_FREE;
	tally->bytes_most = UINT64_MAX;
	for (unsigned n = 0; n < nodes; n++) {
		if (cache_make(&tally->sources[n], TALLY_CACHE) < 0 ||
		    wraps_reserve(&tally->sources[n]) < 0) {
			tally_destroy(tally);
			return NULL;
		}
		tally->sources[n].sparse.chunk_bits = tally->chunk_bits;
		tally->sources[n].sparse.limit = sparse_limit(tally);
	}
	return tally;
}

static void slabs_free(struct tally *tally)
{
	for (size_t i = 0; i < tally->slabs_count; i++)
		free(tally->slabs[i]);
	tally->slabs_count = 0;
	tally->spare_count = 0;
}

void tally_destroy(struct tally *tally)
{
	if (!tally)
		return;
	for (unsigned n = 0; n < tally->nodes; n++) {
		free(tally->sources[n].cache);
		free(tally->sources[n].table);
		sparse_clear(&tally->sources[n].sparse);
		free(tally->sources[n].wraps.entries);
	}
	slabs_free(tally);
	free(tally->slabs);
	free(tally->spare);
	free(tally->sources);
	free(tally);
}

/* --- memory */

static size_t slab_bytes(const struct tally *tally)
{
	return SLAB_CHUNKS * chunk_blocks(tally) * sizeof(uint16_t);
}

/* Get the size of the memory that grows with the number of accessed blocks. */
static uint64_t bytes_used(const struct tally *tally)
{
	uint64_t bytes = tally->slabs_count * slab_bytes(tally);

	for (unsigned n = 0; n < tally->nodes; n++)
		bytes += tally->sources[n].size * sizeof(struct tally_slot) +
			 tally->sources[n].sparse.size * sizeof(uint64_t);
	return bytes;
}

/* Check whether the tally may allocate @bytes more. */
static bool room(const struct tally *tally, uint64_t bytes)
{
	return tally->bytes_most == UINT64_MAX || bytes_used(tally) + bytes <= tally->bytes_most;
}

void tally_limit(struct tally *tally, uint64_t bytes)
{
	uint64_t least = TALLY_SLABS_LEAST * slab_bytes(tally);

	tally->bytes_most = bytes > least ? bytes : least;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

/*
 * Allocate a slab, and add its chunks to @spare. Also reserve room in @spare for the chunks of all
 * slabs, so that a chunk can always be returned.
 */
static int slab_add(struct tally *tally)
{
	size_t chunks = (tally->slabs_count + 1) * SLAB_CHUNKS, bytes = slab_bytes(tally);
	bool first = tally->slabs_count == 0;
	uint16_t *slab;

	if (!room(tally, bytes) ||
	    array_reserve(&tally->slabs, &tally->slabs_size, tally->slabs_count,
			  sizeof(*tally->slabs)) < 0 ||
	    array_reserve(&tally->spare, &tally->spare_size, chunks - 1, sizeof(*tally->spare)) < 0)
		return -ENOMEM;
	/*
	 * A small program uses only a little of the first slab. The system provides this slab as
	 * zeros, so that the unused part occupies no memory.
	 */
	slab = first ? calloc(1, bytes) : aligned_alloc(bytes, bytes);
	if (!slab) {
		/*
		 * This error shows that the system has no more memory. Limit the tally to less than
		 * it uses now, because other parts of this process also need memory.
		 */
		tally_limit(tally, bytes_used(tally) / 4 * 3);
		return -ENOMEM;
	}
	if (!first) {
		/*
		 * If huge pages are not available, the slab is only slower to access, so ignore the
		 * error.
		 */
		(void)madvise(slab, bytes, MADV_HUGEPAGE);
		memset(slab, 0, bytes);
	}
	tally->slabs[tally->slabs_count++] = slab;
	/* Chunks are taken from the end of @spare, so add the first chunk of the slab last. */
	for (size_t i = SLAB_CHUNKS; i-- > 0;)
		tally->spare[tally->spare_count++] = slab + i * chunk_blocks(tally);
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

/* If the table is half full, double its size. */
static int table_grow(const struct tally *tally, struct tally_source *source)
{
	struct tally_source larger = {.size = source->size ? 2 * source->size : TABLE_FIRST};

	if (2 * source->used < source->size)
		return 0;
	if (!room(tally, larger.size * sizeof(*larger.table)))
		return -ENOMEM;
	larger.table = calloc(larger.size, sizeof(*larger.table));
	if (!larger.table)
		return -ENOMEM;
	for (size_t i = 0; i < source->size; i++)
		if (source->table[i].key)
			*table_find(&larger, source->table[i].key) = source->table[i];
	free(source->table);
	source->table = larger.table;
	source->size = larger.size;
	/* If memory runs out, the source keeps the smaller cache. */
	if (source->size > source->cached && source->size <= TALLY_CACHE_MAX)
		(void)cache_make(source, source->size);
	return 0;
}

static uint64_t what_key(const struct tally *tally, uint64_t what)
{
	return ((what & TALLY_WHAT) >> tally->key_shift) + 1;
}

static uint64_t what_block(const struct tally *tally, uint64_t what)
{
	return (what & TALLY_WHAT) >> tally->shift;
}

/* Create a chunk that does not exist yet, and move the counts of its single blocks into it. */
static struct tally_slot *slot_make(struct tally *tally, struct tally_source *source, uint64_t what)
{
	uint64_t key = what_key(tally, what);
	struct tally_slot *slot;

	if (table_grow(tally, source) < 0 || (!tally->spare_count && slab_add(tally) < 0))
		return NULL;
	slot = table_find(source, key);
	*slot = (struct tally_slot){key, tally->spare[--tally->spare_count]};
	source->used++;
	if (++tally->used > tally->used_most)
		tally->used_most = tally->used;
	sparse_move(&source->sparse, what_block(tally, what), slot->counts);
	return slot;
}

/* Return: the slot of the chunk; NULL if the chunk does not exist. */
static struct tally_slot *slot_find(const struct tally *tally, const struct tally_source *source,
				    uint64_t what)
{
	struct tally_slot *slot;

	if (!source->size)
		return NULL;
	slot = table_find(source, what_key(tally, what));
	return slot->key ? slot : NULL;
}

/* Get the counts of a slot, and add the slot to the cache. */
static uint16_t *slot_counts(struct tally_source *source, const struct tally_slot *slot,
			     uint64_t what)
{
	if (!slot)
		return NULL;
	*tally_cached(source, slot->key, what) = *slot;
	return slot->counts;
}

void tally_wrap(struct tally *tally, unsigned node, uint64_t what)
{
	struct tally_source *source = &tally->sources[node];
	struct tally_wraps *block =
		hash_table_put(&source->wraps, what_block(tally, what) + 1, sizeof(*block));

	block->count++;
	hash_table_put(&source->wraps, what_key(tally, what) | TALLY_WRAPS_CHUNK, sizeof(*block));
	tally->crowded |= wraps_reserve(source) < 0;
}

bool tally_count_apart(struct tally *tally, unsigned node, uint64_t what)
{
	struct tally_source *source = &tally->sources[node];
	struct tally_slot *slot = slot_find(tally, source, what);
	uint64_t block = what_block(tally, what);
	uint16_t *counts;

	if (!slot && tally->used >= tally->used_most) {
		int many;

		if (sparse_full(&source->sparse) &&
		    !room(tally, 2 * source->sparse.size * sizeof(uint64_t)))
			return false;
		many = sparse_count(&source->sparse, block);
		if (many <= 0)
			return many == 0;
	}
	if (!slot)
		slot = slot_make(tally, source, what);
	counts = slot_counts(source, slot, what);
	if (!counts)
		return false;
	if (++counts[block & (chunk_blocks(tally) - 1)] == 0)
		tally_wrap(tally, node, what);
	return true;
}

/* Set the counts of all chunks of a source to zero, and return the chunks to @spare. */
static void source_clear(struct tally *tally, struct tally_source *source)
{
	for (size_t i = 0; i < source->size; i++) {
		if (!source->table[i].key)
			continue;
		memset(source->table[i].counts, 0,
		       chunk_blocks(tally) * sizeof(*source->table[i].counts));
		tally->spare[tally->spare_count++] = source->table[i].counts;
	}
	tally->used -= source->used;
	sparse_clear(&source->sparse);
	if (source->wraps.used) {
		memset(source->wraps.entries, 0,
		       hash_table_size(&source->wraps) * sizeof(struct tally_wraps));
		source->wraps.used = 0;
	}
	/*
	 * Free the table instead of keeping it at the size of the largest phase, since many small
	 * phases may follow.
	 */
	free(source->table);
	source->table = NULL;
	source->size = 0;
	source->used = 0;
	if (source->cached == TALLY_CACHE || cache_make(source, TALLY_CACHE) < 0)
		memset(source->cache, 0, source->cached * sizeof(*source->cache));
}

/* --- delivery */

/* Get the first request of a chunk, without its source. */
static uint64_t slot_what(const struct tally *tally, const struct tally_slot *slot)
{
	return (slot->key - 1) << tally->key_shift;
}

/**
 * struct chunk - A chunk, and its position in the order of delivery.
 * @order: a number by which chunks are sorted: page and home, then the offset in the page, then the
 *         type
 * @slot: slot of the chunk
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

/*
 * Get the position of a request in the order of delivery. The number fits, since an address has 48
 * bits, a home 6 and a type 2.
 */
static uint64_t what_order(uint64_t what)
{
	uint64_t address = what & BLINK_REQUEST_ADDRESS;

	return address / SMILE_PAGE_BYTES << 20 | SMILE_GET(BLINK_REQUEST_TARGET, what) << 14 |
	       address % SMILE_PAGE_BYTES << 2 | SMILE_GET(BLINK_REQUEST_TYPE, what);
}

static struct chunk *source_sorted(const struct tally *tally, const struct tally_source *source)
{
	struct chunk *list = calloc(source->used + 1, sizeof(*list));
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

/*
 * Deliver counts of consecutive blocks. @what is the request to the first block, without its
 * source.
 */
static void row_deliver(unsigned node, uint64_t what, const uint32_t *counts, size_t count,
			tally_take *take, void *opaque)
{
	take(opaque, node, (unsigned)SMILE_GET(BLINK_REQUEST_TARGET, what),
	     what | SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node), counts, count);
}

static uint64_t wraps_of(const struct tally_source *source, uint64_t key)
{
	const struct tally_wraps *wraps = hash_table_find(&source->wraps, key, sizeof(*wraps));

	return wraps ? wraps->count : 0;
}

/*
 * Deliver a chunk with counts that have wrapped. If a count does not fit into 32 bits, deliver it
 * in several parts.
 */
static void wrapped_deliver(const struct tally *tally, unsigned node, const struct tally_slot *slot,
			    tally_take *take, void *opaque)
{
	uint64_t what = slot_what(tally, slot), sums[1U << TALLY_CHUNK_BITS], left;
	uint32_t row[1U << TALLY_CHUNK_BITS];

	for (size_t i = 0; i < chunk_blocks(tally); i++)
		sums[i] = slot->counts[i] +
			  (wraps_of(&tally->sources[node], (what >> tally->shift) + i + 1)
			   << TALLY_COUNT_BITS);
	do {
		left = 0;
		for (size_t i = 0; i < chunk_blocks(tally); i++) {
			row[i] = sums[i] < UINT32_MAX ? (uint32_t)sums[i] : UINT32_MAX;
			sums[i] -= row[i];
			left |= sums[i];
		}
		row_deliver(node, what, row, chunk_blocks(tally), take, opaque);
	} while (left);
}

static void chunk_deliver(const struct tally *tally, unsigned node, const struct tally_slot *slot,
			  tally_take *take, void *opaque)
{
	const struct tally_source *source = &tally->sources[node];
	uint32_t row[1U << TALLY_CHUNK_BITS];

	if (source->wraps.used && hash_table_find(&source->wraps, slot->key | TALLY_WRAPS_CHUNK,
						  sizeof(struct tally_wraps))) {
		wrapped_deliver(tally, node, slot, take, opaque);
		return;
	}
	for (size_t i = 0; i < chunk_blocks(tally); i++)
		row[i] = slot->counts[i];
	row_deliver(node, slot_what(tally, slot), row, chunk_blocks(tally), take, opaque);
}

static uint64_t cell_what(const struct tally *tally, uint64_t cell)
{
	return sparse_block(cell) << tally->shift;
}

static int cell_compare(const void *a, const void *b, void *tally)
{
	uint64_t one = what_order(cell_what(tally, *(const uint64_t *)a));
	uint64_t other = what_order(cell_what(tally, *(const uint64_t *)b));

	return (one > other) - (one < other);
}

/*
 * Deliver the blocks that are in no chunk: from cell @first on, up to the position @order. Return:
 * the index after the last cell that was delivered.
 */
static size_t cells_deliver(const struct tally *tally, unsigned node, size_t first, uint64_t order,
			    tally_take *take, void *opaque)
{
	const struct sparse *sparse = &tally->sources[node].sparse;

	for (; first < sparse->used; first++) {
		uint64_t what = cell_what(tally, sparse->cells[first]);
		uint32_t count = sparse_count_of(sparse->cells[first]);

		if (what_order(what) > order)
			break;
		row_deliver(node, what, &count, 1, take, opaque);
	}
	return first;
}

/* Sort the single blocks, and deliver them and the sorted chunks in one order. */
static void source_deliver_sorted(struct tally *tally, unsigned node, const struct chunk *list,
				  tally_take *take, void *opaque)
{
	struct sparse *sparse = &tally->sources[node].sparse;
	size_t cells = 0;

	sparse_gather(sparse);
	if (sparse->used)
		qsort_r(sparse->cells, sparse->used, sizeof(*sparse->cells), cell_compare, tally);
	for (size_t i = 0; i < tally->sources[node].used; i++) {
		cells = cells_deliver(tally, node, cells, list[i].order, take, opaque);
		chunk_deliver(tally, node, &list[i].slot, take, opaque);
	}
	cells_deliver(tally, node, cells, UINT64_MAX, take, opaque);
}

/* Deliver the counts unsorted, because there is no memory to sort them. */
static void source_deliver_any(struct tally *tally, unsigned node, tally_take *take, void *opaque)
{
	const struct tally_source *source = &tally->sources[node];

	sparse_gather(&tally->sources[node].sparse);
	cells_deliver(tally, node, 0, UINT64_MAX, take, opaque);
	for (size_t i = 0; i < source->size; i++)
		if (source->table[i].key)
			chunk_deliver(tally, node, &source->table[i], take, opaque);
}

static void source_deliver(struct tally *tally, unsigned node, tally_take *take, void *opaque)
{
	struct tally_source *source = &tally->sources[node];
	struct chunk *list;

	if (!source->used && !source->sparse.used)
		return;
	list = source_sorted(tally, source);
	if (list)
		source_deliver_sorted(tally, node, list, take, opaque);
	else
		source_deliver_any(tally, node, take, opaque);
	free(list);
	source_clear(tally, source);
}

void tally_deliver(struct tally *tally, tally_take *take, void *opaque)
{
	for (unsigned n = 0; n < tally->nodes; n++)
		source_deliver(tally, n, take, opaque);
	/* All chunks are unused now. If they leave too little room for other memory, free them. */
	if (!room(tally, tally->bytes_most / 2))
		slabs_free(tally);
	tally->crowded = false;
}

/* --- size */

/*
 * Get the number of blocks of a chunk that have a count of any type. @list: the chunk for each
 * type; shape [@types].
 */
static uint64_t blocks_of(const struct tally *tally, const struct chunk *list, size_t types)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < chunk_blocks(tally); i++) {
		unsigned any = 0;

		for (size_t t = 0; t < types; t++)
			any |= list[t].slot.counts[i];
		blocks += any != 0;
	}
	return blocks;
}

#define ORDER_PAGE_SHIFT 14U /* Without these low bits, an order is the page and the home. */
#define ORDER_TYPE_BITS 2U

static int order_compare(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Get a sorted list of the blocks that are in no chunk. Return: NULL if memory ran out. */
static uint64_t *cells_sorted(const struct tally *tally, const struct sparse *sparse)
{
	uint64_t *list = calloc(sparse->used + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; list && i < sparse->size; i++)
		if (sparse->cells[i])
			list[count++] = what_order(cell_what(tally, sparse->cells[i]));
	if (list)
		qsort(list, count, sizeof(*list), order_compare);
	return list;
}

/* Get the number of blocks that have counts in chunks. */
static uint64_t chunks_size(const struct tally *tally, const struct chunk *list, size_t count)
{
	uint64_t blocks = 0;
	size_t next;

	for (size_t i = 0; i < count; i = next) {
		for (next = i + 1; next < count && list[next].order >> ORDER_TYPE_BITS ==
							   list[i].order >> ORDER_TYPE_BITS;)
			next++;
		blocks += blocks_of(tally, list + i, next - i);
	}
	return blocks;
}

/*
 * Get the number of blocks that have counts in no chunk. If a block also has counts of another type
 * in a chunk, chunks_size() has counted it, too.
 */
static uint64_t cells_size(const uint64_t *cells, size_t count)
{
	uint64_t blocks = 0;

	for (size_t i = 0; i < count; i++)
		blocks += !i || cells[i] >> ORDER_TYPE_BITS != cells[i - 1] >> ORDER_TYPE_BITS;
	return blocks;
}

/* Get the number of pages with counts in chunks or in single blocks. */
static uint64_t pages_size(const struct chunk *list, size_t count, const uint64_t *cells,
			   size_t cells_count)
{
	uint64_t pages = 0, last = UINT64_MAX;

	for (size_t i = 0, c = 0; i < count || c < cells_count;) {
		uint64_t page = c == cells_count || (i < count && list[i].order < cells[c])
					? list[i++].order
					: cells[c++];

		pages += page >> ORDER_PAGE_SHIFT != last;
		last = page >> ORDER_PAGE_SHIFT;
	}
	return pages;
}

int tally_size(const struct tally *tally, uint64_t *blocks, uint64_t *pages)
{
	*blocks = 0;
	*pages = 0;
	for (unsigned n = 0; n < tally->nodes; n++) {
		const struct tally_source *source = &tally->sources[n];
		struct chunk *list = source_sorted(tally, source);
		uint64_t *cells = cells_sorted(tally, &source->sparse);

		if (list && cells) {
			*blocks += chunks_size(tally, list, source->used) +
				   cells_size(cells, source->sparse.used);
			*pages += pages_size(list, source->used, cells, source->sparse.used);
		}
		free(list);
		free(cells);
		if (!list || !cells)
			return -ENOMEM;
	}
	return 0;
}
