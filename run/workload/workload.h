/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Workload: code that the papers' programs share: options, shared memory, a team of threads, a
 * checksum.
 *
 * What lives here: the interface for sor, fft, radix, gauss and water. These programs are ordinary
 * programs, which do not depend on the machine. Their only interface to the tracer is
 * <smile/trace.h>. May use <smile/trace.h>, the C library and POSIX threads.
 *
 * Each program is linked twice from the same object file. With threads.c, a team consists of the
 * threads of one process. With nodes.c, a team consists of processes on the nodes of a cluster,
 * each with one thread.
 *
 * Thread 0 is the first thread of the program. It creates the other threads, works like them, and
 * waits for them. Each program has three phases: in "init", thread 0 writes the shared data; in the
 * phase with the program's name, all threads work; in "check", thread 0 verifies the result. In
 * some programs, the check takes as much work as the rest of the program; --check none omits the
 * check. Thread 0 runs alone before and after the second phase, so these phase marks need no
 * barrier. `--phases fine` also marks the steps of the second phase, each between two barriers.
 *
 * All accesses to shared data use SHARED(). Private data is on stacks and in memory of
 * private_alloc(), which the tracer treats as a stack.
 */
#ifndef RUN_WORKLOAD_WORKLOAD_H
#define RUN_WORKLOAD_WORKLOAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXIT_CORRECT 0
#define EXIT_WRONG 1
#define EXIT_UNUSABLE 2

#define THREADS_STANDARD 4U /* number of nodes of the papers' cluster */
#define THREADS_MAX 256U

#define PAGE_BYTES 4096U

/*
 * A variable in shared memory. Each use of the macro is one load or one store of the variable's
 * size, in the order of the program. Without the macro, a compiler could keep values in registers,
 * combine two elements into one access, or read an element twice. The traffic would then depend on
 * the compiler. The macro does not synchronise threads; barriers and locks do.
 */
#define SHARED(variable) (*(volatile __typeof__(variable) *)&(variable))

/**
 * struct parameter - A numeric option of a program.
 * @means: description of the option; NULL if the program does not have the option
 * @standard: default value
 * @min: smallest allowed value
 * @max: largest allowed value
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
 * @has_rows: the program has the option --rows
 */
struct program {
	const char *name;
	const char *description;
	struct parameter size;
	struct parameter iterations;
	bool has_rows;
};

/**
 * struct options - The options of the command line, or their defaults.
 * @program: the program
 * @threads: number of threads, 1 to THREADS_MAX
 * @size: size of the problem, within the program's limits
 * @iterations: number of iterations, within the program's limits; 0 if the program has no such
 *              option
 * @adapt: number of barriers after which pages move; 0: pages do not move
 * @placed: the data of thread t is placed on node t
 * @fine: the steps of the second phase are marked as phases
 * @cyclic: rows are assigned to the threads in turn; otherwise each thread has a block of
 *          consecutive rows
 * @unchecked: the result is not checked
 * @fault: compute a wrong result; only in programs that are built for tests
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
 * If the command line is invalid, the function prints one message and exits with EXIT_UNUSABLE. The
 * function also exits after --help.
 */
void options_parse(const struct program *program, int argc, char **argv, struct options *options);

/**
 * unusable() - Print the reason why the program cannot run, and exit with EXIT_UNUSABLE.
 */
_Noreturn void unusable(const struct options *options, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * shared_alloc() - Allocate a region of shared memory on pages of its own, all zero. If memory is
 * missing, the function prints a message and exits.
 * @name: name of the region
 */
void *shared_alloc(const struct options *options, size_t bytes, const char *name);

/**
 * shared_place() - If the options request it, place the data of a thread on its node.
 * @thread: number of the thread, which is also the number of the node
 *
 * Call this function before the data is first accessed. Only whole pages can be placed. If a page
 * has data of two threads, the last call decides the node of the page.
 */
void shared_place(const struct options *options, const void *start, size_t bytes,
		  unsigned int thread);

/**
 * shared_fetch() - Copy shared data to private memory. The function makes one load for each 8
 * bytes, and one load of 4 bytes for the rest.
 * @bytes: size of the data, a multiple of 4
 */
void shared_fetch(void *private, const void *shared, size_t bytes);

/**
 * private_alloc() - Allocate memory for one thread, all zero. It is never freed. If there is no
 * memory, the function exits.
 */
void *private_alloc(const struct options *options, size_t bytes);

/**
 * struct team - The threads of a program.
 * @options: the program's options
 * @barrier: a barrier in shared memory, which team_run() initialises
 * @init: writes the shared data. Thread 0 calls it before the other threads begin
 * @body: the work; each thread calls it
 * @check: verifies the result. Thread 0 calls it after all threads have finished; its return value
 *         is the exit status
 * @data: the shared data, for these functions
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
 * team_threads() - Get the number of threads that is used without --threads.
 * @options: the program's options, of which only @program must be set
 */
unsigned int team_threads(const struct options *options);

/**
 * team_adapts() - Check whether the team can move pages (--adapt).
 */
bool team_adapts(void);

/**
 * team_first() - Check whether this process runs thread 0.
 */
bool team_first(void);

/**
 * team_run() - Run a program: @init, then the body in each thread, then @check. Before the body,
 * the function marks the phase with the program's name. Before the check, it marks the phase
 * "check".
 *
 * Return: the exit status of this process.
 */
int team_run(const struct team *team);

/**
 * team_wait() - Wait until all threads of the team have called this function.
 */
void team_wait(const struct team *team);

/**
 * team_step() - Begin a step of the program. With `--phases fine` the step is marked as a phase,
 * between two barriers; otherwise the function does nothing. All threads must call it.
 *
 * All threads call it. It contains a barrier.
 */
void team_step(const struct team *team, unsigned int thread, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * block_first() - Get the index of the first item of a thread. The items are divided into equal
 * blocks in the order of the threads. If @thread is equal to @threads, the result is the number of
 * items.
 *
 */
static inline size_t block_first(size_t items, unsigned int thread, unsigned int threads)
{
	return (size_t)((uint64_t)items * thread / threads);
}

/**
 * random_bits() - Get a pseudo-random number that depends only on the index.
 */
uint64_t random_bits(uint64_t index);

/**
 * random_real() - Get a pseudo-random number from -1 to 1 that depends only on the index.
 */
double random_real(uint64_t index);

/**
 * checksum() - Get the 64-bit FNV-1a checksum of 32-bit words. On every host, the low byte of a
 * word is processed first.
 * @bytes: size of the data, a multiple of 4
 */
uint64_t checksum(const void *data, size_t bytes);

/**
 * report_start() - In the process of thread 0, print one line that describes the run.
 * @items: unit of --size
 */
void report_start(const struct options *options, const char *items);

/**
 * report_check() - Run the check of a team. If the options exclude the check, print that the result
 * is not checked.
 *
 * Return: the exit status.
 */
int report_check(const struct team *team);

/**
 * report_end() - Print the checksum and the result of the check.
 *
 * Return: the exit status for this result.
 */
int report_end(const struct options *options, uint64_t sum, bool correct);

#endif /* RUN_WORKLOAD_WORKLOAD_H */
