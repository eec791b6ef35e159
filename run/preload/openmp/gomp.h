/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The real functions of libgomp, declared as the code that GCC generates calls them. No header of
 * GCC declares these functions.
 */
#ifndef RUN_PRELOAD_OPENMP_GOMP_H
#define RUN_PRELOAD_OPENMP_GOMP_H

#include "run/preload/base/real_functions.h"
#include "run/preload/openmp/task_pool.h"

/* GOMP(function): the real function of libgomp. It needs a prototype. */
#define GOMP(function)                                                                             \
	(__extension__({                                                                           \
		static void *known;                                                                \
		(__typeof__(&function))next_lookup(&known, #function, "libgomp.so.1");             \
	}))

typedef unsigned long long ull;

int omp_get_num_threads(void);
int omp_get_cancellation(void);
int omp_get_level(void);
bool GOMP_single_start(void);

#define TASK_ARGUMENTS                                                                             \
	void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long align

void GOMP_task(TASK_ARGUMENTS, bool deferred, unsigned flags, void **depends, int priority,
	       void *detach);

/**
 * struct team - A parallel region. It is on the stack of the thread that began the region.
 * @reductions: first word of @data, where GOMP_parallel_reductions() expects it, or NULL
 * @function: the function that each thread executes
 * @data: argument of @function
 * @paused: the thread that began the region has reported PAUSE
 * @turns: threads took turns when the region began
 * @copied: the pointer that one thread passes to the other threads after it has executed a single
 *          block
 * @pool: the explicit tasks of the team
 */
struct team {
	void *reductions;
	void (*function)(void *);
	void *data;
	bool paused;
	bool turns;
	void *copied;
	struct task_pool pool;
};

/* Get the number of threads of a team. */
static inline size_t team_threads(const struct team *team)
{
	int threads = team ? GOMP(omp_get_num_threads)() : 1;

	return threads > 1 ? (size_t)threads : 1;
}

/*
 * Check whether the tasks of the team are in the team's pool. A team of one thread does not need
 * the pool, because it executes the same tasks in each run.
 */
static inline bool team_pools(const struct team *team)
{
	return team && team->pool.on && team_threads(team) > 1;
}

/**
 * choice_begin() - Take a turn before a call of libgomp whose result only one thread can get, such
 * as the next chunk of a loop.
 * @how: STREAM_LOOP if threads can get a result again and again; otherwise 0
 * @site: return address of the program's call; NULL if it is not needed
 *
 * Return: the identity of a lock, for choice_end(); 0 if threads take no turns.
 */
uint64_t choice_begin(uint64_t how, const void *site);
void choice_end(uint64_t id);

/**
 * team_has_tasks() - Check whether the program has explicit tasks, and whether the pool supports
 * all of them.
 */
bool team_has_tasks(void);

#endif /* RUN_PRELOAD_OPENMP_GOMP_H */
