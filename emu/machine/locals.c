/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses of nodes to their own memory, by page: the table, and what the machine tells of it. It may
 * use what parts.h names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define LOCALS_FIRST 256U

static struct locals_entry *locals_slot(const struct locals *locals, uint64_t entry)
{
	size_t slot = (entry * 0x9e3779b97f4a7c15ULL >> 16) & (locals->slots - 1);

	while (locals->entries[slot].entry != 0 && locals->entries[slot].entry != entry)
		slot = (slot + 1) & (locals->slots - 1);
	return &locals->entries[slot];
}

static int locals_grow(struct locals *locals)
{
	struct locals larger = {
		.slots = locals->slots ? 2 * locals->slots : LOCALS_FIRST,
		.count = locals->count,
	};

	larger.entries = calloc(larger.slots, sizeof(larger.entries[0]));
	if (!larger.entries)
		return -ENOMEM;
	for (size_t i = 0; i < locals->slots; i++) {
		const struct locals_entry *from = &locals->entries[i];

		if (from->entry != 0)
			*locals_slot(&larger, from->entry) = *from;
	}
	free(locals->entries);
	*locals = larger;
	return 0;
}

int locals_add(struct locals *locals, uint64_t entry, const uint64_t *counts)
{
	struct locals_entry *slot;

	if (2 * locals->count >= locals->slots && locals_grow(locals) < 0)
		return -ENOMEM;
	slot = locals_slot(locals, entry);
	locals->count += slot->entry == 0;
	slot->entry = entry;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		slot->counts[type] += counts[type];
	return 0;
}

void locals_free(struct locals *locals)
{
	free(locals->entries);
	*locals = (struct locals){0};
}

/* ---- of a machine ---- */

int locals_bring(struct machine *machine, struct processor *processor, unsigned slot)
{
	uint64_t *counts = processor->own[slot], any = 0;
	int err = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		any |= counts[type];
	if (any == 0)
		return 0;
	if (machine->config.locals)
		err = locals_add(&machine->locals, processor->homes[slot], counts);
	memset(counts, 0, sizeof(processor->own[slot]));
	return err;
}

static int local_compare(const void *a, const void *b)
{
	const struct machine_local *one = a, *other = b;

	return (one->page > other->page) - (one->page < other->page);
}

int64_t machine_locals(struct machine *machine, struct machine_local **out)
{
	struct locals *table = &machine->locals;
	struct machine_local *list;
	size_t count = 0;

	for (unsigned p = 0; p < machine->processors_count; p++)
		for (unsigned slot = 0; slot < PROCESSOR_HOMES; slot++)
			if (locals_bring(machine, &machine->processors[p], slot) < 0)
				return -ENOMEM;
	list = calloc(table->count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < table->slots; i++) {
		const struct locals_entry *from = &table->entries[i];

		if (from->entry == 0)
			continue;
		list[count].page = pages_page(from->entry);
		list[count].node = pages_home(from->entry);
		memcpy(list[count++].counts, from->counts, sizeof(from->counts));
	}
	/* Not kept at the size of the largest part: there can be many small ones. */
	locals_free(table);
	qsort(list, count, sizeof(*list), local_compare);
	*out = list;
	return (int64_t)count;
}
