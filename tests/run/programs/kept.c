/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with OpenMP tasks that the preload library leaves to libgomp, for the tests of `smile
 * run`. Their result must be right, and a message must say that the host determines their order.
 *
 * 	reduction | cancel | event
 */
#include <omp.h>
#include <string.h>

#include "known.h"

#define THREADS 4
#define WORDS (KNOWN_PAGE / sizeof(long))

static volatile long array[WORDS] KNOWN_ALIGNED;

static void fill(int words)
{
	for (int i = 0; i < words; i++)
		array[i]++;
}

static int run_reduction(void)
{
	long sum = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
	for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum)
		sum += i;
	}
	fill(10);
	known(array, KNOWN_ALL, 10, 10, 0);
	return sum != 45;
}

/* OMP_CANCELLATION is not set, so nothing is cancelled. */
static int run_cancel(void)
{
	long done = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
#pragma omp taskgroup
	for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
		{
#pragma omp cancel taskgroup
#pragma omp atomic
			done++;
		}
	}
	fill(20);
	known(array, KNOWN_ALL, 20, 20, 0);
	return done != 10;
}

/* One task ends when another task fulfils its event. A third task depends on it. */
static int run_event(void)
{
	long order = 0;

#pragma omp parallel num_threads(THREADS)
#pragma omp single
	{
		omp_event_handle_t event;

#pragma omp task detach(event) depend(out : order) shared(order)
		order = 1;
#pragma omp task depend(in : order) shared(order)
		order *= 10;
#pragma omp task firstprivate(event)
		omp_fulfill_event(event);
	}
	fill(30);
	known(array, KNOWN_ALL, 30, 30, 0);
	return order != 10;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {{"reduction", run_reduction}, {"cancel", run_cancel}, {"event", run_event}};

	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return 2;
}
