/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads all read the same constants, of the program and of a shared library.
 *
 * usage: constants LIBRARY, which is tests/run/plugins/weights.c
 *
 * Prints the sum of the constants.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define THREADS 4
#define ITEMS 4096
#define ROUNDS 4

static const double own_weights[ITEMS] = {1, 2, 3};
static const double *library;

static void *work(void *opaque)
{
	volatile const double *own = own_weights, *others = library;
	double *sum = opaque;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < ITEMS; i++)
			*sum += own[i] + others[i];
	return NULL;
}

int main(int argc, char **argv)
{
	void *opened = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	double sums[THREADS] = {0}, all = 0;
	pthread_t threads[THREADS];

	library = opened ? dlsym(opened, "library_weights") : NULL;
	if (!library)
		return 2;
	for (int i = 1; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &sums[i]);
	work(&sums[0]);
	for (int i = 1; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		all += sums[i];
	printf("%.0f\n", all);
	return 0;
}
