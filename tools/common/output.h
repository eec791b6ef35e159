/* SPDX-License-Identifier: MIT */
/*
 * Output: standard output, and its appearance.
 *
 * What lives here: tables with aligned columns, emphasis on terminals, JSON documents. May use
 * jansson. If the reader closes the pipe (EPIPE), output ends without a message; any other failure
 * to write is an error, which output_finish() reports.
 */
#ifndef TOOLS_COMMON_OUTPUT_H
#define TOOLS_COMMON_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "lib/analysis/document.h"
#include "lib/analysis/text.h"

/**
 * output_finish() - Flush standard output.
 * @status: the status that the command would exit with
 *
 * Return: @status; TOOL_ERROR if not all could be written, after a message unless the reason is
 * EPIPE.
 */
int output_finish(int status);

/**
 * output_stopped() - Is further output useless? Call it now and then in long outputs, right after a
 * write, so that the reason is known.
 */
int output_stopped(void);

/**
 * output_json() - Print a document on one line, keys in the order of their insertion.
 * @document: released here; NULL (out of memory in jansson) is reported as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json(json_t *document);

/**
 * output_json_members() - Print the members of an object, without braces, for a document that is
 * too large for memory.
 * @object: released here; NULL is reported as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_members(json_t *object);

/**
 * output_json_item() - Print the next item of an array in such a document.
 * @item: released here; NULL is reported as an error
 * @first: whether this is the first item
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_item(json_t *item, int first);

/* Emphasis, if terminal_colors() allows it. A style is never the only sign of a meaning. */
enum output_style {
	OUTPUT_PLAIN,
	OUTPUT_STRONG,
	OUTPUT_GOOD,
	OUTPUT_BAD,
};

/**
 * output_color_parse() - Parse and apply --color: see tools/common/terminal.h.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int output_color_parse(const char *when);

/**
 * output_begin() - The sequence that begins a style; "" if styles are not wanted.
 */
const char *output_begin(enum output_style style);

/**
 * output_end() - The sequence that ends any style.
 */
const char *output_end(enum output_style style);

/**
 * output_to() - Send tables and emphasis to this stream from now on, if standard output has another
 * use.
 */
void output_to(FILE *to);

/**
 * output_stream() - The stream of tables and emphasis.
 */
FILE *output_stream(void);

/**
 * output_text() - Print a paragraph, in lines that fit the terminal, and a newline. @format has no
 * newlines, and names in the text need no text_printable().
 */
void output_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * output_styled() - Like output_text(), with a first part @begin in a style.
 */
void output_styled(enum output_style style, const char *begin, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

struct output_table;

/**
 * output_table_new() - Make a table. Cells are kept until the table is printed, so that columns
 * fit.
 *
 * A table that is wider than the terminal is narrowed by the kinds of its columns: names are cut in
 * the middle, columns of nodes are summed, beginning with the nodes with the smallest sums, and
 * columns that are not essential are left out. A text below the table reports summed and omitted
 * columns. If the table is still too wide, the remaining columns continue below, after the first
 * column.
 *
 * Tables and their cells end the program with a message if there is no memory.
 */
struct output_table *output_table_new(void);

/**
 * output_table_column() - Add a column; all columns must be added before the first cell.
 * @heading: copied
 * @align: 'l' or 'r'
 */
void output_table_column(struct output_table *table, const char *heading, char align);

/**
 * output_table_columns() - Add several columns.
 * @columns: their headings, with '|' between them. Before each, '<' aligns left, '>' aligns right,
 *           '~' makes a column of names, '?' a right-aligned column that is not essential
 */
void output_table_columns(struct output_table *table, const char *columns);

/**
 * output_table_extra_name() - Add a column of names that is not essential.
 * @width: largest width of names, even if the terminal has no limit; 0: none
 */
void output_table_extra_name(struct output_table *table, const char *heading, size_t width);

/**
 * output_table_node() - Add a column of counts by one node; all of these columns must be adjacent.
 * A node can have two columns.
 * @heading: text before the node's number
 * @others: heading of the column into which the node is summed
 */
void output_table_node(struct output_table *table, const char *heading, const char *others,
		       unsigned int node);

/**
 * output_table_cell() - Fill the next cell, row by row.
 */
void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * output_table_count() - Fill the next cell with a count, in groups of three digits.
 */
void output_table_count(struct output_table *table, enum output_style style, uint64_t count);

/**
 * output_table_marked() - Fill the next cell with a count and a mark: "*", or " " if other cells of
 * the column have a mark. If a sum contains cells of style OUTPUT_BAD, the sum has this style and
 * the "*".
 */
void output_table_marked(struct output_table *table, enum output_style style, uint64_t count,
			 const char *mark);

/**
 * output_table_none() - Fill the next cell with "-", for a missing count.
 */
void output_table_none(struct output_table *table);

/**
 * output_table_difference() - Fill the next cell with @second minus @first, with its sign.
 */
void output_table_difference(struct output_table *table, enum output_style style, uint64_t first,
			     uint64_t second);

/**
 * output_table_print() - Print the table and free it.
 */
void output_table_print(struct output_table *table);

/**
 * typedef output_table_rows - Fills all cells of a table, row by row, with the same cells each
 * time.
 *
 * Return: 0; any other value ends the table.
 */
typedef int (*output_table_rows)(struct output_table *table, void *opaque);

/**
 * output_table_print_rows() - Print a table without stored cells and free it, for a table that is
 * too large for memory.
 * @rows: is called first to measure the cells, then to print them, and again for each part of the
 *        table that continues below
 *
 * Return: 0, or what @rows returned.
 */
int output_table_print_rows(struct output_table *table, output_table_rows rows, void *opaque);

#endif /* TOOLS_COMMON_OUTPUT_H */
