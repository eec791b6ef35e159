// SPDX-License-Identifier: MIT
/*
 * smile advise: the advice by variable.
 *
 * What lives here: which variable a page is of: of those that are used the one that has most of it;
 * what is left of a region has a page only if no such variable does. Sums of each. Source: "Memory access behavior analysis
 * of NUMA-based shared memory programs" (2002), section 4.1, "Data structure and location".
 */
#include "tools/advise/advise.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

/* Rows that there is room for at first: counting them takes as long as getting them. */
#define STRUCTURE_ROWS 65536

/* ---- which variable ---------------------------------------------------------------------------- */

/* How well a variable is known to be what a page is about. */
enum claim {
	CLAIM_UNUSED, /* nothing was counted for it */
	CLAIM_LEFT_OVER, /* what is left of a region */
	CLAIM_USED,
};

/**
 * struct owners - Whose pages are, while that is found out.
 * @pieces: of all variables, ascending; shape [@piece_count]
 * @claims: by variable
 * @of_row: by row, index of its variable; MONITOR_VARIABLES_ALL: none. Shape [count of rows]
 */
struct owners {
	struct Monitor_piece *pieces;
	size_t piece_count;
	unsigned char *claims;
	uint32_t *of_row;
};

/* Is anything but regions known? */
static int has_variables(const struct advise *advise)
{
	for (size_t i = 0; i < advise->variable_count; i++)
		if (advise->variables[i].kind != MONITOR_VARIABLE_ANONYMOUS &&
		    advise->variables[i].kind != MONITOR_VARIABLE_NAMED)
			return 1;
	return 0;
}

static void claims_count(const struct advise *advise, struct owners *owners)
{
	size_t capacity = STRUCTURE_ROWS;
	struct Monitor_structure_row *list = tool_memory(capacity, sizeof(*list));
	int rows = Monitor_structures_info(advise->mon, list, capacity);

	if (rows > 0 && (size_t)rows > capacity) {
		free(list);
		capacity = (size_t)rows;
		list = tool_memory(capacity, sizeof(*list));
		rows = Monitor_structures_info(advise->mon, list, capacity);
	}
	for (int i = 0; i < rows; i++)
		if (list[i].variable < advise->variable_count &&
		    list[i].accesses + list[i].straddling)
			owners->claims[list[i].variable] = CLAIM_USED;
	free(list);
}

static void claims_load(const struct advise *advise, struct owners *owners)
{
	owners->claims = tool_memory(advise->variable_count, 1);
	if (has_variables(advise))
		claims_count(advise, owners);
	for (size_t i = 0; i < advise->variable_count; i++)
		if (advise->variables[i].kind == MONITOR_VARIABLE_ANONYMOUS)
			owners->claims[i] = CLAIM_LEFT_OVER;
		else if (advise->variables[i].kind == MONITOR_VARIABLE_NAMED)
			owners->claims[i] = CLAIM_USED;
}

/* @at: the first piece that ends behind the page's begin. */
static uint32_t owner_of(const struct owners *owners, size_t at, uint64_t page)
{
	uint64_t start = page * SMILE_PAGE_BYTES, end = start + SMILE_PAGE_BYTES, most = 0;
	uint32_t found = MONITOR_VARIABLES_ALL;

	for (; at < owners->piece_count && owners->pieces[at].start < end; at++) {
		const struct Monitor_piece *piece = &owners->pieces[at];
		uint64_t from = piece->start > start ? piece->start : start;
		uint64_t to = piece->end < end ? piece->end : end;
		unsigned char claim = owners->claims[piece->variable];

		if (found != MONITOR_VARIABLES_ALL &&
		    (claim < owners->claims[found] ||
		     (claim == owners->claims[found] && to - from <= most)))
			continue;
		found = piece->variable;
		most = to - from;
	}
	return found;
}

static void owners_find(const struct advise *advise, struct owners *owners)
{
	size_t at = 0;

	for (size_t i = 0; i < advise->count; i++) {
		uint64_t start = advise->rows[i].page * SMILE_PAGE_BYTES;

		while (at < owners->piece_count && owners->pieces[at].end <= start)
			at++;
		owners->of_row[i] = owner_of(owners, at, advise->rows[i].page);
	}
}

/* ---- sums -------------------------------------------------------------------------------------- */

