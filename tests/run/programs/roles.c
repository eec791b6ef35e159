/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Threads that choose their part of the work at run time. Each part is a block of rows that a
 * thread relaxes repeatedly; the rows of a page belong to one part.
 *
 *	lock     a number under a lock, after only a read of two shared tables
 *	atomic   a number from an atomic counter
 *	spin     a number under a spin lock that the program makes of an exchange
 *	queue    blocks of rows from a queue under a lock, until the queue is empty, in each round
 *	chunks   the same from an atomic counter
 *	later    the same from a queue under a lock, after a barrier
 *	queues   first from the thread's own queue, then from other threads' queues, after a barrier
 *	created  a number at its creation
 *
 * Prints the sum of all rows, which does not depend on the distribution of the work; with a second
 * argument, also, for each number, which thread in the order of creation got it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define ROWS 64
#define COLUMNS 1024 /* a row is a page */
#define THREADS 4
#define ROUNDS 3

static float rows[ROWS][COLUMNS] __attribute__((aligned(4096)));
static volatile int first[1024] __attribute__((aligned(4096)));
static volatile int second[1024] __attribute__((aligned(4096)));
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static const char *how;
static int next, thread_of[THREADS];
static pthread_mutex_t own_locks[THREADS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
					     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int own_next[THREADS];
static atomic_int next_atomic;
static atomic_flag spin = ATOMIC_FLAG_INIT;

static void relax(int from, int to)
{
	for (int i = from; i < to; i++)
		for (int j = 1; j < COLUMNS - 1; j++)
			rows[i][j] = 0.5f * rows[i][j] + 0.25f * (rows[i][j - 1] + rows[i][j + 1]);
}

/* How long this takes depends on the placement of the tables. */
static int look(int times)
{
	int sum = 0;

	for (int i = 0; i < times; i++)
		sum += first[i] + second[i];
	return sum;
}

static int take(void)
{
	int number;

	if (!strcmp(how, "chunks"))
		return atomic_fetch_add(&next_atomic, 1);
	if (!strcmp(how, "spin")) {
		while (atomic_flag_test_and_set(&spin))
			;
		number = next++;
		atomic_flag_clear(&spin);
		return number;
	}
	pthread_mutex_lock(&lock);
	number = next++;
	pthread_mutex_unlock(&lock);
	return number;
}

static int take_from(int queue)
{
	int number;

	pthread_mutex_lock(&own_locks[queue]);
	number = own_next[queue]++;
	pthread_mutex_unlock(&own_locks[queue]);
	return number;
}

static void work_queue(void)
{
	if (!strcmp(how, "later"))
		pthread_barrier_wait(&barrier);
	for (int round = 0; round < ROUNDS; round++) {
		int block;

		while ((block = take()) < (round + 1) * ROWS)
			relax(block % ROWS, block % ROWS + 1);
		pthread_barrier_wait(&barrier);
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			next = next_atomic = (round + 1) * ROWS;
		pthread_barrier_wait(&barrier);
	}
}

/* For the first thread, the rows of its queue take twice as long, so the other threads help it. */
static void own_queues(int me)
{
	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&barrier);
		own_next[me] = 0;
		pthread_barrier_wait(&barrier);
		for (int i = 0; i < THREADS; i++) {
			int queue = (me + i) % THREADS, block;

			while ((block = take_from(queue)) < ROWS / THREADS) {
				block += queue * ROWS / THREADS;
				relax(block, block + 1);
				if (!queue)
					relax(block, block + 1);
			}
		}
	}
}

static void *work(void *argument)
{
	int created = (int)(long)argument, me = look(64) + created;

	if (!strcmp(how, "queues")) {
		own_queues(created);
		return NULL;
	}
	if (!strcmp(how, "queue") || !strcmp(how, "chunks") || !strcmp(how, "later")) {
		work_queue();
		return NULL;
	}
	if (!strcmp(how, "lock") || !strcmp(how, "spin"))
		me = take();
	else if (!strcmp(how, "atomic"))
		me = atomic_fetch_add(&next_atomic, 1);
	/*
	 * The last thread uses the tables most. If they are on its node, this thread is the first
	 * to continue.
	 */
	if (created == THREADS - 1)
		look(1024);
	thread_of[me] = created;
	for (int round = 0; round < ROUNDS; round++) {
		relax(me * ROWS / THREADS, (me + 1) * ROWS / THREADS);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	double sum = 0;

	if (argc < 2)
		return 2;
	how = argv[1];
	for (int i = 0; i < ROWS; i++)
		rows[i][i] = 1;
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			sum += rows[i][j];
	printf("%.4f\n", sum);
	if (argc > 2)
		printf("%d,%d,%d,%d\n", thread_of[0], thread_of[1], thread_of[2], thread_of[3]);
	return 0;
}
