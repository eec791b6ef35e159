/* SPDX-License-Identifier: MIT */
/*
 * Heap: the fields of the heap in the trailer of a recording. See map_heap.h, and docs/recording.md
 * for a description.
 *
 *	SITE    u64 return addresses[4], u64 blocks, u64 bytes, u64 peak bytes, u64 lost, u64 zero;
 *	        further return addresses
 *	BLOCKS  u32 number of bytes of each block, u32 zero; then blocks, each: u64 address, bytes,
 *	        count, stride, uses, begin in ns, end in ns; u32 site, u32 flags. This field
 *	        follows the sites
 *	OBJECT  u32 number of bytes of the build id; the build id, then the path
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/map/map_heap.h"

/* The largest number of blocks in a field, whose length has 32 bits. */
#define BLOCKS_MAX ((size_t)1 << 20)

static size_t blocks_length(const struct map_heap *heap, size_t first)
{
	size_t count = heap->blocks_count - first;

	if (count > BLOCKS_MAX)
		count = BLOCKS_MAX;
	return HEAP_BLOCKS_HEAD_BYTES + count * HEAP_BLOCK_BYTES;
}

static size_t object_length(const struct heap_object *object)
{
	return HEAP_OBJECT_HEAD_BYTES + strlen(object->build) + strlen(object->path);
}

static void put_site(FILE *file, const struct Monitor_site *site)
{
	unsigned int count = MONITOR_SITE_CALLERS;
	size_t length;

	while (count > HEAP_SITE_FIRST && !site->callers[count - 1])
		count--;
	length = HEAP_SITE_BYTES + (size_t)8 * (count - HEAP_SITE_FIRST);
	smile_field_begin(file, HEAP_TAG_SITE, length);
	for (unsigned int i = 0; i < HEAP_SITE_FIRST; i++)
		smile_field_put_number(file, site->callers[i], 8);
	smile_field_put_number(file, site->blocks, 8);
	smile_field_put_number(file, site->bytes, 8);
	smile_field_put_number(file, site->peak_bytes, 8);
	smile_field_put_number(file, site->lost, 8);
	smile_field_put_number(file, 0, 8);
	for (unsigned int i = HEAP_SITE_FIRST; i < count; i++)
		smile_field_put_number(file, site->callers[i], 8);
	smile_field_pad(file, length);
}

static void put_block(FILE *file, const struct Monitor_block *block)
{
	smile_field_put_number(file, block->address, 8);
	smile_field_put_number(file, block->bytes, 8);
	smile_field_put_number(file, block->count, 8);
	smile_field_put_number(file, block->stride, 8);
	smile_field_put_number(file, block->uses, 8);
	smile_field_put_number(file, block->begin_ns, 8);
	smile_field_put_number(file, block->end_ns, 8);
	smile_field_put_number(file, block->site, 4);
	smile_field_put_number(file, block->flags, 4);
}

static void put_blocks(FILE *file, const struct map_heap *heap, size_t first)
{
	size_t length = blocks_length(heap, first), last;

	last = first + (length - HEAP_BLOCKS_HEAD_BYTES) / HEAP_BLOCK_BYTES;
	smile_field_begin(file, HEAP_TAG_BLOCKS, length);
	smile_field_put_number(file, HEAP_BLOCK_BYTES, 4);
	smile_field_put_number(file, 0, 4);
	for (size_t i = first; i < last; i++)
		put_block(file, &heap->blocks[i]);
	smile_field_pad(file, length);
}

static void put_object(FILE *file, const struct heap_object *object)
{
	size_t build = strlen(object->build);

	smile_field_begin(file, HEAP_TAG_OBJECT, object_length(object));
	smile_field_put_number(file, build, 4);
	fwrite(object->build, 1, build, file);
	fwrite(object->path, 1, strlen(object->path), file);
	smile_field_pad(file, object_length(object));
}

