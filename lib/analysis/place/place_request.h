/* SPDX-License-Identifier: MIT */
/*
 * Place request: the requests of a placement file, as `smile place` uses them.
 *
 * What lives here: the pages, regions, objects and orders of a placement file, and a comparison of
 * the recorded objects with those on this machine. May use the public API and placement_lines.h.
 */
#ifndef LIB_ANALYSIS_PLACE_PLACE_REQUEST_H
#define LIB_ANALYSIS_PLACE_PLACE_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include <base/page_ranges.h>

#include "lib/analysis/placement_lines.h"

/**
 * struct place_object - A file that the placement names.
 * @path: its path in the recorded run
 * @file: its path on this machine; for the program, the program's own path
 * @build: build id in the recorded run; NULL: not known
 * @program: this object is the program
 * @changed: the build of the file differs from the recorded build
 * @found: if @changed, number of variables that were found by their names
 * @lost: if @changed, number of regions that were not found
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
 * struct place_region - A region that the placement names.
 * @line: its line; the strings in it are @path and @name
 * @path: path of its object or file; "" if none
 * @name: its name; "" if none
 * @object: index of its object; PLAN_NO_OBJECT: none
 * @bytes: its size in a changed object; 0: as recorded
 * @lost: it cannot be found, because its object has changed
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
 * struct place_request - The requests of a placement file.
 * @file: name of the file
 * @program: the recorded program, as named by the user; NULL: not known
 * @arguments: its arguments, separated by line feeds; NULL: not known
 * @leaves_own: pages that only one node accessed are left to first touch
 * @placed: node of each page, by recorded page number
 * @owners: index of the region of each page, by recorded page number
 * @regions: shape [@region_count]
 * @region_count: number of regions
 * @region_room: regions that there is room for
 * @objects: shape [@object_count]
 * @object_count: number of objects
 * @object_room: objects that there is room for
 * @orders: shape [@order_count]
 * @order_count: number of orders
 * @order_room: orders that there is room for
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
 * place_request_read() - Read a placement file.
 *
 * Call place_request_free() in any case. Return: 0; -EINVAL, -ENOMEM or another -errno, with
 * Monitor_error_message().
 */
int place_request_read(struct place_request *request, const char *file);

/**
 * place_request_load() - The same, also for a file that places nothing, or names no region.
 * @leaves_own: `own` pages are left out
 */
int place_request_load(struct place_request *request, const char *file, int leaves_own);

void place_request_free(struct place_request *request);

#define PLACE_NAME_BYTES 160

/* The name of a region: "table", "init.c:7 (main) block 0". @text: PLACE_NAME_BYTES long. */
void place_region_name(const struct place_region *region, char *text);

/**
 * place_request_differs() - Compare the program and its arguments with the recorded ones.
 * @command: the program as named by the user, and its arguments, terminated by NULL
 * @text: receives a text on the difference; @bytes long
 *
 * Return: 2: another program; 1: other arguments; 0: neither, or the file does not have them.
 */
int place_request_differs(const struct place_request *request, char *const *command, char *text,
			  size_t bytes);

/**
 * place_builds_check() - Find the objects that have changed since the recording, and the addresses
 * that their variables have now.
 * @program: path of the program
 *
 * Return: 0; -ENOMEM, with Monitor_error_message().
 */
int place_builds_check(struct place_request *request, const char *program);

#endif /* LIB_ANALYSIS_PLACE_PLACE_REQUEST_H */
