/* SPDX-License-Identifier: MIT */
/* The program places the rows of a matrix on two nodes, and names the matrix and a phase: */
#include <stdio.h>
#include <smile/trace.h>

#define NODES 2U
#define ROWS 512U
#define COLUMNS 1024U

int main(void)
{
	double *grid = smile_alloc(ROWS * COLUMNS * sizeof(*grid), "grid");

	if (!grid)
		return perror("grid"), 2;
	for (unsigned int node = 0; node < NODES; node++)
		smile_place(grid + node * (ROWS / NODES) * COLUMNS,
			    ROWS / NODES * COLUMNS * sizeof(*grid), node);
	smile_phase("fill");
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		grid[i] = 1.0;
	printf("%s\n", smile_traced() ? "traced" : "not traced");
	return 0;
}
