/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shows the processors of the emulated machine to the program, instead of the host's processors.
 * The emulated machine has one processor for each node. Most OpenMP programs create one thread for
 * each processor, so their results would depend on the host without this. This file may use
 * preload.h.
 *
 * If the program requests particular processors, the request has no effect, because the user
 * decides on which node a thread runs.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "run/preload/base/preload.h"

/*
 * The constructors of libraries, for example of libgomp, may call this function before
 * trace_start(). At that time, the environment still shows whether there is a tracer.
 */
unsigned int trace_processors(void)
{
	static atomic_uint known;
	volatile uint32_t answer = 0;

	if (atomic_load(&known))
		return atomic_load(&known);
	if (!trace_on && !trace_announced())
		return 0;
	trace_emit(STREAM_CALL_PROCESSORS, (uint64_t)(uintptr_t)&answer, 0);
	atomic_store(&known, answer);
	return answer;
}

unsigned int trace_node(unsigned int nodes)
{
	static _Thread_local struct {
		uint64_t number;
		unsigned int node;
		bool known;
	} own;
	volatile uint32_t answer;

	/*
	 * The stored answer is not valid in a forked child, in which the thread has another number.
	 */
	if (!own.known || own.number != trace_self.number) {
		answer = (uint32_t)(trace_self.number % nodes);
		trace_emit(STREAM_CALL_NODE, trace_self.number, (uint64_t)(uintptr_t)&answer);
		own.number = trace_self.number;
		own.node = answer % nodes;
		own.known = true;
	}
	return own.node;
}

/* Set @set to the first @count processors. Return: 0; an error number. */
static int set_all(unsigned count, size_t bytes, cpu_set_t *set)
{
	if (bytes % sizeof(long) || bytes * 8 < count)
		return EINVAL;
	CPU_ZERO_S(bytes, set);
	for (unsigned i = 0; i < count; i++)
		CPU_SET_S(i, bytes, set);
	return 0;
}

/* Report that a thread requests @set. @self: the thread requests @set for itself. */
static void note_request(unsigned count, size_t bytes, const cpu_set_t *set, bool self)
{
	if (self && !CPU_ISSET_S(trace_node(count), bytes, set))
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_AFFINITY, 0);
}

/*
 * Check whether @set contains one of the first @count processors. Return: 0 if it does, or an error
 * number.
 */
static int set_some(unsigned count, size_t bytes, const cpu_set_t *set)
{
	for (unsigned i = 0; i < count; i++)
		if (CPU_ISSET_S(i, bytes, set))
			return 0;
	return EINVAL;
}

static int result(int error)
{
	if (!error)
		return 0;
	errno = error;
	return -1;
}

EXPORT int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t *set)
{
	unsigned count = trace_processors();

	return count ? result(set_all(count, bytes, set))
		     : NEXT(sched_getaffinity)(process, bytes, set);
}

EXPORT int sched_setaffinity(pid_t process, size_t bytes, const cpu_set_t *set)
{
	unsigned count = trace_processors();
	int error;

	if (!count)
		return NEXT(sched_setaffinity)(process, bytes, set);
	error = set_some(count, bytes, set);
	if (!error)
		note_request(count, bytes, set, !process || (uint32_t)process == trace_tid());
	return result(error);
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t bytes, cpu_set_t *set)
{
	unsigned count = trace_processors();

	return count ? set_all(count, bytes, set)
		     : NEXT(pthread_getaffinity_np)(thread, bytes, set);
}

EXPORT int pthread_setaffinity_np(pthread_t thread, size_t bytes, const cpu_set_t *set)
{
	unsigned count = trace_processors();
	int error;

	if (!count)
		return NEXT(pthread_setaffinity_np)(thread, bytes, set);
	error = set_some(count, bytes, set);
	if (!error)
		note_request(count, bytes, set, pthread_equal(thread, pthread_self()));
	return error;
}

EXPORT int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t bytes,
				       const cpu_set_t *set)
{
	unsigned count = trace_processors();

	/* If no set is given, the thread may use all processors. */
	if (!count || !bytes)
		return NEXT(pthread_attr_setaffinity_np)(attributes, bytes, set);
	return set_some(count, bytes, set);
}

EXPORT int sched_getcpu(void)
{
	unsigned count = trace_processors();

	return count ? (int)trace_node(count) : NEXT(sched_getcpu)();
}

EXPORT int get_nprocs(void)
{
	unsigned count = trace_processors();

	return count ? (int)count : NEXT(get_nprocs)();
}

EXPORT int get_nprocs_conf(void)
{
	unsigned count = trace_processors();

	return count ? (int)count : NEXT(get_nprocs_conf)();
}

EXPORT long sysconf(int name)
{
	unsigned count = 0;

	if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
		count = trace_processors();
	return count ? (long)count : NEXT(sysconf)(name);
}
