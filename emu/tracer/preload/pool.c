/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How tasks go from who makes them to who executes them. It may use what pool.h names.
 *
 * Whether a thread takes the mutex must not depend on what others do on the host meanwhile: so a
 * thread looks at what is its own, and at the rest with the mutex alone.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/tracer/preload/pool.h"
#include "emu/tracer/preload/preload.h"

#define POOL_BLOCK 512U /* bytes that nearly all tasks are content with */
#define POOL_TASKS 64U /* a thread: what comes beyond is executed at once, as libgomp does */
#define POOL_ALIGN 16U /* what malloc() gives */

/* ---- dependences ---- */

/* The two ways in which the compiler counts them: see libgomp's ABI, GOMP_task. */
static size_t depends_count(void **depends)
{
	if (!depends)
		return 0;
	return (size_t)(uintptr_t)(depends[0] ? depends[0] : depends[1]);
}

static enum depend_kind depend_object_kind(uintptr_t kind)
{
	/* GCC's numbers of the kinds in an omp_depend_t. */
	enum { IN = 1, INOUTSET = 5 };

	if (kind == IN)
		return DEPEND_IN;
	return kind == INOUTSET ? DEPEND_SET : DEPEND_OUT;
}

static void depends_read(struct depend *to, void **depends)
{
	size_t count = depends_count(depends), out, plain;
	void **from = depends + 2;

	if (count == 0)
		return;
	out = (size_t)(uintptr_t)depends[1];
	plain = count;
	if (!depends[0]) {
		from = depends + 5;
		out = (size_t)(uintptr_t)depends[2] + (size_t)(uintptr_t)depends[3];
		plain = out + (size_t)(uintptr_t)depends[4];
	}
	for (size_t i = 0; i < count; i++) {
		to[i].address = from[i];
		to[i].kind = i < out ? DEPEND_OUT : DEPEND_IN;
		if (i >= plain) {
			void *const *object = from[i];

			to[i].address = object[0];
			to[i].kind = depend_object_kind((uintptr_t)object[1]);
		}
	}
}

static bool depend_on(const struct depend *a, const struct depend *b)
{
	bool all = (!a->address && a->kind == DEPEND_OUT) || (!b->address && b->kind == DEPEND_OUT);

	if (!all && a->address != b->address)
		return false;
	return a->kind == DEPEND_OUT || a->kind != b->kind;
}

/* Must one of two tasks be finished before the other begins? */
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

/* ---- blocks ---- */

struct block {
	struct block *next;
};

static void block_free(struct pool *pool, void *memory, size_t bytes)
{
	struct block *block = memory;

	if (bytes > POOL_BLOCK) {
		free(block);
		return;
	}
	block->next = pool->blocks;
	pool->blocks = block;
}

/*
 * As many at a time as a thread may have tasks: where the program itself allocates meanwhile, where its
 * memory lies should depend on that as seldom as can be.
 */
struct chunk {
	_Alignas(POOL_ALIGN) struct chunk *next;
	_Alignas(POOL_ALIGN) char blocks[POOL_TASKS][POOL_BLOCK];
};

static void *block_new(struct pool *pool, size_t bytes)
{
	struct block *block;
	struct chunk *chunk;

	if (bytes > POOL_BLOCK)
		return malloc(bytes);
	if (!pool->blocks) {
		chunk = malloc(sizeof(*chunk));
		if (!chunk)
			return NULL;
		chunk->next = pool->chunks;
		pool->chunks = chunk;
		for (size_t i = POOL_TASKS; i-- > 0;)
			block_free(pool, chunk->blocks[i], POOL_BLOCK);
	}
	block = pool->blocks;
	pool->blocks = block->next;
	return block;
}

void pool_begin(struct pool *pool, bool on)
{
	*pool = (struct pool){
		.on = on,
		.mutex = PTHREAD_MUTEX_INITIALIZER,
	};
}

void pool_end(struct pool *pool)
{
	while (pool->chunks) {
		struct chunk *chunk = pool->chunks;

		pool->chunks = chunk->next;
		free(chunk);
	}
}

/* ---- tasks in the pool ---- */

