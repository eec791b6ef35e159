// SPDX-License-Identifier: MIT
/*
 * Advise: the advice by variable. See lib/analysis/advise/advise.h.
 *
 * What lives here: the assignment of pages to variables. A page belongs to the accessed variable
 * that has most of the page's bytes. A page that no accessed variable touches belongs to its
 * region. Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002),
 * section 4.1, "Data structure and location".
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"

/* The initial capacity for rows. Counting the rows would take as long as reading them. */
#define STRUCTURE_ROWS 65536

/* ---- variables of pages -------------------------------------------------------------------- */

/* The priorities of variables in the same page. */
enum claim {
	CLAIM_UNUSED, /* The variable has no counted accesses. */
	CLAIM_LEFT_OVER, /* The variable represents the rest of a region. */
	CLAIM_USED,
};

/**
 * struct owners - State while each page is assigned to a variable.
 * @extents: extents of all variables, ascending; shape [@extent_count]
 * @claims: priority of each variable
 * @of_row: index of each row's variable; MONITOR_VARIABLES_ALL: the row has no variable. Shape
 *          [number of rows]
 */
struct owners {
	struct Monitor_extent *extents;
	size_t extent_count;
	unsigned char *claims;
	uint32_t *of_row;
};

/* Return whether the recording has variables other than regions. */
static int has_variables(const struct Monitor_advise *advise)
{
	for (size_t i = 0; i < advise->variable_count; i++)
		if (advise->variables[i].kind != MONITOR_VARIABLE_ANONYMOUS &&
		    advise->variables[i].kind != MONITOR_VARIABLE_NAMED)
			return 1;
	return 0;
}

static int claims_count(const struct Monitor_advise *advise, struct owners *owners)
{
	struct Monitor_structure_row *list = NULL;
	size_t capacity = STRUCTURE_ROWS;
	int rows;

	do {
		free(list);
		list = analysis_memory(capacity, sizeof(*list));
		if (!list)
			return -ENOMEM;
		rows = Monitor_structures_info(advise->mon, list, capacity);
	} while (rows > 0 && (size_t)rows > capacity && (capacity = (size_t)rows));
	for (int i = 0; i < rows; i++)
		if (list[i].variable < advise->variable_count &&
		    list[i].accesses + list[i].straddling)
			owners->claims[list[i].variable] = CLAIM_USED;
	free(list);
	return rows < 0 ? rows : 0;
}

static int claims_load(const struct Monitor_advise *advise, struct owners *owners)
{
	int failed = has_variables(advise) ? claims_count(advise, owners) : 0;

	for (size_t i = 0; i < advise->variable_count; i++)
		if (advise->variables[i].kind == MONITOR_VARIABLE_ANONYMOUS)
			owners->claims[i] = CLAIM_LEFT_OVER;
		else if (advise->variables[i].kind == MONITOR_VARIABLE_NAMED)
			owners->claims[i] = CLAIM_USED;
	return failed;
}

/*
 * Find the variable to which a page belongs. @at: index of the first extent that ends after the
 * beginning of the page.
 */
static uint32_t owner_of(const struct owners *owners, size_t at, uint64_t page)
{
	uint64_t start = page * SMILE_PAGE_BYTES, end = start + SMILE_PAGE_BYTES, most = 0;
	uint32_t found = MONITOR_VARIABLES_ALL;

	for (; at < owners->extent_count && owners->extents[at].start < end; at++) {
		const struct Monitor_extent *extent = &owners->extents[at];
		uint64_t from = extent->start > start ? extent->start : start;
		uint64_t to = extent->end < end ? extent->end : end;
		unsigned char claim = owners->claims[extent->variable];

		if (found != MONITOR_VARIABLES_ALL &&
		    (claim < owners->claims[found] ||
		     (claim == owners->claims[found] && to - from <= most)))
			continue;
		found = extent->variable;
		most = to - from;
	}
	return found;
}

static void owners_find(const struct Monitor_advise *advise, struct owners *owners)
{
	size_t at = 0;

	for (size_t i = 0; i < advise->count; i++) {
		uint64_t start = advise->rows[i].page * SMILE_PAGE_BYTES;

		while (at < owners->extent_count && owners->extents[at].end <= start)
			at++;
		owners->of_row[i] = owner_of(owners, at, advise->rows[i].page);
	}
}

