/* SPDX-License-Identifier: MIT */
/*
 * Trailer: writes and reads the map in a recording file, after the records.
 *
 * What lives here: the writer, and the reader. The reader checks all data.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/map/field.h"
#include "lib/map/intervals.h"
#include "lib/map/trailer.h"

/* ---- writer --------------------------------------------------------------------------------- */

/* The largest number of runs in a field of homes, whose length has 32 bits. */
#define RUNS_MAX ((size_t)1 << 20)

/*
 * Get the number of runs in the file for one run of the map. In the file, the number of pages of a
 * run has 32 bits, so a longer run is split.
 */
static uint64_t run_extents(const struct Monitor_home *home)
{
	return (home->pages + UINT32_MAX - 1) / UINT32_MAX;
}

static void put_run(FILE *file, const struct Monitor_home *home)
{
	uint64_t page = home->page, left = home->pages;

	while (left) {
		uint64_t pages = left < UINT32_MAX ? left : UINT32_MAX;

		smile_field_put_number(file, page, 8);
		smile_field_put_number(file, pages, 4);
		smile_field_put_number(file, home->node, 4);
		page += pages;
		left -= pages;
	}
}

/*
 * Get the number of bytes of a field of homes that begins with run @first. *@last: receives the
 * index after the last run of the field.
 */
static size_t homes_length(const struct map *map, size_t first, size_t *last)
{
	size_t extents = 0;

	for (*last = first; *last < map->homes_count && extents < RUNS_MAX; ++*last)
		extents += run_extents(&map->homes[*last]);
	return extents * TRAILER_RUN_BYTES;
}

static void put_homes(FILE *file, const struct map *map)
{
	size_t first = 0, last;

	while (first < map->homes_count) {
		size_t length = homes_length(map, first, &last);

		smile_field_begin(file, TRAILER_TAG_HOMES, length);
		for (; first < last; first++)
			put_run(file, &map->homes[first]);
		smile_field_pad(file, length);
	}
}

static void put_region(FILE *file, const struct Monitor_region *region)
{
	size_t name = strlen(region->name);

	smile_field_begin(file, TRAILER_TAG_REGION, TRAILER_REGION_BYTES + name);
	smile_field_put_number(file, TRAILER_REGION_BYTES, 4);
	smile_field_put_number(file, region->kind, 4);
	smile_field_put_number(file, region->start, 8);
	smile_field_put_number(file, region->end, 8);
	smile_field_put_number(file, region->offset, 8);
	smile_field_put_number(file, region->bias, 8);
	fwrite(region->name, 1, name, file);
	smile_field_pad(file, TRAILER_REGION_BYTES + name);
}

static void put_phase(FILE *file, const struct map_phase *phase)
{
	size_t name = strlen(phase->name);

	smile_field_begin(file, TRAILER_TAG_PHASE, 8 + name);
	smile_field_put_number(file, phase->start_ns, 8);
	fwrite(phase->name, 1, name, file);
	smile_field_pad(file, 8 + name);
}

static void put_failed(FILE *file, const struct Monitor_failed *failed)
{
	smile_field_begin(file, TRAILER_TAG_FAILED, TRAILER_FAILED_BYTES);
	smile_field_put_number(file, failed->node, 4);
	smile_field_put_number(file, 0, 4);
	smile_field_put_number(file, failed->accesses, 8);
	smile_field_pad(file, TRAILER_FAILED_BYTES);
}

/* The largest number of counts in a field of accesses, whose length has 32 bits. */
#define LOCALS_MAX ((size_t)1 << 20)

static size_t locals_length(size_t count)
{
	return TRAILER_LOCALS_HEAD_BYTES + count * TRAILER_LOCAL_BYTES;
}

/* Get the number of types for which a row has accesses. */
static size_t row_counts(const struct Monitor_local *row)
{
	return (size_t)(row->reads != 0) + (row->writes != 0) + (row->locks != 0);
}

static void put_local(FILE *file, const struct Monitor_local *row, uint32_t type, uint64_t count)
{
	if (!count)
		return;
	smile_field_put_number(file, row->page, 8);
	smile_field_put_number(file, count, 8);
	smile_field_put_number(file, row->phase, 4);
	smile_field_put_number(file, type, 4);
}

static void put_locals(FILE *file, uint32_t tag, const struct locals_node *list)
{
	size_t at = 0, end;

	do {
		size_t count = 0;

		for (end = at; end < list->count && count < LOCALS_MAX; end++)
			count += row_counts(&list->rows[end]);
		smile_field_begin(file, tag, locals_length(count));
		smile_field_put_number(file, list->node, 4);
		smile_field_put_number(file, 0, 4);
		for (; at < end; at++) {
			const struct Monitor_local *row = &list->rows[at];

			put_local(file, row, SMILE_TYPE_READ, row->reads);
			put_local(file, row, SMILE_TYPE_WRITE, row->writes);
			put_local(file, row, SMILE_TYPE_LOCK, row->locks);
		}
		smile_field_pad(file, locals_length(count));
	} while (at < list->count);
}

