/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * smile-place.so: declarations that its source files share.
 *
 * `smile place` loads the library into the program by LD_PRELOAD. `smile sample` also loads the
 * library, in order to log the program's allocations. If there are both a plan and a log, the
 * library applies the plan and writes the log. The library interposes the functions of libc that
 * allocate memory or create threads. Each of these functions first calls the real function of libc.
 * It then searches the plan for the new memory. If the plan has nodes for this memory, pages.c
 * places it. The library does not place memory in child processes, or in programs that the program
 * executes; memory that a child inherits keeps its policy.
 *
 *	start.c        the plan, the environment, and the end of the program
 *	region_match.c        the search for a region of the plan; makes no system calls
 *	objects.c      load addresses of the program's files
 *	regions.c      regions that are allocated and freed
 *	pages.c        mbind() and move_pages()
 *	heap_blocks.c       malloc() and similar functions
 *	maps.c         mmap() and similar functions, smile_alloc() and smile_place()
 *	thread_binding.c         binding of threads to nodes
 *	locks.c        locks under which threads take their role
 *	lock_order.c   the order of threads at such a lock
 *	log.c          for `smile sample`: blocks, named regions, phases
 *
 * run/preload/base has the code that the library shares with smile-preload.so, such as C++'s
 * operator new.
 *
 * May use libc, libnuma and include/. The library allocates only a few bytes of the program's heap,
 * for each new thread.
 */
#ifndef RUN_PLACE_PLACE_H
#define RUN_PLACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/place/region_match.h"
#include "run/preload/base/real_functions.h"
#include <place/plan.h>

extern bool place_on; /* the library applies a plan in this process */
extern struct plan_header *place_plan;

/*
 * Blocks that are smaller than this have no line in a placement file, because several such blocks
 * share a page.
 */
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

/*
 * Allocate memory outside the program's heap. Return: the memory, all zero; NULL if memory is
 * missing.
 */
void *place_memory(size_t bytes);

/* ---- objects.c --------------------------------------------------------------------------- */

/*
 * Find the load address (bias) of each object of the plan. If an object is not loaded, its load
 * address is MATCH_NOWHERE.
 * @biases: shape [objects].
 */
void loaded_find(uint64_t *biases);

/* ---- regions.c ------------------------------------------------------------------------------- */

/*
 * Place the data of the program's files, which exists from the start. Return: true; false if memory
 * is missing.
 */
bool regions_start(void);

/*
 * Report that the program has new memory. If the plan has nodes for this memory, it is placed.
 * @caller: the return address of the call that allocates the block. @name: the name of the named
 * region.
 */
void regions_block(const void *caller, const void *block, size_t bytes);
void regions_named(const char *name, const void *start, size_t bytes);
void regions_mapping(bool shared, int fd, const void *start, size_t bytes);

/*
 * Report that the program is about to free or unmap memory. The function returns quickly if no
 * region of the plan starts at this address.
 */
void regions_free(const void *block);
void regions_unmap(const void *start, size_t bytes);

/*
 * Apply smile_place() to those pages that belong to no region of the plan. Return: 0; -1 with
 * errno.
 */
int regions_place(const void *start, size_t bytes, unsigned node);

/* Determine the nodes of all memory that still exists at the end of the program. */
void regions_end(void);

/* ---- pages.c --------------------------------------------------------------------------------- */

/* Prepare to place pages. */
void pages_start(void);

/*
 * Put pages @first to @last on @node. Pages that exist are moved; pages that do not exist yet will
 * be allocated on @node. @marks: receives one byte for each page, for pages_look(); may be NULL.
 * Return: 0; -errno if the system call fails.
 */
int pages_put(uint64_t first, uint64_t last, unsigned node, unsigned char *marks);

/*
 * Let pages that do not exist yet be allocated on @node. Pages that exist stay where they are.
 * Return: see pages_put().
 */
int pages_prefer(uint64_t first, uint64_t last, unsigned node);

/* Remove the policies of pages. */
void pages_forget(uint64_t first, uint64_t last);

/*
 * Determine the nodes of pages, and add the results to @results, which is indexed by enum
 * plan_result.
 */
void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results);

/* ---- thread_binding.c ------------------------------------------------------------------------ */

/**
 * struct bind_request - The nodes to which threads are bound in turn.
 * @node: numbers of the nodes; shape [@nodes]
 * @nodes: number of nodes; 0: threads are counted, but not bound
 * @threads: is incremented for each thread
 * @unbound: is incremented for each thread that could not be bound
 */
struct bind_request {
	const uint32_t *node;
	uint32_t nodes;
	_Atomic uint32_t *threads;
	_Atomic uint32_t *unbound;
};

/* Find the processors of the nodes, and bind the first thread. */
void bind_start(const struct bind_request *request);
/* Stop binding threads in a child process. Threads that the child creates are not bound. */
void bind_stop(void);

/* The number of the calling thread, in the order of creation. */
extern _Thread_local uint32_t bind_number;

/* ---- log.c ----------------------------------------------------------------------------------- */

extern bool log_on; /* the library writes a log for this process */

void log_start(void);
/* In a child process, use the log of the child, if it has one. Return: the new value of log_on. */
bool log_forked(void);
/* Count the threads of the process. If the log requests it, also bind them. */
void log_bind(void);

/*
 * Log that a block was allocated, or will be freed. Only blocks of at least PLACE_LARGE bytes are
 * logged. @caller: return address of the call that allocates the block.
 */
void log_block(const void *caller, const void *block, size_t bytes);
void log_free(const void *block);

/* Log a call of smile_alloc() or smile_phase(). */
void log_region(const char *name, const void *start, size_t bytes);
/* If the log requests it, let the kernel scan new memory of smile_alloc() for hint faults. */
void log_scan(void *start, size_t bytes);
/* Check whether the kernel must also scan the memory that the plan has placed. */
bool log_scans(void);
/* Log that the kernel does not scan memory that the plan has placed on this node. */
void log_unscanned(unsigned node);
void log_phase(const char *name);
/* Log the stack of the calling thread, which has just begun. */
void log_stack(void);

/* ---- locks.c --------------------------------------------------------------------------------- */

/*
 * Find the addresses of the plan's locks. @biases: result of loaded_find(). Return: true; false if
 * memory is missing.
 */
bool locks_start(const uint64_t *biases);

/* Record that a thread has ended. */
void locks_left(uint32_t number);

#endif /* RUN_PLACE_PLACE_H */
