/* SPDX-License-Identifier: MIT */
/*
 * The field of accesses by interval: written and read. See intervals.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/packed.h"
#include "lib/map/intervals.h"

/* A field ends behind so many bytes; its length has 32 bits. */
#define FIELD_BYTES ((size_t)1 << 28)
/* And sequences are written in parts, so that one has room in memory. */
#define SEQUENCE_ENTRIES 4096U
#define VARINT_MAX 10U

/**
 * struct coder - Accesses of a node on their way into fields.
 * @list: by page, interval and type
 * @count: of them
 * @entries: of a sequence; [SEQUENCE_ENTRIES]
 * @code: of a field, [@size]
 * @used: how much of it there is
 * @size: room
 */
struct coder {
	struct map_local *list;
	size_t count;
	struct packed_entry *entries;
	unsigned char *code;
	size_t used;
	size_t size;
};

static void coder_free(struct coder *coder)
{
	free(coder->list);
	free(coder->entries);
	free(coder->code);
}

static int local_compare(const void *a, const void *b)
{
	const struct map_local *one = a, *other = b;

	if (one->page != other->page)
		return one->page < other->page ? -1 : 1;
	if (one->phase != other->phase)
		return one->phase < other->phase ? -1 : 1;
	return (one->type > other->type) - (one->type < other->type);
}

/* Room for a page, at worst. All memory is there from then on. */
static int coder_make(struct coder *coder, const struct map_accesses *intervals, uint32_t node)
{
	struct map_local local;
	size_t position = 0;

	while (smile_map_local_next(intervals, &position, &local))
		coder->count += local.node == node;
	coder->list = calloc(coder->count + 1, sizeof(*coder->list));
	coder->entries = calloc(SEQUENCE_ENTRIES, sizeof(*coder->entries));
	/* A separate page takes two more numbers. */
	coder->size = coder->count * (PACKED_CODE_MAX + 2 * VARINT_MAX);
	if (coder->size > FIELD_BYTES)
		coder->size = FIELD_BYTES;
	coder->size += (size_t)SEQUENCE_ENTRIES * PACKED_CODE_MAX + 2 * VARINT_MAX;
	coder->code = malloc(coder->size);
	if (!coder->list || !coder->entries || !coder->code)
		return -ENOMEM;
	coder->count = position = 0;
	while (smile_map_local_next(intervals, &position, &local))
		if (local.node == node)
			coder->list[coder->count++] = local;
	qsort(coder->list, coder->count, sizeof(*coder->list), local_compare);
	return 0;
}

/*
 * Code the accesses to a page from @first on; *@next_page: one past the page in front of it.
 * Return: one past the last that was taken.
 */
static size_t page_put(struct coder *coder, size_t first, uint64_t *next_page)
{
	uint64_t page = coder->list[first].page, next = 0;
	size_t entries = 0, i = first;

	while (i < coder->count && coder->list[i].page == page && entries < SEQUENCE_ENTRIES) {
		struct packed_entry *entry = &coder->entries[entries++];
		uint64_t interval = coder->list[i].phase;

		*entry = (struct packed_entry){.gap = interval + 1 - next};
		next = interval + 1;
		for (; i < coder->count && coder->list[i].page == page &&
		       coder->list[i].phase == interval;
		     i++)
			entry->counts[coder->list[i].type - SMILE_TYPE_READ] = coder->list[i].count;
	}
	coder->used += smile_varint_put(coder->code + coder->used, page + 1 - *next_page);
	coder->used += smile_varint_put(coder->code + coder->used, entries);
	coder->used += smile_packed_write(coder->entries, entries, coder->code + coder->used);
	*next_page = page + 1;
	return i;
}

int smile_intervals_write(FILE *file, const struct map_accesses *intervals, uint32_t node)
{
	struct coder coder = {0};
	size_t done = 0;

	if (coder_make(&coder, intervals, node) < 0) {
		coder_free(&coder);
		return -ENOMEM;
	}
	do {
		uint64_t next_page = 0;

		coder.used = 0;
		/* The rest of a page that has too many intervals is in the next field. */
		while (done < coder.count && coder.used < FIELD_BYTES &&
		       coder.list[done].page >= next_page)
			done = page_put(&coder, done, &next_page);
		smile_field_begin(file, INTERVALS_TAG, INTERVALS_HEAD_BYTES + coder.used);
		smile_field_put_number(file, node, 4);
		smile_field_put_number(file, 0, 4);
		fwrite(coder.code, 1, coder.used, file);
		smile_field_pad(file, INTERVALS_HEAD_BYTES + coder.used);
	} while (done < coder.count);
	coder_free(&coder);
	return 0;
}

/* ---- read ------------------------------------------------------------------------------------ */

static const char invalid[] = "accesses of a node by interval are invalid";

/**
 * struct decoder - A field that is read.
 * @at: where
 * @end: its end
 * @node: whose accesses
 * @next_page: one past the last page
 */
struct decoder {
	const unsigned char *at;
	const unsigned char *end;
	uint32_t node;
	uint64_t next_page;
};

/* The next varint. Return: whether it makes sense. */
static int number_get(struct decoder *decoder, uint64_t *number)
{
	int used = smile_varint_get(decoder->at, (size_t)(decoder->end - decoder->at), number);

	if (used <= 0)
		return 0;
	decoder->at += used;
	return 1;
}

static int entry_add(struct map_accesses *intervals, const struct decoder *decoder,
		     uint64_t interval, const uint64_t *counts)
{
	int error = 0;

	for (unsigned int t = 0; t < PACKED_COUNTS && !error; t++)
		error = smile_map_local_add(intervals, decoder->next_page - 1, (uint32_t)interval,
					    decoder->node, SMILE_TYPE_READ + t, counts[t]);
	return error;
}

static const char *page_get(struct map_accesses *intervals, struct decoder *decoder)
{
	struct packed_reader sequence = {0};
	uint64_t gap, entries, next = 0;
	int error = 0;

	if (!number_get(decoder, &gap) || !number_get(decoder, &entries) || !gap ||
	    gap > MAP_PAGES - decoder->next_page || !entries)
		return invalid;
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
		error = entry_add(intervals, decoder, next - 1, entry.counts);
	}
	return sequence.copies ? invalid : smile_field_wrong(error, invalid);
}

const char *smile_intervals_field(struct map_accesses *intervals, const struct field *field)
{
	struct decoder decoder = {.at = field->data + INTERVALS_HEAD_BYTES,
				  .end = field->data + field->length};
	const char *wrong;

	if (field->length < INTERVALS_HEAD_BYTES)
		return "its accesses of a node by interval are cut off";
	decoder.node = (uint32_t)smile_field_number(field->data, 4);
	wrong = smile_field_wrong(smile_map_local_node_add(intervals, decoder.node), invalid);
	while (!wrong && decoder.at < decoder.end)
		wrong = page_get(intervals, &decoder);
	return wrong;
}
