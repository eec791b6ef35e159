/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with floating point numbers. The results must have the same bits as without QEMU,
 * whether or not the flag "inexact" is set. After the program has cleared this flag, only the
 * program may set it.
 *
 * The first line is the initial flag of main, a thread and a child. A tracer may have set it. All
 * other lines must be the same everywhere: a checksum of the bits of exact and rounded results,
 * zeros, denormal numbers, infinities and NaNs.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t sum = 14695981039346656037ULL;

static void add(const void *bits, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		sum = (sum ^ ((const uint8_t *)bits)[i]) * 1099511628211ULL;
}

/* If an operation has several NaN operands, its result must be a NaN, but may be any of them. */
static void add_double(double value)
{
	uint64_t none = 1;

	if (isnan(value))
		add(&none, sizeof(none));
	else
		add(&value, sizeof(value));
}

static void operate(double a, double b)
{
	volatile double x = a, y = b;
	volatile float f = (float)a, g = (float)b;

	add_double(x + y);
	add_double(x - y);
	add_double(x * y);
	add_double(x / y);
	add_double(sqrt(x));
	add_double(f + g);
	add_double(f - g);
	add_double(f * g);
	add_double(f / g);
	add_double(sqrtf(f));
	add_double(fma(x, y, x));
}

static void operate_all(void)
{
	static const double special[] = {0.0,	  -0.0,	  1.0,	  -1.5,	    0.1,       -3.0,
					 1e300,	  -1e300, 1e-300, 4e-320,   -4e-324,   2.3e-308,
					 1.2e-38, -1e-45, 3e38,	  INFINITY, -INFINITY, NAN};
	enum { COUNT = sizeof(special) / sizeof(*special) };
	double last = 0.3;

	for (int i = 0; i < COUNT; i++) {
		for (int j = 0; j < COUNT; j++)
			operate(special[i], special[j]);
	}
	for (int i = 0; i < 20000; i++) {
		double next = 3.7 * last * (1 - last);

		operate(last, next);
		last = next;
	}
}

static void *flag(void *at)
{
	*(int *)at = fetestexcept(FE_INEXACT) != 0;
	return NULL;
}

int main(void)
{
	volatile double two = 2, three = 3, result;
	int main_flag, thread_flag, status;
	pthread_t thread;
	pid_t child;

	flag(&main_flag);
	if (pthread_create(&thread, NULL, flag, &thread_flag) || pthread_join(thread, NULL))
		return 2;
	child = fork();
	if (!child) {
		flag(&status);
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return 2;
	printf("inexact at the beginning: main %d thread %d child %d\n", main_flag, thread_flag,
	       WEXITSTATUS(status));

	feclearexcept(FE_ALL_EXCEPT);
	result = two * three;
	printf("inexact after 2 * 3: %d\n", fetestexcept(FE_INEXACT) != 0);
	result = two / three;
	printf("inexact after 2 / 3: %d\n", fetestexcept(FE_INEXACT) != 0);
	(void)result;
	operate_all();
	printf("with the flag: %016" PRIx64 "\n", sum);
	for (int i = 0; i < 100; i++) {
		feclearexcept(FE_ALL_EXCEPT);
		operate(i / 4.0, 0.5 + i);
	}
	printf("without it: %016" PRIx64 "\n", sum);
	return 0;
}
