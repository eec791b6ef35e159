/* SPDX-License-Identifier: MIT */
/*
 * Intervals: writes and reads the field of accesses by interval. See intervals.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/packed_sequence.h"
#include "lib/map/intervals.h"
#include "lib/map/map.h"

/* The largest number of bytes of a field, whose length has 32 bits. */
#define FIELD_BYTES ((size_t)1 << 28)
/*
 * The largest number of entries of a sequence. Longer sequences are written in parts, so that
 * memory for this number of entries is sufficient.
 */
#define SEQUENCE_ENTRIES 4096U
#define VARINT_MAX 10U

/**
 * struct coder - The conversion of a node's accesses into fields.
 * @list: the accesses
 * @entries: entries of a sequence; [SEQUENCE_ENTRIES]
 * @code: bytes of the field, [@size]
 * @used: number of used bytes of @code
 * @size: number of bytes for which @code has memory
 */
struct coder {
	const struct locals_node *list;
	struct packed_entry *entries;
	unsigned char *code;
	size_t used;
	size_t size;
};

static void coder_free(struct coder *coder)
{
	free(coder->entries);
	free(coder->code);
}

/* Allocate all memory, enough for the page with the most entries. */
static int coder_make(struct coder *coder)
{
	coder->entries = calloc(SEQUENCE_ENTRIES, sizeof(*coder->entries));
	/* For each page, add space for two varints. */
	coder->size = coder->list->count * (PACKED_CODE_MAX + 2 * VARINT_MAX);
	if (coder->size > FIELD_BYTES)
		coder->size = FIELD_BYTES;
	coder->size += (size_t)SEQUENCE_ENTRIES * PACKED_CODE_MAX + 2 * VARINT_MAX;
	coder->code = malloc(coder->size);
	return coder->entries && coder->code ? 0 : -ENOMEM;
}

/*
 * Encode the accesses to a page, beginning with row @first. *@next_page: one past the previous
 * page. Return: index of the row after the last encoded row.
 */
static size_t page_put(struct coder *coder, size_t first, uint64_t *next_page)
{
	const struct Monitor_local *rows = coder->list->rows;
	uint64_t page = rows[first].page, next = 0;
	size_t entries = 0, i = first;

	for (; i < coder->list->count && rows[i].page == page && entries < SEQUENCE_ENTRIES; i++) {
		coder->entries[entries++] = (struct packed_entry){
			.gap = (uint64_t)rows[i].phase + 1 - next,
			.counts = {rows[i].reads, rows[i].writes, rows[i].locks},
		};
		next = (uint64_t)rows[i].phase + 1;
	}
	coder->used += smile_varint_put(coder->code + coder->used, page + 1 - *next_page);
	coder->used += smile_varint_put(coder->code + coder->used, entries);
	coder->used += smile_packed_write(coder->entries, entries, coder->code + coder->used);
	*next_page = page + 1;
	return i;
}

int smile_intervals_write(FILE *file, const struct locals_node *list)
{
	struct coder coder = {.list = list};
	size_t done = 0;

	if (coder_make(&coder) < 0) {
		coder_free(&coder);
		return -ENOMEM;
	}
	do {
		uint64_t next_page = 0;

		coder.used = 0;
		/*
		 * If a page has too many intervals for this field, the rest is written to the next
		 * field.
		 */
		while (done < list->count && coder.used < FIELD_BYTES &&
		       list->rows[done].page >= next_page)
			done = page_put(&coder, done, &next_page);
		smile_field_begin(file, INTERVALS_TAG, INTERVALS_HEAD_BYTES + coder.used);
		smile_field_put_number(file, list->node, 4);
		smile_field_put_number(file, 0, 4);
		fwrite(coder.code, 1, coder.used, file);
		smile_field_pad(file, INTERVALS_HEAD_BYTES + coder.used);
	} while (done < list->count);
	coder_free(&coder);
	return 0;
}

/* ---- read ------------------------------------------------------------------------------------ */

static const char invalid[] = "accesses of a node by interval are invalid";

/**
 * struct decoder - State while a field is read.
 * @at: position in the field
 * @end: end of the field
 * @node: node of the accesses
 * @next_page: the page after the page that was read last
 * @room: number of further entries that are allowed
 */
struct decoder {
	const unsigned char *at;
	const unsigned char *end;
	uint32_t node;
	uint64_t next_page;
	uint64_t room;
};

/* Read the next varint. Return: whether the varint is valid. */
static int number_get(struct decoder *decoder, uint64_t *number)
{
	int used = smile_varint_get(decoder->at, (size_t)(decoder->end - decoder->at), number);

	if (used <= 0)
		return 0;
	decoder->at += used;
	return 1;
}

static const char *page_get(struct locals *intervals, struct decoder *decoder)
{
	struct packed_reader sequence = {0};
	uint64_t gap, entries, next = 0;
	int error = 0;

	if (!number_get(decoder, &gap) || !number_get(decoder, &entries) || !gap ||
	    gap > MAP_PAGES - decoder->next_page || !entries)
		return invalid;
	if (entries > decoder->room)
		return "accesses of nodes by interval are too many";
	decoder->room -= entries;
	decoder->next_page += gap;
	for (; entries && !error; entries--) {
		struct packed_entry entry;
		size_t taken;

		if (smile_packed_read(&sequence, decoder->at, (size_t)(decoder->end - decoder->at),
				      &taken, &entry) != 1 ||
		    entry.gap > (1ULL << 32) - next)
			return invalid;
		decoder->at += taken;
		next += entry.gap;
		error = smile_locals_add(intervals, &(struct Monitor_local){
							    .page = decoder->next_page - 1,
							    .phase = (uint32_t)(next - 1),
							    .node = decoder->node,
							    .reads = entry.counts[0],
							    .writes = entry.counts[1],
							    .locks = entry.counts[2],
						    });
	}
	return sequence.copies ? invalid : smile_field_wrong(error, invalid);
}

const char *smile_intervals_field(struct locals *intervals, const struct field *field)
{
	struct decoder decoder = {.at = field->data + INTERVALS_HEAD_BYTES,
				  .end = field->data + field->length};
	size_t before = smile_locals_count(intervals);
	const char *wrong;

	if (before < INTERVALS_ENTRIES_MAX)
		decoder.room = INTERVALS_ENTRIES_MAX - before;
	if (field->length < INTERVALS_HEAD_BYTES)
		return "its accesses of a node by interval are cut off";
	decoder.node = (uint32_t)smile_field_number(field->data, 4);
	wrong = smile_field_wrong(smile_locals_node_add(intervals, decoder.node), invalid);
	while (!wrong && decoder.at < decoder.end)
		wrong = page_get(intervals, &decoder);
	return wrong;
}
