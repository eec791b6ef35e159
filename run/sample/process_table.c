// SPDX-License-Identifier: MIT
/* run/sample: keeps a table of all processes that are sampled. See process_table.h. */
#include "run/sample/process_table.h"

#include <errno.h>
#include <stdlib.h>

#include <base/array.h>

/**
 * struct row - A running process.
 * @key: process id plus one
 * @process: data of the process
 */
struct row {
	uint64_t key;
	struct sampled_process *process;
};

struct sampled_process *process_table_find(const struct process_table *table, uint32_t pid)
{
	const struct row *row = hash_table_find(&table->running, pid + 1ULL, sizeof(*row));

	return row ? row->process : NULL;
}

int process_table_add(struct process_table *table, struct sampled_process *process)
{
	struct row *row =
		hash_table_add(&table->running, (uint32_t)process->pid + 1ULL, sizeof(*row));

	if (!row) {
		sampled_process_free(process);
		return -ENOMEM;
	}
	row->process = process;
	return 0;
}

struct sampled_process *process_table_next(const struct process_table *table, size_t *position)
{
	const struct row *row = hash_table_next(&table->running, position, sizeof(*row));

	return row ? row->process : NULL;
}

void process_table_take_out(struct process_table *table, struct sampled_process *process)
{
	struct row *row =
		hash_table_find(&table->running, (uint32_t)process->pid + 1ULL, sizeof(*row));

	if (row)
		hash_table_remove(&table->running, row, sizeof(*row));
}

/*
 * Among all processes except the first one, find the process with the fewest samples. Return: the
 * index of the process; SIZE_MAX if there is no such process.
 */
static size_t fewest(const struct process_table *table)
{
	size_t found = SIZE_MAX;

	for (size_t i = 0; i < table->kept_count; i++)
		if (table->kept[i]->order &&
		    (found == SIZE_MAX ||
		     table->kept[i]->counts.samples < table->kept[found]->counts.samples))
			found = i;
	return found;
}

int process_table_keep(struct process_table *table, struct sampled_process *process,
		       struct sampled_process **dropped)
{
	size_t at;

	*dropped = NULL;
	if (array_reserve(&table->kept, &table->kept_size, table->kept_count,
			  sizeof(struct sampled_process *)) < 0) {
		sampled_process_free(process);
		return -ENOMEM;
	}
	table->kept[table->kept_count++] = process;
	if (table->kept_count <= SAMPLE_PROCESSES_MAX)
		return 0;
	at = fewest(table);
	*dropped = table->kept[at];
	table->kept[at] = table->kept[--table->kept_count];
	return 0;
}

static int by_order(const void *left, const void *right)
{
	const struct sampled_process *const *a = left, *const *b = right;

	return ((*a)->order > (*b)->order) - ((*a)->order < (*b)->order);
}

void process_table_sort(struct process_table *table)
{
	if (table->kept_count)
		qsort(table->kept, table->kept_count, sizeof(struct sampled_process *), by_order);
}

void process_table_free(struct process_table *table)
{
	struct sampled_process *process;
	size_t position = 0;

	while ((process = process_table_next(table, &position)))
		sampled_process_free(process);
	hash_table_free(&table->running);
	for (size_t i = 0; i < table->kept_count; i++)
		sampled_process_free(table->kept[i]);
	free(table->kept);
	*table = (struct process_table){0};
}
