/* SPDX-License-Identifier: MIT */
/*
 * Output: write to standard output in a form that fits the terminal, pipe or file.
 *
 * What lives here: tables with aligned columns, emphasis on terminals, and JSON documents. If the
 * reader of a pipe closes the pipe (EPIPE), the output ends without a message. output_finish()
 * reports any other failure to write as an error. May use jansson.
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
 * @status: the exit status if all output is written
 *
 * Return: @status; TOOL_ERROR if a part of the output could not be written. An error other than
 *         EPIPE is reported in a message.
 */
int output_finish(int status);

/**
 * output_stopped() - Check whether the output can no longer be written. During a long output, call
 * this function repeatedly, each time right after a write, so that errno still has the reason.
 */
int output_stopped(void);

/**
 * output_json() - Print a document on one line, with its keys in the order of their insertion.
 * @document: the document, whose reference is released; NULL, which jansson returns if memory ran
 *            out, is reported as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json(json_t *document);

/**
 * output_json_members() - Print the members of an object without the braces. Use this for the parts
 * of a document that is too large for memory.
 * @object: the object, whose reference is released; NULL is reported as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_members(json_t *object);

/**
 * output_json_item() - Print the next item of an array. Use this for a document that is too large
 * for memory.
 * @item: the item, whose reference is released; NULL is reported as an error
 * @first: this is the first item of the array
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_item(json_t *item, int first);

/*
 * Styles of emphasis, used if terminal_colors() allows emphasis. A style never carries information
 * that the text does not have.
 */
enum output_style {
	OUTPUT_PLAIN,
	OUTPUT_STRONG,
	OUTPUT_GOOD,
	OUTPUT_BAD,
};

/**
 * output_color_parse() - Parse the argument of --color, and apply it: see tools/common/terminal.h.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int output_color_parse(const char *when);

/**
 * output_begin() - Get the escape sequence that begins a style; "" if styles are disabled.
 */
const char *output_begin(enum output_style style);

/**
 * output_end() - Get the escape sequence that ends any style; "" if styles are disabled.
 */
const char *output_end(enum output_style style);

/**
 * output_to() - From now on, write tables and emphasis to @to, because standard output is used for
 * other data.
 */
void output_to(FILE *to);

/**
 * output_stream() - Get the stream of tables and emphasis.
 */
FILE *output_stream(void);

/**
 * output_name() - Get a name or a text of the user in a form that can be printed by printf(3):
 * text_printable() of a copy. Cells, paragraphs and messages do not need this call.
 * @name: a text; NULL is ""
 *
 * Return: the text, which is valid until the fourth next call.
 */
const char *output_name(const char *name);

/**
 * output_text() - Print a paragraph, wrapped to the width of the terminal, and a newline. @format
 * must not contain newlines. Names in the text need not be passed through text_printable().
 */
void output_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * output_styled() - Like output_text(), but first print the text @begin, in a style.
 */
void output_styled(enum output_style style, const char *begin, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

struct output_table;

/**
 * output_table_new() - Make a table. The cells are stored until the table is printed, because the
 * width of each column depends on all of its cells.
 *
 * If a table is wider than the terminal, it is narrowed. The kind of a column determines how the
 * column is treated. Names are shortened in the middle. Columns of nodes are replaced by one column
 * with their sum, beginning with the nodes that have the smallest sums. Columns that are not
 * essential are left out. A text below the table reports the summed columns and the columns that
 * were left out. If the table is still too wide, it is printed in several parts, one below the
 * other, each with the first column and some of the remaining columns.
 *
 * If memory runs out, the functions for tables and cells end the program with a message.
 */
struct output_table *output_table_new(void);

/**
 * output_table_column() - Add a column. All columns must be added before the first cell.
 * @heading: heading of the column; it is copied
 * @align: 'l' for left or 'r' for right
 */
void output_table_column(struct output_table *table, const char *heading, char align);

/**
 * output_table_columns() - Add several columns.
 * @columns: the headings, separated by '|'. Each heading follows a character: '<' aligns left; '>'
 *           aligns right; '~' makes a column of names; '?' makes a right-aligned column that is not
 *           essential
 */
void output_table_columns(struct output_table *table, const char *columns);

/**
 * output_table_extra_name() - Add a column of names that is not essential.
 * @width: largest width of names, even if the terminal has no limit; 0: none
 */
void output_table_extra_name(struct output_table *table, const char *heading, size_t width);

/**
 * output_table_node() - Add a column with counts of the accesses by one node. All of these columns
 * must be adjacent. A node may have two such columns.
 * @heading: text before the node's number
 * @others: heading of the column that contains the sum, if this node is summed with other nodes
 */
void output_table_node(struct output_table *table, const char *heading, const char *others,
		       unsigned int node);

/**
 * output_table_cell() - Fill the next cell. Cells are filled row by row.
 */
void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * output_table_count() - Fill the next cell with a count, in groups of three digits.
 */
void output_table_count(struct output_table *table, enum output_style style, uint64_t count);

/**
 * output_table_marked() - Fill the next cell with a count and a mark. The mark is "*"; it is " " in
 * a cell without the mark, if other cells of the column have it. If a sum of columns includes a
 * cell of style OUTPUT_BAD, the sum has this style and the mark.
 */
void output_table_marked(struct output_table *table, enum output_style style, uint64_t count,
			 const char *mark);

/**
 * output_table_none() - Fill the next cell with "-", because there is no count.
 */
void output_table_none(struct output_table *table);

/**
 * output_table_difference() - Fill the next cell with @second minus @first, including the sign.
 */
void output_table_difference(struct output_table *table, enum output_style style, uint64_t first,
			     uint64_t second);

/**
 * output_table_print() - Print the table, and free it.
 */
void output_table_print(struct output_table *table);

/**
 * typedef output_table_rows - A function that fills all cells of a table, row by row. It must fill
 * the same cells each time it is called.
 *
 * Return: 0; any other value stops the output of the table.
 */
typedef int (*output_table_rows)(struct output_table *table, void *opaque);

/**
 * output_table_print_rows() - Print a table without storing its cells, and free it. Use this for a
 * table that is too large for memory.
 * @rows: first called to measure the cells, then to print them. If the table is printed in several
 *        parts, it is called again for each further part
 *
 * Return: 0, or the value that @rows has returned.
 */
int output_table_print_rows(struct output_table *table, output_table_rows rows, void *opaque);

#endif /* TOOLS_COMMON_OUTPUT_H */