void smile_map_heap_trailer_write(FILE *file, const struct map_heap *heap)
{
	for (size_t i = 0; i < heap->sites_count; i++)
		put_site(file, &heap->sites[i]);
	for (size_t i = 0; i < heap->blocks_count; i += BLOCKS_MAX)
		put_blocks(file, heap, i);
	for (size_t i = 0; i < heap->objects_count; i++)
		put_object(file, &heap->objects[i]);
}

/* ---- read ----------------------------------------------------------------------------------- */

static const char *get_site(struct map_heap *heap, const struct field *field)
{
	struct Monitor_site site = {.lost = 0};
	size_t more;

	if (field->length < HEAP_SITE_BYTES)
		return "an allocation site is cut off";
	more = (field->length - HEAP_SITE_BYTES) / 8;
	for (size_t i = 0; i < HEAP_SITE_FIRST; i++)
		site.callers[i] = smile_field_number(field->data + 8 * i, 8);
	for (size_t i = 0; i < more && i < MONITOR_SITE_CALLERS - HEAP_SITE_FIRST; i++)
		site.callers[HEAP_SITE_FIRST + i] =
			smile_field_number(field->data + HEAP_SITE_BYTES + 8 * i, 8);
	site.blocks = smile_field_number(field->data + 32, 8);
	site.bytes = smile_field_number(field->data + 40, 8);
	site.peak_bytes = smile_field_number(field->data + 48, 8);
	site.lost = smile_field_number(field->data + 56, 8);
	return smile_field_wrong(smile_map_heap_site_add(heap, &site),
				 "an allocation site is invalid");
}

static const char *get_blocks(struct map_heap *heap, const struct field *field)
{
	const unsigned char *at = field->data + HEAP_BLOCKS_HEAD_BYTES;
	const char *wrong = NULL;
	uint32_t each;

	if (field->length < HEAP_BLOCKS_HEAD_BYTES)
		return "its blocks of the heap are cut off";
	each = (uint32_t)smile_field_number(field->data, 4);
	if (each < HEAP_BLOCK_BYTES || (field->length - HEAP_BLOCKS_HEAD_BYTES) % each)
		return "its blocks of the heap end within an entry";
	for (; !wrong && at < field->data + field->length; at += each) {
		const struct Monitor_block block = {
			.address = smile_field_number(at, 8),
			.bytes = smile_field_number(at + 8, 8),
			.count = smile_field_number(at + 16, 8),
			.stride = smile_field_number(at + 24, 8),
			.uses = smile_field_number(at + 32, 8),
			.begin_ns = smile_field_number(at + 40, 8),
			.end_ns = smile_field_number(at + 48, 8),
			.site = (uint32_t)smile_field_number(at + 56, 4),
			.flags = (uint32_t)smile_field_number(at + 60, 4),
		};

		wrong = smile_field_wrong(smile_map_heap_block_add(heap, &block),
					  "a block of the heap is invalid");
	}
	return wrong;
}

static const char *get_object(struct map_heap *heap, const struct field *field)
{
	const char *text = (const char *)field->data + HEAP_OBJECT_HEAD_BYTES;
	char *build, *path;
	size_t length;
	int error;

	if (field->length < HEAP_OBJECT_HEAD_BYTES)
		return "a file of the program is cut off";
	length = smile_field_number(field->data, 4);
	if (length > field->length - HEAP_OBJECT_HEAD_BYTES)
		return "a file of the program is invalid";
	build = strndup(text, length);
	path = strndup(text + length, field->length - HEAP_OBJECT_HEAD_BYTES - length);
	error = build && path ? smile_map_heap_object_add(heap, path, build) : -ENOMEM;
	free(build);
	free(path);
	return smile_field_wrong(error, "a file of the program is invalid");
}

const char *smile_map_heap_trailer_field(struct map_heap *heap, const struct field *field)
{
	switch (field->tag) {
	case HEAP_TAG_SITE:
		return get_site(heap, field);
	case HEAP_TAG_BLOCKS:
		return get_blocks(heap, field);
	case HEAP_TAG_OBJECT:
		return get_object(heap, field);
	default:
		return NULL;
	}
}
