/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads and processes wait for each other, for the tests of `smile run`. The
 * program determines the work of each of them, so their accesses must be the same in each run.
 *
 * 	condition | semaphore | child
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "known.h"

#define ROUNDS 40
#define WORDS (KNOWN_PAGE / sizeof(long))

static volatile long words[2 * WORDS] KNOWN_ALIGNED;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int turn;
static sem_t semaphores[2];

/* Some work: thread 1 has more than thread 0, and the amount depends on the round. */
static void work(int thread, int round)
{
	for (int i = 0; i < 100 * (thread + round % 3); i++)
		words[(size_t)thread * WORDS + (size_t)i % WORDS]++;
}

/* Only the wait releases the mutex. Each thread waits once in each round. */
static void condition_side(int thread)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (turn != thread)
			pthread_cond_wait(&condition, &mutex);
		work(thread, i);
		turn = !thread;
		pthread_cond_signal(&condition);
	}
}

static void semaphore_side(int thread)
{
	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&semaphores[thread]);
		work(thread, i);
		sem_post(&semaphores[!thread]);
		work(thread, i);
	}
}

static void *second(void *opaque)
{
	if (opaque) {
		semaphore_side(1);
		return NULL;
	}
	pthread_mutex_lock(&mutex);
	condition_side(1);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static int run_threads(void *semaphore)
{
	pthread_t thread;

	if (sem_init(&semaphores[0], 0, 1) || sem_init(&semaphores[1], 0, 0))
		return 2;
	pthread_mutex_lock(&mutex);
	if (pthread_create(&thread, NULL, second, semaphore))
		return 2;
	if (semaphore)
		semaphore_side(0);
	else
		condition_side(0);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return 0;
}

static int run_child(void)
{
	volatile long *shared =
		mmap(NULL, KNOWN_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	if (shared == MAP_FAILED)
		return 2;
	for (int round = 0; round < 3; round++) {
		pid_t pid = fork();

		if (pid < 0)
			return 2;
		if (!pid) {
			for (int i = 0; i < 20000; i++)
				shared[i % 100]++;
			_exit(round);
		}
		for (int i = 0; i < 100; i++)
			shared[100 + i]++;
		if (waitpid(pid, &status, 0) != pid || status != round << 8)
			return 1;
		for (int i = 0; i < 100; i++)
			shared[i] = 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "condition"))
		return run_threads(NULL);
	if (!strcmp(how, "semaphore"))
		return run_threads(semaphores);
	return strcmp(how, "child") ? 2 : run_child();
}
