/* SPDX-License-Identifier: MIT */
/*
 * Exact counts: see exact_counts.h.
 */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>

#include <base/field.h>

#include "lib/base/error.h"
#include "lib/counts/exact_counts.h"

#define PAGE_WORDS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define PAGE_WORD_BITS 10U

/*
 * The bits of a key. The first half of the key has the page and the first word of the block. The
 * second half has the nodes, the packet and the type.
 */
#define KEY_TYPE 3U
#define KEY_RESPONSE_SHIFT 2U
#define KEY_DESTINATION_SHIFT 3U
#define KEY_SOURCE_SHIFT 19U

/* The number of records that are passed to @put in one call. */
#define TOGETHER 256U

int smile_exact_add(struct exact *exact, const struct record_plain *record)
{
	uint32_t first = record->first - record->first % exact->block_words;

	return smile_count_table_add(
		&exact->table, record->page << PAGE_WORD_BITS | first,
		(uint64_t)record->source << KEY_SOURCE_SHIFT |
			(uint64_t)record->destination << KEY_DESTINATION_SHIFT |
			(uint64_t)record->response << KEY_RESPONSE_SHIFT | record->type,
		record->count);
}

struct smile_record smile_count_record(uint32_t type, uint32_t response, uint32_t source,
				       uint32_t destination, uint64_t address, uint32_t words,
				       uint32_t count)
{
	return (struct smile_record){
		{htole32(MONITOR_KIND_COUNT | SMILE_PUT(SMILE_RECORD_TYPE, type) |
			 (response ? SMILE_RECORD_RESPONSE : 0) |
			 SMILE_PUT(MONITOR_COUNT_LOW, count) |
			 SMILE_PUT(MONITOR_COUNT_MIDDLE, count >> 16)),
		 htole32(SMILE_PUT(SMILE_RECORD_SOURCE, source) |
			 SMILE_PUT(SMILE_RECORD_DESTINATION, destination)),
		 htole32((uint32_t)address),
		 htole32(SMILE_PUT(SMILE_RECORD_ADDRESS_HIGH, (uint32_t)(address >> 32)) |
			 SMILE_PUT(SMILE_RECORD_LENGTH_LESS_1, words - 1) |
			 SMILE_PUT(MONITOR_COUNT_HIGH, count >> 24))}};
}

/* Compare by page, then by nodes and packet, then by block, then by type. */
static int cell_compare(const void *a, const void *b)
{
	const struct count_cell *one = a, *other = b;
	uint64_t page = one->high >> PAGE_WORD_BITS, other_page = other->high >> PAGE_WORD_BITS;
	uint64_t nodes = one->low & ~(uint64_t)KEY_TYPE,
		 other_nodes = other->low & ~(uint64_t)KEY_TYPE;

	if (page != other_page)
		return page < other_page ? -1 : 1;
	if (nodes != other_nodes)
		return nodes < other_nodes ? -1 : 1;
	if (one->high != other->high)
		return one->high < other->high ? -1 : 1;
	return (one->low > other->low) - (one->low < other->low);
}

static struct smile_record cell_record(const struct exact *exact, const struct count_cell *cell,
				       uint32_t count)
{
	uint32_t first = (uint32_t)cell->high % PAGE_WORDS, left = PAGE_WORDS - first;

	return smile_count_record((uint32_t)cell->low & KEY_TYPE,
				  (uint32_t)(cell->low >> KEY_RESPONSE_SHIFT) & 1,
				  (uint32_t)(cell->low >> KEY_SOURCE_SHIFT) & 0xffff,
				  (uint32_t)(cell->low >> KEY_DESTINATION_SHIFT) & 0xffff,
				  cell->high * SMILE_WORD_BYTES,
				  left < exact->block_words ? left : exact->block_words, count);
}

int smile_exact_take(struct exact *exact,
		     int (*put)(void *opaque, const struct smile_record *records, size_t count),
		     void *opaque)
{
	struct smile_record records[TOGETHER];
	struct count_table *table = &exact->table;
	const struct count_cell *from;
	size_t count = 0, used = 0, position = 0;
	int error = 0;

	/* Sort the cells within the memory of the table. The table is empty afterwards. */
	while ((from = smile_count_table_next(table, &position)))
		table->cells[count++] = *from;
	if (count)
		qsort(table->cells, count, sizeof(*table->cells), cell_compare);
	for (size_t i = 0; i < count && error >= 0; i++) {
		struct count_cell *cell = &table->cells[i];

		while (cell->count && error >= 0) {
			uint32_t some = cell->count < MONITOR_COUNT_MAX ? (uint32_t)cell->count
									: MONITOR_COUNT_MAX;

			records[used++] = cell_record(exact, cell, some);
			cell->count -= some;
			if (used < TOGETHER)
				continue;
			error = put(opaque, records, used);
			used = 0;
		}
	}
	if (used && error >= 0)
		error = put(opaque, records, used);
	smile_count_table_free(table);
	return error < 0 ? error : 0;
}

void smile_exact_free(struct exact *exact)
{
	smile_count_table_free(&exact->table);
}
