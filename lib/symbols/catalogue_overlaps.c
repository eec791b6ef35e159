/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: names memory that several variables used at different times.
 *
 * What lives here: code that makes extents without overlaps from extents that overlap. Memory that
 * only one variable used belongs to this variable. Memory that several variables used gets the
 * names of all of them, because the counts do not show which variable used it at the time of an
 * access.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/symbols/catalogue.h"

/* The largest number of variables in a name. Further variables are named "or another". */
#define TURNS_MAX 4

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's memory");
}

/**
 * struct turn_end - The address at which an extent ends.
 * @extent: index of the extent
 */
struct turn_end {
	uint64_t address;
	size_t extent;
};

/**
 * struct sweep - A pass over all addresses, from low to high. An extent is active if it has begun
 * and has not ended. The time of a step does not depend on the number of active extents. Otherwise,
 * a malicious recording could make the pass very slow.
 * @all: the overlapping extents; shape [@count]
 * @ends: ends of all extents, ascending by address; shape [@count]
 * @ended: for each extent, whether it has ended; shape [@count]
 * @begun: extents that have begun, the last of which is active; shape [@begun_count], with memory
 *         for all extents
 * @first: index of the first extent that has not ended
 * @lowest: the lowest index of all variables
 * @leaves: a power of two, at least the number of variables from @lowest
 * @tree: a binary tree with numbers of active extents. The elements from index @leaves on are the
 *        leaves, with the number of active extents of each variable. Element i, from 1 to @leaves -
 *        1, is the sum of the elements 2 i and 2 i + 1
 * @at: address that the pass has reached
 * @texts: names of memory that several variables used, without duplicates
 * @turns: maps the address of a name in @texts to the index, plus one, of the variable that has
 *         this name
 * @below: the resulting extents
 */
struct sweep {
	struct catalogue *catalogue;
	const struct Monitor_extent *all;
	size_t count;
	struct turn_end *ends;
	unsigned char *ended;
	size_t *begun;
	size_t begun_count;
	size_t first;
	uint32_t lowest;
	size_t leaves;
	uint32_t *tree;
	uint64_t at;
	struct count_table texts;
	struct count_table turns;
	struct extents *below;
};

/* ---- active extents ------------------------------------------------------------------------- */

static void count_active(struct sweep *sweep, const struct Monitor_extent *extent, uint32_t change)
{
	size_t i = sweep->leaves + extent->variable - sweep->lowest;

	for (; i; i /= 2)
		sweep->tree[i] += change;
}

static void extent_begins(struct sweep *sweep, size_t extent)
{
	count_active(sweep, &sweep->all[extent], 1);
	sweep->begun[sweep->begun_count++] = extent;
}

static void extent_ends(struct sweep *sweep, size_t extent)
{
	count_active(sweep, &sweep->all[extent], UINT32_MAX);
	sweep->ended[extent] = 1;
	while (sweep->begun_count && sweep->ended[sweep->begun[sweep->begun_count - 1]])
		sweep->begun_count--;
	while (sweep->first < sweep->count && sweep->ended[sweep->first])
		sweep->first++;
}

/*
 * Among the variables below @node of the tree, get those that have active extents, in ascending
 * order, and as many as fit.
 */
static size_t whose(const struct sweep *sweep, size_t node, uint32_t *variables, size_t count,
		    size_t capacity)
{
	if (count == capacity || !sweep->tree[node])
		return count;
	if (node >= sweep->leaves) {
		variables[count] = (uint32_t)(node - sweep->leaves) + sweep->lowest;
		return count + 1;
	}
	count = whose(sweep, 2 * node, variables, count, capacity);
	return whose(sweep, 2 * node + 1, variables, count, capacity);
}

/*
 * Return whether the memory was used by the same variable of the same function in several frames,
 * at a different offset in the variable each time.
 */
static int is_shifted(const struct sweep *sweep)
{
	const struct Monitor_extent *first = &sweep->all[sweep->first];
	const struct Monitor_extent *last = &sweep->all[sweep->begun[sweep->begun_count - 1]];

	return sweep->catalogue->variables[first->variable].public.kind == MONITOR_VARIABLE_STACK &&
	       first->base != last->base;
}

/* ---- names --------------------------------------------------------------------------------- */

