/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that uses OpenMP and has known accesses, for the tests of `smile run`. If OpenMP
 * determines which thread does which work, the accesses are known for each thread, else as a sum.
 *
 * 	static | dynamic | guided | sections | single | ordered | tasks | regions
 * 	orders | doacross
 */
#include <omp.h>
#include <string.h>

#include "known.h"

#define THREADS 4
#define WORDS (KNOWN_PAGE / sizeof(long))
#define ROUNDS 10

static volatile long array[THREADS * WORDS] KNOWN_ALIGNED;
static volatile long counter[WORDS] KNOWN_ALIGNED;
static long atomics[WORDS] KNOWN_ALIGNED;
static volatile long nested[THREADS * WORDS] KNOWN_ALIGNED;
static long sums[WORDS] KNOWN_ALIGNED;

static int run_static(void)
{
	volatile long sum = 0;
	long total = 0;

#pragma omp parallel for schedule(static) num_threads(THREADS)
	for (size_t i = 0; i < THREADS * WORDS; i++)
		array[i] = (long)i;
#pragma omp parallel num_threads(THREADS)
	{
		int inner = 0;

		for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
			counter[0]++;
#pragma omp atomic
			atomics[0]++;
		}
#pragma omp barrier
#pragma omp master
		sum = counter[0];
		/* Only one level of parallelism is active: this team has one thread. */
#pragma omp parallel num_threads(2) firstprivate(inner)
		{
			inner = omp_get_num_threads();
			nested[(size_t)omp_get_ancestor_thread_num(1) * WORDS] += inner;
		}
	}
#pragma omp parallel for schedule(static) num_threads(THREADS) reduction(+ : sums[:1])
	for (int i = 0; i < 100; i++)
		sums[0] += i;
#pragma omp parallel for schedule(static, 1) num_threads(THREADS) reduction(+ : total)
	for (int i = 0; i < THREADS; i++)
		total += nested[(size_t)i * WORDS];
	if (sum != THREADS * ROUNDS || atomics[0] != THREADS * ROUNDS || total != THREADS ||
	    sums[0] != 4950)
		return 1;
	for (int t = 0; t < THREADS; t++) {
		known(array + (size_t)t * WORDS, t, 0, WORDS, 0);
		known(counter, t, ROUNDS + (t == 0), ROUNDS, 0);
		known(atomics, t, t == 0, 0, ROUNDS);
		known(nested + (size_t)t * WORDS, t, 2, 1, 0);
		known(sums, t, 1 + (t == 0), 1, 0);
	}
	return 0;
}

static void known_array(void)
{
	for (size_t p = 0; p < THREADS; p++)
		known(array + p * WORDS, KNOWN_ALL, 0, WORDS, 0);
}

static int run_dynamic(void)
{
#pragma omp parallel for schedule(dynamic, 16) num_threads(THREADS)
	for (size_t i = 0; i < THREADS * WORDS; i++)
		array[i] = (long)i;
	known_array();
	return 0;
}

static int run_guided(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp for schedule(guided)
	for (size_t i = 0; i < THREADS * WORDS; i++)
		array[i] = (long)i;
	known_array();
	return 0;
}

static void fill(size_t page, size_t words)
{
	for (size_t i = 0; i < words; i++)
		array[page * WORDS + i] = 1;
}

static int run_sections(void)
{
#pragma omp parallel sections num_threads(THREADS)
	{
#pragma omp section
		fill(0, 100);
#pragma omp section
		fill(1, 200);
#pragma omp section
		fill(2, 300);
	}
	for (size_t p = 0; p < 3; p++)
		known(array + p * WORDS, KNOWN_ALL, 0, 100 * (p + 1), 0);
	return 0;
}

static int run_single(void)
{
#pragma omp parallel num_threads(THREADS)
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp single
		fill(0, 100);
	}
	known(array, KNOWN_ALL, 0, 100 * ROUNDS, 0);
	return 0;
}

