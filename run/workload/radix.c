/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * radix: a parallel radix sort. "Exploiting Spatial and Temporal Locality of Accesses" (1998),
 * section 4, runs the RADIX program of SPLASH-2 with 64K keys. "Data Monitoring in High-Performance
 * Clusters" (2002), section VI, runs it with a working set of 256 KB. This program uses the same
 * method, but was written for this project.
 *
 * What lives here: the parallel program and its check. May use workload.h.
 *
 * The keys are 32-bit numbers below 2^19. The program sorts them in two passes by digits of 10
 * bits, the lower digit first. Each thread has a block of the keys. There are five regions. The
 * keys move from "keys" to "sorted" in the first pass, and back in the second. "counts" and "ranks"
 * contain a binary tree each, whose leaves belong to the threads. Each node of such a tree has a
 * counter for each digit, and fills one page. "globals" contains the barrier. In each pass, a
 * thread takes the following steps:
 * - It sets the counters of its own leaf to zero, which only writes them. For each of its keys it
 *   then reads the key, and reads and writes the counter of the key's digit.
 * - In each round up the tree, the first thread below a node reads the counters of both children,
 *   and writes the counter of the node, digit by digit.
 * - Only thread 0 adds up the counters of the root. It reads them, and writes the ranks of the
 *   root, which tell where each digit begins.
 * - In each round down the tree, the first thread below a node reads the node's rank and the left
 *   child's counter, and writes the ranks of both children, digit by digit.
 * - For each of its keys, in order, it reads the key, and reads the rank of the key's digit in its
 *   own leaf. It writes the rank plus 1, and writes the key to the position that the rank gives,
 *   which can be in any thread's block.
 * There is a barrier after the counting, after each round, after the sum, and after the pass. Keys
 * and counters have 4 bytes.
 */
#include <stdio.h>

#include "workload.h"

#define DIGIT_BITS 10U
#define DIGITS (1U << DIGIT_BITS)
#define KEY_BITS 19U
#define PASSES 2U

_Static_assert(PASSES *DIGIT_BITS >= KEY_BITS, "passes cover the key");

struct radix_globals {
	pthread_barrier_t barrier;
};

/* The regions. The structure is private, and does not change after it has been set. */
struct radix {
	uint32_t *keys[2];
	/* node 1 is the root; the children of node i are the nodes 2 i and 2 i + 1 */
	uint32_t (*counts)[DIGITS];
	uint32_t (*ranks)[DIGITS];
	/* the number of leaves: a power of two, and at least the number of threads */
	unsigned int leaves;
};

static const struct program radix = {
	.name = "radix",
	.description = "Parallel radix sort of 32-bit keys, radix 1024.",
	.size = {"keys", 65536, 1, 1U << 26},
};

static uint32_t key_init(size_t index)
{
	return (uint32_t)(random_bits(index) & ((1U << KEY_BITS) - 1));
}

static uint32_t key_digit(uint32_t key, unsigned int pass)
{
	return key >> pass * DIGIT_BITS & (DIGITS - 1);
}

/* ---- the parallel program ------------------------------------------------------------------ */

static void thread_count(const struct radix *plan, const struct options *options,
			 unsigned int thread, unsigned int pass)
{
	uint32_t *counts = plan->counts[plan->leaves + thread];
	size_t end = block_first(options->size, thread + 1, options->threads);

	for (unsigned int d = 0; d < DIGITS; d++)
		SHARED(counts[d]) = 0;
	for (size_t i = block_first(options->size, thread, options->threads); i < end; i++) {
		uint32_t digit = key_digit(SHARED(plan->keys[pass % 2][i]), pass);
		uint32_t count = SHARED(counts[digit]);

		SHARED(counts[digit]) = count + 1;
	}
}

/*
 * Get the node at @level whose first leaf belongs to the thread. Level 1 is directly above the
 * leaves, and a node of this level has two leaves. Return: 0 if there is no such node.
 */
static unsigned int thread_node(const struct radix *plan, unsigned int thread, unsigned int level)
{
	return thread % (1U << level) == 0 ? (plan->leaves + thread) >> level : 0;
}

static void node_add(const struct radix *plan, unsigned int node)
{
	for (unsigned int d = 0; d < DIGITS; d++) {
		uint32_t left = SHARED(plan->counts[2 * node][d]);
		uint32_t right = SHARED(plan->counts[2 * node + 1][d]);

		SHARED(plan->counts[node][d]) = left + right;
	}
}

static void root_rank(const struct radix *plan)
{
	uint32_t sum = 0;

	for (unsigned int d = 0; d < DIGITS; d++) {
		SHARED(plan->ranks[1][d]) = sum;
		sum += SHARED(plan->counts[1][d]);
	}
}

static void node_rank(const struct radix *plan, unsigned int node)
{
	for (unsigned int d = 0; d < DIGITS; d++) {
		uint32_t rank = SHARED(plan->ranks[node][d]);
		uint32_t left = SHARED(plan->counts[2 * node][d]);

		SHARED(plan->ranks[2 * node][d]) = rank;
		SHARED(plan->ranks[2 * node + 1][d]) = rank + left;
	}
}

/*
 * For each digit, compute the rank of each thread's first key with this digit from the counts of
 * all threads.
 */