static void put_all_locals(FILE *file, const struct locals *locals)
{
	for (size_t i = 0; i < locals->count; i++)
		if (locals->nodes[i].known)
			put_locals(file, TRAILER_TAG_LOCALS, &locals->nodes[i]);
}

static void put_intervals(FILE *file, const struct locals *intervals)
{
	bool fit = smile_locals_count(intervals) <= INTERVALS_ENTRIES_MAX;

	for (size_t i = 0; i < intervals->count; i++)
		if (intervals->nodes[i].known &&
		    (!fit || smile_intervals_write(file, &intervals->nodes[i]) < 0))
			put_locals(file, TRAILER_TAG_INTERVALS, &intervals->nodes[i]);
}

void smile_trailer_write(FILE *file, const struct map *map)
{
	put_homes(file, map);
	for (size_t i = 0; i < map->regions_count; i++)
		put_region(file, &map->regions[i]);
	for (size_t i = 0; i < map->phases_count; i++)
		put_phase(file, &map->phases[i]);
	for (size_t i = 0; i < map->failed_count; i++)
		put_failed(file, &map->failed[i]);
	if (map->parameters)
		smile_field_put(file, TRAILER_TAG_PARAMETERS, map->parameters,
				strlen(map->parameters));
	put_all_locals(file, &map->locals);
	put_intervals(file, &map->intervals);
	smile_map_heap_trailer_write(file, &map->heap);
	smile_frames_trailer_write(file, &map->frames);
	smile_accesses_write(file, &map->accesses);
	smile_clocks_write(file, &map->clocks);
	smile_field_put(file, FIELD_TAG_END, "", 0);
}

void smile_trailer_write_known(FILE *file, const struct map *map, size_t room)
{
	if (map->clocks.count && map->clocks.nodes[0].is_host)
		smile_clocks_write(file, &map->clocks);
	for (size_t i = 0; i < map->regions_count; i++) {
		const struct Monitor_region *region = &map->regions[i];
		size_t length = TRAILER_REGION_BYTES + strlen(region->name);

		if ((size_t)ftell(file) + smile_field_bytes(length) > room)
			return;
		put_region(file, region);
	}
}

/* ---- read ----------------------------------------------------------------------------------- */

static const char *get_homes(struct map *map, const struct field *field)
{
	const unsigned char *run = field->data;
	const char *wrong;
	uint64_t end = 0;

	if (map->homes_count)
		end = map->homes[map->homes_count - 1].page +
		      map->homes[map->homes_count - 1].pages;
	if (field->length % TRAILER_RUN_BYTES)
		return "its homes end within an entry";
	for (; run < field->data + field->length; run += TRAILER_RUN_BYTES) {
		uint64_t page = smile_field_number(run, 8);

		/* Homes must be in ascending order. For this reason, each insertion is fast. */
		if (page < end)
			return "its homes are not in their order";
		wrong = smile_field_wrong(
			smile_map_home_add(map, page, smile_field_number(run + 8, 4),
					   (uint32_t)smile_field_number(run + 12, 4)),
			"a home is invalid");
		if (wrong)
			return wrong;
		end = page + smile_field_number(run + 8, 4);
	}
	return NULL;
}

/* Copy the rest of a field, from offset @at, as a string. */
static char *get_name(const struct field *field, uint32_t at)
{
	return strndup((const char *)field->data + at, field->length - at);
}

static const char *get_region(struct map *map, const struct field *field)
{
	struct Monitor_region region;
	uint32_t numbers;
	char *name;
	int error;

	if (field->length < TRAILER_REGION_BYTES)
		return "a region is cut off";
	numbers = (uint32_t)smile_field_number(field->data, 4);
	if (numbers < TRAILER_REGION_BYTES || numbers > field->length)
		return "a region is invalid";
	name = get_name(field, numbers);
	if (!name)
		return smile_field_wrong(-ENOMEM, NULL);
	region = (struct Monitor_region){
		.kind = (uint32_t)smile_field_number(field->data + 4, 4),
		.start = smile_field_number(field->data + 8, 8),
		.end = smile_field_number(field->data + 16, 8),
		.offset = smile_field_number(field->data + 24, 8),
		.bias = smile_field_number(field->data + 32, 8),
		.name = name,
	};
	error = smile_map_region_add(map, &region);
	free(name);
	return smile_field_wrong(error, "a region is invalid");
}

