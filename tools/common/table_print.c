// SPDX-License-Identifier: MIT
/*
 * Table: print the table. See tools/common/output.h.
 *
 * What lives here: the output of rows, either from stored cells or as the caller fills them. If the
 * table is too wide, its columns are printed in several blocks, one below the other.
 */
#include "tools/common/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/terminal.h"
#include "lib/analysis/utf8.h"

/**
 * struct line - The state of a line while it is printed.
 * @padding: number of blanks to print before the next cell
 * @begun: a cell of the line was printed already
 */
struct line {
	size_t padding;
	int begun;
};

static void print_spaces(size_t count, FILE *stream)
{
	static const char spaces[] = "                                ";

	for (; count >= sizeof(spaces); count -= sizeof(spaces) - 1)
		fwrite_unlocked(spaces, 1, sizeof(spaces) - 1, stream);
	fwrite_unlocked(spaces, 1, count, stream);
}

static void print_cell(struct line *line, const struct table_cell *cell, size_t width, char align)
{
	size_t blanks = cell->width < width ? width - cell->width : 0;
	FILE *stream = output_stream();

	if (line->begun)
		line->padding += 2;
	if (align == 'r')
		line->padding += blanks;
	print_spaces(line->padding, stream);
	if (cell->style != OUTPUT_PLAIN)
		fputs_unlocked(output_begin(cell->style), stream);
	fwrite_unlocked(cell->text, 1, cell->bytes, stream);
	if (cell->style != OUTPUT_PLAIN)
		fputs_unlocked(output_end(cell->style), stream);
	line->padding = align == 'r' ? 0 : blanks;
	line->begun = 1;
}

/* Print the cell of an item in @row. If @row is SIZE_MAX, print the item's heading. */
static void print_item(const struct output_table *table, const struct table_fit *fit,
		       struct line *line, size_t row, const struct table_item *item)
{
	const struct table_column *column = &table->columns[item->column];
	struct table_cell cell = {.style = OUTPUT_STRONG};
	char text[TABLE_OTHERS_BYTES];
	int crop = !item->others && (item->width < column->width || column->limit);

	if (row == SIZE_MAX)
		cell.text = item->others ? column->others : column->heading;
	else if (item->others)
		cell = table_others(table, row, item->member, fit->members, text);
	else
		cell = table->cells[row * table->column_count + item->column];
	if (crop)
		utf8_crop(cell.text, item->width, terminal_utf8() ? "\u2026" : "~");
	if (crop || !cell.bytes) {
		cell.bytes = (uint32_t)strlen(cell.text);
		cell.width = (uint32_t)utf8_width(cell.text);
	}
	print_cell(line, &cell, item->width, column->align);
}

/* Print the items from @first up to but not including @end, after the first item of the table. */
static void print_row(const struct output_table *table, const struct table_fit *fit, size_t row,
		      size_t first, size_t end)
{
	struct line line = {0};

	if (first)
		print_item(table, fit, &line, row, &fit->items[0]);
	for (size_t at = first; at < end; at++)
		print_item(table, fit, &line, row, &fit->items[at]);
	putc_unlocked('\n', output_stream());
}

/*
 * Find the end of the block of items that begins at @first. A block has at least one item in
 * addition to the table's first item.
 */
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
		output_text("There is no room for the columns of %zu node%s: the nodes with the "
			    "smallest sums are added up.",
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

void table_row_print(const struct output_table *table)
{
	print_row(table, table->fit, 0, table->first, table->end);
}

/*
 * Print all blocks of columns. @each prints the rows of a block. Return: 0, or the result of @each.
 */
static int blocks_print(struct output_table *table, int (*each)(struct output_table *, void *),
			void *opaque)
{
	struct table_fit fit;
	int result = 0;

	table_fit(table, &fit);
	table->fit = &fit;
	for (table->first = 0; !result && table->first < fit.item_count && !output_stopped();
	     table->first = table->end) {
		table->end = block_end(&fit, table->first);
		if (table->first)
			fputc('\n', output_stream());
		print_row(table, &fit, SIZE_MAX, table->first, table->end);
		result = each(table, opaque);
	}
	if (!result)
		print_notes(table, &fit);
	free(fit.items);
	return result;
}

static int print_kept(struct output_table *table, void *unused)
{
	size_t rows = table->cell_count / table->column_count;

	for (size_t row = 0; row < rows && !output_stopped(); row++)
		print_row(table, table->fit, row, table->first, table->end);
	return 0;
}

void output_table_print(struct output_table *table)
{
	blocks_print(table, print_kept, NULL);
	table_free(table);
}

int output_table_print_rows(struct output_table *table, output_table_rows rows, void *opaque)
{
	int result;

	table->what = TABLE_MEASURES;
	result = rows(table, opaque);
	/* From now on, @cells contains only the cells of one row. */
	table->what = TABLE_PRINTS;
	table->cells = table_memory(calloc(table->column_count, sizeof(*table->cells)));
	for (size_t i = 0; i < table->column_count; i++)
		table->cells[i].text = table_memory(
			calloc(table->columns[i].bytes + 1 + TABLE_ELLIPSIS_BYTES, sizeof(char)));
	table->column_next = 0;
	if (!result)
		result = blocks_print(table, rows, opaque);
	table->cell_count = table->column_count;
	table_free(table);
	return result;
}
