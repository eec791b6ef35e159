/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Creates tasks, and removes them from the pool when they are finished. This file may use
 * task_pool_parts.h and gomp.h.
 *
 * Whether a thread takes the pool's mutex must not depend on the progress of other threads on the
 * host. For this reason, a thread that does not hold the mutex reads only its own data.
 */
#include <stdlib.h>
#include <string.h>

#include "run/preload/openmp/gomp.h"
#include "run/preload/openmp/task_pool_parts.h"
#include "run/preload/base/preload.h"

/* Check whether one of two tasks must finish before the other begins. */
static bool task_depends(const struct task *a, const struct task *b)
{
	if (a->family != b->family)
		return false;
	for (size_t i = 0; i < a->depends_count; i++)
		for (size_t j = 0; j < b->depends_count; j++)
			if (depend_on(&a->depends[i], &b->depends[j]))
				return true;
	return false;
}

void pool_begin(struct task_pool *pool, bool on)
{
	*pool = (struct task_pool){
		.on = on,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
}

void pool_end(struct task_pool *pool)
{
	blocks_end(pool);
}

/* ---- tasks in the pool ---- */

/* Add a task to the pool's list, and count the tasks that it depends on. */
static void task_enter(struct task_pool *pool, struct task *task)
{
	struct task *parent = trace_self.task;

	task->parent = parent;
	if (!parent->number)
		parent->number = ++pool->numbers;
	task->family = parent->number;
	task->number = ++pool->numbers;
	task->member = task->group = parent->group;
	for (const struct task *older = pool->first; task->depends_count && older;
	     older = older->next)
		task->blockers += task_depends(older, task);
	task->previous = pool->last;
	if (pool->last)
		pool->last->next = task;
	else
		pool->first = task;
	pool->last = task;
	pool->alive++;
	pool->ready += !task->running && task->blockers == 0;
	parent->children++;
	parent->made = parent->maker = true;
	if (task->member)
		task->member->alive++;
}

static void task_orphans(struct task_pool *pool, const struct task *parent)
{
	for (struct task *task = pool->first; task; task = task->next)
		if (task->parent == parent)
			task->parent = NULL;
}

static void task_unblock(struct task_pool *pool, const struct task *finished)
{
	for (struct task *task = finished->next; finished->depends_count && task; task = task->next)
		if (task_depends(finished, task) && --task->blockers == 0)
			pool->ready += !task->running;
}

void task_leave(struct task_pool *pool, struct task *task)
{
	task_unblock(pool, task);
	if (task->children > 0)
		task_orphans(pool, task);
	if (task->parent)
		task->parent->children--;
	if (task->member)
		task->member->alive--;
	if (task->previous)
		task->previous->next = task->next;
	else
		pool->first = task->next;
	if (task->next)
		task->next->previous = task->previous;
	else
		pool->last = task->previous;
	pool->alive--;
}

/* ---- creating tasks ------------------------------------------------------------------------- */

/*
 * Execute the task as a task of libgomp too, because locks and the effect of omp_set_num_threads()
 * belong to a task of libgomp.
 */
void task_execute(struct task *task)
{
	struct task *outer = trace_self.task;

	trace_self.task = task;
	if (task->function)
		GOMP(GOMP_task)
	(task->function, task->data, NULL, 0, 1, false, 0, NULL, 0, NULL);
	trace_self.task = outer;
}

static size_t align_up(size_t bytes, size_t align)
{
	return align > 1 ? (bytes + align - 1) / align * align : bytes;
}

static void request_data(const struct task_request *request, void *to)
{
	if (request->copy)
		request->copy(to, request->data);
	else
		memcpy(to, request->data, request->bytes);
	if (request->range)
		memcpy(to, request->range, 2 * sizeof(*request->range));
}

/*
 * Wait for the tasks that @task depends on. During the wait, @task is in the pool, because other
 * tasks may depend on it.
 */
static void task_follow(struct task_pool *pool, struct task *task)
{
	pool_lock(pool);
	task_enter(pool, task);
	pool_wait(pool, &(struct aim){.kind = AIM_DEPENDS, .task = task});
	pool_unlock(pool);
}

/* Execute a task immediately, but after the tasks that it depends on. */
static void pool_now(struct task_pool *pool, const struct task_request *request)
{
	size_t count = depends_count(request->depends);
	struct depend depends[count + 1];
	bool copies = request->copy || request->range;
	char room[copies ? request->bytes + request->align : 1];
	struct task *current = trace_self.task;
	struct task task = {
		.function = request->function,
		.data = request->data,
		.group = current->group,
		.final = current->final || request->final,
		.running = true,
		.depends = depends,
		.depends_count = count,
	};

	if (count > 0) {
		depends_read(depends, request->depends);
		task_follow(pool, &task);
	}
	if (copies) {
		task.data = (void *)align_up((uintptr_t)room, request->align);
		request_data(request, task.data);
	}
	task_execute(&task);
	current->maker |= task.maker;
	if (count == 0 && !task.made)
		return;
	pool_lock(pool);
	if (count > 0)
		task_leave(pool, &task);
	else if (task.children > 0)
		task_orphans(pool, &task);
	pool_unlock(pool);
}

/*
 * Make a task without its argument. The task is not added to the pool's list. The caller must hold
 * the mutex. Return: the task; NULL if memory is missing.
 */
static struct task *task_new(struct task_pool *pool, const struct task_request *request)
{
	size_t count = depends_count(request->depends);
	size_t depends = align_up(sizeof(struct task), POOL_ALIGN);
	size_t data = align_up(depends + count * sizeof(struct depend), POOL_ALIGN);
	size_t bytes = data + request->bytes + request->align;
	struct task *task = block_new(pool, bytes, request->site);

	if (!task)
		return NULL;
	*task = (struct task){
		.function = request->function,
		.data = (void *)align_up((uintptr_t)task + data, request->align),
		.bytes = bytes,
		.priority = request->priority,
		.final = request->final,
		.depends = (struct depend *)((char *)task + depends),
		.depends_count = count,
	};
	depends_read(task->depends, request->depends);
	return task;
}

/* Try to add a task to the pool. Return: true if the task was added. */
static bool pool_add(struct task_pool *pool, const struct task_request *request, size_t threads)
{
	struct task *task = NULL;

	pool_lock(pool);
	if (pool->alive <= POOL_TASKS * threads)
		task = task_new(pool, request);
	if (task) {
		/*
		 * The program's copy function may do anything, so call it without holding the
		 * mutex.
		 */
		if (request->copy)
			pool_unlock(pool);
		request_data(request, task->data);
		if (request->copy)
			pool_lock(pool);
		task_enter(pool, task);
	}
	pool_unlock(pool);
	return task != NULL;
}

void pool_task(struct task_pool *pool, const struct task_request *request, bool deferred,
	       size_t threads)
{
	if (!deferred || trace_self.task->final || !pool_add(pool, request, threads))
		pool_now(pool, request);
}

/* ---- loops ---- */

/*
 * Get the first iteration of a chunk. It is also the iteration after the last one of the previous
 * chunk.
 */
static uint64_t chunk_at(const struct chunks *chunks, uint64_t chunk)
{
	uint64_t even = chunks->iterations / chunks->count;
	uint64_t more = chunks->iterations % chunks->count;
	uint64_t before = chunk * even + (chunk < more ? chunk : more);

	if (chunk == chunks->count)
		return chunks->end;
	return chunks->start + (chunks->strict ? chunk * chunks->strict : before) * chunks->step;
}

/*
 * Make @count tasks. The caller must hold the mutex. Return: a list of the tasks; NULL if there is
 * no space for all of them.
 */
static struct task *tasks_new(struct task_pool *pool, const struct task_request *request,
			      uint64_t count, size_t threads)
{
	struct task *first = NULL, *task;

	if (pool->alive + count > POOL_TASKS * threads)
		return NULL;
	for (uint64_t i = 0; i < count; i++) {
		task = task_new(pool, request);
		if (!task)
			goto no_memory;
		task->next = first;
		first = task;
	}
	return first;

no_memory:
	while ((task = first)) {
		first = task->next;
		block_free(pool, task, task->bytes);
	}
	return NULL;
}

/* Try to add a task to the pool for each chunk. Return: true if the tasks were added. */
static bool chunks_add(struct task_pool *pool, const struct task_request *all,
		       const struct chunks *chunks, size_t threads)
{
	struct task_request request = *all;
	struct task *first, *task;
	uint64_t chunk = 0;

	pool_lock(pool);
	first = tasks_new(pool, &request, chunks->count, threads);
	if (first && request.copy)
		pool_unlock(pool);
	for (task = first; task; task = task->next) {
		const uint64_t range[2] = {chunk_at(chunks, chunk), chunk_at(chunks, chunk + 1)};

		request.range = range;
		request_data(&request, task->data);
		chunk++;
	}
	if (first && request.copy)
		pool_lock(pool);
	for (task = first; task;) {
		struct task *next = task->next;

		task->next = NULL;
		task_enter(pool, task);
		task = next;
	}
	pool_unlock(pool);
	return first != NULL;
}

/*
 * Execute the chunks immediately. If the arguments of the chunks must be copied by the program's
 * copy function, one heap block has all copies.
 */
static void chunks_now(struct task_pool *pool, const struct task_request *all,
		       const struct chunks *chunks)
{
	struct task_request request = *all;
	size_t bytes = align_up(request.bytes ? request.bytes : 1, request.align);
	char *room = request.copy ? malloc(chunks->count * bytes + request.align) : NULL;
	uintptr_t copies = align_up((uintptr_t)room, request.align);

	for (uint64_t pass = !room; pass < 2; pass++) {
		for (uint64_t chunk = 0; chunk < chunks->count; chunk++) {
			const uint64_t range[2] = {chunk_at(chunks, chunk),
						   chunk_at(chunks, chunk + 1)};
			void *copy = (void *)(copies + chunk * bytes);

			request.range = range;
			if (room && pass == 0) {
				request_data(&request, copy);
				continue;
			}
			if (room)
				request = (struct task_request){.function = all->function,
								.data = copy,
								.final = all->final};
			pool_now(pool, &request);
		}
	}
	free(room);
}

void pool_tasks(struct task_pool *pool, const struct task_request *request,
		const struct chunks *chunks, bool deferred, size_t threads)
{
	if (!deferred || trace_self.task->final || !chunks_add(pool, request, chunks, threads))
		chunks_now(pool, request, chunks);
}

void pool_wait_depends(struct task_pool *pool, void **depends)
{
	/* A task that has put no tasks into the pool has nothing to wait for. */
	if (trace_self.task->made)
		pool_now(pool, &(struct task_request){.depends = depends});
}
