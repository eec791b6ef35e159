// SPDX-License-Identifier: MIT
/*
 * Output to standard output: tables, emphasis, JSON. See tools/output.h.
 */
#include "tools/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/smile.h"
#include "tools/utf8.h"

/* errno of the first write that failed. */
static int output_error;

static void output_note(int failed)
{
	if (failed && !output_error)
		output_error = errno ? errno : EIO;
}

int output_finish(int status)
{
	output_note(ferror(stdout));
	output_note(fflush(stdout));
	if (!output_error || output_error == EPIPE)
		return status;
	return tool_error("standard output: %s; not all of it was written", strerror(output_error));
}

int output_stopped(void)
{
	output_note(ferror(stdout));
	return output_error != 0;
}

int output_json_members(json_t *object)
{
	int result = TOOL_OK;

	if (!object || (json_dumpf(object, stdout, JSON_COMPACT | JSON_EMBED) && !output_stopped()))
		result = tool_error("no memory for the JSON document");
	json_decref(object);
	return result;
}

int output_json_item(json_t *item, int first)
{
	int result = TOOL_OK;

	if (!first)
		putchar(',');
	if (!item || (json_dumpf(item, stdout, JSON_COMPACT) && !output_stopped()))
		result = tool_error("no memory for the JSON document");
	json_decref(item);
	return result;
}

int output_json(json_t *document)
{
	int result;

	if (!document)
		return tool_error("no memory for the JSON document");
	result = json_dumpf(document, stdout, JSON_COMPACT);
	if (!result)
		putchar('\n');
	json_decref(document);
	if (result && !output_stopped())
		return tool_error("the JSON document could not be written");
	return TOOL_OK;
}

json_t *output_json_counts(const uint64_t *counts, size_t n)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < n; i++) {
		if (json_array_append_new(array, json_integer(output_json_int(counts[i])))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_int_t output_json_int(uint64_t count)
{
	return count > INT64_MAX ? INT64_MAX : (json_int_t)count;
}

json_t *output_json_string(const char *text)
{
	char *copy = utf8_copy(text);
	json_t *string = copy ? json_string(copy) : NULL;

	free(copy);
	return string;
}

static FILE *output_stream;

static FILE *stream(void)
{
	return output_stream ? output_stream : stdout;
}

void output_to(FILE *to)
{
	output_stream = to;
}

static int style_wanted(void)
{
	static int wanted = -1;

	if (wanted < 0) {
		const char *no_color = getenv("NO_COLOR");
		const char *term = getenv("TERM");

		wanted = isatty(fileno(stream())) && !(no_color && *no_color) && term &&
			 strcmp(term, "dumb");
	}
	return wanted;
}

const char *output_begin(enum output_style style)
{
	static const char *const sequences[] = {
		[OUTPUT_PLAIN] = "",
		[OUTPUT_STRONG] = "\033[1m",
		[OUTPUT_GOOD] = "\033[32m",
		[OUTPUT_BAD] = "\033[1;31m",
	};

	return style_wanted() ? sequences[style] : "";
}

const char *output_end(enum output_style style)
{
	return style != OUTPUT_PLAIN && style_wanted() ? "\033[0m" : "";
}

char *output_count(char *text, uint64_t count)
{
	char digits[24];
	size_t length, i, out = 0;

	length = (size_t)snprintf(digits, sizeof(digits), "%" PRIu64, count);
	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[out++] = ',';
		text[out++] = digits[i];
	}
	text[out] = '\0';
	return text;
}

struct table_column {
	char *heading;
	size_t width;
	char align;
};

struct table_cell {
	char *text;
	enum output_style style;
};

struct output_table {
	struct table_column *columns;
	size_t column_count;
	struct table_cell *cells;
	size_t cell_count;
	size_t cell_room;
};

static void *table_memory(void *memory)
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

void output_table_column(struct output_table *table, const char *heading, char align)
{
	struct table_column *column;

	table->columns = table_memory(
		realloc(table->columns, (table->column_count + 1) * sizeof(*table->columns)));
	column = &table->columns[table->column_count++];
	column->heading = table_memory(strdup(heading));
	column->width = strlen(heading);
	column->align = align;
}

/* Length of the control character at @text, 0 if it is none: those of ASCII, and U+0080 to U+009F. */
static size_t control_bytes(const unsigned char *text)
{
	if (*text < 0x20 || *text == 0x7f)
		return 1;
	return text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f ? 2 : 0;
}

char *output_printable(char *text)
{
	for (unsigned char *c = (unsigned char *)text; *c; c++)
		for (size_t n = control_bytes(c); n > 0; n--)
			c[n - 1] = '?';
	return text;
}

static void table_add(struct output_table *table, enum output_style style, char *text)
{
	struct table_column *column = &table->columns[table->cell_count % table->column_count];
	size_t width = strlen(output_printable(text));

	if (table->cell_count == table->cell_room) {
		table->cell_room = table->cell_room ? 2 * table->cell_room : 256;
		table->cells = table_memory(
			realloc(table->cells, table->cell_room * sizeof(*table->cells)));
	}
	table->cells[table->cell_count].text = text;
	table->cells[table->cell_count].style = style;
	table->cell_count++;
	if (width > column->width)
		column->width = width;
}

void output_table_cell(struct output_table *table, enum output_style style, const char *format, ...)
{
	va_list arguments;
	char *text;
	int result;

	va_start(arguments, format);
	result = vasprintf(&text, format, arguments);
	va_end(arguments);
	table_add(table, style, table_memory(result < 0 ? NULL : text));
}

void output_table_count(struct output_table *table, enum output_style style, uint64_t count)
{
	char text[OUTPUT_COUNT_BYTES];

	table_add(table, style, table_memory(strdup(output_count(text, count))));
}

static void table_print_cell(const struct output_table *table, size_t number, const char *text,
			     enum output_style style)
{
	const struct table_column *column = &table->columns[number];
	int last = number + 1 == table->column_count;
	int padding = (int)(column->width - strlen(text));

	if (column->align == 'r')
		fprintf(stream(), "%*s", padding, "");
	fprintf(stream(), "%s%s%s", output_begin(style), text, output_end(style));
	if (last)
		fputc('\n', stream());
	else
		fprintf(stream(), "%*s", column->align == 'l' ? padding + 2 : 2, "");
}

void output_table_print(struct output_table *table)
{
	size_t i;

	for (i = 0; i < table->column_count; i++)
		table_print_cell(table, i, table->columns[i].heading, OUTPUT_STRONG);
	for (i = 0; i < table->cell_count && !output_stopped(); i++)
		table_print_cell(table, i % table->column_count, table->cells[i].text,
				 table->cells[i].style);
	for (i = 0; i < table->column_count; i++)
		free(table->columns[i].heading);
	for (i = 0; i < table->cell_count; i++)
		free(table->cells[i].text);
	free(table->columns);
	free(table->cells);
	free(table);
}
