// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program whose data is on its stacks, in C. It prints the expected name of each address; every
 * thread accesses all data of main, and its own. Lines: NAME ADDRESS.
 */
#include <pthread.h>
#include <stdio.h>

#include "together.h"

#define THREADS 3

struct vector {
	double x, y, z;
};

struct particle {
	struct vector pos;
	float mass;
	struct vector old[3];
};

struct job {
	double (*matrix)[64];
	struct particle *particles;
	double *volatile own;
	int number;
};

static pthread_barrier_t barrier, alone;

/* It does not synchronise, so only its entry is known. */
static void *quiet(void *argument)
{
	struct job *job = argument;
	double unseen[512] __attribute__((aligned(16)));

	job->own = unseen;
	for (int i = 0; i < 512; i++)
		job->own[i] = i;
	return NULL;
}

static void *work(void *argument)
{
	struct job *job = argument;
	double own[512] __attribute__((aligned(16)));

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 256; i++)
		for (int j = 0; j < 64; j++)
			TOGETHER_ADD(job->matrix[i][j], i);
	for (int i = 0; i < 100; i++)
		TOGETHER_ADD(job->particles[i].pos.x, i);
	job->own = own;
	for (int i = 0; i < 512; i++)
		job->own[i] = i;
	return NULL;
}

/* Two functions that use the same stack memory, one after the other. */
static __attribute__((noinline)) double *early(void)
{
	double buffer[1024] __attribute__((aligned(16)));
	double *volatile address = &buffer[1000];

	pthread_barrier_wait(&alone);
	buffer[1000] = 1;
	return address;
}

static __attribute__((noinline)) double *late(void)
{
	double cells[1024] __attribute__((aligned(16)));
	double *volatile address = &cells[1000];

	pthread_barrier_wait(&alone);
	cells[1000] = 1;
	return address;
}

/*
 * The array has its own block, and debug information has no location for an array of variable
 * length.
 */
static __attribute__((noinline)) void any(int count)
{
	double lengths[count];

	for (int i = 0; i < count; i++)
		lengths[i] = i;
	{
		double inner[16] __attribute__((aligned(16)));

		pthread_barrier_wait(&alone);
		inner[3] = lengths[count - 1];
		printf("any::inner[3] %p\n", (void *)&inner[3]);
		printf("any's frame %p\n", (void *)lengths);
	}
}

static void *lengths(void *argument)
{
	any(*(int *)argument);
	return NULL;
}

int main(void)
{
	double matrix[256][64] __attribute__((aligned(64)));
	struct particle particles[100] __attribute__((aligned(16)));
	pthread_t threads[THREADS + 2];
	struct job jobs[THREADS + 1];
	int count = 700;

	pthread_barrier_init(&alone, NULL, 1);
	pthread_barrier_init(&barrier, NULL, THREADS);
	printf("early::buffer or late::cells %p\n", (void *)early());
	late();
	for (int t = 0; t <= THREADS; t++) {
		jobs[t] = (struct job){matrix, particles, NULL, t};
		pthread_create(&threads[t], NULL, t < THREADS ? work : quiet, &jobs[t]);
	}
	pthread_create(&threads[THREADS + 1], NULL, lengths, &count);
	for (int t = 0; t < THREADS + 2; t++)
		pthread_join(threads[t], NULL);
	printf("main::matrix[0][0] %p\n", (void *)&matrix[0][0]);
	printf("main::matrix[130][17] %p\n", (void *)&matrix[130][17]);
	printf("main::matrix[255][63] %p\n", (void *)&matrix[255][63]);
	printf("main::particles[12].pos.x %p\n", (void *)&particles[12].pos.x);
	printf("main::particles[99].old[2].z %p\n", (void *)&particles[99].old[2].z);
	printf("main::jobs[2].number %p\n", (void *)&jobs[2].number);
	for (int t = 0; t < THREADS; t++)
		printf("thread %d::work::own[77] %p\n", t + 1, (void *)&jobs[t].own[77]);
	printf("quiet::unseen[5] %p\n", (void *)&jobs[THREADS].own[5]);
	return 0;
}
