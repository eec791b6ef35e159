// SPDX-License-Identifier: MIT
/*
 * Table: cells are kept until all are there, and then printed below each other. See tools/output.h.
 */
#include "tools/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/smile.h"
#include "tools/terminal.h"
#include "tools/utf8.h"

/* Bytes that a cell can grow by when it is cut: the ellipsis is longer than a letter. */
#define ELLIPSIS_BYTES 4

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

/* A copy of two strings, one behind the other, which can be cut. */
static char *cell_text(const char *first, const char *second)
{
	size_t bytes = strlen(first), more = strlen(second) + 1;
	char *text = table_memory(malloc(bytes + more + ELLIPSIS_BYTES));

	memcpy(text, first, bytes);
	memcpy(text + bytes, second, more);
	return text;
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
		.heading = cell_text(heading, ""),
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

void output_table_extra(struct output_table *table, const char *heading, char align)
{
	column_add(table, heading, align, TABLE_EXTRA);
}

void output_table_name(struct output_table *table, const char *heading)
{
	column_add(table, heading, 'l', TABLE_NAME);
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

size_t output_control_bytes(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (!*bytes)
		return 0;
	if (*bytes < 0x20 || *bytes == 0x7f)
		return 1;
	return bytes[0] == 0xc2 && bytes[1] >= 0x80 && bytes[1] <= 0x9f ? 2 : 0;
}

char *output_printable(char *text)
{
	for (char *c = text; *c; c++)
		for (size_t n = output_control_bytes(c); n > 0; n--)
			c[n - 1] = '?';
	return text;
}

/* Takes over @text, which has ELLIPSIS_BYTES of room behind its end. */
static void cell_add(struct output_table *table, const struct table_cell *cell)
{
	struct table_column *column = &table->columns[table->cell_count % table->column_count];
	size_t width = utf8_width(output_printable(cell->text));

	if (table->cell_count == table->cell_room) {
		table->cell_room = table->cell_room ? 2 * table->cell_room : 256;
		table->cells = table_memory(
			realloc(table->cells, table->cell_room * sizeof(*table->cells)));
	}
	table->cells[table->cell_count++] = *cell;
	if (width > column->width)
		column->width = column->limit && width > column->limit ? column->limit : width;
	column->sum += cell->value;
	column->bad |= cell->style == OUTPUT_BAD;
}

void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
{
	struct table_cell cell = {.style = style};
	va_list arguments;
	char *text;
	int result;

	va_start(arguments, format);
	result = vasprintf(&text, format, arguments);
	va_end(arguments);
	table_memory(result < 0 ? NULL : text);
	cell.text = table_memory(realloc(text, (size_t)result + 1 + ELLIPSIS_BYTES));
	cell_add(table, &cell);
}

void output_table_count(struct output_table *table, enum output_style style, uint64_t count)
{
	output_table_marked(table, style, count, "");
}

void output_table_marked(struct output_table *table, enum output_style style, uint64_t count,
			 const char *mark)
{
	struct table_cell cell = {.style = style, .value = count};
	char text[OUTPUT_COUNT_BYTES];

	cell.text = cell_text(output_count(text, count), mark);
	cell_add(table, &cell);
}

void output_table_none(struct output_table *table)
{
	const struct table_cell cell = {.text = cell_text("-", "")};

	cell_add(table, &cell);
}

void output_table_difference(struct output_table *table, enum output_style style, uint64_t first,
			     uint64_t second)
{
	struct table_cell cell = {.minus = second < first};
	char text[OUTPUT_COUNT_BYTES];

	cell.value = cell.minus ? first - second : second - first;
	cell.style = cell.value ? style : OUTPUT_PLAIN;
	cell.text =
		cell_text(cell.value ? cell.minus ? "-" : "+" : "", output_count(text, cell.value));
	cell_add(table, &cell);
}

/* ---- printing -------------------------------------------------------------------------------- */

/**
 * struct line - Where printing has come to in a line.
 * @padding: blanks that are due before the next cell
 * @begun: there is a cell already
 */
struct line {
	size_t padding;
	int begun;
};

static void print_cell(struct line *line, const struct table_cell *cell, size_t width, char align)
{
	FILE *stream = output_stream();
	size_t own = utf8_width(cell->text), blanks = own < width ? width - own : 0;

	if (line->begun)
		line->padding += 2;
	if (align == 'r')
		line->padding += blanks;
	for (; line->padding; line->padding--)
		putc_unlocked(' ', stream);
	fputs_unlocked(output_begin(cell->style), stream);
	fputs_unlocked(cell->text, stream);
	fputs_unlocked(output_end(cell->style), stream);
	line->padding = align == 'r' ? 0 : blanks;
	line->begun = 1;
}

/* The item's cell in @row, or, with @row as SIZE_MAX, its heading. */
static void print_item(const struct output_table *table, const struct table_fit *fit,
		       struct line *line, size_t row, const struct table_item *item)
{
	const struct table_column *column = &table->columns[item->column];
	struct table_cell cell = {.text = item->others ? column->others : column->heading,
				  .style = OUTPUT_STRONG};
	char text[TABLE_OTHERS_BYTES];

	if (row != SIZE_MAX && item->others)
		cell = table_others(table, row, item->member, fit->members, text);
	else if (row != SIZE_MAX)
		cell = table->cells[row * table->column_count + item->column];
	if (!item->others && (item->width < column->width || column->limit))
		utf8_crop(cell.text, item->width, terminal_utf8() ? "\u2026" : "~");
	print_cell(line, &cell, item->width, column->align);
}

/* Items from @first to before @end, with the first of all in front. */
static void print_row(const struct output_table *table, const struct table_fit *fit, size_t row,
		      size_t first, size_t end)
{
	struct line line = {0};

	if (first)
		print_item(table, fit, &line, row, &fit->items[0]);
	for (size_t at = first; at < end; at++)
		print_item(table, fit, &line, row, &fit->items[at]);
	fputc('\n', output_stream());
}

/* Where the block of items that begins at @first ends: it has one besides the first of all. */
static size_t block_end(const struct table_fit *fit, size_t first)
{
	size_t width = fit->items[0].width, least = first ? first + 1 : 2, at;

	for (at = first ? first : 1; at < fit->item_count; at++) {
		width += fit->items[at].width + 2;
		if (fit->width && width > fit->width && at >= least)
			return at;
	}
	return at;
}

static void print_notes(const struct output_table *table, const struct table_fit *fit)
{
	char text[512];
	size_t length = 0;

	if (fit->folded)
		output_text("Of %zu node%s there is no room for a column: the others, those with "
			    "the least, are summed.",
			    fit->folded, fit->folded == 1 ? "" : "s");
	if (!fit->left_out)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < table->column_count && length < sizeof(text) - 1; i++)
		if (table->columns[i].kind == TABLE_EXTRA && !table->columns[i].shown)
			length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
						   length ? ", " : "", table->columns[i].heading);
	output_text("There is no room for the columns: %s.", text);
}

static void table_free(struct output_table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		free(table->columns[i].heading);
		free(table->columns[i].others);
	}
	for (size_t i = 0; i < table->cell_count; i++)
		free(table->cells[i].text);
	free(table->columns);
	free(table->cells);
	free(table);
}

void output_table_print(struct output_table *table)
{
	size_t rows = table->cell_count / table->column_count, first = 0, end;
	struct table_fit fit;

	table_fit(table, &fit);
	while (first < fit.item_count && !output_stopped()) {
		end = block_end(&fit, first);
		if (first)
			fputc('\n', output_stream());
		print_row(table, &fit, SIZE_MAX, first, end);
		for (size_t row = 0; row < rows && !output_stopped(); row++)
			print_row(table, &fit, row, first, end);
		first = end;
	}
	print_notes(table, &fit);
	free(fit.items);
	table_free(table);
}
