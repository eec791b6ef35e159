/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An OpenMP program that calls libgomp as GCC's code does. Each argument names a case.
 */
#include <omp.h>
#include <string.h>

#include "tests/preload/named.h"

#define COUNT 64

static int data[COUNT], sum;
static omp_lock_t lock;
static omp_nest_lock_t nest;

static void region(void)
{
#pragma omp parallel num_threads(3)
	{
#pragma omp atomic
		sum++;
#pragma omp barrier
#pragma omp atomic
		sum++;
	}
#pragma omp parallel num_threads(3)
#pragma omp atomic
	sum++;
}

/* All forms of loops that GCC compiles in a region, each with a barrier at its end. */
static void loops(void)
{
#pragma omp parallel for num_threads(3) schedule(static)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
#pragma omp parallel for num_threads(3) schedule(dynamic, 4)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
#pragma omp parallel for num_threads(3) schedule(monotonic : dynamic, 4)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
#pragma omp parallel for num_threads(3) schedule(guided)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
#pragma omp parallel for num_threads(3) schedule(runtime)
	for (int i = 0; i < COUNT; i++)
		data[i]++;
#pragma omp parallel num_threads(3)
	{
#pragma omp for schedule(dynamic)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
#pragma omp for schedule(static)
		for (int i = 0; i < COUNT; i++)
			data[i]++;
	}
	for (int i = 0; i < COUNT; i++)
		sum += data[i];
}

static void sections(void)
{
#pragma omp parallel sections num_threads(2)
	{
#pragma omp section
#pragma omp atomic
		sum++;
#pragma omp section
#pragma omp atomic
		sum++;
	}
#pragma omp parallel num_threads(2)
#pragma omp sections
	{
#pragma omp section
#pragma omp atomic
		sum++;
#pragma omp section
#pragma omp atomic
		sum++;
	}
}

/* Each lock protects its own variable: two locks do not exclude threads from the same variable. */
static void locks(void)
{
	int guarded[4] = {0};

#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		guarded[0]++;
#pragma omp critical(name)
		guarded[1]++;
		omp_set_lock(&lock);
		guarded[2]++;
		omp_unset_lock(&lock);
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		guarded[3]++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	for (int i = 0; i < 4; i++)
		sum += guarded[i];
	sum += omp_test_lock(&lock) ? 100 : 0;
	sum += omp_test_lock(&lock) ? 1000 : 0;
	omp_unset_lock(&lock);
	sum += omp_test_nest_lock(&nest) + omp_test_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
}

static void single(void)
{
#pragma omp parallel num_threads(3)
	{
		int mine;

#pragma omp single
		sum++;
#pragma omp single copyprivate(mine)
		mine = 5;
#pragma omp atomic
		sum += mine;
	}
}

static void reductions(void)
{
	int total = 0;

#pragma omp parallel num_threads(3) reduction(task, + : total)
	total++;
	sum += total;
}

static void alone(void)
{
#pragma omp parallel num_threads(1)
	{
		sum++;
#pragma omp barrier
	}
#pragma omp barrier
}

static void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
#pragma omp atomic
		sum++;
#pragma omp barrier
	}
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} cases[] = {{"region", region},	 {"loops", loops},   {"sections", sections},
		     {"locks", locks},		 {"single", single}, {"alone", alone},
		     {"reductions", reductions}, {"nested", nested}};

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
	named(&lock, "lock");
	named(&nest, "nest");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (argc == 2 && strcmp(argv[1], cases[i].name) == 0) {
			cases[i].run();
			printf("sum %d\n", sum);
			return 0;
		}
	return 2;
}
