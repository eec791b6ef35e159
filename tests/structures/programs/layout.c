// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program of known layout, in C: main prints the expected name of each address, and every thread
 * accesses all of them. Lines: NAME ADDRESS.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "together.h"

struct vector {
	double x, y, z;
};

struct particle {
	struct vector pos;
	float mass;
	union {
		int number;
		char text[8];
	} tag;
	struct vector old[3];
};

typedef struct particle particle_t;

double matrix[256][64];
particle_t particles[100];
static volatile int counter;
int after[3] = {1, 2, 3};
const char *words[5];
static struct vector *first, **second;

static int *own(void)
{
	static int calls[7];

	calls[3]++;
	return &calls[3];
}

static struct vector *make_first(void)
{
	return calloc(1000, sizeof(struct vector)); /* first */
}

static struct vector *make_second(void)
{
	return malloc(sizeof(struct vector)); /* second */
}

static pthread_barrier_t barrier;

/* Each thread writes all data, so that data on other nodes is also recorded. */
static void *work(void *argument)
{
	for (int i = 0; i < 256; i++)
		for (int j = 0; j < 64; j++)
			TOGETHER_ADD(matrix[i][j], i);
	for (int i = 0; i < 100; i++)
		TOGETHER_ADD(particles[i].pos.x, i);
	for (int i = 0; i < 1000; i++)
		TOGETHER_ADD(first[i].y, i);
	for (int i = 0; i < 50; i++)
		TOGETHER_ADD(second[i]->z, i);
	for (int i = 0; i < SHARED_ITEMS; i++)
		TOGETHER_ADD(shared_items[i].weight, i);
	pthread_barrier_wait(&barrier);
	return NULL;
}

#define SAY(thing) printf("%s %p\n", #thing, (void *)&(thing))

int main(void)
{
	pthread_t threads[4];

	first = make_first();
	second = malloc(50 * sizeof(*second)); /* pointers */
	for (int i = 0; i < 50; i++)
		second[i] = make_second();
	pthread_barrier_init(&barrier, NULL, 4);
	for (int t = 0; t < 4; t++)
		pthread_create(&threads[t], NULL, work, NULL);
	for (int t = 0; t < 4; t++)
		pthread_join(threads[t], NULL);
	counter++;
	SAY(matrix[0][0]);
	SAY(matrix[130][17]);
	SAY(matrix[255][63]);
	SAY(particles[12].pos.x);
	SAY(particles[99].old[2].z);
	SAY(particles[7].mass);
	printf("particles[7].tag %p\n", (void *)&particles[7].tag.number);
	printf("particles[7].tag+5 %p\n", (void *)&particles[7].tag.text[5]);
	printf("counter %p\n", (void *)&counter);
	SAY(after[2]);
	printf("words[4] %p\n", (void *)&words[4]);
	printf("own::calls[3] %p\n", (void *)own());
	SAY(shared_items[3].weight);
	printf("shared_next::value %p\n", (void *)shared_next());
	printf("%s:%d (make_first)+16 %p\n", "layout.c", FIRST_LINE, (void *)((char *)first + 16));
	printf("%s:%d (make_second) block %d +8 %p\n", "layout.c", SECOND_LINE, 7,
	       (void *)&second[7]->y);
	return 0;
}
