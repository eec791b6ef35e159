/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the papers' programs share: options, shared memory, a team of threads, a checksum.
 *
 * What lives here: the interface that sor, fft, radix, gauss and water are written on. They are
 * ordinary programs, each its own executable, and know nothing of the machine; all that they know
 * of the tracer is <smile/trace.h>. May use <smile/trace.h>, the C library and POSIX threads.
 *
 * Thread 0 is the first thread of the program; it makes the others, works as they do, and waits for
 * them. Each program has three phases: "init" (thread 0 alone writes the shared data), one of the
 * program's own name (all threads), and "check" (thread 0 alone; as much work as all the rest in
 * some, so --check none leaves it out). Since thread 0 is alone before
 * and after, these marks need no barrier. `--phases fine` marks the steps within the second, too,
 * each with a barrier of its own in front and behind.
 *
 * Shared data is reached through SHARED(), everywhere. Private data is on stacks and in
 * private_alloc(), which a tracer takes for stacks.
 */
#ifndef EMU_WORKLOAD_PROGRAM_COMMON_H
#define EMU_WORKLOAD_PROGRAM_COMMON_H

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
 * order of the program: without it a compiler keeps values in registers, fuses two elements into
 * one access or reads one twice, and the traffic would be the compiler's and not the program's.
 * That is all it is for; what orders threads is barriers and locks.
 */
#define SHARED(variable) (*(volatile __typeof__(variable) *)&(variable))

/**
 * struct parameter - One number that a program takes.
 * @means: what it is; NULL if the program does not take it
 * @standard: used if it is not given
 * @min: least value
 * @max: largest value
 */
struct parameter {
	const char *means;
	unsigned int standard;
	unsigned int min;
	unsigned int max;
};

/**
 * struct program - What a program says of itself.
 * @name: as its file is called
 * @description: one line
 * @size: of the problem
 * @iterations: how often
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
 * struct options - What the command line said, with what is standard filled in.
 * @program: whose options
 * @threads: 1 to THREADS_MAX
 * @size: within the program's limits
 * @iterations: within the program's limits; 0 if it takes none
 * @placed: thread t's data is to lie on node t
 * @fine: steps are marked as phases
 * @cyclic: rows go to threads in turn instead of in blocks
 * @unchecked: the result is not looked at
 * @fault: compute a wrong result; only in programs built for tests
 */
struct options {
	const struct program *program;
	unsigned int threads;
	unsigned int size;
	unsigned int iterations;
	bool placed;
	bool fine;
	bool cyclic;
	bool unchecked;
	bool fault;
};

/**
 * options_parse() - Read the command line.
 *
 * Does not return if it is wrong, after one message and with EXIT_UNUSABLE; nor after --help.
 */
void options_parse(const struct program *program, int argc, char **argv, struct options *options);

/**
 * unusable() - Say why the program cannot run, and end it with EXIT_UNUSABLE.
 */
_Noreturn void unusable(const struct options *options, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * shared_alloc() - A region of shared memory, zero, on pages of its own. Ends the program if there
 * is none.
 * @name: the region's
 */
void *shared_alloc(const struct options *options, size_t bytes, const char *name);

/**
 * shared_place() - A thread's data is on its node, if that was asked for.
 * @thread: 0 to threads - 1, and so is the node
 *
 * To be called before the data is touched. Pages go whole: where two threads' data meet within a
 * page, the last call applies.
 */
void shared_place(const struct options *options, const void *start, size_t bytes,
		  unsigned int thread);

/**
 * shared_fetch() - Copy shared data to private memory.
 * @bytes: a multiple of 4
 *
 * One load for each 8 bytes; one of 4 for what remains.
 */
void shared_fetch(void *private, const void *shared, size_t bytes);

/**
 * private_alloc() - Zeroed memory that one thread uses for itself, never freed. Ends the program if
 * there is none.
 */
void *private_alloc(const struct options *options, size_t bytes);

/**
 * struct team - Threads that work together.
 * @options: of the program
 * @barrier: in shared memory; team_run() initialises it
 * @body: what each thread does
 * @data: for @body
 */
struct team {
	const struct options *options;
	pthread_barrier_t *barrier;
	void (*body)(const struct team *team, unsigned int thread);
	void *data;
};

/**
 * team_run() - Run the body in each thread, and wait until all have finished.
 *
 * Marks the phase of the program's name before and "check" after it.
 */
void team_run(const struct team *team);

/**
 * team_wait() - The barrier: returns when all threads are there.
 */
void team_wait(const struct team *team);

/**
 * team_step() - A step of the program begins: a phase, with `--phases fine`; nothing without.
 *
 * All threads call it. Not in front of each barrier there is: it has its own.
 */
void team_step(const struct team *team, unsigned int thread, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * block_first() - First of the items that a thread has, if threads have equal blocks in order.
 *
 * That of the thread after the last is the number of items.
 */
static inline size_t block_first(size_t items, unsigned int thread, unsigned int threads)
{
	return (size_t)((uint64_t)items * thread / threads);
}

/**
 * random_bits() - A number that only depends on the index, and looks like chance.
 */
uint64_t random_bits(uint64_t index);

/**
 * random_real() - Likewise, from -1 to 1.
 */
double random_real(uint64_t index);

/**
 * checksum() - 64-bit FNV-1a of 32-bit words, taken low byte first on every host.
 * @bytes: a multiple of 4
 */
uint64_t checksum(const void *data, size_t bytes);

/**
 * report_start() - One line: what is going to run.
 * @items: what --size counts
 */
void report_start(const struct options *options, const char *items);

/**
 * report_unchecked() - That the result was not looked at.
 *
 * Return: EXIT_CORRECT, for want of a reason against it.
 */
int report_unchecked(const struct options *options);

/**
 * report_end() - Checksum and verdict.
 *
 * Return: the exit status that goes with it.
 */
int report_end(const struct options *options, uint64_t sum, bool correct);

#endif /* EMU_WORKLOAD_PROGRAM_COMMON_H */
