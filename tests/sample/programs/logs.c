/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Allocates with a wrapper: two large blocks, a thousand blocks of 5 kB, each freed before the
 * next, and small blocks. It has a named region and three phases, one of which occurs twice.
 *
 * usage: logs
 */
#include <stdlib.h>

#include <smile/trace.h>

static __attribute__((noinline)) char *checked_alloc(size_t bytes)
{
	char *block = malloc(bytes);

	if (!block)
		abort();
	*block = 1;
	return block;
}

int main(void)
{
	char *grid = checked_alloc(100000), *table = checked_alloc(2000000);
	char *board = smile_alloc(8192, "board");

	if (!board)
		return 1;
	smile_phase("fill");
	for (unsigned i = 0; i < 1000; i++) {
		free(checked_alloc(5000));
		free(checked_alloc(50));
	}
	smile_phase("work");
	*board = (char)(*grid + *table);
	smile_phase("check");
	smile_phase("work");
	return *board == 2 ? 0 : 1;
}
