/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that takes locks only with a "try" function, for the tests of `smile run`. Its accesses
 * depend on which thread is first. They must be the same in each run.
 *
 * 	mutex | spin | readers | openmp | nest
 */
#include <omp.h>
#include <pthread.h>
#include <string.h>

#include "known.h"

#define THREADS 4
#define ROUNDS 30
#define WORDS (KNOWN_PAGE / sizeof(long))

/* One page for all threads, whose first word the locks protect, and one page for each thread. */
static volatile long pages[1 + THREADS][WORDS] KNOWN_ALIGNED;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static int mutex_try(void)
{
	return !pthread_mutex_trylock(&mutex);
}

static void mutex_give(void)
{
	pthread_mutex_unlock(&mutex);
}

static int spin_try(void)
{
	return !pthread_spin_trylock(&spin);
}

static void spin_give(void)
{
	pthread_spin_unlock(&spin);
}

/* Release the read lock before writing: if two readers waited to write, they would wait forever. */
static int readers_try(void)
{
	long was;

	if (pthread_rwlock_tryrdlock(&readers))
		return 0;
	was = pages[0][0];
	pthread_rwlock_unlock(&readers);
	return was >= 0 && !pthread_rwlock_trywrlock(&readers);
}

static void readers_give(void)
{
	pthread_rwlock_unlock(&readers);
}

static int lock_try(void)
{
	return omp_test_lock(&lock);
}

static void lock_give(void)
{
	omp_unset_lock(&lock);
}

static int nest_try(void)
{
	if (!omp_test_nest_lock(&nest))
		return 0;
	return omp_test_nest_lock(&nest) == 2;
}

static void nest_give(void)
{
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
}

struct way {
	const char *name;
	int (*try)(void);
	void (*give)(void);
};

/* A thread that gets the lock uses the shared page; otherwise it uses its own page. */
static void work(int thread, const struct way *way)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (way->try()) {
			for (int j = 0; j < 10 + 7 * thread; j++)
				pages[0][0]++;
			way->give();
			continue;
		}
		for (int j = 0; j < 5 + 3 * thread; j++)
			pages[1 + thread][0]++;
	}
	/* Repeat until this thread holds the lock. */
	while (!way->try())
		;
	pages[0][1]++;
	way->give();
}

static int run_locks(const struct way *way)
{
	long each = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	if (pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE))
		return 2;
#pragma omp parallel num_threads(THREADS)
	work(omp_get_thread_num(), way);
	for (int t = 0; t < THREADS; t++)
		each += pages[1 + t][0];
	/* Some attempts must have failed. */
	return pages[0][1] != THREADS || each == 0 || pages[0][0] == 0;
}

int main(int argc, char **argv)
{
	static const struct way ways[] = {
		{"mutex", mutex_try, mutex_give},	{"spin", spin_try, spin_give},
		{"readers", readers_try, readers_give}, {"openmp", lock_try, lock_give},
		{"nest", nest_try, nest_give},
	};

	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			return run_locks(&ways[i]);
	return 2;
}
