// SPDX-License-Identifier: MIT
/*
 * Table. If a table is printed from memory, all its cells are stored first. Otherwise the caller
 * fills all cells twice: first to measure their widths, then to print them row by row. See
 * tools/common/output.h.
 *
 * What lives here: the functions that add columns and cells.
 */
#include "tools/common/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "lib/analysis/utf8.h"

/* The size of the buffer for a formatted cell. A longer text is allocated. */
#define CELL_BYTES 256U

void *table_memory(void *memory)
{
	if (memory)
		return memory;
	tool_error("no memory for the table");
	exit(TOOL_ERROR);
}

struct output_table *output_table_new(void)
{
	return table_memory(calloc(1, sizeof(struct output_table)));
}

/* Copy a text, with room to cut it. Return: the copy. */
static char *cell_text(const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(table_memory(malloc(bytes + TABLE_ELLIPSIS_BYTES)), text, bytes);
}

/* ---- columns --------------------------------------------------------------------------------- */

static struct table_column *column_add(struct output_table *table, const char *heading, char align,
				       enum table_kind kind)
{
	struct table_column *column;

	table->columns = table_memory(
		realloc(table->columns, (table->column_count + 1) * sizeof(*table->columns)));
	column = &table->columns[table->column_count++];
	*column = (struct table_column){
		.heading = cell_text(heading),
		.width = utf8_width(heading),
		.align = align,
		.kind = kind,
	};
	return column;
}

void output_table_column(struct output_table *table, const char *heading, char align)
{
	column_add(table, heading, align, TABLE_PLAIN);
}

void output_table_columns(struct output_table *table, const char *columns)
{
	for (size_t length; *columns; columns += length + (columns[length] == '|')) {
		char heading[64];

		length = strcspn(columns, "|");
		snprintf(heading, sizeof(heading), "%.*s", (int)length - 1, columns + 1);
		if (*columns == '~')
			column_add(table, heading, 'l', TABLE_NAME);
		else if (*columns == '?')
			column_add(table, heading, 'r', TABLE_EXTRA);
		else
			output_table_column(table, heading, *columns == '<' ? 'l' : 'r');
	}
}

void output_table_extra_name(struct output_table *table, const char *heading, size_t width)
{
	column_add(table, heading, 'l', TABLE_EXTRA)->limit = width;
}

void output_table_node(struct output_table *table, const char *heading, const char *others,
		       unsigned int node)
{
	struct table_column *column;
	char text[64];

	snprintf(text, sizeof(text), "%s %u", heading, node);
	column = column_add(table, text, 'r', TABLE_NODE);
	column->others = table_memory(strdup(others));
	column->node = node;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/*
 * Set a cell of the row that is being printed. The cell must not be longer than it was when it was
 * measured.
 */
static void cell_set(struct output_table *table, size_t at, const struct table_cell *cell)
{
	size_t most = table->columns[at].bytes, bytes = cell->bytes < most ? cell->bytes : most;
	char *text = table->cells[at].text;

	memcpy(text, cell->text, bytes);
	text[bytes] = '\0';
	table->cells[at] = *cell;
	table->cells[at].text = text;
	table->cells[at].bytes = (uint32_t)bytes;
	if (at + 1 == table->column_count)
		table_row_print(table);
}

static void cell_keep(struct output_table *table, const struct table_cell *cell)
{
	tool_reserve(&table->cells, &table->cell_room, table->cell_count, sizeof(*table->cells));
	table->cells[table->cell_count] = *cell;
	table->cells[table->cell_count].text = cell_text(cell->text);
}

static void cell_measure(struct table_column *column, const struct table_cell *cell)
{
	if (cell->width > column->width)
		column->width =
			column->limit && cell->width > column->limit ? column->limit : cell->width;
	if (cell->bytes > column->bytes)
		column->bytes = cell->bytes;
	column->sum += cell->value;
	column->bad |= cell->style == OUTPUT_BAD;
}

/* Add a cell. The caller owns the text, and has set its length in bytes and in columns. */
static void cell_add(struct output_table *table, const struct table_cell *cell)
{
	size_t at = table->column_next;

	if (table->what != TABLE_PRINTS)
		cell_measure(&table->columns[at], cell);
	table->column_next = at + 1 == table->column_count ? 0 : at + 1;
	if (table->what == TABLE_KEEPS)
		cell_keep(table, cell);
	else if (table->what == TABLE_PRINTS)
		cell_set(table, at, cell);
	table->cell_count++;
}

/* Add a cell with a text that may contain unprintable characters. */
static void cell_add_text(struct output_table *table, struct table_cell cell)
{
	text_printable(cell.text);
	cell.bytes = (uint32_t)strlen(cell.text);
	cell.width = (uint32_t)utf8_width(cell.text);
	cell_add(table, &cell);
}

void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
{
	char text[CELL_BYTES], *longer = NULL;
	va_list arguments;
	int result;

	va_start(arguments, format);
	result = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (result >= (int)sizeof(text)) {
		va_start(arguments, format);
		result = vasprintf(&longer, format, arguments);
		va_end(arguments);
	}
	table_memory(result < 0 ? NULL : text);
	cell_add_text(table, (struct table_cell){.text = longer ? longer : text, .style = style});
	free(longer);
}

void output_table_count(struct output_table *table, enum output_style style, uint64_t count)
{
	char text[TEXT_COUNT_BYTES];
	struct table_cell cell = {.text = text_count(text, count), .value = count, .style = style};

	cell.bytes = cell.width = (uint32_t)strlen(text);
	cell_add(table, &cell);
}

void output_table_marked(struct output_table *table, enum output_style style, uint64_t count,
			 const char *mark)
{
	char number[TEXT_COUNT_BYTES], text[TEXT_COUNT_BYTES + 8];

	snprintf(text, sizeof(text), "%s%s", text_count(number, count), mark);
	cell_add_text(table, (struct table_cell){.text = text, .value = count, .style = style});
}

void output_table_none(struct output_table *table)
{
	char text[] = "-";

	cell_add(table, &(struct table_cell){.text = text, .bytes = 1, .width = 1});
}

void output_table_difference(struct output_table *table, enum output_style style, uint64_t first,
			     uint64_t second)
{
	struct table_cell cell = {.minus = second < first};
	char number[TEXT_COUNT_BYTES], text[TEXT_COUNT_BYTES + 1];

	cell.value = cell.minus ? first - second : second - first;
	cell.style = cell.value ? style : OUTPUT_PLAIN;
	snprintf(text, sizeof(text), "%s%s", cell.value ? cell.minus ? "-" : "+" : "",
		 text_count(number, cell.value));
	cell.text = text;
	cell_add_text(table, cell);
}
