// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Arrays with qualifiers, in C: threads read all of them. structures_test.sh has their types.
 */
#include <pthread.h>
#include <stddef.h>

#define ITEMS 512
#define THREADS 4

typedef int row_t[16];
typedef volatile int shaky_row_t[16];
typedef const volatile int item_t;

static int target;

const volatile int both[ITEMS] = {1};
volatile int shaky[ITEMS];
volatile _Atomic int counted[ITEMS];
const volatile double plane[32][32] = {{1}};
const volatile row_t rows[32] = {{1}};
const shaky_row_t shaky_rows[32] = {{1}};
item_t items[ITEMS] = {1};
int *const volatile links[ITEMS] = {&target};
const int *volatile reads[ITEMS];
const int *const *const volatile far[ITEMS] = {NULL};
const volatile int one = 1;
int *const link = &target;

/* Read all of a variable, whatever its type is. */
#define READ(variable)                                                                             \
	for (size_t i = 0; i < sizeof(variable); i += 4)                                           \
	(void)((const volatile char *)&(variable))[i]

static void *work(void *argument)
{
	READ(both);
	READ(shaky);
	READ(counted);
	READ(plane);
	READ(rows);
	READ(shaky_rows);
	READ(items);
	READ(links);
	READ(reads);
	READ(far);
	READ(one);
	READ(link);
	return argument;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int t = 0; t < THREADS; t++)
		pthread_create(&threads[t], NULL, work, NULL);
	for (int t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	return 0;
}