static const char *get_phase(struct map *map, const struct field *field)
{
	char *name;
	int error;

	if (field->length < 8)
		return "a phase is cut off";
	name = get_name(field, 8);
	if (!name)
		return smile_field_wrong(-ENOMEM, NULL);
	error = smile_map_phase_add(map, smile_field_number(field->data, 8), name);
	free(name);
	return smile_field_wrong(error, "its phases are not in their order");
}

static const char *get_parameters(struct map *map, const struct field *field)
{
	char *text = get_name(field, 0);
	int error;

	if (!text)
		return smile_field_wrong(-ENOMEM, NULL);
	error = smile_map_parameters_set(map, text);
	free(text);
	return smile_field_wrong(error, "its parameters are invalid");
}

/* Convert a count of a field LOCALS or INTERVALS into a row. Return: whether the count is valid. */
static int get_local(const unsigned char *at, struct Monitor_local *row)
{
	uint64_t count = smile_field_number(at + 8, 8);

	row->page = smile_field_number(at, 8);
	row->phase = (uint32_t)smile_field_number(at + 16, 4);
	row->reads = row->writes = row->locks = 0;
	switch (smile_field_number(at + 20, 4)) {
	case SMILE_TYPE_READ:
		row->reads = count;
		break;
	case SMILE_TYPE_WRITE:
		row->writes = count;
		break;
	case SMILE_TYPE_LOCK:
		row->locks = count;
		break;
	default:
		return 0;
	}
	return count != 0;
}

static const char *get_locals(struct locals *locals, const struct field *field)
{
	static const char invalid[] = "accesses of a node are invalid";
	const unsigned char *at = field->data + TRAILER_LOCALS_HEAD_BYTES;
	struct Monitor_local row = {0};
	const char *wrong;

	if (field->length < TRAILER_LOCALS_HEAD_BYTES ||
	    (field->length - TRAILER_LOCALS_HEAD_BYTES) % TRAILER_LOCAL_BYTES)
		return "its accesses of a node end within an entry";
	row.node = (uint32_t)smile_field_number(field->data, 4);
	wrong = smile_field_wrong(smile_locals_node_add(locals, row.node), invalid);
	for (; !wrong && at < field->data + field->length; at += TRAILER_LOCAL_BYTES)
		wrong = get_local(at, &row)
				? smile_field_wrong(smile_locals_add(locals, &row), invalid)
				: invalid;
	return wrong;
}

static const char *get_failed(struct map *map, const struct field *field)
{
	struct Monitor_failed failed = {.node = 0};

	if (field->length < TRAILER_FAILED_BYTES)
		return "its failed accesses are cut off";
	failed.node = (uint32_t)smile_field_number(field->data, 4);
	failed.accesses = smile_field_number(field->data + 8, 8);
	return smile_field_wrong(smile_map_failed_add(map, &failed),
				 "its failed accesses are invalid");
}

static const char *get_field(struct map *map, const struct field *field)
{
	switch (field->tag) {
	case TRAILER_TAG_HOMES:
		return get_homes(map, field);
	case TRAILER_TAG_REGION:
		return get_region(map, field);
	case TRAILER_TAG_PHASE:
		return get_phase(map, field);
	case TRAILER_TAG_PARAMETERS:
		return get_parameters(map, field);
	case TRAILER_TAG_LOCALS:
		return get_locals(&map->locals, field);
	case TRAILER_TAG_INTERVALS:
		return get_locals(&map->intervals, field);
	case TRAILER_TAG_FAILED:
		return get_failed(map, field);
	case INTERVALS_TAG:
		return smile_intervals_field(&map->intervals, field);
	case ACCESSES_TAG:
		return smile_accesses_field(&map->accesses, field);
	case CLOCKS_TAG:
		return smile_clocks_field(&map->clocks, field);
	case FRAMES_TAG:
		return smile_frames_trailer_field(&map->frames, field);
	default:
		return smile_map_heap_trailer_field(&map->heap, field);
	}
}

size_t smile_trailer_known(struct map *map, const unsigned char *data, size_t bytes)
{
	const unsigned char *at = data, *next = data;
	struct field field;

	while (!smile_field_next(&next, data + bytes, &field) &&
	       (field.tag == TRAILER_TAG_REGION || field.tag == CLOCKS_TAG) &&
	       !get_field(map, &field))
		at = next;
	return (size_t)(at - data);
}

const char *smile_trailer_parse(struct map *map, const unsigned char *data, size_t bytes)
{
	const unsigned char *end = data + bytes;
	const char *wrong;
	struct field field;

	*map = (struct map){0};
	do {
		wrong = smile_field_next(&data, end, &field);
		if (!wrong)
			wrong = get_field(map, &field);
	} while (!wrong && field.tag != FIELD_TAG_END);
	if (!wrong)
		wrong = smile_field_wrong(smile_map_settle(map), NULL);
	if (wrong)
		smile_map_free(map);
	return wrong;
}
