/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with random operations that synchronise threads, for the tests of `smile run`: locks
 * (also with "try" and with time limits), conditions with time limits, semaphores, read-write
 * locks, pipes, sleeps, barriers, atomic instructions and child processes. Prints counts that do
 * not depend on the order.
 *
 * usage: syncs SEED PROCESSES
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/random.h>

#include "deadline.h"

#define THREADS 5
#define LOCKS 3
#define ROUNDS 60
#define ROUNDS_BETWEEN_BARRIERS 20
#define LIMIT_NS 300000

static pthread_mutex_t locks[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
				       PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t conditions[LOCKS] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER,
					   PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t semaphore;
static long counts[LOCKS], tokens[LOCKS], written;
static atomic_long passed, added;
static int requests[THREADS][2], replies[THREADS][2];
static uint64_t seed;
static long processes;
static volatile long sink;

static struct timespec limit(void)
{
	return deadline(CLOCK_REALTIME, LIMIT_NS);
}

static void work(uint64_t *random)
{
	for (unsigned i = random_below(random, 200); i > 0; i--)
		sink += i;
}

static void mutex_take(unsigned k, unsigned how)
{
	struct timespec until;

	switch (how) {
	case 0:
		pthread_mutex_lock(&locks[k]);
		return;
	case 1:
		while (pthread_mutex_trylock(&locks[k]))
			sched_yield();
		return;
	default:
		do
			until = limit();
		while (pthread_mutex_timedlock(&locks[k], &until));
	}
}

static void mutex_give(unsigned k)
{
	counts[k]++;
	pthread_mutex_unlock(&locks[k]);
}

/* Give a token, take one after a wait with a time limit, or wake all threads that wait for one. */
static void token(unsigned k, unsigned how)
{
	struct timespec until = limit();

	pthread_mutex_lock(&locks[k]);
	if (how == 0) {
		tokens[k]++;
		pthread_cond_signal(&conditions[k]);
	} else if (how == 1) {
		while (!tokens[k] &&
		       pthread_cond_timedwait(&conditions[k], &locks[k], &until) != ETIMEDOUT)
			;
		tokens[k] -= tokens[k] > 0;
	} else {
		pthread_cond_broadcast(&conditions[k]);
	}
	mutex_give(k);
}

static void semaphore_pass(uint64_t *random, bool limited)
{
	struct timespec until;

	do
		until = limit();
	while (limited ? sem_timedwait(&semaphore, &until) : sem_wait(&semaphore));
	work(random);
	atomic_fetch_add(&passed, 1);
	sem_post(&semaphore);
}

static void rwlock_pass(bool write)
{
	if (write)
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_rwlock_rdlock(&rwlock);
	if (write)
		written++;
	else
		sink = written;
	pthread_rwlock_unlock(&rwlock);
}

static void pipe_pass(unsigned me)
{
	char byte = 1;

	if (write(requests[me][1], &byte, 1) != 1 || read(replies[me][0], &byte, 1) != 1)
		abort();
}

static void child_run(void)
{
	pid_t pid = fork();
	int status = 1;

	if (pid == 0) {
		usleep(200);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		abort();
}

static void operation(unsigned me, uint64_t *random)
{
	unsigned k = random_below(random, LOCKS), what = random_below(random, 13);

	work(random);
	if (what < 4) {
		mutex_take(k, what % 3);
		work(random);
		mutex_give(k);
	} else if (what < 7) {
		token(k, what - 4);
	} else if (what < 9) {
		semaphore_pass(random, what == 7);
	} else if (what < 10) {
		rwlock_pass(random_below(random, 2));
	} else if (what < 11) {
		pipe_pass(me);
	} else if (what < 12) {
		usleep(random_below(random, 300));
	} else {
		atomic_fetch_add(&added, 1);
	}
}

static void *run(void *argument)
{
	unsigned me = (unsigned)(uintptr_t)argument;
	uint64_t random = seed * THREADS + me + 1;

	for (unsigned i = 0; i < ROUNDS; i++) {
		operation(me, &random);
		if (i == ROUNDS / 2 && me < processes)
			child_run();
		if (i % ROUNDS_BETWEEN_BARRIERS == ROUNDS_BETWEEN_BARRIERS - 1)
			pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void *reply(void *argument)
{
	unsigned me = (unsigned)(uintptr_t)argument;
	char byte;

	while (read(requests[me][0], &byte, 1) == 1)
		if (write(replies[me][1], &byte, 1) != 1)
			abort();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS], repliers[THREADS];

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	processes = atol(argv[2]);
	sem_init(&semaphore, 0, 2);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pipe(requests[i]) || pipe(replies[i]) ||
		    pthread_create(&repliers[i], NULL, reply, (void *)i))
			return 2;
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 2;
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < THREADS; i++) {
		close(requests[i][1]);
		pthread_join(repliers[i], NULL);
	}
	printf("locks %ld %ld %ld, written %ld, passed %ld, added %ld\n", counts[0], counts[1],
	       counts[2], written, atomic_load(&passed), atomic_load(&added));
	return 0;
}
