/* SPDX-License-Identifier: MIT */
/*
 * Place request: reads a placement file for `smile place`.
 *
 * What lives here: the contents of a placement file, which are pages, regions, objects, and orders
 * in which threads take locks; and the comparison of the recorded objects with the objects on this
 * machine. An object is a file with code, which is the program or a library. May use the public API
 * and placement_lines.h.
 */
#ifndef LIB_ANALYSIS_PLACE_PLACE_REQUEST_H
#define LIB_ANALYSIS_PLACE_PLACE_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <base/page_ranges.h>

#include "lib/analysis/placement_lines.h"

/**
 * struct place_object - A program or library that the placement file names.
 * @path: path of the object in the recorded run
 * @file: path of the object on this machine; for the program, the path of the program that `smile
 *        place` runs
 * @build: build id of the object in the recorded run; NULL: not known
 * @program: this object is the program
 * @changed: the build of the file differs from the recorded build
 * @found: if @changed is set, the number of variables that were found by name in the new build
 * @lost: if @changed is set, the number of regions that were not found in the new build
 */
struct place_object {
	char *path;
	char *file;
	char *build;
	int program;
	int changed;
	size_t found;
	size_t lost;
};

/**
 * struct place_region - A region that the placement file names.
 * @line: the line of the file, without its strings, which are in @path and @name
 * @path: path of the region's object or file; "" if the region has none
 * @name: name of the region; "" if the region has none
 * @object: index of the region's object; PLAN_NO_OBJECT: the region is in no object
 * @bytes: if the object has changed, the size of the region in the new build; 0: the size is the
 *         recorded size
 * @lost: the region cannot be found, because its object has changed
 */
struct place_region {
	struct placement_line line;
	char *path;
	char *name;
	uint32_t object;
	uint64_t bytes;
	int lost;
};

/**
 * struct place_order - The order in which threads first take a lock.
 * @lock: address of the lock in the recorded run
 * @threads: thread numbers; shape [@count]
 * @count: number of threads
 */
struct place_order {
	uint64_t lock;
	uint32_t *threads;
	size_t count;
};

/**
 * struct place_request - The contents of a placement file.
 * @file: name of the file
 * @program: the recorded program, as named by the user; NULL: not known
 * @arguments: the arguments of the recorded program, separated by line feeds; NULL: not known
 * @leaves_own: pages that only one node accessed are not placed; first touch decides their homes
 * @placed: maps the recorded number of a page to the node on which the page is placed
 * @owners: maps the recorded number of a page to the index of the page's region
 * @regions: shape [@region_count]
 * @region_count: number of regions
 * @region_room: number of regions for which @regions has memory
 * @objects: shape [@object_count]
 * @object_count: number of objects
 * @object_room: number of objects for which @objects has memory
 * @orders: shape [@order_count]
 * @order_count: number of orders
 * @order_room: number of orders for which @orders has memory
 */
struct place_request {
	const char *file;
	char *program;
	char *arguments;
	int leaves_own;
	struct page_ranges placed;
	struct page_ranges owners;
	struct place_region *regions;
	size_t region_count;
	size_t region_room;
	struct place_object *objects;
	size_t object_count;
	size_t object_room;
	struct place_order *orders;
	size_t order_count;
	size_t order_room;
};

/**
 * place_request_read() - Read a placement file. The file must place at least one page and name at
 * least one region.
 *
 * The caller must call place_request_free() even after an error. Return: 0; -EINVAL, -ENOMEM or
 * another -errno, with Monitor_error_message() set.
 */
int place_request_read(struct place_request *request, const char *file);

/**
 * place_request_load() - Read a placement file that may place no page, and may name no region.
 * @leaves_own: leave out the pages that only one node accessed (`own`)
 */
int place_request_load(struct place_request *request, const char *file, int leaves_own);

void place_request_free(struct place_request *request);

#define PLACE_NAME_BYTES 160

/*
 * Write the name of a region to @text, which has PLACE_NAME_BYTES bytes. Examples of names are
 * "table" and "init.c:7 (main) block 0".
 */
void place_region_name(const struct place_region *region, char *text);

/**
 * place_request_differs() - Compare the program and its arguments with the recorded program and
 * arguments.
 * @command: the program as the user named it, and its arguments; terminated by NULL
 * @text: receives a text that describes the difference; it has @bytes bytes
 *
 * Return: 2 if the program differs; 1 if only the arguments differ; 0 if neither differs, or if the
 * file does not name the recorded program.
 */
int place_request_differs(const struct place_request *request, char *const *command, char *text,
			  size_t bytes);

/**
 * place_builds_check() - Find the objects that have changed since the recording, and find the
 * addresses that their variables have in the new build.
 * @program: path of the program
 *
 * Return: 0; -ENOMEM, with Monitor_error_message().
 */
int place_builds_check(struct place_request *request, const char *program);

#endif /* LIB_ANALYSIS_PLACE_PLACE_REQUEST_H */
