/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads share their data.
 *
 * 	even     all threads read a whole table; the last thread reads a little more
 * 	same     all threads read the whole table equally often
 * 	nearly   two thirds of the accesses to each page of the table are one thread's
 * 	phases   each thread has a part of the table; in a second phase, which is the second half of
 * 	         the rounds, it has the next thread's part
 * 	once     as phases, but the first half is one round of many
 * 	endless  as even, until it is killed
 *
 * usage: shares HOW [ROUNDS]	(8; an even number). Prints the data that was read.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/trace.h>

#define PAGES 32
#define ITEMS 1024
#define THREADS 4

static volatile int table[PAGES][ITEMS] __attribute__((aligned(4096)));
static struct {
	long sum;
	char rest[4088];
} sums[THREADS] __attribute__((aligned(4096)));
static pthread_barrier_t barrier;
static const char *how;
static int rounds = 8;

static long read_page(int page, int items)
{
	long sum = 0;

	for (int i = 0; i < items; i++)
		sum += table[page][i];
	return sum;
}

static int is(const char *name)
{
	return !strcmp(how, name);
}

static long round_of(int me, int round)
{
	int turn = is("phases") ? round >= rounds / 2 : round > 0;
	long sum = 0;

	for (int page = 0; page < PAGES; page++) {
		if (is("same"))
			sum += read_page(page, ITEMS);
		else if (is("even") || is("endless"))
			sum += read_page(page, me == THREADS - 1 ? ITEMS : ITEMS - 100);
		else if (is("nearly"))
			sum += read_page(page, page % THREADS == me ? ITEMS : ITEMS / 6);
		else if (page * THREADS / PAGES == (me + turn) % THREADS)
			sum += read_page(page, ITEMS);
	}
	return sum;
}

static void *work(void *argument)
{
	int me = (int)(long)argument;

	for (int round = 0; round < rounds || is("endless"); round++) {
		if (me == 0 && (round == 0 || round == (is("phases") ? rounds / 2 : 1)))
			smile_phase(round == 0 ? "first" : "second");
		pthread_barrier_wait(&barrier);
		sums[me].sum += round_of(me, round);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	long all = 0;

	if (argc != 2 && argc != 3)
		return 2;
	how = argv[1];
	if (argc == 3)
		rounds = atoi(argv[2]);
	for (int page = 0; page < PAGES; page++)
		table[page][0] = page;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		all += sums[i].sum;
	printf("%ld\n", all);
	return 0;
}
