/* SPDX-License-Identifier: MIT */
/*
 * Table: the members of struct output_table. table.c stores the cells, table_fit.c fits the columns
 * to the terminal, and table_print.c prints the table. All other files use tools/common/output.h.
 */
#ifndef TOOLS_COMMON_TABLE_H
#define TOOLS_COMMON_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/output.h"

/* How a column is treated if the terminal has no room for it. */
enum table_kind {
	TABLE_PLAIN, /* printed in a further part of the table */
	TABLE_NAME, /* the names in the column are shortened */
	TABLE_NODE, /* folded: replaced by a sum with other nodes */
	TABLE_EXTRA, /* left out */
};

/**
 * struct table_column - A column.
 * @heading: heading of the column
 * @others: for TABLE_NODE: heading of the column into which the column is folded
 * @width: width of the widest cell, or of the heading if it is wider
 * @bytes: length of the longest cell in bytes
 * @shown: width with which the column is printed; 0: the column is folded or left out
 * @align: 'l' or 'r'
 * @kind: how the column is treated if the table is too wide
 * @limit: largest width of the column; 0: no limit
 * @node: for TABLE_NODE: the node; all columns of a node are folded together
 * @sum: for TABLE_NODE: sum of the absolute values of all cells
 * @bad: for TABLE_NODE: the column has a cell of style OUTPUT_BAD
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

/* How a new cell of the table is treated. */
enum table_cells {
	TABLE_KEEPS, /* the cell is stored until the table is printed */
	TABLE_MEASURES, /* the cell is measured, and its column is widened if necessary */
	TABLE_PRINTS, /* the cell is printed when its row is complete */
};

struct table_fit;

/**
 * struct output_table - A table.
 * @columns: shape [@column_count]
 * @column_count: number of columns
 * @cells: all stored cells, or the cells of the current row
 * @cell_count: number of cells that were added so far
 * @column_next: column of the next cell
 * @cell_room: capacity of @cells
 * @what: how a new cell is treated
 * @fit: for TABLE_PRINTS: the shown columns; the items from @first up to but not including @end are
 *       printed now
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

/* The largest number of columns that a node may have. */
#define TABLE_MEMBERS_MAX 2U

/**
 * struct table_item - A column, in the order of printing.
 * @column: index of the column; for a sum of folded columns, index of the first node's column
 * @member: index among the columns of a node
 * @width: width with which the column is printed
 * @others: the column is a sum of folded columns
 */
struct table_item {
	size_t column;
	size_t member;
	size_t width;
	int others;
};

/**
 * struct table_fit - How a table is fitted to the terminal.
 * @width: width of the terminal; 0: no limit
 * @folded: number of folded nodes
 * @members: number of columns that each node has
 * @items: columns in the order in which they are printed; the caller must free them
 * @item_count: number of @items
 * @left_out: at least one column of kind TABLE_EXTRA is left out
 */
struct table_fit {
	size_t width;
	size_t folded;
	size_t members;
	struct table_item *items;
	size_t item_count;
	int left_out;
};

/*
 * The number of bytes by which a cell can grow when it is shortened. The cell can grow because the
 * ellipsis has more bytes than a letter.
 */
#define TABLE_ELLIPSIS_BYTES 4

/* For TABLE_PRINTS: print the row, whose cells are complete. */
void table_row_print(const struct output_table *table);

/* If @memory is NULL, end the program with a message. Return: @memory. */
void *table_memory(void *memory);

/* Set @shown of all columns, and fill in @fit: the items and the notes to be printed. */
void table_fit(struct output_table *table, struct table_fit *fit);

/*
 * Make the cell that sums the folded columns of a row, with the sum's sign and style. @member:
 * index among the columns of a node
 */
struct table_cell table_others(const struct output_table *table, size_t row, size_t member,
			       size_t members, char *text);

#define TABLE_OTHERS_BYTES (TEXT_COUNT_BYTES + 4)

#endif /* TOOLS_COMMON_TABLE_H */
