/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Binds each thread to a node, by the order in which the program creates its threads: thread t is
 * bound to node t modulo the number of nodes. `smile run` places threads in the same way by
 * default. May use place.h and real_functions.h.
 */
#include <numa.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <threads.h>

#include "run/place/place.h"
#include "run/preload/base/real_functions.h"

/**
 * struct begin - The arguments for a new thread.
 *
 * @routine: the function that the program passed to pthread_create(), or NULL
 * @c11_routine: the function that the program passed to thrd_create(), or NULL; exactly one of the
 *               two functions is set
 * @argument: the argument of that function
 * @number: the number of the thread
 */
struct begin {
	void *(*routine)(void *argument);
	thrd_start_t c11_routine;
	void *argument;
	uint32_t number;
};

static struct bind_request wanted;
static bool binds;

/* The processors of each node that the program may use. */
static cpu_set_t node_processors[PLAN_NODES_MAX];

/* Get the node of thread @number. No other function chooses this node. */
static uint32_t thread_node(uint32_t number)
{
	return number % wanted.nodes;
}

_Thread_local uint32_t bind_number;

static void thread_bind(uint32_t number)
{
	const cpu_set_t *processors;

	bind_number = number;
	if (!wanted.nodes)
		return;
	processors = &node_processors[thread_node(number)];
	if (!CPU_COUNT(processors) || sched_setaffinity(0, sizeof(*processors), processors))
		(*wanted.unbound)++;
}

void bind_start(const struct bind_request *request)
{
	struct bitmask *processors;
	cpu_set_t allowed;

	wanted = *request;
	binds = true;
	if (!wanted.nodes) {
		thread_bind((*wanted.threads)++);
		return;
	}
	processors = numa_allocate_cpumask();
	if (!processors || sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (uint32_t n = 0; n < wanted.nodes; n++) {
		if (numa_node_to_cpus((int)wanted.node[n], processors))
			continue;
		for (unsigned cpu = 0; cpu < CPU_SETSIZE && cpu < processors->size; cpu++)
			if (numa_bitmask_isbitset(processors, cpu) && CPU_ISSET(cpu, &allowed))
				CPU_SET(cpu, &node_processors[n]);
	}
	numa_free_cpumask(processors);
	thread_bind((*wanted.threads)++);
}

void bind_stop(void)
{
	binds = false;
}

static struct begin begin_take(void *begin)
{
	struct begin taken = *(struct begin *)begin;

	free(begin);
	thread_bind(taken.number);
	if (log_on)
		log_stack();
	return taken;
}

static void *begin_posix(void *argument)
{
	struct begin begin = begin_take(argument);

	void *result = begin.routine(begin.argument);

	locks_left(begin.number);
	return result;
}

static int begin_c11(void *argument)
{
	struct begin begin = begin_take(argument);

	int result = begin.c11_routine(begin.argument);

	locks_left(begin.number);
	return result;
}

static struct begin *begin_make(void *argument)
{
	struct begin *begin = binds ? malloc(sizeof(*begin)) : NULL;

	if (begin)
		*begin = (struct begin){.argument = argument, .number = (*wanted.threads)++};
	return begin;
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
			  void *(*routine)(void *), void *restrict argument)
{
	struct begin *begin = begin_make(argument);
	int error;

	if (!begin)
		return NEXT(pthread_create)(thread, attributes, routine, argument);
	begin->routine = routine;
	error = NEXT(pthread_create)(thread, attributes, begin_posix, begin);
	if (error)
		free(begin);
	return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	struct begin *begin = begin_make(argument);
	int error;

	if (!begin)
		return NEXT(thrd_create)(thread, routine, argument);
	begin->c11_routine = routine;
	error = NEXT(thrd_create)(thread, begin_c11, begin);
	if (error != thrd_success)
		free(begin);
	return error;
}