static int run_ordered(void)
{
#pragma omp parallel for schedule(static, 8) ordered num_threads(THREADS)
	for (size_t i = 0; i < 64; i++) {
#pragma omp ordered
		counter[0] += (long)i;
		/* The order is not determined, so each thread uses its own page. */
		array[i / 8 % THREADS * WORDS]++;
	}
	for (int t = 0; t < THREADS; t++)
		known(counter, t, 16, 16, 0);
	return 0;
}

static int run_tasks(void)
{
#pragma omp parallel num_threads(THREADS)
#pragma omp single
	for (size_t p = 0; p < THREADS; p++) {
#pragma omp task firstprivate(p)
		fill(p, WORDS);
	}
	known_array();
	return 0;
}

/* Repeated nested regions. Each region has new threads. */
static int run_regions(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp parallel num_threads(2)
		fill((size_t)(2 * omp_get_ancestor_thread_num(1) + omp_get_thread_num()), 10);
	}
	for (size_t p = 0; p < THREADS; p++)
		known(array + p * WORDS, KNOWN_ALL, 0, 10 * ROUNDS, 0);
	return 0;
}

/*
 * The values must be appended in the order of the iterations. One loop in three skips some
 * iterations.
 */
static int run_orders(void)
{
	static volatile long order[200];
	int empty = 5;
	long count = 0, wrong = 0;

#pragma omp parallel num_threads(THREADS)
	{
#pragma omp for ordered schedule(static, 3)
		for (int i = 0; i < 40; i += 2) {
			array[i]++;
#pragma omp ordered
			order[count++] = i;
		}
#pragma omp for ordered schedule(dynamic)
		for (unsigned long i = 0; i < 20; i++) {
			fill(1, i % 5 * 10);
#pragma omp ordered
			order[count++] = (long)i;
		}
#pragma omp for ordered schedule(guided)
		for (int i = 0; i < 20; i++) {
			if (i % 3) {
#pragma omp ordered
				order[count++] = i;
			}
		}
#pragma omp for ordered schedule(runtime)
		for (int i = 20; i > 0; i--) {
#pragma omp ordered
			order[count++] = i;
		}
		/* The last step goes beyond the end of the range. */
#pragma omp for ordered schedule(static)
		for (int i = 0; i < 10; i += 3) {
#pragma omp ordered
			order[count++] = i;
		}
#pragma omp for ordered schedule(dynamic, 3)
		for (int i = 0; i < 24; i++) {
#pragma omp ordered
			order[count++] = i;
		}
#pragma omp for ordered
		for (int i = 5; i < empty; i++) {
#pragma omp ordered
			order[count++] = i;
		}
	}
	for (int i = 0; i < 20; i++)
		wrong += order[i] != 2 * i || order[20 + i] != i || order[53 + i] != 20 - i;
	for (int i = 0; i < 13; i++)
		wrong += order[40 + i] != 1 + i * 3 / 2;
	known(array, KNOWN_ALL, 20, 20, 0);
	known(array + WORDS, KNOWN_ALL, 0, 400, 0);
	return wrong || count != 20 + 20 + 13 + 20 + 4 + 24;
}

static int run_doacross(void)
{
#pragma omp parallel for ordered(1) num_threads(THREADS) schedule(static, 4)
	for (int i = 1; i < 50; i++) {
#pragma omp ordered depend(sink : i - 1)
		counter[i] = counter[i - 1] + i;
#pragma omp ordered depend(source)
	}
	known(counter, KNOWN_ALL, 50, 49, 0);
	return counter[49] != 49 * 50 / 2;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} ways[] = {
		{"static", run_static},	    {"dynamic", run_dynamic}, {"guided", run_guided},
		{"sections", run_sections}, {"single", run_single},   {"ordered", run_ordered},
		{"tasks", run_tasks},	    {"regions", run_regions}, {"orders", run_orders},
		{"doacross", run_doacross},
	};

	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			return ways[i].run();
	return 2;
}
