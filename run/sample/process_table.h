/* SPDX-License-Identifier: MIT */
/*
 * run/sample: keeps a table of all sampled processes.
 *
 * What lives here: the running processes, by process id; and the processes that have ended and will
 * have recordings. The number of processes that have ended is limited. This code makes no system
 * calls.
 */
#ifndef RUN_SAMPLE_PROCESS_TABLE_H
#define RUN_SAMPLE_PROCESS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#include "run/sample/sampled_process.h"

/**
 * struct process_table - All processes. If all members are 0, there are no processes.
 * @running: the running processes, by process id
 * @kept: processes that have ended and will have recordings; shape [@kept_count], with space for
 *        @kept_size
 * @kept_count: number of processes in @kept
 * @kept_size: number of processes for which @kept has room
 */
struct process_table {
	struct hash_table running;
	struct sampled_process **kept;
	size_t kept_count;
	size_t kept_size;
};

/*
 * Find the running process with the process id @pid. Return: the process; NULL if there is no such
 * process.
 */
struct sampled_process *process_table_find(const struct process_table *table, uint32_t pid);

/*
 * Add a running process. The table owns the process from this call on. Return: 0; -ENOMEM, after
 * which the process is freed.
 */
int process_table_add(struct process_table *table, struct sampled_process *process);

/*
 * Iterate over the running processes, in no particular order. @position: state of the iteration;
 * *@position must be 0 before the first call. Return: the next process; NULL at the end.
 */
struct sampled_process *process_table_next(const struct process_table *table, size_t *position);

/*
 * Remove a process that has ended from the table of running processes. After the call, the caller
 * owns the process.
 */
void process_table_take_out(struct process_table *table, struct sampled_process *process);

/**
 * process_table_keep() - Keep a process that was removed from the table, for its recordings.
 * @dropped: if there are too many kept processes, receives the process with the fewest samples,
 *           which the caller then owns; otherwise receives NULL
 *
 * Return: 0; -ENOMEM, after which the process is freed.
 */
int process_table_keep(struct process_table *table, struct sampled_process *process,
		       struct sampled_process **dropped);

/* Sort the kept processes by the order in which they began. */
void process_table_sort(struct process_table *table);

void process_table_free(struct process_table *table);

#endif /* RUN_SAMPLE_PROCESS_TABLE_H */
