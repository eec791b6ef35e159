/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Makes threads wait for tasks. During the wait, they execute other tasks. This file may use
 * task_pool_parts.h.
 */
#include "run/preload/openmp/task_pool_parts.h"
#include "run/preload/base/preload.h"

static bool aim_reached(const struct task_pool *pool, const struct aim *aim)
{
	switch (aim->kind) {
	case AIM_CHILDREN:
		return aim->task->children == 0;
	case AIM_GROUP:
		return aim->group->alive == 0;
	case AIM_DEPENDS:
		return aim->task->blockers == 0;
	case AIM_BARRIER:
		break;
	}
	return pool->barriers != aim->barriers;
}

/*
 * Check whether a waiting thread may execute @task. The thread may do so only if the task helps to
 * end the wait. Any other task could itself wait for work that this thread has not done yet. If the
 * thread waits for a group, it may also execute tasks that were created before the group, because a
 * task in the group may depend on them.
 */
static bool aim_served(const struct aim *aim, const struct task *task)
{
	switch (aim->kind) {
	case AIM_CHILDREN:
		return task->parent == aim->task;
	case AIM_GROUP:
		return task->member == aim->group || task->parent == aim->task;
	case AIM_DEPENDS:
		return task->family == aim->task->family;
	default:
		return true;
	}
}

static bool task_ready(const struct task *task)
{
	return !task->running && task->blockers == 0;
}

static struct task *pool_take(struct task_pool *pool, const struct aim *aim)
{
	struct task *best = NULL;

	for (struct task *task = pool->first; pool->ready > 0 && task; task = task->next)
		if (task_ready(task) && aim_served(aim, task) &&
		    (!best || task->priority > best->priority))
			best = task;
	if (best) {
		best->running = true;
		pool->ready--;
	}
	return best;
}

/**
 * struct sleeper - A waiting thread. The structure is on the thread's stack.
 *
 * @next: the next sleeper in the pool's list
 * @aim: the condition for which the thread waits
 * @wake: signalled once, to wake the thread
 * @called: whether @wake has been signalled
 * @serves: whether the thread was woken to execute a task
 */
struct sleeper {
	struct sleeper *next;
	const struct aim *aim;
	pthread_cond_t wake;
	bool called;
	bool serves;
};

static void sleeper_call(struct sleeper *sleeper, bool serves)
{
	sleeper->called = true;
	sleeper->serves = serves;
	pthread_cond_signal(&sleeper->wake);
}

/* End the barrier if all threads have reached it and all tasks are finished. */
static void pool_settle(struct task_pool *pool)
{
	if (pool->arrived == 0 || pool->arrived < pool->threads || pool->alive > 0)
		return;
	pool->arrived = 0;
	pool->barriers++;
}

/*
 * Wake the threads whose condition is true. For each ready task, wake one thread that may execute
 * it. Do not wake other threads, because each thread that wakes must take turns, which takes time.
 */
static void pool_call(struct task_pool *pool)
{
	size_t ready = pool->ready;

	for (struct sleeper *sleeper = pool->sleepers; sleeper; sleeper = sleeper->next) {
		if (!sleeper->called && aim_reached(pool, sleeper->aim))
			sleeper_call(sleeper, false);
		else if (sleeper->serves && ready > 0)
			ready--;
	}
	for (const struct task *task = pool->first; ready > 0 && task; task = task->next) {
		struct sleeper *sleeper = pool->sleepers;

		if (!task_ready(task))
			continue;
		ready--;
		while (sleeper && (sleeper->called || !aim_served(sleeper->aim, task)))
			sleeper = sleeper->next;
		if (sleeper)
			sleeper_call(sleeper, true);
	}
}

void pool_lock(struct task_pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
}

void pool_unlock(struct task_pool *pool)
{
	pool_settle(pool);
	if (pool->sleepers)
		pool_call(pool);
	pthread_mutex_unlock(&pool->mutex);
}

static void pool_sleep(struct task_pool *pool, const struct aim *aim)
{
	struct sleeper sleeper = {.wake = PTHREAD_COND_INITIALIZER, .aim = aim};
	struct sleeper **list;

	pool_call(pool);
	for (list = &pool->sleepers; *list; list = &(*list)->next)
		;
	*list = &sleeper;
	while (!sleeper.called)
		pthread_cond_wait(&sleeper.wake, &pool->mutex);
	for (list = &pool->sleepers; *list != &sleeper; list = &(*list)->next)
		;
	*list = sleeper.next;
}

void pool_wait(struct task_pool *pool, const struct aim *aim)
{
	for (;;) {
		struct task *task;

		pool_settle(pool);
		if (aim_reached(pool, aim))
			return;
		task = pool_take(pool, aim);
		if (!task) {
			pool_sleep(pool, aim);
			continue;
		}
		pool_unlock(pool);
		task_execute(task);
		pool_lock(pool);
		task_leave(pool, task);
		block_free(pool, task, task->bytes);
	}
}

static void pool_wait_for(struct task_pool *pool, const struct aim *aim)
{
	pool_lock(pool);
	pool_wait(pool, aim);
	pool_unlock(pool);
}

void pool_wait_children(struct task_pool *pool)
{
	struct task *task = trace_self.task;

	if (!task->made)
		return;
	pool_wait_for(pool, &(struct aim){.kind = AIM_CHILDREN, .task = task});
	task->made = false;
}

void pool_meet(struct task_pool *pool, size_t threads)
{
	struct aim aim = {.kind = AIM_BARRIER};

	pool_lock(pool);
	aim.barriers = pool->barriers;
	pool->threads = threads;
	pool->arrived++;
	pool_wait(pool, &aim);
	pool_unlock(pool);
	trace_self.task->made = false;
}

void pool_group_begin(struct group *group)
{
	struct task *task = trace_self.task;

	*group = (struct group){.outer = task->group};
	task->group = group;
}

struct group *pool_group_end(struct task_pool *pool)
{
	struct task *task = trace_self.task;
	struct group *group = task->group;

	if (!group)
		return NULL;
	if (task->maker)
		pool_wait_for(pool, &(struct aim){.kind = AIM_GROUP, .task = task, .group = group});
	task->group = group->outer;
	return group;
}
