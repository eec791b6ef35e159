/* SPDX-License-Identifier: MIT */
/*
 * run/sample: all processes that are sampled.
 *
 * What lives here: those that run, by their number, and those that have ended and are to have
 * recordings, of which there is a limit. It makes no system call.
 */
#ifndef RUN_SAMPLE_PROCESS_TABLE_H
#define RUN_SAMPLE_PROCESS_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <base/hash_table.h>

#include "run/sample/sampled_process.h"

/**
 * struct process_table - All of them; all zero: none.
 * @running: by their number
 * @kept: that have ended; shape [@kept_count], room @kept_size
 * @kept_count: how many
 * @kept_size: room
 */
struct process_table {
	struct hash_table running;
	struct sampled_process **kept;
	size_t kept_count;
	size_t kept_size;
};

/* The running process of a number; NULL: there is none. */
struct sampled_process *process_table_find(const struct process_table *table, uint32_t pid);

/* A process, which the table owns from now on, runs. Return: 0; -ENOMEM: it is freed. */
int process_table_add(struct process_table *table, struct sampled_process *process);

/* All that run, in no order: the next one from @position on, initially 0; NULL at the end. */
struct sampled_process *process_table_next(const struct process_table *table, size_t *position);

/* It does not run any more, and is the caller's. */
void process_table_take_out(struct process_table *table, struct sampled_process *process);

/**
 * process_table_keep() - Keep one that was taken out.
 * @dropped: receives the one with the fewest samples, if there are too many, which is the caller's
 *           then; or NULL
 *
 * Return: 0; -ENOMEM: it is freed.
 */
int process_table_keep(struct process_table *table, struct sampled_process *process,
		       struct sampled_process **dropped);

/* Order those that are kept as they began. */
void process_table_sort(struct process_table *table);

void process_table_free(struct process_table *table);

#endif /* RUN_SAMPLE_PROCESS_TABLE_H */