static int64_t add_turns(struct sweep *sweep, const uint32_t *variables, size_t count)
{
	struct catalogue *catalogue = sweep->catalogue;
	char name[OBJECT_NAME_BYTES] = "";
	struct Monitor_variable turns = {
		.kind = MONITOR_VARIABLE_SEVERAL,
		.type = "",
		.object = "",
		.file = "",
	};
	size_t length = 0;
	uint64_t key, known;
	int64_t index;

	for (size_t i = 0; i < count && length < sizeof(name); i++) {
		const char *one =
			i == TURNS_MAX ? "another" : catalogue->variables[variables[i]].public.name;

		length += (size_t)snprintf(name + length, sizeof(name) - length, "%s%s",
					   i ? " or " : "", one);
	}
	if (count == 1 && length < sizeof(name))
		snprintf(name + length, sizeof(name) - length, " of several frames");
	turns.name = smile_pool_once(&catalogue->pool, &sweep->texts, name);
	if (!turns.name)
		return no_memory();
	key = (uint64_t)(uintptr_t)turns.name;
	known = smile_count_table_get(&sweep->turns, key, 0);
	if (known)
		return (int64_t)known - 1;
	index = smile_catalogue_add(catalogue, &turns);
	if (index < 0)
		return index;
	return smile_count_table_add(&sweep->turns, key, 0, (uint64_t)index + 1) < 0 ? no_memory()
										     : index;
}

/* Assign the memory from the position of the pass to @end to the active variables. */
static int sweep_to(struct sweep *sweep, uint64_t end)
{
	uint32_t variables[TURNS_MAX + 1];
	size_t count = whose(sweep, 1, variables, 0, TURNS_MAX + 1);
	uint64_t base = sweep->at;
	int64_t variable;
	int error = 0;

	if (count && end > sweep->at) {
		int alone = count == 1 && !is_shifted(sweep);

		variable = alone ? variables[0] : add_turns(sweep, variables, count);
		if (variable < 0)
			return (int)variable;
		if (alone)
			base = sweep->all[sweep->first].base;
		error = smile_extents_push(sweep->below, sweep->at, end, base, (uint32_t)variable);
	}
	sweep->at = end;
	return error;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static int by_end(const void *left, const void *right)
{
	const struct turn_end *a = left, *b = right;

	return a->address < b->address ? -1 : a->address > b->address;
}

static int sweep_init(struct sweep *sweep)
{
	uint32_t highest = 0;

	sweep->lowest = UINT32_MAX;
	for (size_t i = 0; i < sweep->count; i++) {
		if (sweep->all[i].variable < sweep->lowest)
			sweep->lowest = sweep->all[i].variable;
		if (sweep->all[i].variable > highest)
			highest = sweep->all[i].variable;
	}
	for (sweep->leaves = 1; sweep->leaves <= highest - sweep->lowest;)
		sweep->leaves *= 2;
	sweep->tree = calloc(2 * sweep->leaves, sizeof(*sweep->tree));
	sweep->ends = calloc(sweep->count, sizeof(*sweep->ends));
	sweep->ended = calloc(sweep->count, sizeof(*sweep->ended));
	sweep->begun = calloc(sweep->count, sizeof(*sweep->begun));
	if (!sweep->tree || !sweep->ends || !sweep->ended || !sweep->begun)
		return no_memory();
	for (size_t i = 0; i < sweep->count; i++)
		sweep->ends[i] = (struct turn_end){sweep->all[i].end, i};
	qsort(sweep->ends, sweep->count, sizeof(*sweep->ends), by_end);
	return 0;
}

/*
 * Pass over all addresses. If one extent ends and another extent begins at the same address,
 * process the end first.
 */
static int sweep_all(struct sweep *sweep)
{
	size_t next = 0, ended = 0;
	int error = 0;

	while (ended < sweep->count && !error) {
		const struct turn_end *end = &sweep->ends[ended];
		int begins = next < sweep->count && sweep->all[next].start < end->address;

		error = sweep_to(sweep, begins ? sweep->all[next].start : end->address);
		if (begins) {
			extent_begins(sweep, next++);
		} else {
			extent_ends(sweep, end->extent);
			ended++;
		}
	}
	return error;
}

int smile_catalogue_turns(struct catalogue *catalogue, const struct extents *all,
			  struct extents *below)
{
	struct sweep sweep = {
		.catalogue = catalogue,
		.all = all->items,
		.count = all->count,
		.below = below,
	};
	int error;

	if (!all->count)
		return 0;
	error = sweep_init(&sweep);
	if (!error)
		error = sweep_all(&sweep);
	free(sweep.tree);
	free(sweep.ends);
	free(sweep.ended);
	free(sweep.begun);
	smile_count_table_free(&sweep.texts);
	smile_count_table_free(&sweep.turns);
	return error;
}
