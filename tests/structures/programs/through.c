/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A library creates a thread, and a function that has called the library has an array. The array is
 * found only by unwinding the library's functions. With THROUGH_LIBRARY, this file is compiled as
 * the library.
 */
#include <pthread.h>
#include <stdio.h>

void through(void (*function)(void *), void *data);

#ifdef THROUGH_LIBRARY

struct job {
	void (*function)(void *);
	void *data;
};

static void *run(void *opaque)
{
	const struct job *job = opaque;

	job->function(job->data);
	return NULL;
}

void through(void (*function)(void *), void *data)
{
	struct job job = {function, data};
	pthread_t thread;

	if (!pthread_create(&thread, NULL, run, &job))
		pthread_join(thread, NULL);
}

#else

static void add(void *data)
{
	volatile double *numbers = data;

	for (int i = 0; i < 512; i++)
		numbers[i] = i;
}

static __attribute__((noinline)) void solve(void)
{
	volatile double numbers[512];

	numbers[0] = 1;
	through(add, (void *)numbers);
	printf("solve::numbers[0] %p\nsolve::numbers[77] %p\n", (void *)numbers,
	       (void *)&numbers[77]);
}

int main(void)
{
	solve();
	return 0;
}

#endif
