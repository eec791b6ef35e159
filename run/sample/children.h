/* SPDX-License-Identifier: MIT */
/*
 * run/sample: names of the processes that the program has started.
 *
 * What lives here: the names of these processes, and the ends of their first threads, as perf has
 * reported them, and how many samples the processes of each name have that do not count. It makes
 * no system call.
 */
#ifndef RUN_SAMPLE_CHILDREN_H
#define RUN_SAMPLE_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#define CHILDREN_NAME_BYTES 16U /* length of a name in the kernel, with its NUL */

/**
 * struct children - All of these processes; all zero if there are none.
 * @table: entries of struct child, by process id
 */
struct children {
	struct hash_table table;
};

/**
 * struct children_sum - Processes with one name: that of the program that they have executed last.
 * @name: the name; "": the processes are copies of the program or of another process, and have
 *        executed no program
 * @processes: number of these processes that have samples that do not count
 * @samples: number of such samples of all of them
 */
struct children_sum {
	char name[CHILDREN_NAME_BYTES];
	uint64_t processes;
	uint64_t samples;
};

/**
 * children_named() - Set the name that a process has from now on.
 * @executed: @name is the name of a program that it has executed
 *
 * Return: 0; -ENOMEM.
 */
int children_named(struct children *children, uint32_t pid, const char *name, bool executed);

/* Has a process executed a program since the last call? */
bool children_executed(struct children *children, uint32_t pid);

/**
 * children_left() - perf has left the first thread of a process: the thread has ended, or the
 * kernel has ended the sampling of the process.
 * @time_ns: time of this event
 *
 * Return: 0; -ENOMEM.
 */
int children_left(struct children *children, uint32_t pid, uint64_t time_ns);

/* How often perf has left the first thread of a process after a time, 0 to 2. */
unsigned children_left_since(const struct children *children, uint32_t pid, uint64_t time_ns);

/* Add samples of a process. Return: 0; -ENOMEM. */
int children_sampled(struct children *children, uint32_t pid, uint64_t samples);

/**
 * children_sums() - Get the processes with samples, by name; the name with the most samples is
 * first.
 * @count: receives the number of names
 *
 * Return: the list, to be freed; NULL if there is no memory.
 */
struct children_sum *children_sums(const struct children *children, size_t *count);

void children_free(struct children *children);

#endif /* RUN_SAMPLE_CHILDREN_H */
