/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Allocates blocks. For each block, the program writes to the block, computes for some time, and
 * frees a block. Prints the seconds of processor time, and the blocks per second of processor time.
 *
 * usage: allocates BYTES BLOCKS WORK       WORK: steps of a computation for each block
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The number of blocks that are allocated at the same time. */
#define LIVE 64

int main(int argc, char **argv)
{
	size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 0) : 40;
	unsigned long blocks = argc > 2 ? strtoul(argv[2], NULL, 0) : 1000000;
	unsigned long work = argc > 3 ? strtoul(argv[3], NULL, 0) : 100;
	volatile char *live[LIVE] = {NULL};
	uint64_t value = 1;
	struct timespec spent;
	double seconds;

	for (unsigned long i = 0; i < blocks; i++) {
		volatile char **block = &live[i % LIVE];

		free((void *)*block);
		*block = malloc(bytes);
		if (!*block)
			return 1;
		for (unsigned long step = 0; step < work; step++)
			value = value * 6364136223846793005ULL + 1442695040888963407ULL;
		**block = (char)(value >> 56);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
	seconds = (double)spent.tv_sec + (double)spent.tv_nsec / 1e9;
	printf("%.6f %.0f\n", seconds, (double)blocks / seconds);
	return 0;
}
