// SPDX-License-Identifier: MIT
/*
 * Table: choose the columns that fit the terminal, and their widths.
 *
 * What lives here: the steps by which a table is narrowed. First, names are shortened a little.
 * Then nodes are folded. Then columns that are not essential are left out, beginning with the last.
 * Then names are shortened further, to the limits in the array levels. If a table is still too
 * wide, table_print.c prints it in several parts.
 */
#include "tools/common/table.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/terminal.h"
#include "lib/analysis/utf8.h"

/*
 * The largest width of a name if there is no terminal. Programs that read the output use --csv and
 * --json.
 */
#define NAME_WIDEST 48U

/* The number of nodes that are not folded if a table is printed in several parts. */
#define BLOCK_NODES 4U

/* The limits to which a table may be narrowed in one step. */
struct level {
	size_t name; /* The smallest width to which names may be cut. */
	size_t nodes; /* The smallest number of nodes that are not folded. */
	int extras; /* Whether columns may be left out. */
};

static const struct level levels[] = {
	{24, SIZE_MAX, 0}, {24, 8, 0}, {18, 4, 0}, {18, 4, 1}, {12, 2, 1}, {8, 1, 1},
};

/**
 * struct fitting - A table while it is fitted.
 * @order: the first column of each node; the nodes at the end of the list are folded first; shape
 *         [@nodes]
 * @nodes: number of nodes that have columns
 * @extras: number of columns that are not essential
 */
struct fitting {
	struct output_table *table;
	struct table_fit *fit;
	struct table_column **order;
	size_t nodes;
	size_t extras;
};

struct table_cell table_others(const struct output_table *table, size_t row, size_t member,
			       size_t members, char *text)
{
	const struct table_cell *cells = table->cells + row * table->column_count;
	uint64_t plus = 0, minus = 0, sum;
	char count[TEXT_COUNT_BYTES];
	struct table_cell cell = {.text = text};
	int is_signed = 0, is_marked = 0, is_none = 1;
	size_t number = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		size_t length = strlen(cells[i].text);

		if (table->columns[i].kind != TABLE_NODE || number++ % members != member ||
		    table->columns[i].shown)
			continue;
		*(cells[i].minus ? &minus : &plus) += cells[i].value;
		is_signed |= cells[i].text[0] == '+' || cells[i].minus;
		is_none &= !strcmp(cells[i].text, "-");
		is_marked |= length && cells[i].text[length - 1] == ' ';
		if (cells[i].style == OUTPUT_BAD)
			cell.style = OUTPUT_BAD;
	}
	sum = plus > minus ? plus - minus : minus - plus;
	text_count(count, sum);
	snprintf(text, TABLE_OTHERS_BYTES, "%s%s%s",
		 is_signed && sum ? plus > minus ? "+" : "-" : "", is_none ? "-" : count,
		 cell.style == OUTPUT_BAD ? "*"
		 : is_marked		  ? " "
					  : "");
	return cell;
}

