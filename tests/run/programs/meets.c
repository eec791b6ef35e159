/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads meet at a barrier after each round. In each round, another thread has the
 * most work, so that over all rounds all threads do the same work. The first thread fills the
 * tables before the others start, and sums them up after the others have ended.
 *
 * 	barrier    a barrier of pthreads, 16 rounds
 * 	condition  a barrier made of a condition, 16 rounds
 * 	many       as barrier, 2000 rounds: more than are recorded individually
 *
 * Prints the sum.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define ITEMS 1024 /* of a page */

static volatile int tables[2 * THREADS][ITEMS] __attribute__((aligned(4096)));
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_there = PTHREAD_COND_INITIALIZER;
static int there, round_now, rounds, by_condition;

static void meet(void)
{
	int mine;

	if (!by_condition) {
		pthread_barrier_wait(&barrier);
		return;
	}
	pthread_mutex_lock(&mutex);
	mine = round_now;
	if (++there == THREADS) {
		there = 0;
		round_now++;
		pthread_cond_broadcast(&all_there);
	}
	while (mine == round_now)
		pthread_cond_wait(&all_there, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
	int me = (int)(long)argument;

	for (int round = 0; round < rounds; round++) {
		/* Use the thread's own table, and a small part of the next thread's table. */
		int items = round % THREADS == me ? ITEMS : ITEMS / 16;

		for (int i = 0; i < items; i++)
			tables[me][i] += round;
		for (int i = 0; i < items / 4; i++)
			tables[THREADS + (me + 1) % THREADS][i] += tables[me][i];
		meet();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	long sum = 0;

	if (argc != 2)
		return 2;
	rounds = strcmp(argv[1], "many") ? 16 : 2000;
	by_condition = !strcmp(argv[1], "condition");
	for (int i = 0; i < 2 * THREADS * ITEMS; i++)
		tables[i / ITEMS][i % ITEMS] = i;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 2 * THREADS * ITEMS; i++)
		sum += tables[i / ITEMS][i % ITEMS];
	printf("%ld\n", sum);
	return 0;
}
