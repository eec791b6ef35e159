/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads wait for each other in many ways, for the tests of `smile run`. Prints
 * the sum of their counts. Arguments: the way, and the rounds of each thread.
 *
 * lock: one thread, a mutex that no other thread takes; try: the same with trylock; semaphore: the
 * same with a semaphore; locks: four threads, 256 mutexes with little contention; futex: two
 * threads alternate at a futex; mutex: four threads, a mutex made of a futex; later: one thread,
 * after others have ended; pipe: two threads alternate by pipes, while two others take a mutex;
 * misaligned: atomic instructions, some of which QEMU executes serially.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 4
#define MUTEXES 256
#define CELLS 64

static int rounds;
static long counted;
static pthread_mutex_t mutexes[MUTEXES];
static sem_t semaphore;
static atomic_int word;
static volatile long cells[CELLS];
static int pipes[2][2];
static _Alignas(64) char room[128];

static void wait_for(int value)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake_one(void)
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void work(void)
{
	for (int i = 0; i < CELLS; i++)
		cells[i] += i;
	counted++;
}

static void *take_locks(void *argument)
{
	unsigned random = (unsigned)(long)argument * 2654435761U + 1;

	for (int i = 0; i < rounds; i++) {
		random = random * 1664525U + 1013904223U;
		pthread_mutex_lock(&mutexes[random >> 24]);
		__atomic_fetch_add(&counted, 1, __ATOMIC_RELAXED);
		pthread_mutex_unlock(&mutexes[random >> 24]);
	}
	return NULL;
}

static void *take_lock(void *argument)
{
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutexes[0]);
		counted++;
		pthread_mutex_unlock(&mutexes[0]);
	}
	return argument;
}

static void try_lock(void)
{
	for (int i = 0; i < rounds; i++) {
		if (pthread_mutex_trylock(&mutexes[0]))
			abort();
		/* While the thread holds the mutex, trylock must fail. */
		if (i == 0 && !pthread_mutex_trylock(&mutexes[0]))
			abort();
		counted++;
		pthread_mutex_unlock(&mutexes[0]);
	}
}

static void take_semaphore(void)
{
	for (int i = 0; i < rounds; i++) {
		sem_wait(&semaphore);
		counted++;
		sem_post(&semaphore);
	}
}

static void *alternate(void *argument)
{
	int self = (int)(long)argument, seen;

	for (int i = 0; i < rounds; i++) {
		while ((seen = atomic_load(&word)) % 2 != self)
			wait_for(seen);
		work();
		/* An addition whose result is used needs a turn. */
		if (atomic_fetch_add(&word, 1) != seen)
			abort();
		wake_one();
	}
	return NULL;
}

/* The values of the word: 0: free; 1: taken; 2: taken, and other threads may wait. */
static void *take_futex(void *argument)
{
	for (int i = 0; i < rounds; i++) {
		int seen = 0;

		if (!atomic_compare_exchange_strong(&word, &seen, 1)) {
			while (atomic_exchange(&word, 2) != 0)
				wait_for(2);
		}
		work();
		if (atomic_exchange(&word, 0) == 2)
			wake_one();
	}
	return argument;
}

static void *pass(void *argument)
{
	int self = (int)(long)argument;
	char byte = 0;

	if (self > 1)
		return take_lock(argument);
	for (int i = 0; i < rounds; i++) {
		if ((self == 0 && write(pipes[1][1], &byte, 1) != 1) ||
		    read(pipes[self][0], &byte, 1) != 1 ||
		    (self == 1 && write(pipes[0][1], &byte, 1) != 1))
			abort();
		take_lock(argument);
	}
	return NULL;
}

static void *add(void *argument)
{
	/* The operand crosses the end of a cache line. */
	for (int i = 0; i < rounds; i++) {
		__asm__ volatile("lock addl $1, %0" : "+m"(*(int *)(room + 61)));
		atomic_exchange(&word, i);
	}
	return argument;
}

static void run(void *(*routine)(void *), long threads)
{
	pthread_t all[THREADS];

	for (long i = 0; i < threads; i++) {
		if (pthread_create(&all[i], NULL, routine, (void *)i))
			exit(2);
	}
	for (long i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
	const char *how = argc == 3 ? argv[1] : "";
	int sum = 0;

	rounds = argc == 3 ? atoi(argv[2]) : 0;
	for (int i = 0; i < MUTEXES; i++)
		pthread_mutex_init(&mutexes[i], NULL);
	if (pipe(pipes[0]) || pipe(pipes[1]))
		return 2;
	sem_init(&semaphore, 0, 1);
	if (!strcmp(how, "lock")) {
		take_lock(NULL);
	} else if (!strcmp(how, "try")) {
		try_lock();
	} else if (!strcmp(how, "semaphore")) {
		take_semaphore();
	} else if (!strcmp(how, "locks")) {
		run(take_locks, THREADS);
	} else if (!strcmp(how, "futex")) {
		run(alternate, 2);
	} else if (!strcmp(how, "mutex")) {
		run(take_futex, THREADS);
	} else if (!strcmp(how, "later")) {
		run(take_locks, 2);
		take_lock(NULL);
		run(take_locks, 2);
	} else if (!strcmp(how, "pipe")) {
		run(pass, THREADS);
	} else if (!strcmp(how, "misaligned")) {
		run(add, THREADS);
		memcpy(&sum, room + 61, sizeof(sum));
		counted = sum;
	} else {
		return 2;
	}
	printf("%ld\n", counted);
	return 0;
}
