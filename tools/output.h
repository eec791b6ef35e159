/* SPDX-License-Identifier: MIT */
/*
 * Output: what goes to standard output, and how it looks.
 *
 * What lives here: tables with aligned columns, emphasis on terminals, JSON documents. Standard
 * output only; may use jansson. A reader that goes away (EPIPE) ends the output quietly; any other
 * failure to write is an error, told by output_finish().
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

/**
 * output_finish() - Flush standard output.
 * @status: the status that the command would exit with
 *
 * Return: @status; TOOL_ERROR if not all could be written, after saying so, but for EPIPE.
 */
int output_finish(int status);

/**
 * output_stopped() - Is there no more sense in writing? Ask now and then in long outputs, right
 * after a write, so that the reason is known.
 */
int output_stopped(void);

/**
 * output_json() - Print a document on one line, keys in the order of their insertion.
 * @document: released here; NULL (out of memory in jansson) is told as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json(json_t *document);

/**
 * output_json_members() - Print the members of an object, without braces, for a document that is
 * too large for memory.
 * @object: released here; NULL is told as an error
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_members(json_t *object);

/**
 * output_json_item() - Print the next item of an array in such a document.
 * @item: released here; NULL is told as an error
 * @first: it is the first
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int output_json_item(json_t *item, int first);

/**
 * output_json_counts() - An array of counts.
 *
 * Return: a new reference, NULL without memory.
 */
json_t *output_json_counts(const uint64_t *counts, size_t n);

/**
 * output_json_int() - A count as JSON has it: those beyond INT64_MAX, which only a damaged recording
 * tells, as INT64_MAX.
 */
json_int_t output_json_int(uint64_t count);

/**
 * output_json_string() - A name of the system, whatever its bytes: see utf8_copy().
 *
 * Return: a new reference, NULL without memory.
 */
json_t *output_json_string(const char *text);

/* Emphasis: shown on a terminal only, and not if NO_COLOR is set. Never the only sign of a thing.
 */
enum output_style {
	OUTPUT_PLAIN,
	OUTPUT_STRONG,
	OUTPUT_GOOD,
	OUTPUT_BAD,
};

/**
 * output_begin() - The sequence that begins a style; "" where none is wanted.
 */
const char *output_begin(enum output_style style);

/**
 * output_end() - The sequence that ends any style.
 */
const char *output_end(enum output_style style);

/**
 * output_to() - Tables and emphasis go to this stream from now on, where standard output belongs to
 * somebody else.
 */
void output_to(FILE *to);

/**
 * output_printable() - Replace control characters, which names of files and of regions can hold and a
 * terminal would obey. Cells of tables need no such call.
 *
 * Return: @text.
 */
char *output_printable(char *text);

struct output_table;

/**
 * output_table_new() - A table. Cells are kept until it is printed, so that columns fit.
 *
 * Tables and their cells end the program with a message if there is no memory.
 */
struct output_table *output_table_new(void);

/**
 * output_table_column() - Add a column; all of them before the first cell.
 * @heading: copied
 * @align: 'l' or 'r'
 */
void output_table_column(struct output_table *table, const char *heading, char align);

/**
 * output_table_cell() - Fill the next cell, row by row.
 */
void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * output_table_count() - The same with a count, in groups of three digits.
 */
void output_table_count(struct output_table *table, enum output_style style, uint64_t count);

/**
 * output_table_print() - Print the table and free it.
 */
void output_table_print(struct output_table *table);

#define OUTPUT_COUNT_BYTES 32

/**
 * output_count() - A count in groups of three digits: 1,015,752.
 * @text: caller-owned, OUTPUT_COUNT_BYTES long
 *
 * Return: @text.
 */
char *output_count(char *text, uint64_t count);

#endif /* TOOLS_OUTPUT_H */
