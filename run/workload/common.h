/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the papers' programs: options, shared memory, a team of threads, a checksum.
 *
 * What lives here: the interface for sor, fft, radix, gauss and water. They are ordinary programs,
 * and independent of the machine. Their only interface to the tracer is <smile/trace.h>. May use
 * <smile/trace.h>, the C library and POSIX threads.
 *
 * Each program is linked twice: with threads.c, where a team is threads of one process, and with
 * nodes.c, where it is processes on the nodes of a cluster, each with one thread. The objects of
 * the programs are the same.
 *
 * Thread 0 is the first thread of the program. It creates the other threads, works like them, and
 * waits for them. Each program has three phases: "init" (thread 0 writes the shared data), the
 * program's name (all threads), and "check" (thread 0 verifies the result). In some programs the
 * check takes as much work as everything else; --check none omits it. Thread 0 runs alone before
 * and after the second phase, so these marks need no barrier. `--phases fine` also marks the steps
 * of the second phase, each between two barriers.
 *
 * All accesses to shared data use SHARED(). Private data is on stacks and in memory of
 * private_alloc(), which the tracer treats as a stack.
 */
#ifndef RUN_WORKLOAD_COMMON_H
#define RUN_WORKLOAD_COMMON_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXIT_CORRECT 0
#define EXIT_WRONG 1
#define EXIT_UNUSABLE 2

#define THREADS_STANDARD 4U /* nodes of the papers' cluster */
#define THREADS_MAX 256U

#define PAGE_BYTES 4096U

/*
 * A variable in shared memory. Each use is one load or one store of the variable's size, in the
 * order of the program. Without this macro a compiler could keep values in registers, combine two
 * elements into one access, or read an element twice, and the traffic would depend on the compiler.
 * The macro does not order threads: barriers and locks do that.
 */
#define SHARED(variable) (*(volatile __typeof__(variable) *)&(variable))

/**
 * struct parameter - A numeric option of a program.
 * @means: its description; NULL if the program has no such option
 * @standard: default value
 * @min: smallest value
 * @max: largest value
 */
struct parameter {
	const char *means;
	unsigned int standard;
	unsigned int min;
	unsigned int max;
};

/**
 * struct program - The description of a program.
 * @name: name of its executable
 * @description: description in one line
 * @size: the option for the size of the problem
 * @iterations: the option for the number of iterations
 * @has_rows: whether it takes --rows
 */
struct program {
	const char *name;
	const char *description;
	struct parameter size;
	struct parameter iterations;
	bool has_rows;
};

/**
 * struct options - The options of the command line, with defaults filled in.
 * @program: the program
 * @threads: 1 to THREADS_MAX
 * @size: within the program's limits
 * @iterations: within the program's limits; 0 if the program has no such option
 * @placed: thread t's data is placed on node t
 * @fine: steps are marked as phases
 * @adapt: barriers from one move of pages to the next; 0: pages do not move
 * @cyclic: rows go to threads in turn instead of in blocks
 * @unchecked: the result is not checked
 * @fault: compute a wrong result; only in programs built for tests
 */
struct options {
	const struct program *program;
	unsigned int threads;
	unsigned int size;
	unsigned int iterations;
	unsigned int adapt;
	bool placed;
	bool fine;
	bool cyclic;
	bool unchecked;
	bool fault;
};

/**
 * options_parse() - Parse the command line.
 *
 * If it is invalid, the function exits with EXIT_UNUSABLE after one message. It also exits after
 * --help.
 */
void options_parse(const struct program *program, int argc, char **argv, struct options *options);

/**
 * unusable() - Print why the program cannot run, and exit with EXIT_UNUSABLE.
 */
_Noreturn void unusable(const struct options *options, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * shared_alloc() - Allocate a zeroed region of shared memory on its own pages. The function exits
 * if there is no memory.
 * @name: name of the region
 */
void *shared_alloc(const struct options *options, size_t bytes, const char *name);

/**
 * shared_place() - Place a thread's data on its node, if the options request that.
 * @thread: 0 to threads - 1; also the number of the node
 *
 * Call this before the data is first accessed. Whole pages are placed: if a page holds data of two
 * threads, the last call decides.
 */
void shared_place(const struct options *options, const void *start, size_t bytes,
		  unsigned int thread);

/**
 * shared_fetch() - Copy shared data to private memory.
 * @bytes: a multiple of 4
 *
 * The function makes one load for each 8 bytes, and one of 4 bytes for the rest.
 */
void shared_fetch(void *private, const void *shared, size_t bytes);

/**
 * private_alloc() - Allocate zeroed memory for one thread, which is never freed. The function exits
 * if there is no memory.
 */
void *private_alloc(const struct options *options, size_t bytes);

/**
 * struct team - The threads of a program.
 * @options: the program's options
 * @barrier: in shared memory; team_run() initialises it
 * @init: writes the shared data; thread 0 runs it, before the other threads
 * @body: function that each thread runs
 * @check: thread 0 runs it when all have finished; its result is the exit status
 * @data: argument of these functions, with the shared data
 */
struct team {
	const struct options *options;
	pthread_barrier_t *barrier;
	void (*init)(const struct team *team);
	void (*body)(const struct team *team, unsigned int thread);
	int (*check)(const struct team *team);
	void *data;
};

/**
 * team_threads() - Return how many threads a team has without --threads.
 * @options: the program's options; only the program is filled in
 */
unsigned int team_threads(const struct options *options);

/**
 * team_adapts() - Can a team move its pages, by --adapt?
 */
bool team_adapts(void);

/**
 * team_first() - Does this process have thread 0?
 */
bool team_first(void);

/**
 * team_run() - Run a program: init, the body in each thread, and when all have finished the check.
 *
 * Marks the phase of the program's name before the body, and the phase "check" after it.
 *
 * Return: the exit status of this process.
 */
int team_run(const struct team *team);

/**
 * team_wait() - Wait at the barrier for all threads.
 */
void team_wait(const struct team *team);

/**
 * team_step() - Begin a step of the program, which is a phase with `--phases fine`, and ignored
 * otherwise.
 *
 * All threads call it. It contains a barrier.
 */
void team_step(const struct team *team, unsigned int thread, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * block_first() - Return the first item of a thread, if the items are divided into equal blocks, in
 * the order of the threads.
 *
 * For the thread after the last, this is the number of items.
 */
static inline size_t block_first(size_t items, unsigned int thread, unsigned int threads)
{
	return (size_t)((uint64_t)items * thread / threads);
}

/**
 * random_bits() - Return a pseudo-random number that depends only on the index.
 */
uint64_t random_bits(uint64_t index);

/**
 * random_real() - The same, as a number from -1 to 1.
 */
double random_real(uint64_t index);

/**
 * checksum() - Return the 64-bit FNV-1a of 32-bit words, with the low byte first on every host.
 * @bytes: a multiple of 4
 */
uint64_t checksum(const void *data, size_t bytes);

/**
 * report_start() - Print one line that describes the run, in the process of thread 0.
 * @items: unit of --size
 */
void report_start(const struct options *options, const char *items);

/**
 * report_check() - Run a team's check, or print that the result is not checked.
 *
 * Return: the exit status.
 */
int report_check(const struct team *team);

/**
 * report_end() - Print the checksum and the result of the check.
 *
 * Return: the matching exit status.
 */
int report_end(const struct options *options, uint64_t sum, bool correct);

#endif /* RUN_WORKLOAD_COMMON_H */
