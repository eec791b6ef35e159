/* SPDX-License-Identifier: MIT */
/* Heap: stores the program's allocations, and the build ids of its files. See map_heap.h. */
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/map.h"

#define ADDRESSES ((uint64_t)1 << SMILE_ADDRESS_BITS)

void smile_map_heap_free(struct map_heap *heap)
{
	for (size_t i = 0; i < heap->objects_count; i++) {
		free(heap->objects[i].path);
		free(heap->objects[i].build);
	}
	free(heap->sites);
	free(heap->blocks);
	free(heap->objects);
	*heap = (struct map_heap){0};
}

int smile_map_heap_is_empty(const struct map_heap *heap)
{
	return !heap->sites_count && !heap->objects_count;
}

/* ---- sites and blocks ------------------------------------------------------------------------ */

int smile_map_heap_site_add(struct map_heap *heap, const struct Monitor_site *site)
{

	for (unsigned int i = 0; i < MONITOR_SITE_CALLERS; i++)
		if (site->callers[i] >= ADDRESSES)
			return smile_error(EINVAL, "a return address of 0x%llx is impossible",
					   (unsigned long long)site->callers[i]);
	if (site->lost > site->blocks)
		return smile_error(EINVAL, "a site of %llu blocks cannot have lost %llu",
				   (unsigned long long)site->blocks,
				   (unsigned long long)site->lost);
	if (array_reserve(&heap->sites, &heap->sites_size, heap->sites_count, sizeof(*site)) < 0)
		return smile_map_no_memory();
	heap->sites[heap->sites_count++] = *site;
	return 0;
}

uint64_t smile_map_heap_block_end(const struct Monitor_block *block)
{
	return block->address + (block->count - 1) * block->stride + block->bytes;
}

static int block_can_be(const struct Monitor_block *block)
{
	uint64_t span;

	return block->address < ADDRESSES && block->bytes && block->bytes <= ADDRESSES &&
	       block->count && block->stride >= block->bytes &&
	       !__builtin_mul_overflow(block->count - 1, block->stride, &span) &&
	       span <= ADDRESSES && smile_map_heap_block_end(block) <= ADDRESSES &&
	       block->uses >= block->count && !(block->flags & ~MONITOR_BLOCK_MERGED) &&
	       block->begin_ns <= block->end_ns;
}

int smile_map_heap_block_add(struct map_heap *heap, const struct Monitor_block *block)
{
	if (!block_can_be(block))
		return smile_error(EINVAL,
				   "a block of the heap of %llu bytes at 0x%llx is "
				   "impossible",
				   (unsigned long long)block->bytes,
				   (unsigned long long)block->address);
	if (block->site >= heap->sites_count)
		return smile_error(EINVAL, "site %u does not exist: add it before its blocks",
				   block->site);
	if (array_reserve(&heap->blocks, &heap->blocks_size, heap->blocks_count, sizeof(*block)) <
	    0)
		return smile_map_no_memory();
	heap->blocks[heap->blocks_count++] = *block;
	return 0;
}

/* ---- objects --------------------------------------------------------------------------------- */

int smile_map_heap_object_add(struct map_heap *heap, const char *path, const char *build)
{
	struct heap_object copy;

	if (!path || !*path)
		return smile_error(EINVAL, "a file of the program needs a path");
	copy = (struct heap_object){strdup(path), strdup(build ? build : "")};
	if (!copy.path || !copy.build ||
	    array_reserve(&heap->objects, &heap->objects_size, heap->objects_count, sizeof(copy)) <
		    0) {
		free(copy.path);
		free(copy.build);
		return smile_map_no_memory();
	}
	heap->objects[heap->objects_count++] = copy;
	return 0;
}

/* ---- merging --------------------------------------------------------------------------------- */

static int objects_agree(const struct map_heap *a, const struct map_heap *b)
{
	for (size_t i = 0; i < a->objects_count; i++)
		if (strcmp(a->objects[i].path, b->objects[i].path) ||
		    strcmp(a->objects[i].build, b->objects[i].build))
			return 0;
	return 1;
}

int smile_heaps_agree(const struct map_heap *a, const struct map_heap *b)
{
	if (a->objects_count && b->objects_count &&
	    (a->objects_count != b->objects_count || !objects_agree(a, b)))
		return 0;
	if (!a->sites_count || !b->sites_count)
		return 1;
	return a->sites_count == b->sites_count && a->blocks_count == b->blocks_count &&
	       !memcmp(a->sites, b->sites, a->sites_count * sizeof(*a->sites)) &&
	       (!a->blocks_count ||
		!memcmp(a->blocks, b->blocks, a->blocks_count * sizeof(*a->blocks)));
}

int smile_heaps_sum(struct map_heap *sum, const struct map_heap *a, const struct map_heap *b)
{
	const struct map_heap *objects = a->objects_count ? a : b, *sites = a->sites_count ? a : b;
	int error = 0;

	for (size_t i = 0; !error && i < objects->objects_count; i++)
		error = smile_map_heap_object_add(sum, objects->objects[i].path,
						  objects->objects[i].build);
	for (size_t i = 0; !error && i < sites->sites_count; i++)
		error = smile_map_heap_site_add(sum, &sites->sites[i]);
	for (size_t i = 0; !error && i < sites->blocks_count; i++)
		error = smile_map_heap_block_add(sum, &sites->blocks[i]);
	return error;
}
