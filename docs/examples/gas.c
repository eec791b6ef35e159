/* SPDX-License-Identifier: MIT */
/* All nodes add up the numbers from 1 to 100000, each node those in its own memory: */
#include <err.h>
#include <stdio.h>

#include <smile/gas.h>

#define NUMBERS 100000U

int main(void)
{
	double mine = 0, sum;
	unsigned int i, first, end;
	struct Gas *gas;
	void *memory;
	volatile double *numbers;

	if (Gas_open(&gas) < 0 ||
	    Gas_alloc(gas, NUMBERS * sizeof(*numbers), GAS_BLOCK, &memory) < 0 ||
	    Gas_name(gas, memory, "numbers", sizeof(*numbers)) < 0 || Gas_share(gas, -1) < 0)
		errx(2, "%s", Gas_error_message());
	numbers = memory;
	first = NUMBERS / Gas_nodes(gas) * Gas_node(gas);
	end = Gas_node(gas) + 1 == Gas_nodes(gas) ? NUMBERS : first + NUMBERS / Gas_nodes(gas);
	for (i = first; i < end; i++)
		numbers[i] = i + 1;
	for (i = first; i < end; i++)
		mine += numbers[i];
	if (Gas_sum(gas, mine, &sum) < 0)
		errx(2, "%s", Gas_error_message());
	if (Gas_node(gas) == 0)
		printf("%.0f on %u nodes\n", sum, Gas_nodes(gas));
	return Gas_close(gas) < 0 ? 2 : 0;
}