static void thread_rank(const struct team *team, unsigned int thread)
{
	const struct radix *plan = team->data;
	unsigned int levels = 0;

	while (1U << levels < plan->leaves)
		levels++;
	for (unsigned int level = 1; level <= levels; level++) {
		unsigned int node = thread_node(plan, thread, level);

		if (node)
			node_add(plan, node);
		team_wait(team);
	}
	if (thread == 0)
		root_rank(plan);
	team_wait(team);
	for (unsigned int level = levels; level > 0; level--) {
		unsigned int node = thread_node(plan, thread, level);

		if (node)
			node_rank(plan, node);
		team_wait(team);
	}
}

static void thread_move(const struct radix *plan, const struct options *options,
			unsigned int thread, unsigned int pass)
{
	uint32_t *ranks = plan->ranks[plan->leaves + thread];
	const uint32_t *from = plan->keys[pass % 2];
	uint32_t *to = plan->keys[(pass + 1) % 2];
	size_t end = block_first(options->size, thread + 1, options->threads);

	if (options->fault && thread == 0 && end > 0)
		end--;
	for (size_t i = block_first(options->size, thread, options->threads); i < end; i++) {
		uint32_t key = SHARED(from[i]);
		uint32_t digit = key_digit(key, pass);
		uint32_t rank = SHARED(ranks[digit]);

		SHARED(ranks[digit]) = rank + 1;
		SHARED(to[rank]) = key;
	}
}

static void thread_body(const struct team *team, unsigned int thread)
{
	const struct radix *plan = team->data;

	for (unsigned int pass = 0; pass < PASSES; pass++) {
		team_step(team, thread, "count %u", pass + 1);
		thread_count(plan, team->options, thread, pass);
		team_wait(team);
		team_step(team, thread, "rank %u", pass + 1);
		thread_rank(team, thread);
		team_step(team, thread, "move %u", pass + 1);
		thread_move(plan, team->options, thread, pass);
		team_wait(team);
	}
}

/* ---- the whole program --------------------------------------------------------------------- */

static void plan_make(const struct options *options, struct radix *plan)
{
	size_t bytes = (size_t)options->size * sizeof(uint32_t);

	plan->leaves = 1;
	while (plan->leaves < options->threads)
		plan->leaves *= 2;
	plan->keys[0] = shared_alloc(options, bytes, "keys");
	plan->keys[1] = shared_alloc(options, bytes, "sorted");
	plan->counts = shared_alloc(options, 2 * plan->leaves * sizeof(*plan->counts), "counts");
	plan->ranks = shared_alloc(options, 2 * plan->leaves * sizeof(*plan->ranks), "ranks");
	for (unsigned int t = 0; t < options->threads; t++) {
		size_t first = block_first(options->size, t, options->threads);
		size_t end = block_first(options->size, t + 1, options->threads);

		bytes = (end - first) * sizeof(uint32_t);
		shared_place(options, plan->keys[0] + first, bytes, t);
		shared_place(options, plan->keys[1] + first, bytes, t);
		for (unsigned int level = 0; 1U << level <= plan->leaves; level++) {
			unsigned int node = thread_node(plan, t, level);

			if (node == 0)
				continue;
			shared_place(options, plan->counts[node], sizeof(*plan->counts), t);
			shared_place(options, plan->ranks[node], sizeof(*plan->ranks), t);
		}
	}
}

static void plan_init(const struct team *team)
{
	const struct radix *plan = team->data;

	for (size_t i = 0; i < team->options->size; i++)
		SHARED(plan->keys[0][i]) = key_init(i);
}

/*
 * Check that the keys are sorted, and that they are the same keys as before. To compare the keys,
 * the function adds up a hash of each key.
 */
static int keys_check(const struct team *team)
{
	const struct options *options = team->options;
	const struct radix *plan = team->data;
	size_t bytes = (size_t)options->size * sizeof(uint32_t);
	uint32_t *result = private_alloc(options, bytes);
	uint64_t sums[2] = {0, 0};
	bool sorted = true;
	bool same;

	shared_fetch(result, plan->keys[PASSES % 2], bytes);
	for (size_t i = 0; i < options->size; i++) {
		sums[0] += random_bits(result[i]);
		sums[1] += random_bits(key_init(i));
		if (i > 0 && result[i - 1] > result[i])
			sorted = false;
	}
	same = sums[0] == sums[1];
	printf("radix: %s, %s\n", sorted ? "sorted" : "NOT SORTED",
	       same ? "with the same keys as before" : "but OTHER KEYS than before");
	return report_end(options, checksum(result, bytes), sorted && same);
}

int main(int argc, char **argv)
{
	struct options options;
	struct radix plan = {.leaves = 1};
	struct team team = {.options = &options,
			    .init = plan_init,
			    .body = thread_body,
			    .check = keys_check,
			    .data = &plan};
	struct radix_globals *globals;

	options_parse(&radix, argc, argv, &options);
	report_start(&options, "keys");
	globals = shared_alloc(&options, sizeof(*globals), "globals");
	shared_place(&options, globals, sizeof(*globals), 0);
	plan_make(&options, &plan);
	team.barrier = &globals->barrier;
	return team_run(&team);
}
