/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * OpenMP as GCC compiles it: handles explicit tasks. This file may use gomp.h and imports.h.
 *
 * If the tasks of a team are in the team's pool (see task_pool.h), libgomp gets none of them. The
 * library still calls libgomp where libgomp may have other work. Pools do not support tasks that
 * can be cancelled, that have reductions, that end by an event, or that run on another device. If a
 * program has such tasks, the library uses no pools, and reports that the order of the tasks is
 * nondeterministic.
 */
#include "run/preload/openmp/gomp.h"
#include "run/preload/base/imports.h"
#include "run/preload/base/preload.h"

/* Flags of GOMP_task() and GOMP_taskloop(). */
#define TASK_FINAL 0x2U
#define TASK_DEPEND 0x8U
#define TASK_PRIORITY 0x10U
#define TASK_UP 0x100U
#define TASK_GRAINSIZE 0x200U
#define TASK_IF 0x400U
#define TASK_NOGROUP 0x800U
#define TASK_STRICT 0x4000U

bool team_has_tasks(void)
{
	static const char *const tasks[] = {"GOMP_task", "GOMP_taskloop", "GOMP_taskloop_ull",
					    NULL};
	static const char *const others[] = {"GOMP_cancel",
					     "GOMP_task_reduction_remap",
					     "omp_fulfill_event",
					     "omp_fulfill_event_",
					     "GOMP_target_ext",
					     "GOMP_target_update_ext",
					     "GOMP_target_enter_exit_data",
					     NULL};
	static uint64_t seen;
	static bool has;
	uint64_t loaded = imports_serial();

	/*
	 * Several threads may execute this code at the same time. All of them compute the same
	 * result.
	 */
	if (__atomic_load_n(&seen, __ATOMIC_ACQUIRE) != loaded) {
		__atomic_store_n(&has, imports_any(tasks) && !imports_any(others),
				 __ATOMIC_RELAXED);
		__atomic_store_n(&seen, loaded, __ATOMIC_RELEASE);
	}
	return __atomic_load_n(&has, __ATOMIC_RELAXED);
}

/* Get the pool for the calling thread's tasks; NULL if libgomp manages these tasks. */
static struct task_pool *task_pool(void)
{
	return team_pools(trace_self.team) ? &trace_self.team->pool : NULL;
}

static void task_chance(void)
{
	if (team_threads(trace_self.team) > 1)
		trace_chance(STREAM_CHANCE_TASK);
}

EXPORT void GOMP_task(TASK_ARGUMENTS, bool deferred, unsigned flags, void **depends, int priority,
		      void *detach)
{
	struct task_pool *pool = task_pool();
	const struct task_request request = {
		.function = function,
		.data = data,
		.copy = copy,
		.bytes = (size_t)bytes,
		.align = (size_t)align,
		.depends = flags & TASK_DEPEND ? depends : NULL,
		.priority = flags & TASK_PRIORITY ? priority : 0,
		.final = flags & TASK_FINAL,
		.site = __builtin_return_address(0),
	};

	if (pool) {
		pool_task(pool, &request, deferred, team_threads(trace_self.team));
		return;
	}
	task_chance();
	GOMP(GOMP_task)
	(function, data, copy, bytes, align, deferred, flags, depends, priority, detach);
}

EXPORT void GOMP_taskwait(void);
EXPORT void GOMP_taskwait(void)
{
	struct task_pool *pool = task_pool();

	if (pool)
		pool_wait_children(pool);
	GOMP(GOMP_taskwait)();
}

EXPORT void GOMP_taskwait_depend(void **depends);
EXPORT void GOMP_taskwait_depend(void **depends)
{
	struct task_pool *pool = task_pool();

	if (pool)
		pool_wait_depends(pool, depends);
	GOMP(GOMP_taskwait_depend)(depends);
}

EXPORT void GOMP_taskgroup_start(void);
EXPORT void GOMP_taskgroup_start(void)
{
	struct group *group;

	if (task_pool()) {
		group = malloc(sizeof(*group));
		if (!group)
			abort();
		pool_group_begin(group);
	}
	GOMP(GOMP_taskgroup_start)();
}

EXPORT void GOMP_taskgroup_end(void);
EXPORT void GOMP_taskgroup_end(void)
{
	struct task_pool *pool = task_pool();

	if (pool)
		free(pool_group_end(pool));
	GOMP(GOMP_taskgroup_end)();
}

