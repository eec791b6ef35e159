/* SPDX-License-Identifier: MIT */
/*
 * run/sample: keeps the names of the program's threads.
 *
 * What lives here: the names and numbers of threads that have samples, and the group of a name. For
 * example, the thread "worker-3" belongs to the group "worker". counts.h has the samples by thread.
 */
#ifndef RUN_SAMPLE_THREADS_H
#define RUN_SAMPLE_THREADS_H

#include <stdint.h>
#include <sys/types.h>

#include <base/hash_table.h>

#define THREADS_NAME_BYTES 16U /* size of a thread's name in the kernel, with its NUL */
/* The number of threads with separate counts. All further threads have the number 0. */
#define THREADS_MAX 8192U

/**
 * struct thread - A thread.
 * @key: thread id plus one
 * @number: number of the thread, from 1
 * @look: the thread has had samples since the last threads_look()
 * @name: name of the thread at the last threads_look(); "": the name is not known
 */
struct thread {
	uint64_t key;
	uint32_t number;
	uint32_t look;
	char name[THREADS_NAME_BYTES];
};

/**
 * struct threads - All threads that have samples. If all members are 0, there are no threads.
 * @table: entries of struct thread
 */
struct threads {
	struct hash_table table;
};

/*
 * Record that a thread has a sample. Return: the number of the thread, below THREADS_MAX; 0 if
 * there are too many threads.
 */
uint32_t threads_sampled(struct threads *threads, uint32_t tid);

/*
 * Read the names of the threads that have had samples since the last call. A thread that has ended
 * keeps the name that was last read.
 */
void threads_look(struct threads *threads, pid_t pid);

/* Set the name of a thread. */
void threads_named(struct threads *threads, uint32_t tid, const char *name);

/*
 * Remove the digits at the end of a name, and the separator before the digits. For example,
 * "io_pool:12" becomes "io_pool".
 */
void threads_group(char *name);

void threads_free(struct threads *threads);

#endif /* RUN_SAMPLE_THREADS_H */