/* ---- sums ---------------------------------------------------------------------------------- */

static void data_sum(const struct Monitor_advise *advise, struct Monitor_advise_data *data)
{
	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = &advise->rows[data->rows[i]];

		advise_row_sum(&data->sums, row);
		data->bounds |= (row->flags & MONITOR_ADVICE_LOCAL_UNKNOWN) != 0;
	}
}

static int by_gain(const void *left, const void *right)
{
	const struct Monitor_advise_data *a = left, *b = right;
	uint64_t a_gain = advise_gain(a->sums.cycles, a->sums.advised_cycles);
	uint64_t b_gain = advise_gain(b->sums.cycles, b->sums.advised_cycles);

	if (a_gain != b_gain)
		return a_gain > b_gain ? -1 : 1;
	if (a->sums.cycles != b->sums.cycles)
		return a->sums.cycles > b->sums.cycles ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

/*
 * Get the slot of a row's data. Each variable has a slot; the last slot is for pages without a
 * variable.
 */
static size_t slot_of(const struct Monitor_advise *advise, const struct owners *owners, size_t row)
{
	uint32_t variable = owners->of_row[row];

	return variable < advise->variable_count ? variable : advise->variable_count;
}

/* Sort the rows by variable, and the rows of each variable by page. */
static int data_make(struct Monitor_advise *advise, const struct owners *owners)
{
	size_t slots = advise->variable_count + 1;
	size_t *next = analysis_memory(slots + 1, sizeof(*next));

	advise->data_rows = analysis_memory(advise->count, sizeof(*advise->data_rows));
	advise->data = analysis_memory(slots, sizeof(*advise->data));
	if (!next || !advise->data_rows || !advise->data) {
		free(next);
		return -ENOMEM;
	}
	for (size_t i = 0; i < advise->count; i++)
		next[1 + slot_of(advise, owners, i)]++;
	for (size_t slot = 0; slot < slots; slot++) {
		struct Monitor_advise_data *data = &advise->data[advise->data_count];

		if (next[slot + 1])
			*data = (struct Monitor_advise_data){
				.variable = slot < slots - 1 ? &advise->variables[slot] : NULL,
				.rows = advise->data_rows + next[slot],
				.count = next[slot + 1],
			};
		advise->data_count += next[slot + 1] != 0;
		next[slot + 1] += next[slot];
	}
	for (size_t i = 0; i < advise->count; i++)
		advise->data_rows[next[slot_of(advise, owners, i)]++] = i;
	free(next);
	return 0;
}

static int owners_load(struct Monitor_advise *advise, struct owners *owners)
{
	int variables, extents;

	ANALYSIS_LIST(advise->variables, variables, Monitor_variables, advise->mon);
	ANALYSIS_LIST(owners->extents, extents, Monitor_extents, advise->mon,
		      MONITOR_VARIABLES_ALL);
	if (variables < 0 || extents < 0)
		return variables < 0 ? variables : extents;
	advise->variable_count = (size_t)variables;
	owners->extent_count = (size_t)extents;
	owners->of_row = analysis_memory(advise->count, sizeof(*owners->of_row));
	owners->claims = analysis_memory((size_t)variables, 1);
	return owners->of_row && owners->claims ? 0 : -ENOMEM;
}

int advise_data_settle(struct Monitor_advise *advise)
{
	for (size_t i = 0; i < advise->data_count; i++) {
		struct Monitor_advise_data *data = &advise->data[i];
		int failed;

		data->start = data->variable ? data->variable->address
					     : advise->rows[data->rows[0]].page * SMILE_PAGE_BYTES;
		data_sum(advise, data);
		failed = advise_layout_find(advise, data);
		if (failed)
			return failed;
	}
	qsort(advise->data, advise->data_count, sizeof(*advise->data), by_gain);
	return 0;
}

int advise_data_group(struct Monitor_advise *advise)
{
	struct owners owners = {0};
	int failed = owners_load(advise, &owners);

	if (!failed)
		failed = claims_load(advise, &owners);
	if (!failed) {
		owners_find(advise, &owners);
		failed = data_make(advise, &owners);
	}
	free(owners.extents);
	free(owners.claims);
	free(owners.of_row);
	return failed;
}
