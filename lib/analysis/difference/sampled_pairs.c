// SPDX-License-Identifier: MIT
/*
 * Sampled pairs. See sampled_pairs.h.
 */
#include "lib/analysis/difference/sampled_pairs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Compare by the name of the structure in the program. */
static int by_name(const void *left, const void *right)
{
	const struct Monitor_variable *a = ((const struct sampled_pair *)left)->variable;
	const struct Monitor_variable *b = ((const struct sampled_pair *)right)->variable;
	int order;

	if (!a || !b)
		return !!a - !!b;
	order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->file, b->file);
	if (!order)
		order = (a->line > b->line) - (a->line < b->line);
	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

static int by_samples(const void *left, const void *right)
{
	const struct sampled_pair *a = left, *b = right;
	uint64_t first = a->samples[0] + a->samples[1], second = b->samples[0] + b->samples[1];

	return first == second ? by_name(a, b) : first < second ? 1 : -1;
}

static void add(struct sampled_pair *to, const struct sampled_pair *from)
{
	for (int side = 0; side < 2; side++) {
		to->samples[side] += from->samples[side];
		to->remote[side] += from->remote[side];
	}
}

int sampled_pairs_make(struct sampled_pairs *pairs, const struct structures *both)
{
	size_t count = 0;

	*pairs = (struct sampled_pairs){
		.list = calloc(both[0].count + both[1].count + 1, sizeof(*pairs->list)),
	};
	if (!pairs->list)
		return -ENOMEM;
	for (int side = 0; side < 2; side++)
		for (size_t i = 0; i < both[side].count; i++) {
			const struct structure *structure = &both[side].list[i];
			struct sampled_pair *pair = &pairs->list[count++];

			pair->variable = structure->variable;
			pair->samples[side] = structure->all;
			pair->remote[side] = structure->remote;
			add(&pairs->all, pair);
		}
	qsort(pairs->list, count, sizeof(*pairs->list), by_name);
	for (size_t i = 0; i < count; i++)
		if (pairs->count && !by_name(&pairs->list[pairs->count - 1], &pairs->list[i]))
			add(&pairs->list[pairs->count - 1], &pairs->list[i]);
		else
			pairs->list[pairs->count++] = pairs->list[i];
	qsort(pairs->list, pairs->count, sizeof(*pairs->list), by_samples);
	return 0;
}
