/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The task pool's internal functions, shared by its own files. */
#ifndef RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H
#define RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H

#include "run/preload/openmp/task_pool.h"

#define POOL_TASKS 64U /* per thread; further tasks are executed immediately, as in libgomp */
#define POOL_ALIGN 16U /* malloc()'s alignment */

/**
 * struct aim - The condition that a thread waits for.
 * @kind: kind of condition
 * @task: the task whose children or dependencies must finish
 * @group: the group whose tasks must finish
 * @barriers: number of barriers passed when the wait began
 */
struct aim {
	enum { AIM_BARRIER, AIM_CHILDREN, AIM_GROUP, AIM_DEPENDS } kind;
	const struct task *task;
	const struct group *group;
	uint64_t barriers;
};

/* ---- task_block.c ---- */

/*
 * The caller holds the mutex. @site: the call site to report. Return: a block of @bytes bytes, or
 * NULL.
 */
void *block_new(struct task_pool *pool, size_t bytes, const void *site);
void block_free(struct task_pool *pool, void *memory, size_t bytes);

/* Free all remaining blocks. */
void blocks_end(struct task_pool *pool);

/* ---- pool.c ---- */

void task_execute(struct task *task);

/* The caller holds the mutex. Remove a finished task. */
void task_leave(struct task_pool *pool, struct task *task);

/* ---- task_wait.c ---- */

void pool_lock(struct task_pool *pool);

/* Wake the threads that can continue, and unlock the mutex. */
void pool_unlock(struct task_pool *pool);

/* The caller holds the mutex, which is released during the wait. */
void pool_wait(struct task_pool *pool, const struct aim *aim);

#endif /* RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H */
