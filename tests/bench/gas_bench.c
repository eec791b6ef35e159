/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of the moves of pages by libsmile-gas, for two nodes of smile cluster.
 *
 * 	SMILE_NODE=N SMILE_NODES=2 gas_bench
 *
 * What lives here: the median times of a barrier, of the move of some pages between the nodes, and
 * of a copy of as many pages by stores, which a program without this function has to make. Node 0
 * prints.
 *
 * May use: <smile/gas.h>, <base/clock.h>, POSIX.
 */
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <base/clock.h>
#include <smile/gas.h>

#define PAGES 64
#define ROUNDS 40
#define PAGE_WORDS (GAS_PAGE_BYTES / sizeof(uint64_t))

static struct Gas *gas;

static int good(int result)
{
	if (result < 0)
		errx(2, "%s", Gas_error_message());
	return result;
}

static double now_us(void)
{
	return (double)clock_now_ns() / 1e3;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double median(double *times)
{
	qsort(times, ROUNDS, sizeof(*times), ascending);
	return times[ROUNDS / 2];
}

static double barrier_us(void)
{
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double begun = now_us();

		good(Gas_barrier(gas));
		times[i] = now_us() - begun;
	}
	return median(times);
}

/* Move the first @count pages to the other node, and back in the next call. */
static double move_us(size_t count)
{
	struct Gas_move moves[PAGES];
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		unsigned int to = Gas_home(gas, 0) == 0;
		double begun;

		for (size_t page = 0; page < count; page++)
			moves[page] = (struct Gas_move){page, to};
		good(Gas_barrier(gas));
		begun = now_us();
		if (good(Gas_move(gas, moves, Gas_node(gas) ? 0 : count)) != (int)count)
			errx(2, "not all of %zu pages have moved", count);
		times[i] = now_us() - begun;
	}
	return median(times);
}

/* Node 0 copies its own memory to @count pages of the other node. */
static double copy_us(volatile uint64_t *space, size_t count)
{
	static uint64_t own[PAGES * PAGE_WORDS];
	volatile uint64_t *to = space + PAGES * PAGE_WORDS;
	double times[ROUNDS];

	for (int i = 0; i < ROUNDS; i++) {
		double begun = now_us();

		for (size_t word = 0; word < count * PAGE_WORDS && !Gas_node(gas); word++)
			to[word] = own[word];
		times[i] = now_us() - begun;
		good(Gas_barrier(gas));
	}
	return median(times);
}

int main(void)
{
	static const size_t counts[] = {0, 1, 4, 16, PAGES};
	double barrier;
	void *memory;

	good(Gas_open(&gas));
	if (Gas_nodes(gas) != 2)
		errx(2, "two nodes are needed: smile cluster --nodes 2");
	good(Gas_alloc(gas, 2 * PAGES * GAS_PAGE_BYTES, GAS_BLOCK, &memory));
	good(Gas_share(gas, -1));
	barrier = barrier_us();
	if (!Gas_node(gas))
		printf("| pages | a barrier, us | Gas_move(), us | a copy by stores, us | "
		       "move less copy, us |\n"
		       "|---|---|---|---|---|\n");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		double copy = copy_us(memory, counts[i]), move = move_us(counts[i]);

		if (!Gas_node(gas))
			printf("| %zu | %.0f | %.0f | %.0f | %.0f |\n", counts[i], barrier, move,
			       copy, move - copy);
	}
	good(Gas_close(gas));
	return 0;
}
