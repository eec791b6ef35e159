// SPDX-License-Identifier: MIT
/*
 * smile doctor: measure latencies of memory. See latency_measurement.h. The measured memory of a
 * node is a chain: each read loads the address of the next read. In each round, all nodes read the
 * chain one after another, so that a disturbance affects all nodes of this round.
 */
#include "tools/doctor/latency_measurement.h"

#include <linux/mempolicy.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <base/random.h>

#include "tools/common/tool.h"
#include "tools/doctor/doctor.h"

#define CHAIN_LINE 64
#define CHAIN_READS 100000
#define ROUNDS 15
/*
 * The ends of a 96 % confidence interval of the median are the fourth and the twelfth of 15 sorted
 * values.
 */
#define ROUND_LOW 3
#define ROUND_HIGH 11
#define LEAST_DIFFERENCE 0.1

unsigned latency_list(const char *text, unsigned *numbers, unsigned most)
{
	unsigned count = 0;

	while (*text >= '0' && *text <= '9') {
		char *end;
		unsigned long first = strtoul(text, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && count < most; first++)
			numbers[count++] = (unsigned)first;
		text = *end == ',' ? end + 1 : end;
	}
	return count;
}

/* Make a chain through all lines of @memory, in a random order that no prefetcher can predict. */
static void chain_make(char *memory, size_t lines)
{
	uint32_t *order = tool_memory(lines, sizeof(*order));
	uint64_t random = 1;

	for (size_t i = 0; i < lines; i++)
		order[i] = (uint32_t)i;
	for (size_t i = lines - 1; i > 0; i--) {
		uint32_t other = random_below(&random, (uint32_t)(i + 1)), line = order[i];

		order[i] = order[other];
		order[other] = line;
	}
	for (size_t i = 0; i < lines; i++)
		*(char **)(memory + (size_t)order[i] * CHAIN_LINE) =
			memory + (size_t)order[(i + 1) % lines] * CHAIN_LINE;
	free(order);
}

/*
 * Read the chain from the position at which the previous call ended. Return: the duration of a read
 * in ns.
 */
static double chain_time(char **begin)
{
	char *volatile *at = (char *volatile *)*begin;
	struct timespec from, to;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	for (unsigned i = 0; i < CHAIN_READS; i++)
		at = (char *volatile *)*at;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	*begin = (char *)at;
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) /
	       CHAIN_READS;
}

/*
 * Move this process to the processors of a node. Return: 0; -1 if the node has no processor that
 * this process may use.
 */
static int node_enter(const struct latencies *latencies, unsigned node)
{
	unsigned processors[CPU_SETSIZE], count;
	char text[1024];
	cpu_set_t set;

	if (!doctor_line(text, sizeof(text), "/sys/devices/system/node/node%u/cpulist",
			 latencies->ids[node]))
		return latencies->nodes == 1 ? 0 : -1;
	count = latency_list(text, processors, CPU_SETSIZE);
	CPU_ZERO(&set);
	for (unsigned i = 0; i < count; i++)
		CPU_SET(processors[i], &set);
	return count ? sched_setaffinity(0, sizeof(set), &set) : -1;
}

/*
 * Allocate memory on a node, and make a chain in it. Return: the memory; NULL if it could not be
 * allocated on this node.
 */
static char *home_make(const struct latencies *latencies, unsigned home)
{
	unsigned long mask[LATENCY_NODES_MAX / 8 / sizeof(long) + 1] = {0};
	const unsigned id = latencies->ids[home];
	char *memory = mmap(NULL, latencies->bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	mask[0] = id < LATENCY_NODES_MAX ? 1UL << id : 0;
	/*
	 * Request huge pages. With small pages, the measured time would include the time of the
	 * address translation.
	 */
	(void)madvise(memory, latencies->bytes, MADV_HUGEPAGE);
	if (doctor_mbind(memory, latencies->bytes, MPOL_BIND, mask, 8 * sizeof(mask)) &&
	    latencies->nodes > 1) {
		munmap(memory, latencies->bytes);
		return NULL;
	}
	chain_make(memory, latencies->bytes / CHAIN_LINE);
	return memory;
}

static int ascending(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/*
 * Check whether the latencies of a node were longer in all rounds, or shorter in all rounds, than
 * those of the memory's own node, and whether the medians differ by at least a tenth.
 */
static bool rounds_differ(const double *rounds, const double *own, double median, double own_median)
{
	unsigned longer = 0, shorter = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		longer += rounds[i] > own[i];
		shorter += rounds[i] < own[i];
	}
	return (longer == ROUNDS || shorter == ROUNDS) &&
	       fabs(median - own_median) >= LEAST_DIFFERENCE * own_median;
}

static double median_of(const double *rounds, double sorted[ROUNDS])
{
	memcpy(sorted, rounds, ROUNDS * sizeof(*rounds));
	qsort(sorted, ROUNDS, sizeof(*sorted), ascending);
	return sorted[ROUNDS / 2];
}

/*
 * Compute the results for the memory of a home node. @rounds: latencies of each node in each round;
 * 0: not measured
 */
static void home_judge(struct latencies *latencies, unsigned home, double (*rounds)[ROUNDS])
{
	double sorted[ROUNDS], own = median_of(rounds[home], sorted);

	for (unsigned node = 0; node < latencies->nodes; node++) {
		struct latency_pair *pair = &latencies->pairs[node * latencies->nodes + home];

		pair->ns = median_of(rounds[node], sorted);
		if (pair->ns <= 0)
			continue;
		pair->low = sorted[ROUND_LOW];
		pair->high = sorted[ROUND_HIGH];
		pair->differs = own > 0 && rounds_differ(rounds[node], rounds[home], pair->ns, own);
		latencies->measured++;
		latencies->differ += pair->differs;
	}
}

static void home_measure(struct latencies *latencies, unsigned home, double (*rounds)[ROUNDS])
{
	char *memory = home_make(latencies, home), *at = memory;

	memset(rounds, 0, latencies->nodes * sizeof(*rounds));
	if (!memory)
		return;
	/* Discard the first round, in which each node fills its caches of address translations. */
	for (int round = -1; round < ROUNDS; round++)
		for (unsigned node = 0; node < latencies->nodes; node++) {
			double ns;

			if (node_enter(latencies, node) < 0)
				continue;
			ns = chain_time(&at);
			if (round >= 0)
				rounds[node][round] = ns;
		}
	munmap(memory, latencies->bytes);
	home_judge(latencies, home, rounds);
}

void latencies_measure(struct latencies *latencies)
{
	double(*rounds)[ROUNDS] = tool_memory(latencies->nodes, sizeof(*rounds));
	cpu_set_t before;
	int known = sched_getaffinity(0, sizeof(before), &before) == 0;

	for (unsigned home = 0; home < latencies->nodes; home++)
		home_measure(latencies, home, rounds);
	if (known)
		sched_setaffinity(0, sizeof(before), &before);
	free(rounds);
}
