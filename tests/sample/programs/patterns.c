/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Four threads with two arrays, which main() has filled before. Each thread uses a quarter of the
 * first array: thread t, counted from 1, uses quarter t modulo 4, which is the node on which
 * `smile place` binds it. For the pages of the second array, no single node is right:
 *
 * shared	each thread uses the whole array, starting at a random page
 * roles	threads choose quarters of it at run time, other quarters in each round
 * phases	each thread uses a quarter of it, and in the next phase its neighbour's quarter
 *
 * usage: patterns shared|roles|phases [FAULTS]
 *
 * Ends after FAULTS page faults since the arrays were filled. Without FAULTS it runs one round,
 * prints "stands", and waits for a line, so that a test can read the nodes of the pages.
 *
 * Prints "array ADDRESS BYTES" and "memory ADDRESS BYTES".
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <base/random.h>
#include <smile/trace.h>

#define THREADS 4
#define PAGE_WORDS 1024
#define ARRAY_PAGES 256U
#define MEMORY_PAGES 512U
#define PHASES 24

/* The arrays have their own pages: other variables in them would be accessed by other threads. */
_Alignas(4096) uint32_t array[ARRAY_PAGES][PAGE_WORDS];
_Alignas(4096) uint32_t memory[MEMORY_PAGES][PAGE_WORDS];

static const char *kind;
static long faults; /* 0: one round */
static long faults_begun;
static long phase_begun;
static pthread_barrier_t round_ends;
static bool over;
static unsigned int phase;
static unsigned int roles[THREADS];
static atomic_uint roles_taken;

static long faults_now(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_minflt;
}

static void pages_use(uint32_t (*pages)[PAGE_WORDS], unsigned int first, unsigned int count,
		      unsigned int all)
{
	for (unsigned int i = first; i < first + count; i++)
		for (size_t word = 0; word < PAGE_WORDS; word += 64)
			*(volatile uint32_t *)&pages[i % all][word] += 1;
}

static void quarter_use(uint32_t (*pages)[PAGE_WORDS], unsigned int quarter, unsigned int all)
{
	pages_use(pages, quarter * (all / THREADS), all / THREADS, all);
}

static void memory_use(unsigned int me, uint64_t *state)
{
	if (!strcmp(kind, "shared"))
		pages_use(memory, random_below(state, MEMORY_PAGES), MEMORY_PAGES, MEMORY_PAGES);
	else if (!strcmp(kind, "roles"))
		quarter_use(memory, roles[atomic_fetch_add(&roles_taken, 1)], MEMORY_PAGES);
	else
		quarter_use(memory, (me + phase) % THREADS, MEMORY_PAGES);
}

/*
 * Permute the roles, or change the phase. One thread does it while the others wait. A phase lasts
 * for a number of faults, so that both phases have equally many samples on a slow machine, too.
 */
static void next_round(uint64_t *state)
{
	long now = faults_now();

	over = now - faults_begun >= faults;
	if (!strcmp(kind, "phases") && now - phase_begun >= faults / PHASES) {
		phase = !phase;
		phase_begun = now;
		smile_phase(phase ? "odd" : "even");
	}
	for (unsigned int i = THREADS - 1; i > 0; i--) {
		unsigned int other = random_below(state, i + 1), role = roles[i];

		roles[i] = roles[other];
		roles[other] = role;
	}
	atomic_store(&roles_taken, 0);
}

static void *work(void *opaque)
{
	unsigned int me = (unsigned int)(size_t)opaque % THREADS;
	uint64_t state = me + 1;

	while (!over) {
		quarter_use(array, me, ARRAY_PAGES);
		memory_use(me, &state);
		if (pthread_barrier_wait(&round_ends) == PTHREAD_BARRIER_SERIAL_THREAD)
			next_round(&state);
		pthread_barrier_wait(&round_ends);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	char line[64];

	kind = argc > 1 ? argv[1] : "";
	faults = argc > 2 ? atol(argv[2]) : 0;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < ARRAY_PAGES; i++)
		array[i][0] = 1;
	for (size_t i = 0; i < MEMORY_PAGES; i++)
		memory[i][0] = 1;
	printf("array %ju %zu\n", (uintmax_t)(uintptr_t)array, sizeof(array));
	printf("memory %ju %zu\n", (uintmax_t)(uintptr_t)memory, sizeof(memory));
	for (unsigned int t = 0; t < THREADS; t++)
		roles[t] = t;
	faults_begun = phase_begun = faults_now();
	pthread_barrier_init(&round_ends, NULL, THREADS);
	for (size_t t = 0; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)(t + 1)))
			return 1;
	for (size_t t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	puts("stands");
	return !faults && !fgets(line, sizeof(line), stdin);
}
