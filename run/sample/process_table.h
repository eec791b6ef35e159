/* SPDX-License-Identifier: MIT */
/*
 * run/sample: all processes that are sampled.
 *
 * What lives here: the running processes, by their process ids, and a limited number of processes
 * that have ended and will have recordings. It makes no system call.
 */
#ifndef RUN_SAMPLE_PROCESS_TABLE_H
#define RUN_SAMPLE_PROCESS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#include "run/sample/sampled_process.h"

/**
 * struct process_table - All processes; all zero if there are none.
 * @running: the running processes, by their process ids
 * @kept: processes that have ended; shape [@kept_count], room for @kept_size
 * @kept_count: number of these processes
 * @kept_size: number of processes for which @kept has room
 */
struct process_table {
	struct hash_table running;
	struct sampled_process **kept;
	size_t kept_count;
	size_t kept_size;
};

/* Find the running process with a process id; NULL: none. */
struct sampled_process *process_table_find(const struct process_table *table, uint32_t pid);

/*
 * Add a running process, which the table owns from now on. Return: 0; -ENOMEM, and the process is
 * freed.
 */
int process_table_add(struct process_table *table, struct sampled_process *process);

/*
 * Iterate over all running processes, in no particular order: get the next one from @position on,
 * initially 0; NULL at the end.
 */
struct sampled_process *process_table_next(const struct process_table *table, size_t *position);

/* Remove a process that no longer runs from the table; the caller owns it then. */
void process_table_take_out(struct process_table *table, struct sampled_process *process);

/**
 * process_table_keep() - Keep a process that was taken out.
 * @dropped: if there are too many, receives the process with the fewest samples, which the caller
 *           owns then; otherwise NULL
 *
 * Return: 0; -ENOMEM, and the process is freed.
 */
int process_table_keep(struct process_table *table, struct sampled_process *process,
		       struct sampled_process **dropped);

/* Sort the processes that are kept by their order of beginning. */
void process_table_sort(struct process_table *table);

void process_table_free(struct process_table *table);

#endif /* RUN_SAMPLE_PROCESS_TABLE_H */
