/* SPDX-License-Identifier: MIT */
/*
 * run/sample: keeps a list of the processes that the program has started.
 *
 * What lives here: for each process, its name, and the times at which perf has stopped following
 * the first thread of the process. perf reports both. This file also counts the samples that are
 * not in the recordings, by the name of the process. It makes no system calls.
 */
#ifndef RUN_SAMPLE_CHILDREN_H
#define RUN_SAMPLE_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#define CHILDREN_NAME_BYTES 16U /* size of a process's name in the kernel, with its NUL */

/**
 * struct children - The processes that the program has started. If all members are 0, the list is
 * empty.
 * @table: entries of struct child, by process id
 */
struct children {
	struct hash_table table;
};

/**
 * struct children_sum - All processes with the same name. The name of a process is the name of the
 * last program that it has executed.
 * @name: the name of the processes; "": the processes have executed no program, and are copies of
 *        their parents
 * @processes: number of processes with this name that have samples which do not count
 * @samples: number of samples of these processes that do not count
 */
struct children_sum {
	char name[CHILDREN_NAME_BYTES];
	uint64_t processes;
	uint64_t samples;
};

/**
 * children_named() - Record that a process has got a new name.
 * @executed: the process has this name because it has executed a program
 */
int children_named(struct children *children, uint32_t pid, const char *name, bool executed);

/* Check whether the process has executed a program since the last call of this function. */
bool children_executed(struct children *children, uint32_t pid);

/**
 * children_left() - Record that perf has stopped following the first thread of a process. The
 * reason can be that the thread has ended, or that the kernel has ended the sampling of the
 * process.
 * @time_ns: time at which perf has stopped
 *
 * Return: 0 or -ENOMEM.
 */
int children_left(struct children *children, uint32_t pid, uint64_t time_ns);

/*
 * Get the number of times that perf has stopped following the first thread of a process after the
 * time @time_ns. Return: 0, 1, or 2 for two or more times.
 */
unsigned children_left_since(const struct children *children, uint32_t pid, uint64_t time_ns);

/* Add to the number of samples of a process. Return: 0 or -ENOMEM. */
int children_sampled(struct children *children, uint32_t pid, uint64_t samples);

/**
 * children_sums() - Get the processes that have samples which do not count, summed up by name. The
 * name with the most samples is first.
 * @count: receives the number of names
 *
 * Return: the list, which the caller must free; NULL if memory is missing.
 */
struct children_sum *children_sums(const struct children *children, size_t *count);

void children_free(struct children *children);

#endif /* RUN_SAMPLE_CHILDREN_H */