/* ---- loops whose chunks are tasks ---- */

/*
 * Get the number of tasks for a loop. If the program does not request a number by grainsize or
 * num_tasks, there is one task for each thread.
 */
static uint64_t taskloop_tasks(uint64_t iterations, uint64_t asked, unsigned flags,
			       uint64_t threads)
{
	uint64_t tasks = asked ? asked : threads;

	if ((flags & TASK_GRAINSIZE) && asked)
		tasks = iterations / asked + ((flags & TASK_STRICT) && iterations % asked);
	if (tasks == 0)
		tasks = 1;
	return tasks < iterations ? tasks : iterations;
}

/*
 * Get the number of iterations of each task except the last one, if grainsize or num_tasks has the
 * modifier `strict`. Otherwise the result is 0, and the iterations are distributed evenly.
 */
static uint64_t taskloop_strict(uint64_t iterations, uint64_t asked, unsigned flags, uint64_t tasks)
{
	if (!(flags & TASK_STRICT) || asked == 0)
		return 0;
	return flags & TASK_GRAINSIZE ? asked : (iterations + tasks - 1) / tasks;
}

/*
 * Create the tasks of a loop. @range: the first iteration, and one past the last iteration. @step:
 * the step modulo 2^64.
 */
static void taskloop(struct task_pool *pool, const struct task_request *request, unsigned flags,
		     uint64_t asked, const uint64_t *range, uint64_t step)
{
	size_t threads = team_threads(trace_self.team);
	uint64_t length = flags & TASK_UP ? range[1] - range[0] : range[0] - range[1];
	uint64_t by = flags & TASK_UP ? step : -step;
	struct chunks chunks = {
		.start = range[0],
		.end = range[1],
		.step = step,
		.iterations = (length - 1) / by + 1,
	};
	struct group group;

	chunks.count = taskloop_tasks(chunks.iterations, asked, flags, threads);
	chunks.strict = taskloop_strict(chunks.iterations, asked, flags, chunks.count);
	/* Do not create tasks that would have no iterations. */
	if (chunks.strict)
		chunks.count = (chunks.iterations - 1) / chunks.strict + 1;
	if (!(flags & TASK_NOGROUP))
		pool_group_begin(&group);
	pool_tasks(pool, request, &chunks, flags & TASK_IF, threads);
	if (!(flags & TASK_NOGROUP))
		pool_group_end(pool);
}

#define TASKLOOP(name, number)                                                                     \
	EXPORT void name(TASK_ARGUMENTS, unsigned flags, unsigned long tasks, int priority,        \
			 number start, number end, number step);                                   \
	EXPORT void name(TASK_ARGUMENTS, unsigned flags, unsigned long tasks, int priority,        \
			 number start, number end, number step)                                    \
	{                                                                                          \
		struct task_pool *pool = task_pool();                                              \
		const uint64_t range[2] = {(uint64_t)start, (uint64_t)end};                        \
		const struct task_request request = {                                              \
			.function = function,                                                      \
			.data = data,                                                              \
			.copy = copy,                                                              \
			.bytes = (size_t)bytes,                                                    \
			.align = (size_t)align,                                                    \
			.priority = flags & TASK_PRIORITY ? priority : 0,                          \
			.final = flags & TASK_FINAL,                                               \
			.site = __builtin_return_address(0),                                       \
		};                                                                                 \
                                                                                                   \
		if (pool && (flags & TASK_UP ? start < end : start > end)) {                       \
			taskloop(pool, &request, flags, tasks, range, (uint64_t)step);             \
		} else if (!pool) {                                                                \
			task_chance();                                                             \
			GOMP(name)                                                                 \
			(function, data, copy, bytes, align, flags, tasks, priority, start, end,   \
			 step);                                                                    \
		}                                                                                  \
	}

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, ull)

/* ---- queries by a task ---- */

#define IN_FINAL(name)                                                                             \
	EXPORT int name(void);                                                                     \
	EXPORT int name(void)                                                                      \
	{                                                                                          \
		return task_pool() ? trace_self.task->final : GOMP(name)();                        \
	}

IN_FINAL(omp_in_final)
IN_FINAL(omp_in_final_)
