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
	TABLE_PLAIN, /* continues below if there is no room */
	TABLE_NAME, /* is cut if there is no room */
	TABLE_NODE, /* is folded, that is summed with other nodes */
	TABLE_EXTRA, /* is left out if there is no room */
};

/**
 * struct table_column - A column.
 * @heading: its heading
 * @others: TABLE_NODE: heading of the column into which it is folded
 * @width: width of its widest cell, or of its heading
 * @bytes: bytes of its longest cell
 * @shown: its printed width; 0: the column is folded or left out
 * @align: 'l' or 'r'
 * @kind: what happens to the column if there is no room
 * @limit: its largest width; 0: no limit
 * @node: TABLE_NODE: its node; all columns of a node are folded together
 * @sum: TABLE_NODE: sum of all its cells, without signs
 * @bad: TABLE_NODE: the column has a cell of style OUTPUT_BAD
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
 * @text: the printed text
 * @bytes: length of the text in bytes
 * @width: width of the text in columns
 * @value: the number in the cell, if the cell can be folded
 * @style: style of the text
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

/* What the table does with a new cell. */
enum table_cells {
	TABLE_KEEPS, /* keeps it until the table is printed */
	TABLE_MEASURES, /* widens its column if necessary */
	TABLE_PRINTS, /* prints it with its row */
};

struct table_fit;

/**
 * struct output_table - A table.
 * @columns: shape [@column_count]
 * @column_count: number of columns
 * @cells: all cells that are kept, or the cells of one row
 * @cell_count: number of cells so far
 * @column_next: column of the next cell
 * @cell_room: number of cells that @cells has room for
 * @what: what the table does with a new cell
 * @fit: TABLE_PRINTS: the shown columns; the items from @first to @end are printed now
 * @first: the first item that is printed now
 * @end: one past the last item that is printed now
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

/* Largest number of columns of a node. */
#define TABLE_MEMBERS_MAX 2U

/**
 * struct table_item - A column as it is printed.
 * @column: index of the column; for folded columns, the first column of a node
 * @member: index among the columns of a node
 * @width: its printed width
 * @others: this is the column of the folded nodes
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
 * @folded: number of folded nodes
 * @members: number of columns of a node
 * @items: columns in the order in which they are printed; to be freed
 * @item_count: number of @items
 * @left_out: a column of kind TABLE_EXTRA is left out
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

/* TABLE_PRINTS: print the row whose cells are complete. */
void table_row_print(const struct output_table *table);

/* Return: @memory; if it is NULL, the program ends with a message. */
void *table_memory(void *memory);

/* Set @shown of all columns, the items, and the notes to be printed. */
void table_fit(struct output_table *table, struct table_fit *fit);

/* The cell of the folded columns of a row: their sum, with sign and style. @member: index among the
 * columns of a node */
struct table_cell table_others(const struct output_table *table, size_t row, size_t member,
			       size_t members, char *text);

#define TABLE_OTHERS_BYTES (TEXT_COUNT_BYTES + 4)

#endif /* TOOLS_COMMON_TABLE_H */
