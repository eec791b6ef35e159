/* SPDX-License-Identifier: MIT */
/*
 * Table: the members of struct output_table, for table.c, which receives cells, table_fit.c, which
 * fits columns to the terminal, and table_print.c, which prints. Other files use
 * tools/common/output.h.
 */
#ifndef TOOLS_COMMON_TABLE_H
#define TOOLS_COMMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/output.h"

enum table_kind {
	TABLE_PLAIN, /* goes on below if there is no room */
	TABLE_NAME, /* is cut */
	TABLE_NODE, /* folds */
	TABLE_EXTRA, /* is left out */
};

/**
 * struct table_column - A column.
 * @heading: of it
 * @others: TABLE_NODE: of the column that it folds into
 * @width: of its widest cell, or heading
 * @bytes: of its longest cell
 * @shown: width that it is printed with; 0: it is folded or left out
 * @align: 'l' or 'r'
 * @kind: what happens to it if there is no room
 * @limit: its greatest width; 0: no limit
 * @node: TABLE_NODE: its node; columns of one node fold together
 * @sum: TABLE_NODE: of all its cells, without signs
 * @bad: TABLE_NODE: it has a cell of style OUTPUT_BAD
 */
struct table_column {
	char *heading;
	char *others;
	size_t width;
	size_t bytes;
	size_t shown;
	char align;
	enum table_kind kind;
	size_t limit;
	unsigned int node;
	uint64_t sum;
	int bad;
};

/**
 * struct table_cell - A cell.
 * @text: what is shown
 * @bytes: of it
 * @width: of it
 * @value: the number that this is, if it can fold
 * @style: how
 * @minus: the number is negative
 */
struct table_cell {
	char *text;
	uint32_t bytes;
	uint32_t width;
	uint64_t value;
	enum output_style style;
	int minus;
};

/* What becomes of a cell. */
enum table_cells {
	TABLE_KEEPS, /* it is kept until the table is printed */
	TABLE_MEASURES, /* its column gets wider */
	TABLE_PRINTS, /* it is printed with its row */
};

struct table_fit;

/**
 * struct output_table - A table.
 * @columns: shape [@column_count]
 * @column_count: how many
 * @cells: those that are kept, or of one row
 * @cell_count: how many there were
 * @column_next: column of the next cell
 * @cell_room: room for cells that are kept
 * @what: what happens to a cell
 * @fit: TABLE_PRINTS: all that is shown; from @first to @end it is printed now
 * @first: the first item that is printed now
 * @end: one past the last
 */
struct output_table {
	struct table_column *columns;
	size_t column_count;
	struct table_cell *cells;
	size_t cell_count;
	size_t column_next;
	size_t cell_room;
	enum table_cells what;
	const struct table_fit *fit;
	size_t first;
	size_t end;
};

/* Columns that a node can have. */
#define TABLE_MEMBERS_MAX 2U

/**
 * struct table_item - A column as it is printed.
 * @column: which column; for folded ones, the first one of a node
 * @member: which of a node's
 * @width: of it
 * @others: it is the column of the folded nodes
 */
struct table_item {
	size_t column;
	size_t member;
	size_t width;
	int others;
};

/**
 * struct table_fit - The part of a table that is shown.
 * @width: columns of the terminal; 0: no limit
 * @folded: nodes that are folded
 * @members: columns of one node
 * @items: columns in the order in which they are printed; to be freed
 * @item_count: how many
 * @left_out: some column of kind TABLE_EXTRA is left out
 */
struct table_fit {
	size_t width;
	size_t folded;
	size_t members;
	struct table_item *items;
	size_t item_count;
	int left_out;
};

/* Bytes that a cell can grow by when it is cut: the ellipsis is longer than a letter. */
#define TABLE_ELLIPSIS_BYTES 4

/* TABLE_PRINTS: print the row whose cells are there. */
void table_row_print(const struct output_table *table);

/* Memory, or the end of the program with a message. */
void *table_memory(void *memory);

/* Set @shown of all columns, the items, and the notes to be printed. */
void table_fit(struct output_table *table, struct table_fit *fit);

/* The folded columns of one row: their sum, its sign, and how it is shown. @member: which of a
 * node's */
struct table_cell table_others(const struct output_table *table, size_t row, size_t member,
			       size_t members, char *text);

#define TABLE_OTHERS_BYTES (TEXT_COUNT_BYTES + 4)

#endif /* TOOLS_COMMON_TABLE_H */
