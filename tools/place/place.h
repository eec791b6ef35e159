/* SPDX-License-Identifier: MIT */
/*
 * smile place: what its files share.
 *
 *	place.c     the command and its options
 *	request.c   the placement file, as it is written
 *	builds.c    what has become of the recorded objects since
 *	plan.c      of both, the plan for the library in the program (lib/place/)
 *	native.c    the program is run, signals are passed on
 *	outcome.c   what the library reports, as a table and as JSON
 *
 * May use: tools/common, emu/run to find files, emu/machine for ranges of pages, libnuma.
 */
#ifndef TOOLS_PLACE_PLACE_H
#define TOOLS_PLACE_PLACE_H

#include <stddef.h>
#include <stdint.h>

#include <place/plan.h>

#include "emu/machine/page_ranges.h"
#include "lib/analysis/placement_lines.h"

/**
 * struct place_object - A file that the placement names.
 * @path: where it was
 * @file: where it is now; the program's own path for the program
 * @build: of the recorded run; NULL: not known
 * @program: it is the program
 * @changed: it is another build now
 */
struct place_object {
	char *path;
	char *file;
	char *build;
	int program;
	int changed;
};

/**
 * struct place_region - A region that the placement names.
 * @line: as it was read; its strings are @path and @name
 * @path: of its object or file; "" if none
 * @name: of it; "" if none
 * @object: index; PLAN_NO_OBJECT: none
 * @lost: it cannot be found: its object has changed
 */
struct place_region {
	struct placement_line line;
	char *path;
	char *name;
	uint32_t object;
	int lost;
};

/**
 * struct place_order - The order in which threads first take a lock.
 * @lock: its address in the recorded run
 * @threads: their numbers; shape [@count]
 * @count: threads
 */
struct place_order {
	uint64_t lock;
	uint32_t *threads;
	size_t count;
};

/**
 * struct place_request - What a placement file asks for.
 * @file: its name
 * @placed: node of each page, by its recorded number
 * @owners: region of each page, likewise
 * @regions: shape [@region_count]
 * @region_count: how many
 * @region_room: room
 * @objects: shape [@object_count]
 * @object_count: how many
 * @object_room: room
 * @orders: shape [@order_count]
 * @order_count: how many
 * @order_room: room
 */
struct place_request {
	const char *file;
	struct ranges placed;
	struct ranges owners;
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
 * struct place_nodes - Nodes of this machine with memory that the command may use.
 * @node: their numbers, ascending; shape [@count]
 * @count: how many; 0: the system does not say
 */
struct place_nodes {
	uint32_t node[PLAN_NODES_MAX];
	uint32_t count;
};

/**
 * struct place_plan - The plan.
 * @header: as include/place/plan.h has it; its regions are those of the request, in order
 * @fd: its memory
 * @unnamed: placed pages that are in no region: they cannot be found again
 */
struct place_plan {
	struct plan_header *header;
	int fd;
	uint64_t unnamed;
};

/* Read a file. Return: TOOL_OK; TOOL_ERROR after a message. place_request_free() in any case. */
int place_request_read(struct place_request *request, const char *file);
void place_request_free(struct place_request *request);

/* Which objects have changed since, and where their variables are now. @program: its path */
void place_builds_check(struct place_request *request, const char *program);

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int place_plan_make(struct place_plan *plan, const struct place_request *request,
		    const struct place_nodes *nodes, uint32_t threads_on);
void place_plan_free(struct place_plan *plan);

static inline struct plan_region *place_plan_regions(const struct place_plan *plan)
{
	return (struct plan_region *)((char *)plan->header + plan->header->regions_at);
}

/* Run the program with the library. Return: its exit status, as a shell would give it. */
int place_native_run(const struct place_plan *plan, const char *library, char **command);

/* Become the program. Return: 126 or 127 after a message. */
int place_native_execute(char **command);

void place_outcome_print(const struct place_plan *plan, const struct place_request *request);

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int place_outcome_json(const struct place_plan *plan, const struct place_request *request,
		       const struct place_nodes *nodes, const char *file, int status);

#endif /* TOOLS_PLACE_PLACE_H */
