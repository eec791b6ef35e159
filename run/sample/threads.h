/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the threads of the program, by their names.
 *
 * What lives here: numbers for threads that have samples, their names, and the name of a group of
 * them: "worker-3" belongs to "worker". Samples by thread are in counts.h.
 */
#ifndef RUN_SAMPLE_THREADS_H
#define RUN_SAMPLE_THREADS_H

#include <stdint.h>
#include <sys/types.h>

#include <base/hash_table.h>

#define THREADS_NAME_BYTES 16U /* length of a name in the kernel, with its NUL */
/* The number of threads that are distinguished; further threads have number 0. */
#define THREADS_MAX 8192U

/**
 * struct thread - A thread.
 * @key: its thread id plus one
 * @number: its number, from 1
 * @look: it has had samples since the last look
 * @name: its name at the last look; "": not known
 */
struct thread {
	uint64_t key;
	uint32_t number;
	uint32_t look;
	char name[THREADS_NAME_BYTES];
};

/**
 * struct threads - All threads; all zero if there are none.
 * @table: entries of struct thread
 */
struct threads {
	struct hash_table table;
};

/*
 * Record that a thread has a sample. Return: its number, below THREADS_MAX; 0: there is no room for
 * it.
 */
uint32_t threads_sampled(struct threads *threads, uint32_t tid);

/*
 * Read the names of the threads that have had samples since the last call. A thread that has ended
 * keeps the name that was read before.
 */
void threads_look(struct threads *threads, pid_t pid);

/* Set the name of a thread. */
void threads_named(struct threads *threads, uint32_t tid, const char *name);

/*
 * Cut off the digits at the end of a name, and the separator before them: "io_pool:12" becomes
 * "io_pool".
 */
void threads_group(char *name);

void threads_free(struct threads *threads);

#endif /* RUN_SAMPLE_THREADS_H */