static void data_sum(const struct advise *advise, struct advise_data *data)
{
	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = &advise->rows[data->rows[i]];
		int shared = (row->flags & MONITOR_ADVICE_SHARED) != 0;

		data->moved += row->node != row->home;
		data->wrong += row->node != row->home && !shared;
		data->shared += (size_t)shared;
		data->bounds |= (row->flags & MONITOR_ADVICE_LOCAL_UNKNOWN) != 0;
		data->accesses += row->accesses;
		data->cycles += row->cycles;
		data->advised_cycles += row->advised_cycles;
	}
}

static int by_gain(const void *left, const void *right)
{
	const struct advise_data *a = left, *b = right;
	uint64_t a_gain = a->cycles - a->advised_cycles, b_gain = b->cycles - b->advised_cycles;

	if (a_gain != b_gain)
		return a_gain > b_gain ? -1 : 1;
	if (a->cycles != b->cycles)
		return a->cycles > b->cycles ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/* Rows in the order of their variables, the rows of each ascending. */
static void data_make(struct advise *advise, const struct owners *owners)
{
	size_t slots = advise->variable_count + 1;
	size_t *next = tool_memory(slots + 1, sizeof(*next));

	advise->data_rows = tool_memory(advise->count, sizeof(*advise->data_rows));
	advise->data = tool_memory(slots, sizeof(*advise->data));
	/* The last slot is of those that are of no variable. */
	for (size_t i = 0; i < advise->count; i++)
		next[1 + (owners->of_row[i] < slots - 1 ? owners->of_row[i] : slots - 1)]++;
	for (size_t slot = 0; slot < slots; slot++) {
		struct advise_data *data = &advise->data[advise->data_count];

		if (next[slot + 1])
			*data = (struct advise_data){
				.variable = slot < slots - 1 ? &advise->variables[slot] : NULL,
				.rows = advise->data_rows + next[slot],
				.count = next[slot + 1],
			};
		advise->data_count += next[slot + 1] != 0;
		next[slot + 1] += next[slot];
	}
	for (size_t i = 0; i < advise->count; i++)
		advise->data_rows[next[owners->of_row[i] < slots - 1 ? owners->of_row[i]
								     : slots - 1]++] = i;
	free(next);
}

static int owners_load(struct advise *advise, struct owners *owners)
{
	int variables = Monitor_variables(advise->mon, NULL, 0);
	int pieces = variables < 0 ? variables
				   : Monitor_pieces(advise->mon, MONITOR_VARIABLES_ALL, NULL, 0);

	if (pieces < 0)
		return tool_error("%s", Monitor_error_message());
	advise->variables = tool_memory((size_t)variables, sizeof(*advise->variables));
	advise->variable_count = (size_t)variables;
	Monitor_variables(advise->mon, advise->variables, advise->variable_count);
	owners->pieces = tool_memory((size_t)pieces, sizeof(*owners->pieces));
	owners->piece_count = (size_t)pieces;
	Monitor_pieces(advise->mon, MONITOR_VARIABLES_ALL, owners->pieces, owners->piece_count);
	owners->of_row = tool_memory(advise->count, sizeof(*owners->of_row));
	return TOOL_OK;
}

int advise_data_load(struct advise *advise)
{
	struct owners owners = {0};

	if (owners_load(advise, &owners) != TOOL_OK)
		return TOOL_ERROR;
	claims_load(advise, &owners);
	owners_find(advise, &owners);
	data_make(advise, &owners);
	free(owners.pieces);
	free(owners.claims);
	free(owners.of_row);
	for (size_t i = 0; i < advise->data_count; i++) {
		struct advise_data *data = &advise->data[i];

		data->start = data->variable ? data->variable->address
					     : advise->rows[data->rows[0]].page * SMILE_PAGE_BYTES;
		data_sum(advise, data);
		advise_layout_find(advise, data);
	}
	qsort(advise->data, advise->data_count, sizeof(*advise->data), by_gain);
	return TOOL_OK;
}

void advise_data_free(struct advise *advise)
{
	for (size_t i = 0; i < advise->data_count; i++)
		free(advise->data[i].parts);
	free(advise->data);
	free(advise->data_rows);
	free(advise->variables);
}

const char *advise_data_name(const struct advise_data *data)
{
	return data->variable ? data->variable->name : "-";
}
