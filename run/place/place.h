/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * smile-place.so: declarations that its files share.
 *
 * `smile place` loads the library into the program by LD_PRELOAD. So does `smile sample`, for which
 * the library logs the program's allocations. With both a plan and a log the library does both. The
 * library interposes the libc functions that allocate memory or create threads: it calls the
 * function of libc, and looks up the new memory in the plan. pages.c places the memory that the
 * plan names. Programs that the program executes, and child processes, are not affected: memory
 * that they inherit keeps its policy.
 *
 * 	start.c        the plan, the environment, the end of the program
 * 	match.c        finds a region of the plan; no system calls, no state but its own
 * 	objects.c      load addresses of the program's files
 * 	regions.c      regions that appear and go
 * 	pages.c        mbind() and move_pages()
 * 	blocks.c       malloc() and the like
 * 	maps.c         mmap() and the like, smile_alloc() and smile_place()
 * 	bind.c         threads on nodes
 * 	locks.c        locks under which threads take their role
 * 	lock_order.c   the order of threads at such a lock
 * 	log.c          for `smile sample`: blocks, named regions, phases
 *
 * Code that the library shares with smile-preload.so, such as C++'s operator new, is in
 * run/preload/base.
 *
 * May use libc, libnuma, include/. It allocates nothing from the program's heap except a few bytes
 * for each thread that begins.
 */
#ifndef RUN_PLACE_PLACE_H
#define RUN_PLACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/place/match.h"
#include "run/preload/base/real_functions.h"
#include <place/plan.h>

extern bool place_on; /* there is a plan, and it is for this process */
extern struct plan_header *place_plan;

/* Smaller blocks have no line in a placement file, since they share their pages. */
#define PLACE_LARGE MATCH_PAGE

static inline struct plan_object *place_objects(void)
{
	return (struct plan_object *)((char *)place_plan + place_plan->objects_at);
}

static inline struct plan_region *place_regions(void)
{
	return (struct plan_region *)((char *)place_plan + place_plan->regions_at);
}

static inline struct plan_run *place_runs(const struct plan_region *region)
{
	return (struct plan_run *)((char *)place_plan + place_plan->runs_at) + region->first_run;
}

/* Get zeroed memory that is not from the program's heap; NULL: there is no memory. */
void *place_memory(size_t bytes);

/* ---- objects.c --------------------------------------------------------------------------- */

/* Find the load addresses of the plan's objects: their bias, or MATCH_NOWHERE. Shape [objects]. */
void loaded_find(uint64_t *biases);

/* ---- regions.c ------------------------------------------------------------------------------- */

/*
 * Place the data of the program's files, which exists at the beginning. Return: false: no memory.
 */
bool regions_start(void);

/*
 * Handle new memory. @caller: the return address of the call that allocates a block; @name: the
 * name of a named region.
 */
void regions_block(const void *caller, const void *block, size_t bytes);
void regions_named(const char *name, const void *start, size_t bytes);
void regions_mapping(bool shared, int fd, const void *start, size_t bytes);

/* Handle memory that will be freed; this is fast if no region of the plan starts there. */
void regions_free(const void *block);
void regions_unmap(const void *start, size_t bytes);

/*
 * Handle smile_place(): place the pages that belong to no region of the plan. Return: 0; -1 with
 * errno.
 */
int regions_place(const void *start, size_t bytes, unsigned node);

/* Look up, at the end of the program, the nodes of all memory that still exists. */
void regions_end(void);

/* ---- pages.c --------------------------------------------------------------------------------- */

/* Prepare placing pages. */
void pages_start(void);

/*
 * Put pages @first to @last on @node: existing ones, and those that will be allocated later.
 * @marks: one byte for each page, for pages_look(), or NULL. Return: 0; -errno if the system
 * refuses.
 */
int pages_put(uint64_t first, uint64_t last, unsigned node, unsigned char *marks);

/* The same for pages that do not exist yet; existing pages stay where they are. */
int pages_prefer(uint64_t first, uint64_t last, unsigned node);

/* Forget the nodes of pages. */
void pages_forget(uint64_t first, uint64_t last);

/* Add up the results of placing pages. @results: by enum plan_result */
void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results);

/* ---- bind.c ---------------------------------------------------------------------------------- */

/**
 * struct bind_request - The nodes to which threads are bound in turn.
 * @node: the nodes; shape [@nodes]
 * @nodes: number of nodes; 0: threads are counted, but not bound
 * @threads: receives the number of threads
 * @unbound: receives the number of threads that could not be bound
 */
struct bind_request {
	const uint32_t *node;
	uint32_t nodes;
	_Atomic uint32_t *threads;
	_Atomic uint32_t *unbound;
};

/* Find the nodes' processors, and bind the first thread. */
void bind_start(const struct bind_request *request);
/* Stop binding in a child process: threads that it creates are not bound. */
void bind_stop(void);

/* Number of the calling thread, in order of creation. */
extern _Thread_local uint32_t bind_number;

/* ---- log.c ----------------------------------------------------------------------------------- */

extern bool log_on; /* there is a log, and it is for this process */

void log_start(void);
/* Use, in a child process, its own log, if it has one. Return: log_on. */
bool log_forked(void);
/* Count the process's threads, and bind them if the log requests that. */
void log_bind(void);

/*
 * Log a block of PLACE_LARGE or more bytes that was allocated, or will be freed. @caller: the
 * return address of the call that allocates it
 */
void log_block(const void *caller, const void *block, size_t bytes);
void log_free(const void *block);

/* Log a call of smile_alloc() or smile_phase(). */
void log_region(const char *name, const void *start, size_t bytes);
/* Let the kernel scan new memory of smile_alloc(), if the log requests that. */
void log_scan(void *start, size_t bytes);
/* Must the kernel scan the memory that the plan places, too? */
bool log_scans(void);
/* Log that the kernel does not scan such memory on this node. */
void log_unscanned(unsigned node);
void log_phase(const char *name);
/* Log the stack of the calling thread, which begins. */
void log_stack(void);

/* ---- locks.c --------------------------------------------------------------------------------- */

/* Find the locks of the plan. @biases: the result of loaded_find(). Return: false: no memory. */
bool locks_start(const uint64_t *biases);

/* Record that a thread has ended. */
void locks_left(uint32_t number);

#endif /* RUN_PLACE_PLACE_H */
