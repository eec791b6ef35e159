/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the files of the placing library share.
 *
 * The library goes into the program of `smile place` by LD_PRELOAD. Functions of libc that make
 * memory or threads come here first; they call libc's own, and see whether the plan names what was
 * made. What is named is placed by pages.c. Programs that the program executes are left alone, and
 * so are child processes: they keep the policy of the memory that they inherit.
 *
 *	start.c        the plan, the environment, the end of the program
 *	match.c        which region of the plan is meant: no system calls, no state but its own
 *	loaded.c       where the files of the program lie in memory
 *	regions.c      regions that appear and go
 *	pages.c        mbind() and move_pages()
 *	blocks.c       malloc() and the like; operators.c  C++'s operator new
 *	maps.c         mmap() and the like, smile_alloc() and smile_place()
 *	bind.c         threads on nodes
 *	locks.c        locks that give threads their part of the work; turns.c  whose turn it is
 *
 * May use libc, libnuma, include/. It allocates nothing from the program's heap, but for a few
 * bytes per thread while it begins.
 */
#ifndef PLACE_PLACE_H
#define PLACE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/place/match.h"
#include <place/plan.h>

#define EXPORT __attribute__((visibility("default")))

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

/* ---- loaded.c -------------------------------------------------------------------------------- */

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

/* Bind the first thread, and know the nodes' processors. */
void bind_start(void);

/* Number of the calling thread, in order of creation. */
extern _Thread_local uint32_t bind_number;

/* ---- locks.c --------------------------------------------------------------------------------- */

/* Where the locks of the plan are. @biases: as of loaded_find(). Return: false: no memory. */
bool locks_start(const uint64_t *biases);

/* A thread has ended. */
void locks_left(uint32_t number);

/* ---- operators.c ----------------------------------------------------------------------------- */

/* The caller of operator new, while that calls malloc(); NULL otherwise. */
extern _Thread_local const void *operator_caller;

#endif /* PLACE_PLACE_H */
