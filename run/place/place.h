/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * smile-place.so: what its files share.
 *
 * `smile place` loads the library into the program by LD_PRELOAD, and so does `smile sample`, for
 * which it logs the program's allocations; with both a plan and a log it does both. The library
 * interposes the libc functions that allocate memory or create threads: it calls the function of
 * libc, and looks up the new memory in the plan. pages.c places what the plan names. Programs that
 * the program executes, and child processes, are not affected: memory that they inherit keeps its
 * policy.
 *
 *	start.c        the plan, the environment, the end of the program
 *	match.c        finds a region of the plan; no system calls, no state but its own
 *	objects.c      load addresses of the program's files
 *	regions.c      regions that appear and go
 *	pages.c        mbind() and move_pages()
 *	blocks.c       malloc() and the like
 *	maps.c         mmap() and the like, smile_alloc() and smile_place()
 *	bind.c         threads on nodes
 *	locks.c        locks under which threads take their role
 *	lock_order.c   the order of threads at such a lock
 *	log.c          for `smile sample`: blocks, named regions, phases
 *
 * Code that it shares with smile-preload.so, such as C++'s operator new, is in run/preload/base.
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

extern bool place_on; /* there is a plan, and this is the process that it is for */
extern struct plan_header *place_plan;

/* Smaller blocks have no line in a placement file: they share their pages. */
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

/* Zeroed memory that is not the program's heap; NULL: there is none. */
void *place_memory(size_t bytes);

/* ---- objects.c --------------------------------------------------------------------------- */

/* Where the objects of the plan lie: their bias, or MATCH_NOWHERE. Shape [objects]. */
void loaded_find(uint64_t *biases);

/* ---- regions.c ------------------------------------------------------------------------------- */

/* At the beginning: data is there already. Return: false: no memory. */
bool regions_start(void);

/* Memory has appeared. @caller: the return address of a block's call; @name: of a named region. */
void regions_block(const void *caller, const void *block, size_t bytes);
void regions_named(const char *name, const void *start, size_t bytes);
void regions_mapping(bool shared, int fd, const void *start, size_t bytes);

/* Memory is about to go; cheap if no region of the plan begins there. */
void regions_free(const void *block);
void regions_unmap(const void *start, size_t bytes);

/* smile_place(): the pages that no region of the plan has. Return: 0; -1 with errno. */
int regions_place(const void *start, size_t bytes, unsigned node);

/* At the end of the program: look up what is still there. */
void regions_end(void);

/* ---- pages.c --------------------------------------------------------------------------------- */

/* Before anything is placed. */
void pages_start(void);

/*
 * Put pages @first to @last on @node: those that are there, and those to come. @marks: a byte a
 * page, for pages_look(), or NULL. Return: 0; -errno if the system refuses.
 */
int pages_put(uint64_t first, uint64_t last, unsigned node, unsigned char *marks);

/* The same for pages that do not exist yet; those that are there stay. */
int pages_prefer(uint64_t first, uint64_t last, unsigned node);

/* Forget where pages should lie. */
void pages_forget(uint64_t first, uint64_t last);

/* Add up what became of pages. @results: by enum plan_result */
void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results);

/* ---- bind.c ---------------------------------------------------------------------------------- */

/**
 * struct bind_request - To which nodes threads are bound in turn.
 * @node: shape [@nodes]
 * @nodes: 0: threads are counted, and not bound
 * @threads: receives how many threads there were
 * @unbound: receives how many could not be bound
 */
struct bind_request {
	const uint32_t *node;
	uint32_t nodes;
	_Atomic uint32_t *threads;
	_Atomic uint32_t *unbound;
};

/* Bind the first thread, and know the nodes' processors. */
void bind_start(const struct bind_request *request);
/* Threads that a child process creates are not bound. */
void bind_stop(void);

/* Number of the calling thread, in order of creation. */
extern _Thread_local uint32_t bind_number;

/* ---- log.c ----------------------------------------------------------------------------------- */

extern bool log_on; /* there is a log, and this is the process that it is for */

void log_start(void);
/* In a child process: it has a log of its own, or none. Return: log_on. */
bool log_forked(void);
/* Count the process' threads, and bind them if the log says so. */
void log_bind(void);

/*
 * A block of PLACE_LARGE or more bytes has appeared, and is about to go. @caller: the return
 * address of the call
 */
void log_block(const void *caller, const void *block, size_t bytes);
void log_free(const void *block);

/* smile_alloc() and smile_phase(). */
void log_region(const char *name, const void *start, size_t bytes);
/* New memory of smile_alloc() is to be scanned by the kernel, if the log says so. */
void log_scan(void *start, size_t bytes);
/* The kernel is to scan what the plan places, too. */
bool log_scans(void);
/* It does not, on this node. */
void log_unscanned(unsigned node);
void log_phase(const char *name);
/* The stack of the calling thread, which begins. */
void log_stack(void);

/* ---- locks.c --------------------------------------------------------------------------------- */

/* Where the locks of the plan are. @biases: as of loaded_find(). Return: false: no memory. */
bool locks_start(const uint64_t *biases);

/* A thread has ended. */
void locks_left(uint32_t number);

#endif /* RUN_PLACE_PLACE_H */
