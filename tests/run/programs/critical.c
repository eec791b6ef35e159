/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads wait for each other at a lock. In each round, a thread relaxes its own
 * rows, which the first thread has initialised. Then it adds its results to sums that all threads
 * share, under a lock.
 *
 * Prints the total of all sums.
 */
#include <pthread.h>
#include <stdio.h>

#define ROWS 16
#define COLUMNS 1024 /* a row is a page */
#define THREADS 4
#define ROUNDS 4

static float rows[ROWS][COLUMNS] __attribute__((aligned(4096)));
static double sums[COLUMNS] __attribute__((aligned(4096)));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void relax(int i)
{
	for (int j = 1; j < COLUMNS - 1; j++)
		rows[i][j] = 0.5f * rows[i][j] + 0.25f * (rows[i][j - 1] + rows[i][j + 1]);
}

static void add(int i)
{
	pthread_mutex_lock(&lock);
	for (int j = 0; j < COLUMNS; j++)
		sums[j] += rows[i][j];
	pthread_mutex_unlock(&lock);
}

static void *work(void *argument)
{
	int me = (int)(long)argument;

	for (int round = 0; round < ROUNDS; round++) {
		for (int i = me * ROWS / THREADS; i < (me + 1) * ROWS / THREADS; i++)
			relax(i);
		add(me * ROWS / THREADS);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	double sum = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			rows[i][j] = (float)((i + j) % 7);
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int j = 0; j < COLUMNS; j++)
		sum += sums[j];
	printf("%.2f\n", sum);
	return 0;
}
