/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads wait by reading memory, for the tests of `smile run`. Each thread draws
 * tickets, and waits until its ticket is served. The program prints how many tickets were served.
 *
 * 	pause    threads pause between two reads
 * 	yield    threads yield the processor between two reads
 * 	barrier  threads also meet at a barrier of reads after each ticket
 * 	queue    a thread waits by reading its own stack, until the thread before it in a queue
 * 	         changes this memory
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4
#define TICKETS 40

static atomic_int drawn, served, arrived, round_now;
static long tickets;
static const char *how = "";

static void rest(void)
{
	if (!strcmp(how, "yield"))
		sched_yield();
	else
		__builtin_ia32_pause();
}

static void meet(int round)
{
	if (atomic_fetch_add(&arrived, 1) == THREADS - 1) {
		arrived = 0;
		round_now = round;
	}
	while (round_now != round)
		rest();
}

/* struct waiter - An entry of the queue, on the stack of its thread. */
struct waiter {
	_Atomic(struct waiter *) next;
	atomic_bool waits;
};

static _Atomic(struct waiter *) last;

static void *queues(void *opaque)
{
	for (int i = 0; i < TICKETS; i++) {
		struct waiter own = {NULL, true}, *before = atomic_exchange(&last, &own),
			      *end = &own;

		if (before) {
			before->next = &own;
			while (own.waits)
				continue;
		}
		tickets++;
		if (atomic_compare_exchange_strong(&last, &end, NULL))
			continue;
		while (!own.next)
			continue;
		own.next->waits = false;
	}
	return opaque;
}

static void *draws(void *opaque)
{
	for (int i = 0; i < TICKETS; i++) {
		int ticket = atomic_fetch_add(&drawn, 1);

		while (served != ticket)
			rest();
		tickets++;
		served = ticket + 1;
		if (!strcmp(how, "barrier"))
			meet(i + 1);
	}
	return opaque;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc > 1)
		how = argv[1];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, strcmp(how, "queue") ? draws : queues, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", tickets);
	return 0;
}
