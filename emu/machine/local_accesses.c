/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counts of accesses by page: the accesses of nodes to their own memory, and those to all memory.
 * This file contains the functions that fill and empty the tables of counts.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine_inside.h"

/* Add counts to the counts of a page. Return: 0; -ENOMEM, and then nothing was added. */
static int locals_add(struct hash_table *locals, uint64_t entry, const uint64_t *counts)
{
	struct locals_entry *there = hash_table_add(locals, entry, sizeof(*there));

	if (!there)
		return -ENOMEM;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		there->counts[type] += counts[type];
	return 0;
}

int locals_bring(struct machine *machine, struct processor *processor, unsigned slot)
{
	uint64_t *counts = processor->counts[slot], any = 0;
	uint64_t entry = processor->homes[slot];
	int err = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		any |= counts[type];
	if (any == 0)
		return 0;
	if (machine->config.locals && pages_home(entry) == processor->node)
		err = locals_add(&machine->locals, entry, counts);
	if (machine->config.accesses && err == 0)
		err = locals_add(&machine->accesses,
				 pages_entry(pages_page(entry), processor->node), counts);
	memset(counts, 0, sizeof(processor->counts[slot]));
	return err;
}

int locals_back(struct machine *machine, uint64_t page, unsigned node, unsigned home)
{
	const uint64_t counts[SMILE_TYPE_COUNT] = {[SMILE_TYPE_WRITE] = 1};
	uint64_t entry = pages_entry(page, node);
	int err = 0;

	if (machine->config.locals && home == node)
		err = locals_add(&machine->locals, entry, counts);
	if (machine->config.accesses && err == 0)
		err = locals_add(&machine->accesses, entry, counts);
	return err;
}

static int local_compare(const void *a, const void *b)
{
	const struct machine_local *one = a, *other = b;

	if (one->page != other->page)
		return one->page < other->page ? -1 : 1;
	return (one->node > other->node) - (one->node < other->node);
}

/* Move all counts of a table to a sorted list. Return: see machine_locals(). */
static int64_t table_take(struct machine *machine, struct hash_table *table,
			  struct machine_local **out)
{
	const struct locals_entry *from;
	struct machine_local *list;
	size_t count = 0, position = 0;

	for (unsigned p = 0; p < machine->processors_count; p++)
		for (unsigned slot = 0; slot < PROCESSOR_HOMES; slot++)
			if (locals_bring(machine, &machine->processors[p], slot) < 0)
				return -ENOMEM;
	list = calloc(table->used + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	while ((from = hash_table_next(table, &position, sizeof(*from)))) {
		list[count].page = pages_page(from->entry);
		list[count].node = pages_home(from->entry);
		memcpy(list[count++].counts, from->counts, sizeof(from->counts));
	}
	/*
	 * Free the table instead of keeping it at the size of the largest phase, since many small
	 * phases may follow.
	 */
	hash_table_free(table);
	qsort(list, count, sizeof(*list), local_compare);
	*out = list;
	return (int64_t)count;
}

int64_t machine_locals(struct machine *machine, struct machine_local **locals)
{
	return table_take(machine, &machine->locals, locals);
}

int64_t machine_accesses(struct machine *machine, struct machine_local **accesses)
{
	return table_take(machine, &machine->accesses, accesses);
}
