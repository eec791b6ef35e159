// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program with two variables, for which perf_data.py makes samples. It is not run.
 */
#define WORDS 4096

static volatile int left[WORDS] __attribute__((aligned(4096))) = {1};
static volatile int right[WORDS] __attribute__((aligned(4096)));

int main(void)
{
	return left[0] + right[0];
}
