/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Task pool: assigns the explicit tasks of an OpenMP team to the threads of the team, in the order
 * of the replay.
 *
 * What lives here: the pool of tasks, which is used if threads take turns. libgomp itself would
 * give a task to the thread that is first to request one on the host. Instead, the pool gives tasks
 * to threads in the order of their turns, so that each task is executed by the same thread in each
 * run. A mutex and a condition variable of this library protect the pool, and threads take turns to
 * use them. Tasks of higher priority are executed first; tasks of equal priority are executed in
 * the order of their creation. While a thread waits for tasks, it executes other tasks. This file
 * may use preload.h and task_depend.h.
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
 * @alive: number of unfinished tasks in the group, including the tasks that tasks of the group have
 *         created
 */
struct group {
	struct group *outer;
	size_t alive;
};

/**
 * struct task - A task. It is an explicit task, or the implicit task of a thread in a parallel
 * region.
 * @next: next task in the pool's list, which is in the order of creation
 * @previous: previous task in the pool's list
 * @parent: the task that created this task; NULL if that task has finished, or if no task created
 *          this task
 * @member: the taskgroup to which the task belongs
 * @group: the taskgroup to which the tasks created by this task belong
 * @number: number of the task, unique in its pool; 0: the task has no number yet
 * @family: number of the parent of the task; tasks with the same parent are a family
 * @function: function that executes the task, or NULL
 * @data: argument of the function
 * @bytes: size of the task's block of memory
 * @children: number of unfinished tasks in the pool that this task has created
 * @blockers: number of older tasks of the same parent that must finish before this task starts
 * @priority: tasks with a higher value are executed first
 * @made: this task has put tasks into the pool since it last waited for all of its children
 * @maker: this task, or a task that it executed immediately, has put tasks into the pool
 * @final: the task immediately executes the tasks that it creates
 * @running: a thread executes the task
 * @depends: dependencies of the task; shape [@depends_count]
 * @depends_count: number of dependencies
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
 * @on: the tasks of the team are in the pool; otherwise libgomp has them
 * @mutex: protects the members below, and the tasks in the pool
 * @first: first task in the list of unfinished tasks
 * @last: last task in the list of unfinished tasks
 * @alive: number of unfinished tasks
 * @ready: number of unfinished tasks that are neither running nor blocked
 * @numbers: the highest number that a task has
 * @sleepers: the waiting threads, in the order in which they began to wait
 * @arrived: number of threads that have reached the barrier
 * @threads: number of threads for which the barrier waits
 * @barriers: number of barriers that the team has passed
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
 * struct task_request - The data from which a task is created.
 * @function: function that executes the task
 * @data: argument of the function
 * @copy: function that copies the argument; NULL: the bytes of the argument are copied
 * @bytes: size of the argument
 * @align: alignment of the argument
 * @range: values for the first two words of the copy, or NULL
 * @depends: list of dependencies from the compiler, or NULL
 * @priority: as in struct task
 * @final: as in struct task
 * @site: return address of the program's call
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
 * struct chunks - A loop whose chunks are tasks. All numbers are modulo 2^64.
 * @start: first iteration
 * @end: one past the last iteration
 * @step: difference between the values of two consecutive iterations
 * @iterations: number of iterations
 * @count: number of chunks
 * @strict: number of iterations of each chunk except the last one; 0: the iterations are divided
 *          evenly, and the first chunks may have one iteration more
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
 * @on: the team's tasks are in the pool
 */
void pool_begin(struct task_pool *pool, bool on);

/**
 * pool_end() - Free the pool after all threads have left the team.
 */
void pool_end(struct task_pool *pool);

/**
 * pool_task() - Create a task, as a child of the calling thread's current task.
 * @deferred: the task may be executed later; otherwise it is executed immediately
 * @threads: number of threads of the team
 */
void pool_task(struct task_pool *pool, const struct task_request *request, bool deferred,
	       size_t threads);

/**
 * pool_tasks() - Create a task for each chunk of a loop. The arguments of all tasks are copied
 * before any of the tasks is executed.
 */
void pool_tasks(struct task_pool *pool, const struct task_request *request,
		const struct chunks *chunks, bool deferred, size_t threads);

/**
 * pool_wait_children() - Wait until all tasks that the current task has created are finished.
 */
void pool_wait_children(struct task_pool *pool);

/**
 * pool_wait_depends() - Wait for the tasks on which a new task with the dependencies @depends would
 * depend.
 */
void pool_wait_depends(struct task_pool *pool, void **depends);

/**
 * pool_meet() - Wait at a barrier until all @threads threads have reached it, and all tasks are
 * finished.
 */
void pool_meet(struct task_pool *pool, size_t threads);

/**
 * pool_group_begin() - Begin a taskgroup of the current task. pool_group_end() waits until all
 * tasks of the taskgroup have finished, and ends the taskgroup.
 * @group: memory for the taskgroup, which must exist until its end
 */
void pool_group_begin(struct group *group);
struct group *pool_group_end(struct task_pool *pool);

#endif /* RUN_PRELOAD_OPENMP_TASK_POOL_H */
