/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task pool: the explicit tasks of an OpenMP team, assigned to its threads in the order of the
 * replay.
 *
 * libgomp gives a task to the first thread that requests one on the host. If threads take turns,
 * the pool holds the tasks instead. A mutex and a condition protect it, both interposed by this
 * library. Threads take tasks in their turns, so the same thread executes the same task in every
 * run. Tasks are executed in the order of their creation, and tasks of higher priority before
 * others. A thread that waits for tasks executes other tasks. May use preload.h and task_depend.h.
 */
#ifndef RUN_PRELOAD_OPENMP_TASK_POOL_H
#define RUN_PRELOAD_OPENMP_TASK_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/preload/openmp/task_depend.h"

/**
 * struct group - A taskgroup.
 * @outer: the enclosing taskgroup
 * @alive: unfinished tasks in the group, including descendants
 */
struct group {
	struct group *outer;
	size_t alive;
};

/**
 * struct task - A task, explicit or the implicit one of a thread in a region. @next, @previous:
 * links of the pool's list, in the order of creation
 * @parent: the task that created it; NULL if that task has finished or there is none
 * @member: its taskgroup
 * @group: taskgroup of the tasks that it creates
 * @number: number of the task, unique in its pool; 0: not assigned yet
 * @family: @number of its parent
 * @function: its function, or NULL
 * @data: the function's argument
 * @bytes: size of its block
 * @children: unfinished tasks in the pool that it created
 * @blockers: number of older tasks of its family that must finish first
 * @priority: higher values are executed first
 * @made: it has put tasks into the pool since it last waited for all of them
 * @maker: it, or a task that it executed immediately, has put tasks into the pool
 * @final: it immediately executes the tasks that it creates
 * @running: a thread executes it
 * @depends: shape [@depends_count]
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
 * struct task_pool - The explicit tasks of a team.
 * @on: this pool holds the tasks, not libgomp
 * @mutex: protects the fields below and the tasks in the pool
 * @first, @last: list of the unfinished tasks
 * @alive: number of tasks in the list
 * @ready: number of these tasks that are neither running nor blocked
 * @numbers: last number assigned to a task
 * @sleepers: waiting threads, in order of arrival
 * @arrived: number of threads at the barrier
 * @threads: number of threads that the barrier waits for
 * @barriers: number of barriers passed
 * @blocks: free blocks
 * @chunks: memory of the blocks
 */
struct task_pool {
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
 * struct task_request - A request for a new task.
 * @function: its function
 * @data: the function's argument
 * @copy: function that copies the argument; NULL: copy its bytes
 * @bytes: size of the argument
 * @align: alignment of the argument
 * @range: values for the first two words of the copy, or NULL
 * @depends: the compiler's list, or NULL
 * @priority: as in struct task
 * @final: as in struct task
 * @site: the program's return address
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
 * @start: first iteration
 * @end: one past the last iteration
 * @step: difference between two iterations
 * @iterations: number of iterations
 * @count: number of chunks
 * @strict: iterations of each chunk except the last one; 0: the first chunks may have one more
 *          iteration than the others
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
 * pool_begin() - Initialise the pool of a new team.
 * @on: the team uses the pool
 */
void pool_begin(struct task_pool *pool, bool on);

/**
 * pool_end() - Free the pool after all threads have left the team.
 */
void pool_end(struct task_pool *pool);

/**
 * pool_task() - Create a task of the calling thread's current task.
 * @deferred: it may be executed later
 * @threads: number of threads in the team
 */
void pool_task(struct task_pool *pool, const struct task_request *request, bool deferred,
	       size_t threads);

/**
 * pool_tasks() - Create a task for each chunk of a loop. All arguments are copied before any task
 * is executed.
 */
void pool_tasks(struct task_pool *pool, const struct task_request *request,
		const struct chunks *chunks, bool deferred, size_t threads);

/**
 * pool_wait_children() - Wait until all tasks that the current task created are finished.
 */
void pool_wait_children(struct task_pool *pool);

/**
 * pool_wait_depends() - Wait until all tasks are finished on which a task with @depends would
 * depend.
 */
void pool_wait_depends(struct task_pool *pool, void **depends);

/**
 * pool_meet() - Wait at a barrier until all @threads have reached it and all tasks are finished.
 */
void pool_meet(struct task_pool *pool, size_t threads);

/**
 * pool_group_begin(), pool_group_end() - Begin and end a taskgroup of the current task. The end
 * waits for all tasks in it.
 * @group: storage, which must exist until the end
 */
void pool_group_begin(struct group *group);
struct group *pool_group_end(struct task_pool *pool);

#endif /* RUN_PRELOAD_OPENMP_TASK_POOL_H */
