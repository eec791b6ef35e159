/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with a thread that checks every millisecond whether another thread has finished, for
 * the tests of `smile run`. Prints the number of checks. The argument says how the thread waits:
 * sleep | condition.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "deadline.h"

#define PERIOD_NS 1000000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done;

static void *work(void *argument)
{
	for (long i = 0; i < 10000000; i++)
		__asm__ volatile("" : "+r"(i));
	pthread_mutex_lock(&mutex);
	done = 1;
	pthread_mutex_unlock(&mutex);
	return argument;
}

/* Called with the mutex locked. */
static void pause_for_a_period(int sleeps)
{
	struct timespec time = {.tv_nsec = PERIOD_NS};

	if (sleeps) {
		pthread_mutex_unlock(&mutex);
		nanosleep(&time, NULL);
		pthread_mutex_lock(&mutex);
		return;
	}
	time = deadline(CLOCK_REALTIME, PERIOD_NS);
	/* No thread signals the condition. */
	pthread_cond_timedwait(&condition, &mutex, &time);
}

int main(int argc, char **argv)
{
	pthread_t worker;
	long looks = 1;

	if (argc != 2 || pthread_create(&worker, NULL, work, NULL))
		return 2;
	pthread_mutex_lock(&mutex);
	for (; !done; looks++)
		pause_for_a_period(!strcmp(argv[1], "sleep"));
	pthread_mutex_unlock(&mutex);
	pthread_join(worker, NULL);
	printf("%ld\n", looks);
	return 0;
}
