/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The task pool, for its own files: the functions that they call in each other.
 */
#ifndef TRACER_PRELOAD_OPENMP_TASK_POOL_PARTS_H
#define TRACER_PRELOAD_OPENMP_TASK_POOL_PARTS_H

#include "emu/tracer/preload/openmp/task_pool.h"

#define POOL_TASKS 64U /* a thread: what comes beyond is executed at once, as libgomp does */
#define POOL_ALIGN 16U /* what malloc() gives */

/**
 * struct aim - What a thread waits for.
 * @kind: what
 * @task: whose children, or whose dependences
 * @group: which group
 * @barriers: how many there were before
 */
struct aim {
	enum { AIM_BARRIER, AIM_CHILDREN, AIM_GROUP, AIM_DEPENDS } kind;
	const struct task *task;
	const struct group *group;
	uint64_t barriers;
};

/* ---- task_block.c ---- */

/*
 * With the mutex. @site: the caller to report. Return: a block of so many bytes, or
 * NULL.
 */
void *block_new(struct pool *pool, size_t bytes, const void *site);
void block_free(struct pool *pool, void *memory, size_t bytes);

/* All that are left go back. */
void blocks_end(struct pool *pool);

/* ---- pool.c ---- */

void task_execute(struct task *task);

/* With the mutex: the task is finished. */
void task_leave(struct pool *pool, struct task *task);

/* ---- task_wait.c ---- */

void pool_lock(struct pool *pool);

/* Wake the threads that wait for what there is now. */
void pool_unlock(struct pool *pool);

/* With the mutex, which is given back meanwhile. */
void pool_wait(struct pool *pool, const struct aim *aim);

#endif /* TRACER_PRELOAD_OPENMP_TASK_POOL_PARTS_H */
