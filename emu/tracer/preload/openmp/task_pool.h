/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task pool: the explicit tasks of an OpenMP team, assigned to its threads in the order of the
 * replay.
 *
 * libgomp gives a task to the thread that asks first on the host. If threads take turns, tasks are
 * kept here instead, behind a mutex and a condition that this library interposes. Threads take them
 * in their turns, so the same thread executes the same task in every run. Tasks are executed in the
 * order of their creation, those of higher priority first; a thread that waits for tasks executes
 * others meanwhile. May use preload.h and task_depend.h.
 */
#ifndef TRACER_PRELOAD_OPENMP_TASK_POOL_H
#define TRACER_PRELOAD_OPENMP_TASK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/tracer/preload/openmp/task_depend.h"

/**
 * struct group - A taskgroup.
 * @outer: the one around it
 * @alive: tasks in it, or made by one that is, and not finished
 */
struct group {
	struct group *outer;
	size_t alive;
};

/**
 * struct task - A task, explicit or the implicit one of a thread in a region.
 * @next, @previous: in the pool's list, in the order of creation
 * @parent: the task that made it, NULL if that has finished, or has none
 * @member: group that it belongs to
 * @group: where tasks belong that it makes
 * @number: of the task, unique in its pool; 0: none as yet
 * @family: @number of its parent
 * @function: what it does, or NULL
 * @data: its argument
 * @bytes: of its block
 * @children: made by it, kept in the pool and not finished
 * @blockers: older ones of its family that must finish first
 * @priority: the higher the sooner
 * @made: it has made others that are kept in the pool, since it waited for all of them
 * @maker: it, or what it executed at once, has made others that are kept in the pool
 * @final: it executes at once what it makes
 * @running: a thread executes it
 * @depends: [@depends_count]
 */
struct task {
	struct task *next;
	struct task *previous;
	struct task *parent;
	struct group *member;
	struct group *group;
	uint64_t number;
	uint64_t family;
	void (*function)(void *);
	void *data;
	size_t bytes;
	size_t children;
	size_t blockers;
	int priority;
	bool made;
	bool maker;
	bool final;
	bool running;
	struct depend *depends;
	size_t depends_count;
};

struct block;
struct chunk;
struct sleeper;

/**
 * struct pool - The explicit tasks of a team.
 * @on: they are kept here, and not by libgomp
 * @mutex: for all that follows, and for what a struct task in the pool has
 * @first, @last: tasks that are not finished
 * @alive: how many
 * @ready: of these, neither running nor blocked
 * @numbers: given so far
 * @sleepers: threads that wait, the first one first
 * @arrived: threads that are at the barrier
 * @threads: that come to it
 * @barriers: how many there were
 * @blocks: blocks for tasks to come
 * @chunks: where they lie
 */
struct pool {
	bool on;
	pthread_mutex_t mutex;
	struct task *first;
	struct task *last;
	size_t alive;
	size_t ready;
	uint64_t numbers;
	struct sleeper *sleepers;
	size_t arrived;
	size_t threads;
	uint64_t barriers;
	struct block *blocks;
	struct chunk *chunks;
};

/**
 * struct task_request - A task to be made.
 * @function: what it does
 * @data: its argument
 * @copy: copies that, or NULL: its bytes are copied
 * @bytes: of the argument
 * @align: of the argument
 * @range: the first two words of the copy, or NULL
 * @depends: the compiler's list, or NULL
 * @priority: as of struct task
 * @final: as of struct task
 * @site: where the program makes it
 */
struct task_request {
	void (*function)(void *);
	void *data;
	void (*copy)(void *to, void *from);
	size_t bytes;
	size_t align;
	const uint64_t *range;
	void **depends;
	int priority;
	bool final;
	const void *site;
};

/**
 * struct chunks - A loop whose chunks are tasks. Numbers are modulo 2^64.
 * @start: its first iteration
 * @end: one past its last
 * @step: from one to the next
 * @iterations: how many
 * @count: chunks
 * @strict: iterations of each but the last; 0: the first ones have one more than the others
 */
struct chunks {
	uint64_t start;
	uint64_t end;
	uint64_t step;
	uint64_t iterations;
	uint64_t count;
	uint64_t strict;
};

/**
 * pool_begin() - A team begins.
 * @on: the pool is used
 */
void pool_begin(struct pool *pool, bool on);

/**
 * pool_end() - The team has ended: all its threads are out of it.
 */
void pool_end(struct pool *pool);

/**
 * pool_task() - The calling thread's current task makes another.
 * @deferred: it may be executed later
 * @threads: of the team
 */
void pool_task(struct pool *pool, const struct task_request *request, bool deferred,
	       size_t threads);

/**
 * pool_tasks() - It makes one for each chunk of a loop. All copies are made before any is executed.
 */
void pool_tasks(struct pool *pool, const struct task_request *request, const struct chunks *chunks,
		bool deferred, size_t threads);

/**
 * pool_wait_children() - Until all that the current task made are finished.
 */
void pool_wait_children(struct pool *pool);

/**
 * pool_wait_depends() - Until those are finished on which a task with @depends would depend.
 */
void pool_wait_depends(struct pool *pool, void **depends);

/**
 * pool_meet() - A barrier: until all @threads have come to it, and there is no task.
 */
void pool_meet(struct pool *pool, size_t threads);

/**
 * pool_group_begin(), pool_group_end() - A taskgroup of the current task; its end waits for all in
 * it.
 * @group: on the stack or elsewhere, until its end
 */
void pool_group_begin(struct group *group);
struct group *pool_group_end(struct pool *pool);

#endif /* TRACER_PRELOAD_OPENMP_TASK_POOL_H */
