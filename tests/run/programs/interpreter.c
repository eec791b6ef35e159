/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads share one lock, like the threads of a Python interpreter, for the tests
 * of `smile run`. Prints the number of all steps.
 *
 * The lock is a flag, which a mutex and a condition protect. A thread that has waited for the flag
 * for 5 ms requests it. The holder then releases it, and waits until another thread has taken it.
 * Sometimes the first thread reads from a pipe without the lock. Another thread sleeps at another
 * pipe nearly all the time. So the order in which threads take the mutex often differs between the
 * host and the simulated clocks, while a thread sleeps in the kernel.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "deadline.h"

#define THREADS 4
#define STEPS 40
#define PARTS 20 /* of a step */
#define CELLS 512
#define STEPS_BETWEEN_READS 10
#define PATIENCE_NS 5000000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t switch_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t freed, switched = PTHREAD_COND_INITIALIZER;
static atomic_int requested;
static int held;
static long holder = -1;
static unsigned long switches;
static long steps;
static int requests[2], replies[2];
static volatile long cells[CELLS];

static void flag_wait(void)
{
	unsigned long before = switches;
	struct timespec until = deadline(CLOCK_MONOTONIC, PATIENCE_NS);

	if (pthread_cond_timedwait(&freed, &mutex, &until) == ETIMEDOUT && held &&
	    switches == before)
		atomic_store(&requested, 1);
}

static void flag_take(long me)
{
	pthread_mutex_lock(&mutex);
	while (held)
		flag_wait();
	pthread_mutex_lock(&switch_mutex);
	held = 1;
	switches += holder != me;
	holder = me;
	pthread_cond_signal(&switched);
	pthread_mutex_unlock(&switch_mutex);
	atomic_store(&requested, 0);
	pthread_mutex_unlock(&mutex);
}

static void flag_release(void)
{
	pthread_mutex_lock(&mutex);
	held = 0;
	pthread_cond_signal(&freed);
	pthread_mutex_unlock(&mutex);
}

/* If another thread has requested the flag, release it, and take it after that thread. */
static void flag_pass(long me)
{
	if (!atomic_load(&requested))
		return;
	flag_release();
	pthread_mutex_lock(&switch_mutex);
	while (holder == me && atomic_load(&requested))
		pthread_cond_wait(&switched, &switch_mutex);
	pthread_mutex_unlock(&switch_mutex);
	flag_take(me);
}

static void reply_read(long me)
{
	char byte = 1;

	flag_release();
	if (write(requests[1], &byte, 1) != 1 || read(replies[0], &byte, 1) != 1)
		abort();
	flag_take(me);
}

static void *interpret(void *argument)
{
	long me = (long)argument;

	flag_take(me);
	for (int step = 0; step < STEPS; step++) {
		for (int part = 0; part < PARTS; part++) {
			for (int i = 0; i < CELLS; i++)
				cells[i] += i;
			flag_pass(me);
		}
		steps++;
		if (me == 0 && step % STEPS_BETWEEN_READS == 0)
			reply_read(me);
	}
	flag_release();
	return NULL;
}

static void *reply(void *argument)
{
	char byte;

	while (read(requests[0], &byte, 1) == 1)
		if (write(replies[1], &byte, 1) != 1)
			abort();
	return argument;
}

int main(void)
{
	pthread_condattr_t attributes;
	pthread_t threads[THREADS], replier;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&freed, &attributes);
	if (pipe(requests) || pipe(replies) || pthread_create(&replier, NULL, reply, NULL))
		return 2;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, interpret, (void *)i))
			return 2;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	close(requests[1]);
	pthread_join(replier, NULL);
	printf("%ld\n", steps);
	return 0;
}
