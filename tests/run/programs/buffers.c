/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads take tasks from a queue. For each task, a thread allocates, fills and
 * reads memory. The placement determines which thread uses which block of memory. The program
 * prints the sum of all tasks, which does not depend on the placement.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define TASKS 24
#define THREADS 4
#define WORDS (64 * 512) /* 64 pages: large enough for malloc() to map them */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next;
static long sums[TASKS];

static int take(void)
{
	int task;

	pthread_mutex_lock(&lock);
	task = next++;
	pthread_mutex_unlock(&lock);
	return task;
}

/* The tasks take different times. */
static long perform(int task)
{
	volatile long *words = malloc(WORDS * sizeof(*words));
	int count = WORDS / (1 + task % 3);
	long sum = 0;

	if (!words)
		return -1;
	for (int i = 0; i < count; i++)
		words[i] = task + i;
	for (int i = 0; i < count; i++)
		sum += words[i];
	free((void *)words);
	return sum;
}

static void *work(void *argument)
{
	int task;

	while ((task = take()) < TASKS)
		sums[task] = perform(task);
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];
	long sum = 0;

	for (int i = 1; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 2;
	work(NULL);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < TASKS; i++)
		sum += sums[i];
	printf("%ld\n", sum);
	return 0;
}