/* A task comes into the list; its dependences are known. */
static void task_enter(struct pool *pool, struct task *task)
{
	struct task *parent = trace_self.task;

	task->parent = parent;
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

static void task_orphans(struct pool *pool, const struct task *parent)
{
	for (struct task *task = pool->first; task; task = task->next)
		if (task->parent == parent)
			task->parent = NULL;
}

static void task_unblock(struct pool *pool, const struct task *finished)
{
	for (struct task *task = finished->next; finished->depends_count && task; task = task->next)
		if (task_depends(finished, task) && --task->blockers == 0)
			pool->ready += !task->running;
}

static void task_leave(struct pool *pool, struct task *task)
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

static void task_execute(struct task *task)
{
	struct task *outer = trace_self.task;

	trace_self.task = task;
	if (task->function)
		task->function(task->data);
	trace_self.task = outer;
}

/* ---- waiting ---- */

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

static bool aim_reached(const struct pool *pool, const struct aim *aim)
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
 * Only tasks that bring the thread nearer to its aim: another could wait for what the thread itself
 * has still to do.
 */
static bool aim_served(const struct aim *aim, const struct task *task)
{
	switch (aim->kind) {
	case AIM_CHILDREN:
		return task->parent == aim->task;
	case AIM_GROUP:
		return task->member == aim->group;
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

static struct task *pool_take(struct pool *pool, const struct aim *aim)
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
 * struct sleeper - A thread that waits, on its stack.
 * @next: in the pool's list
 * @aim: what for
 * @wake: is signalled once
 * @called: it was
 * @serves: to execute a task
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

/* Have all come to the barrier, and are all tasks finished? */
static void pool_settle(struct pool *pool)
{
	if (pool->arrived == 0 || pool->arrived < pool->threads || pool->alive > 0)
		return;
	pool->arrived = 0;
	pool->barriers++;
}

/*
 * Who has reached its aim goes on, and for each task that is ready one that may execute it. Nobody else:
 * each that wakes takes turns.
 */
static void pool_call(struct pool *pool)
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

static void pool_lock(struct pool *pool)
{
	pthread_mutex_lock(&pool->mutex);
}

static void pool_unlock(struct pool *pool)
{
	pool_settle(pool);
	if (pool->sleepers)
		pool_call(pool);
	pthread_mutex_unlock(&pool->mutex);
}

static void pool_sleep(struct pool *pool, const struct aim *aim)
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

/* With the mutex, which is given back meanwhile. */
static void pool_wait(struct pool *pool, const struct aim *aim)
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

static void pool_wait_for(struct pool *pool, const struct aim *aim)
{
	pool_lock(pool);
	pool_wait(pool, aim);
	pool_unlock(pool);
}

void pool_wait_children(struct pool *pool)
{
	struct task *task = trace_self.task;

	if (!task->made)
		return;
	pool_wait_for(pool, &(struct aim){.kind = AIM_CHILDREN, .task = task});
	task->made = false;
}

void pool_meet(struct pool *pool, size_t threads)
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

struct group *pool_group_end(struct pool *pool)
{
	struct task *task = trace_self.task;
	struct group *group = task->group;

	if (!group)
		return NULL;
	if (task->maker)
		pool_wait_for(pool, &(struct aim){.kind = AIM_GROUP, .group = group});
	task->group = group->outer;
	return group;
}

/* ---- making tasks ---- */

static size_t align_up(size_t bytes, size_t align)
{
	return align > 1 ? (bytes + align - 1) / align * align : bytes;
}

static void wish_data(const struct wish *wish, void *to)
{
	if (wish->copy)
		wish->copy(to, wish->data);
	else
		memcpy(to, wish->data, wish->bytes);
	if (wish->range)
		memcpy(to, wish->range, 2 * sizeof(*wish->range));
}

/* In the pool meanwhile, since others may come to depend on it. */
static void task_follow(struct pool *pool, struct task *task)
{
	pool_lock(pool);
	task_enter(pool, task);
	pool_wait(pool, &(struct aim){.kind = AIM_DEPENDS, .task = task});
	pool_unlock(pool);
}

/* The calling thread executes it, after those that it depends on. */
static void pool_now(struct pool *pool, const struct wish *wish)
{
	size_t count = depends_count(wish->depends);
	struct depend depends[count + 1];
	bool copies = wish->copy || wish->range;
	char room[copies ? wish->bytes + wish->align : 1];
	struct task *current = trace_self.task;
	struct task task = {
		.function = wish->function,
		.data = wish->data,
		.number = (uint64_t)(uintptr_t)&task,
		.group = current->group,
		.final = current->final || wish->final,
		.running = true,
		.depends = depends,
		.depends_count = count,
	};

	if (count > 0) {
		depends_read(depends, wish->depends);
		task_follow(pool, &task);
	}
	if (copies) {
		task.data = (void *)align_up((uintptr_t)room, wish->align);
		wish_data(wish, task.data);
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

/* Return: whether it is in the pool now. */
static bool pool_add(struct pool *pool, const struct wish *wish, size_t threads)
{
	size_t count = depends_count(wish->depends);
	size_t depends = align_up(sizeof(struct task), POOL_ALIGN);
	size_t data = align_up(depends + count * sizeof(struct depend), POOL_ALIGN);
	size_t bytes = data + wish->bytes + wish->align;
	struct task *task = NULL;

	pool_lock(pool);
	if (pool->alive <= POOL_TASKS * threads)
		task = block_new(pool, bytes);
	if (task) {
		*task = (struct task){
			.function = wish->function,
			.data = (void *)align_up((uintptr_t)task + data, wish->align),
			.bytes = bytes,
			.priority = wish->priority,
			.final = wish->final,
			.depends = (struct depend *)((char *)task + depends),
			.depends_count = count,
		};
		depends_read(task->depends, wish->depends);
		/* The program's own way to copy may do anything. */
		if (wish->copy)
			pool_unlock(pool);
		wish_data(wish, task->data);
		if (wish->copy)
			pool_lock(pool);
		task_enter(pool, task);
	}
	pool_unlock(pool);
	return task != NULL;
}

void pool_task(struct pool *pool, const struct wish *wish, bool deferred, size_t threads)
{
	if (!deferred || trace_self.task->final || !pool_add(pool, wish, threads))
		pool_now(pool, wish);
}

void pool_wait_depends(struct pool *pool, void **depends)
{
	/* What depends on nothing in the pool does not wait for anything. */
	if (trace_self.task->made)
		pool_now(pool, &(struct wish){.depends = depends});
}