/* Sort nodes with cells of style OUTPUT_BAD first, then by descending sum. */
static int compare_nodes(const void *a, const void *b)
{
	const struct table_column *x = *(struct table_column *const *)a;
	const struct table_column *y = *(struct table_column *const *)b;

	if (x->bad != y->bad)
		return x->bad ? -1 : 1;
	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void nodes_find(struct fitting *fitting)
{
	struct output_table *table = fitting->table;

	fitting->fit->members = 0;
	for (size_t i = 0; i < table->column_count; i++) {
		struct table_column *column = &table->columns[i];

		fitting->extras += column->kind == TABLE_EXTRA;
		if (column->kind != TABLE_NODE)
			continue;
		if (!fitting->nodes || fitting->order[fitting->nodes - 1]->node != column->node) {
			fitting->order[fitting->nodes++] = column;
			fitting->fit->members = 0;
		} else {
			fitting->order[fitting->nodes - 1]->sum += column->sum;
			fitting->order[fitting->nodes - 1]->bad |= column->bad;
		}
		fitting->fit->members++;
	}
	qsort(fitting->order, fitting->nodes, sizeof(*fitting->order), compare_nodes);
}

/* Compute the largest possible widths of the columns that sum all nodes except the first @kept. */
static void others_widths(struct fitting *fitting, size_t kept, size_t *widths)
{
	char text[TEXT_COUNT_BYTES];
	uint64_t sum = 0;

	for (size_t i = kept; i < fitting->nodes; i++)
		sum += fitting->order[i]->sum;
	for (size_t i = 0; i < fitting->fit->members && i < TABLE_MEMBERS_MAX; i++) {
		size_t heading = utf8_width(fitting->order[0][i].others);

		/* Add one column for a sign or a mark. */
		widths[i] = strlen(text_count(text, sum)) + 1;
		if (widths[i] < heading)
			widths[i] = heading;
	}
}

/*
 * Compute the width of the table if names are at most @name wide, @kept nodes are not folded, and
 * the first @extras columns of kind TABLE_EXTRA are printed.
 */
static size_t width_with(struct fitting *fitting, size_t name, size_t kept, size_t extras)
{
	size_t width = 0, others[TABLE_MEMBERS_MAX] = {0};

	for (size_t i = 0; i < fitting->table->column_count; i++) {
		const struct table_column *column = &fitting->table->columns[i];

		if (column->kind == TABLE_PLAIN)
			width += column->width + 2;
		else if (column->kind == TABLE_NAME)
			width += (column->width < name ? column->width : name) + 2;
		else if (column->kind == TABLE_EXTRA && extras && extras--)
			width += column->width + 2;
	}
	for (size_t i = 0; i < kept; i++)
		for (size_t member = 0; member < fitting->fit->members; member++)
			width += fitting->order[i][member].width + 2;
	if (kept < fitting->nodes)
		others_widths(fitting, kept, others);
	for (size_t i = 0; i < TABLE_MEMBERS_MAX; i++)
		width += others[i] ? others[i] + 2 : 0;
	return width ? width - 2 : 0;
}

static void items_set(struct fitting *fitting, size_t kept)
{
	const struct output_table *table = fitting->table;
	struct table_fit *fit = fitting->fit;
	size_t others[TABLE_MEMBERS_MAX] = {0}, first = SIZE_MAX, last = 0;

	if (fit->folded)
		others_widths(fitting, kept, others);
	for (size_t i = 0; i < table->column_count; i++) {
		if (table->columns[i].kind != TABLE_NODE)
			continue;
		first = first == SIZE_MAX ? i : first;
		last = i;
	}
	fit->items =
		table_memory(calloc(table->column_count + TABLE_MEMBERS_MAX, sizeof(*fit->items)));
	for (size_t i = 0; i < table->column_count; i++) {
		if (table->columns[i].shown)
			fit->items[fit->item_count++] =
				(struct table_item){.column = i, .width = table->columns[i].shown};
		/* The column of the folded nodes follows the last node. */
		for (size_t member = 0; fit->folded && i == last && member < fit->members; member++)
			fit->items[fit->item_count++] =
				(struct table_item){.column = first + member,
						    .member = member,
						    .width = others[member],
						    .others = 1};
	}
}

static void apply(struct fitting *fitting, size_t name, size_t kept, size_t extras)
{
	struct table_fit *fit = fitting->fit;

	for (size_t i = 0; i < fitting->table->column_count; i++) {
		struct table_column *column = &fitting->table->columns[i];

		column->shown = column->width;
		if (column->kind == TABLE_NAME && column->width > name)
			column->shown = name;
		if (column->kind == TABLE_NODE)
			column->shown = 0;
		if (column->kind == TABLE_EXTRA && (!extras || !extras--)) {
			column->shown = 0;
			fit->left_out = 1;
		}
	}
	for (size_t i = 0; i < kept; i++)
		for (size_t member = 0; member < fit->members; member++)
			fitting->order[i][member].shown = fitting->order[i][member].width;
	fit->folded = fitting->nodes - kept;
	items_set(fitting, kept);
}

/*
 * Fit the table at this level, with as many nodes and as wide names as possible. Return: whether
 * the table fits.
 */
static int try_level(struct fitting *fitting, const struct level *level)
{
	size_t width = fitting->fit->width, name = level->name, extras = fitting->extras;
	size_t least = level->nodes < fitting->nodes ? level->nodes : fitting->nodes, kept;

	while (width_with(fitting, name, least, extras) > width) {
		if (!level->extras || !extras)
			return 0;
		extras--;
	}
	for (kept = fitting->nodes; kept > least; kept--)
		if (width_with(fitting, name, kept, extras) <= width)
			break;
	while (name < width && width_with(fitting, name + 1, kept, extras) <= width)
		name++;
	apply(fitting, name, kept, extras);
	return 1;
}

void table_fit(struct output_table *table, struct table_fit *fit)
{
	struct fitting fitting = {.table = table, .fit = fit};
	const size_t last = sizeof(levels) / sizeof(levels[0]) - 1;
	size_t level = 0;

	*fit = (struct table_fit){.width = terminal_width(output_stream())};
	fitting.order = table_memory(calloc(table->column_count + 1, sizeof(*fitting.order)));
	nodes_find(&fitting);
	if (!fit->width) {
		apply(&fitting, NAME_WIDEST, fitting.nodes, fitting.extras);
		free(fitting.order);
		return;
	}
	while (level <= last && !try_level(&fitting, &levels[level]))
		level++;
	if (level > last)
		apply(&fitting, levels[last].name,
		      fitting.nodes < BLOCK_NODES ? fitting.nodes : BLOCK_NODES, 0);
	free(fitting.order);
}
