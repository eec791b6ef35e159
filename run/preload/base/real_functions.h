/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The real functions: the functions that the program would call if this library did not replace
 * them.
 *
 * All real functions of libc are looked up before the program's own code runs. If a thread that
 * holds a lock looked them up later, it could deadlock with the dynamic linker. The functions of
 * other libraries are looked up when they are first called, because the program may load such a
 * library later by dlopen(3).
 *
 * Both smile-preload.so and smile-place.so use this file, early_memory.h and operator_new.h.
 */
#ifndef RUN_PRELOAD_BASE_REAL_FUNCTIONS_H
#define RUN_PRELOAD_BASE_REAL_FUNCTIONS_H

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

#define NEXT_LIBC(X)                                                                               \
	X(malloc)                                                                                  \
	X(calloc)                                                                                  \
	X(realloc)                                                                                 \
	X(free)                                                                                    \
	X(aligned_alloc)                                                                           \
	X(posix_memalign)                                                                          \
	X(memalign)                                                                                \
	X(valloc)                                                                                  \
	X(pvalloc)                                                                                 \
	X(malloc_usable_size)                                                                      \
	X(fork)                                                                                    \
	X(_Fork)                                                                                   \
	X(posix_spawn)                                                                             \
	X(posix_spawnp)                                                                            \
	X(wait4)                                                                                   \
	X(waitid)                                                                                  \
	X(fopen)                                                                                   \
	X(dlopen)                                                                                  \
	X(dlmopen)                                                                                 \
	X(sysconf)                                                                                 \
	X(get_nprocs)                                                                              \
	X(get_nprocs_conf)                                                                         \
	X(sched_getcpu)                                                                            \
	X(sched_getaffinity)                                                                       \
	X(sched_setaffinity)                                                                       \
	X(pthread_getaffinity_np)                                                                  \
	X(pthread_setaffinity_np)                                                                  \
	X(pthread_attr_setaffinity_np)                                                             \
	X(pthread_create)                                                                          \
	X(pthread_join)                                                                            \
	X(pthread_tryjoin_np)                                                                      \
	X(pthread_timedjoin_np)                                                                    \
	X(pthread_clockjoin_np)                                                                    \
	X(pthread_detach)                                                                          \
	X(pthread_mutex_lock)                                                                      \
	X(pthread_mutex_trylock)                                                                   \
	X(pthread_mutex_timedlock)                                                                 \
	X(pthread_mutex_clocklock)                                                                 \
	X(pthread_mutex_unlock)                                                                    \
	X(pthread_cond_wait)                                                                       \
	X(pthread_cond_timedwait)                                                                  \
	X(pthread_cond_clockwait)                                                                  \
	X(pthread_rwlock_rdlock)                                                                   \
	X(pthread_rwlock_tryrdlock)                                                                \
	X(pthread_rwlock_timedrdlock)                                                              \
	X(pthread_rwlock_clockrdlock)                                                              \
	X(pthread_rwlock_wrlock)                                                                   \
	X(pthread_rwlock_trywrlock)                                                                \
	X(pthread_rwlock_timedwrlock)                                                              \
	X(pthread_rwlock_clockwrlock)                                                              \
	X(pthread_rwlock_unlock)                                                                   \
	X(pthread_spin_init)                                                                       \
	X(pthread_spin_destroy)                                                                    \
	X(pthread_spin_lock)                                                                       \
	X(pthread_spin_trylock)                                                                    \
	X(pthread_spin_unlock)                                                                     \
	X(pthread_barrier_wait)                                                                    \
	X(thrd_create)                                                                             \
	X(thrd_join)                                                                               \
	X(thrd_detach)                                                                             \
	X(mtx_lock)                                                                                \
	X(mtx_unlock)                                                                              \
	X(cnd_wait)                                                                                \
	X(cnd_timedwait)                                                                           \
	X(cnd_signal)                                                                              \
	X(cnd_broadcast)                                                                           \
	X(pthread_cond_signal)                                                                     \
	X(pthread_cond_broadcast)                                                                  \
	X(sem_init)                                                                                \
	X(sem_open)                                                                                \
	X(sem_wait)                                                                                \
	X(sem_trywait)                                                                             \
	X(sem_timedwait)                                                                           \
	X(sem_clockwait)                                                                           \
	X(sem_post)

struct next {
#define NEXT_MEMBER(function) __typeof__(&function) function;
	NEXT_LIBC(NEXT_MEMBER)
#undef NEXT_MEMBER
};

extern struct next next_libc;
extern bool next_found;
/* next_find() is running; it can cause allocations itself (see early_memory.h) */
extern bool next_searching;

/**
 * next_find() - Look up the functions of next_libc. Several threads may call this function at the
 * same time, and it may be called again.
 */
void next_find(void);

/* NEXT(function): the real function of libc. */
static inline const struct next *next(void)
{
	if (!__atomic_load_n(&next_found, __ATOMIC_ACQUIRE))
		next_find();
	return &next_libc;
}
#define NEXT(function) (next()->function)

/**
 * next_lookup() - Look up the real function of a library other than libc.
 * @known: stores the result for the next call
 * @name: name of the function
 * @library: library to search if the function is not globally visible
 *
 * Return: the function. If the function does not exist, the process ends, just as the dynamic
 * linker would end it.
 */
void *next_lookup(void **known, const char *name, const char *library);

/*
 * next_lookup() calls these functions before and after a lookup. They are needed because several
 * threads may look up functions at the same time, and the host decides which of them waits for the
 * dynamic linker. smile-preload.so and smile-place.so define these functions differently.
 */
void next_search_begins(void);
void next_search_ended(void);

#endif /* RUN_PRELOAD_BASE_REAL_FUNCTIONS_H */
