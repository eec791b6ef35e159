/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Declares functions of the task pool that only the source files of the pool use. */
#ifndef RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H
#define RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H

#include "run/preload/openmp/task_pool.h"

/* number of tasks for each thread; further tasks are executed immediately, as in libgomp */
#define POOL_TASKS 64U
#define POOL_ALIGN 16U /* the alignment of malloc() */

/**
 * struct aim - The condition that ends the wait of a thread.
 * @kind: kind of the condition
 * @task: the task whose children or dependencies must finish
 * @group: the group whose tasks must finish
 * @barriers: number of barriers that the team had passed when the wait began
 */
struct aim {
	enum { AIM_BARRIER, AIM_CHILDREN, AIM_GROUP, AIM_DEPENDS } kind;
	const struct task *task;
	const struct group *group;
	uint64_t barriers;
};

/* ---- task_block.c ---- */

/*
 * Allocate a block. The caller must hold the mutex. @site: return address of the program's call.
 * Return: a block of @bytes bytes; NULL if memory is missing.
 */
void *block_new(struct task_pool *pool, size_t bytes, const void *site);
void block_free(struct task_pool *pool, void *memory, size_t bytes);

/* Free the memory of all blocks. */
void blocks_end(struct task_pool *pool);

/* ---- pool.c ---- */

void task_execute(struct task *task);

/* Remove a finished task from the pool. The caller must hold the mutex. */
void task_leave(struct task_pool *pool, struct task *task);

/* ---- task_wait.c ---- */

void pool_lock(struct task_pool *pool);

/* Wake the threads that can continue, and unlock the mutex. */
void pool_unlock(struct task_pool *pool);

/*
 * Wait until the condition @aim is true, and execute other tasks during the wait. The caller must
 * hold the mutex, which is released during the wait.
 */
void pool_wait(struct task_pool *pool, const struct aim *aim);

#endif /* RUN_PRELOAD_OPENMP_TASK_POOL_PARTS_H */
