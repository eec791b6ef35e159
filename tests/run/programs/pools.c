/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads have their own memory and send messages to each other, all under locks.
 * None of these locks distributes work. Each thread relaxes its own rows, in rounds. For each row
 * it takes a small block from its pool, and sends a message to the next thread that the row is
 * ready. At the end of a round it has received all messages that were sent to it, and returns the
 * blocks. The first thread takes a block from each pool before it creates the other threads.
 *
 * 	own      only these rows
 * 	queue    also rounds with other rows, which threads take from a queue
 *
 * Prints the sum of all rows.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define ROWS 48
#define COLUMNS 1024 /* a row is a page */
#define THREADS 4
#define ROUNDS 3
#define BLOCKS 64

struct block {
	struct block *next;
	int row;
};

struct pool {
	pthread_mutex_t lock;
	struct block *first;
	struct block blocks[BLOCKS];
} __attribute__((aligned(4096)));

struct box {
	pthread_mutex_t lock;
	pthread_cond_t filled;
	int messages;
} __attribute__((aligned(4096)));

static float rows[ROWS][COLUMNS] __attribute__((aligned(4096)));
static float others[ROWS][COLUMNS] __attribute__((aligned(4096)));
static struct pool pools[THREADS];
static struct box boxes[THREADS];
static pthread_barrier_t barrier;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static int next, with_queue;

static void relax(float (*of)[COLUMNS], int i)
{
	for (int j = 1; j < COLUMNS - 1; j++)
		of[i][j] = 0.5f * of[i][j] + 0.25f * (of[i][j - 1] + of[i][j + 1]);
}

static struct block *block_take(struct pool *pool)
{
	struct block *block;

	pthread_mutex_lock(&pool->lock);
	block = pool->first;
	pool->first = block->next;
	pthread_mutex_unlock(&pool->lock);
	return block;
}

static void block_give(struct pool *pool, struct block *block)
{
	pthread_mutex_lock(&pool->lock);
	block->next = pool->first;
	pool->first = block;
	pthread_mutex_unlock(&pool->lock);
}

static void send(struct box *box)
{
	pthread_mutex_lock(&box->lock);
	box->messages++;
	pthread_cond_signal(&box->filled);
	pthread_mutex_unlock(&box->lock);
}

static void receive(struct box *box)
{
	pthread_mutex_lock(&box->lock);
	while (!box->messages)
		pthread_cond_wait(&box->filled, &box->lock);
	box->messages--;
	pthread_mutex_unlock(&box->lock);
}

/* The first row of a thread. The first threads have fewer rows than the last ones. */
static int row_of(int thread)
{
	return ROWS * thread * (thread + 1) / (THREADS * (THREADS + 1));
}

static void own_rows(int me)
{
	struct block *all = NULL, *block;

	for (int i = row_of(me); i < row_of(me + 1); i++) {
		block = block_take(&pools[me]);
		block->row = i;
		block->next = all;
		all = block;
		relax(rows, i);
		send(&boxes[(me + 1) % THREADS]);
	}
	for (int i = row_of((me + THREADS - 1) % THREADS);
	     i < row_of((me + THREADS - 1) % THREADS + 1); i++)
		receive(&boxes[me]);
	while (all) {
		block = all;
		all = block->next;
		block_give(&pools[me], block);
	}
}

static void queue_rows(void)
{
	int i;

	do {
		pthread_mutex_lock(&queue);
		i = next++;
		pthread_mutex_unlock(&queue);
		if (i < ROWS)
			relax(others, i);
	} while (i < ROWS);
}

static void *work(void *argument)
{
	int me = (int)(long)argument;

	if (with_queue)
		queue_rows();
	for (int round = 0; round < ROUNDS; round++) {
		pthread_barrier_wait(&barrier);
		own_rows(me);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	double sum = 0;

	if (argc < 2)
		return 2;
	with_queue = !strcmp(argv[1], "queue");
	for (int i = 0; i < ROWS; i++)
		rows[i][i] = others[i][i] = 1;
	for (int i = 0; i < THREADS; i++) {
		pthread_mutex_init(&pools[i].lock, NULL);
		pthread_mutex_init(&boxes[i].lock, NULL);
		pthread_cond_init(&boxes[i].filled, NULL);
		for (int j = 0; j < BLOCKS; j++)
			block_give(&pools[i], &pools[i].blocks[j]);
		block_take(&pools[i])->row = 0;
	}
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	work((void *)0);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			sum += rows[i][j] + others[i][j];
	printf("%.4f\n", sum);
	return 0;
}
