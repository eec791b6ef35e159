/* SPDX-License-Identifier: MIT */
/* A stencil on the nodes of a cluster. With "block", each row lies on the node that uses it: */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include <smile/gas.h>

#define N 256U /* rows and columns: a page has two rows */
#define STEPS 4U

static void step(double (*to)[N], double (*from)[N], unsigned int first, unsigned int end)
{
	for (unsigned int i = first ? first : 1; i < end && i < N - 1; i++)
		for (unsigned int j = 1; j < N - 1; j++)
			to[i][j] = 1 + 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] +
					       from[i][j + 1]);
}

int main(int argc, char **argv)
{
	int place = argc > 1 && !strcmp(argv[1], "block") ? GAS_BLOCK : GAS_ROUND_ROBIN;
	double(*grids[2])[N], mine = 0, sum;
	unsigned int first, end, rows;
	struct Gas *gas;
	void *memory[2];

	if (Gas_open(&gas) < 0 || Gas_alloc(gas, sizeof(double[N][N]), place, &memory[0]) < 0 ||
	    Gas_alloc(gas, sizeof(double[N][N]), place, &memory[1]) < 0 ||
	    Gas_name(gas, memory[0], "even steps", sizeof(double[N])) < 0 ||
	    Gas_name(gas, memory[1], "odd steps", sizeof(double[N])) < 0 || Gas_share(gas, -1) < 0)
		errx(2, "%s", Gas_error_message());
	grids[0] = memory[0];
	grids[1] = memory[1];
	rows = N / Gas_nodes(gas);
	first = rows * Gas_node(gas);
	end = Gas_node(gas) + 1 == Gas_nodes(gas) ? N : first + rows;
	for (unsigned int i = 0; i < STEPS; i++) {
		step(grids[(i + 1) % 2], grids[i % 2], first, end);
		if (Gas_barrier(gas) < 0)
			errx(2, "%s", Gas_error_message());
	}
	for (unsigned int i = first; i < end; i++)
		mine += grids[STEPS % 2][i][N / 2];
	if (Gas_sum(gas, mine, &sum) < 0)
		errx(2, "%s", Gas_error_message());
	if (Gas_node(gas) == 0)
		printf("%.3f\n", sum);
	return Gas_close(gas) < 0 ? 2 : 0;
}
