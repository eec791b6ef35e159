/* SPDX-License-Identifier: MIT */
/*
 * Heap: the part of the map that has the program's allocations and the build ids of its files.
 *
 * What lives here: the lists of allocations, sites and files (map_heap.c), and their fields in the
 * trailer of a recording (map_heap_trailer.c).
 */
#ifndef LIB_MAP_MAP_HEAP_H
#define LIB_MAP_MAP_HEAP_H

#include <stdio.h>

#include <smile/monitor.h>

#include "lib/map/field.h"

/**
 * struct heap_object - A file of the program.
 * @path: path of the file; owned by this struct
 * @build: build id of the file; owned by this struct
 */
struct heap_object {
	char *path;
	char *build;
};

/**
 * struct map_heap - The heap. If all members are 0, the heap is empty. Each list is in the order in
 * which its items were added.
 * @sites: allocation sites; [@sites_size]
 * @blocks: blocks; [@blocks_size]
 * @objects: files; [@objects_size]
 */
struct map_heap {
	struct Monitor_site *sites;
	size_t sites_count;
	size_t sites_size;
	struct Monitor_block *blocks;
	size_t blocks_count;
	size_t blocks_size;
	struct heap_object *objects;
	size_t objects_count;
	size_t objects_size;
};

void smile_map_heap_free(struct map_heap *heap);
int smile_map_heap_is_empty(const struct map_heap *heap);

/*
 * The functions that add an item copy their arguments. Return: 0; -EINVAL or -ENOMEM, with
 * Monitor_error_message() set.
 */
int smile_map_heap_site_add(struct map_heap *heap, const struct Monitor_site *site);
int smile_map_heap_block_add(struct map_heap *heap, const struct Monitor_block *block);
int smile_map_heap_object_add(struct map_heap *heap, const char *path, const char *build);

/* Return whether two heaps agree. They agree if all data that both heaps have is the same. */
int smile_heaps_agree(const struct map_heap *a, const struct map_heap *b);

/*
 * Make the union of two heaps that agree. @sum: receives the union; it must be empty. Return: 0;
 * -ENOMEM.
 */
int smile_heaps_sum(struct map_heap *sum, const struct map_heap *a, const struct map_heap *b);

/* Get the address after the last byte of a block, or of several consecutive blocks. */
uint64_t smile_map_heap_block_end(const struct Monitor_block *block);

#define HEAP_TAG_SITE 20
#define HEAP_TAG_BLOCKS 22
#define HEAP_TAG_OBJECT 23

#define HEAP_SITE_BYTES 72U /* the smallest number of bytes of a site */
#define HEAP_SITE_FIRST 4U /* number of return addresses before the counts of a site */
#define HEAP_BLOCK_BYTES 64U
#define HEAP_BLOCKS_HEAD_BYTES 8U
#define HEAP_OBJECT_HEAD_BYTES 4U

/*
 * Write the fields of the heap, but not the field that ends the trailer. After a write error,
 * ferror(3) reports the error for @file.
 */
void smile_map_heap_trailer_write(FILE *file, const struct map_heap *heap);

/*
 * Read a field if it has a tag of the heap; ignore any other field. Return: NULL; if the field is
 * invalid, a text that describes the error.
 */
const char *smile_map_heap_trailer_field(struct map_heap *heap, const struct field *field);

#endif /* LIB_MAP_MAP_HEAP_H */
