// SPDX-License-Identifier: MIT
/*
 * smile dump: sum up and print exact counts. See dump_counts.h.
 */
#include "tools/dump_counts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/array.h>

/**
 * struct dump_count - One exact count, with the properties of its accesses.
 * @address: as in struct Monitor_record
 * @count: sum of the counts with these properties
 * @length_bytes: as in struct Monitor_record
 * @source: as in struct Monitor_record
 * @destination: as in struct Monitor_record
 * @type: as in struct Monitor_record
 * @response: as in struct Monitor_record
 */
struct dump_count {
	uint64_t address;
	uint64_t count;
	uint32_t length_bytes;
	uint16_t source;
	uint16_t destination;
	uint8_t type;
	uint8_t response;
};

static int count_compare(const void *a, const void *b)
{
	const struct dump_count *one = a, *other = b;

	if (one->address != other->address)
		return one->address < other->address ? -1 : 1;
	if (one->length_bytes != other->length_bytes)
		return one->length_bytes < other->length_bytes ? -1 : 1;
	if (one->source != other->source)
		return one->source < other->source ? -1 : 1;
	if (one->destination != other->destination)
		return one->destination < other->destination ? -1 : 1;
	if (one->response != other->response)
		return one->response < other->response ? -1 : 1;
	return (one->type > other->type) - (one->type < other->type);
}

/* Sort the counts, and add up counts that have equal properties. */
static void counts_merge(struct dump_counts *counts)
{
	size_t used = 0;

	if (counts->count)
		qsort(counts->list, counts->count, sizeof(*counts->list), count_compare);
	for (size_t i = 0; i < counts->count; i++) {
		if (used && !count_compare(&counts->list[used - 1], &counts->list[i]))
			counts->list[used - 1].count += counts->list[i].count;
		else
			counts->list[used++] = counts->list[i];
	}
	counts->count = used;
}

/*
 * Make room for one more count. Equal counts are merged first. Memory is allocated only if merging
 * frees too little. Otherwise the parts of counts could fill the memory.
 */
static int counts_reserve(struct dump_counts *counts)
{
	if (counts->count < counts->capacity)
		return 0;
	counts_merge(counts);
	if (counts->count < counts->capacity / 2)
		return 0;
	if (array_reserve(&counts->list, &counts->capacity, counts->capacity,
			  sizeof(*counts->list)) == 0)
		return 0;
	return counts->count < counts->capacity ? 0 : -ENOMEM;
}

int dump_counts_add(struct dump_counts *counts, const struct Monitor_record *record)
{
	int err = counts_reserve(counts);

	if (err < 0)
		return err;
	counts->list[counts->count++] = (struct dump_count){
		.address = record->address,
		.count = record->count,
		.length_bytes = record->length_bytes,
		.source = (uint16_t)record->source,
		.destination = (uint16_t)record->destination,
		.type = (uint8_t)record->type,
		.response = (uint8_t)record->response,
	};
	return 0;
}

void dump_counts_print(struct dump_counts *counts, uint64_t phase)
{
	static const char *const types[SMILE_TYPE_COUNT] = {"any", "read", "write", "lock"};

	counts_merge(counts);
	for (size_t i = 0; i < counts->count; i++) {
		const struct dump_count *count = &counts->list[i];

		printf("{\"kind\":\"count\",\"type\":\"%s\",\"count\":%" PRIu64
		       ",\"source\":%u,\"destination\":%u,\"address\":%" PRIu64
		       ",\"length_bytes\":%u%s,\"phase\":%" PRIu64 "}\n",
		       types[count->type], count->count, count->source, count->destination,
		       count->address, count->length_bytes,
		       count->response ? ",\"response\":true" : "", phase);
	}
	counts->count = 0;
}

void dump_counts_free(struct dump_counts *counts)
{
	free(counts->list);
	*counts = (struct dump_counts){0};
}
