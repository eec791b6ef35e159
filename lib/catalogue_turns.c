/* SPDX-License-Identifier: MIT */
/*
 * Catalogue: memory that was one variable's after another's.
 *
 * What lives here: of pieces that overlap, those that do not: what one variable had is its own, what
 * several had in turn is called after all of them. Counts do not say whose turn it was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/error.h"
#include "lib/monitor.h"

/* Variables of several that are told by name; of more, "or another". */
#define TURNS_MAX 4

static int no_memory(void)
{
	return smile_error(ENOMEM, "no memory for the names of the program's memory");
}

/**
 * struct sweep - On the way from lower to higher addresses.
 * @all: what overlaps
 * @active: pieces that have begun and not ended, by index; shape [@active_size]
 * @at: how far it has come
 * @first_turns: the first variable that stands for turns
 * @below: the pieces that come out
 */
struct sweep {
	struct catalogue *catalogue;
	const struct pieces *all;
	size_t *active;
	size_t active_count;
	size_t active_size;
	uint64_t at;
	size_t first_turns;
	struct pieces *below;
};

static const struct Monitor_piece *active_piece(const struct sweep *sweep, size_t i)
{
	return &sweep->all->items[sweep->active[i]];
}

/* The variables whose pieces are active, each once, ascending; as many as fit. Return: how many. */
static size_t whose(const struct sweep *sweep, uint32_t *variables, size_t capacity)
{
	size_t count = 0;

	for (size_t i = 0; i < sweep->active_count; i++) {
		uint32_t variable = active_piece(sweep, i)->variable;
		size_t at = 0;

		while (at < count && variables[at] < variable)
			at++;
		if ((at < count && variables[at] == variable) || at == capacity)
			continue;
		if (count == capacity)
			count--;
		memmove(variables + at + 1, variables + at, (count - at) * sizeof(*variables));
		variables[at] = variable;
		count++;
	}
	return count;
}

/* Had a function's variable this memory in several frames, each time at another place in it? */
static int is_shifted(const struct sweep *sweep)
{
	const struct Monitor_piece *first = active_piece(sweep, 0);

	if (sweep->catalogue->variables[first->variable].public.kind != MONITOR_VARIABLE_STACK)
		return 0;
	for (size_t i = 1; i < sweep->active_count; i++)
		if (active_piece(sweep, i)->base != first->base)
			return 1;
	return 0;
}

static int64_t add_turns(struct sweep *sweep, const uint32_t *variables, size_t count)
{
	struct catalogue *catalogue = sweep->catalogue;
	char name[OBJECT_NAME_BYTES] = "";
	struct Monitor_variable turns = {
		.kind = MONITOR_VARIABLE_SEVERAL,
		.name = name,
		.type = "",
		.object = "",
		.file = "",
	};
	size_t length = 0;

	for (size_t i = 0; i < count && length < sizeof(name); i++) {
		const char *one =
			i == TURNS_MAX ? "another" : catalogue->variables[variables[i]].public.name;

		length += (size_t)snprintf(name + length, sizeof(name) - length, "%s%s",
					   i ? " or " : "", one);
	}
	if (count == 1 && length < sizeof(name))
		snprintf(name + length, sizeof(name) - length, " of several frames");
	for (size_t i = sweep->first_turns; i < catalogue->variables_count; i++)
		if (!strcmp(catalogue->variables[i].public.name, name))
			return (int64_t)i;
	return smile_catalogue_add(catalogue, &turns);
}

/* What is active owns the memory from where the sweep is to @end. */
static int sweep_to(struct sweep *sweep, uint64_t end)
{
	uint32_t variables[TURNS_MAX + 1];
	size_t count = whose(sweep, variables, TURNS_MAX + 1);
	uint64_t base = sweep->at;
	int64_t variable;
	int error = 0;

	if (count && end > sweep->at) {
		int alone = count == 1 && !is_shifted(sweep);

		variable = alone ? variables[0] : add_turns(sweep, variables, count);
		if (variable < 0)
			return (int)variable;
		if (alone)
			base = active_piece(sweep, 0)->base;
		error = smile_pieces_push(sweep->below, sweep->at, end, base, (uint32_t)variable);
	}
	sweep->at = end;
	return error;
}

/* Pieces that end at or before @end do so, one after another. */
static int sweep_ends(struct sweep *sweep, uint64_t end)
{
	while (sweep->active_count) {
		uint64_t next = UINT64_MAX;
		size_t kept = 0;
		int error;

		for (size_t i = 0; i < sweep->active_count; i++)
			if (active_piece(sweep, i)->end < next)
				next = active_piece(sweep, i)->end;
		if (next > end)
			break;
		error = sweep_to(sweep, next);
		if (error)
			return error;
		for (size_t i = 0; i < sweep->active_count; i++)
			if (active_piece(sweep, i)->end > next)
				sweep->active[kept++] = sweep->active[i];
		sweep->active_count = kept;
	}
	return sweep_to(sweep, end);
}

int smile_catalogue_turns(struct catalogue *catalogue, const struct pieces *all,
			  struct pieces *below)
{
	struct sweep sweep = {
		.catalogue = catalogue,
		.all = all,
		.first_turns = catalogue->variables_count,
		.below = below,
	};
	int error = 0;

	for (size_t i = 0; i < all->count && !error; i++) {
		size_t *active;

		error = sweep_ends(&sweep, all->items[i].start);
		active = smile_map_room(sweep.active, &sweep.active_size, sweep.active_count,
					sizeof(*active));
		if (!active) {
			error = no_memory();
			break;
		}
		sweep.active = active;
		active[sweep.active_count++] = i;
	}
	if (!error)
		error = sweep_ends(&sweep, (uint64_t)1 << SMILE_ADDRESS_BITS);
	free(sweep.active);
	return error;
}
