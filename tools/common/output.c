// SPDX-License-Identifier: MIT
/*
 * Output to standard output: text, emphasis and JSON. Tables are in table.c. See
 * tools/common/output.h.
 */
#include "tools/common/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/common/terminal.h"
#include "lib/analysis/utf8.h"

/* The errno of the first write that failed. */
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

static FILE *output_given;

FILE *output_stream(void)
{
	return output_given ? output_given : stdout;
}

void output_to(FILE *to)
{
	output_given = to;
}

int output_color_parse(const char *when)
{
	if (terminal_color_parse(when))
		return tool_usage("--color: '%s' is none of always, never and auto", when);
	return TOOL_OK;
}

const char *output_begin(enum output_style style)
{
	static const char *const sequences[] = {
		[OUTPUT_PLAIN] = "",
		[OUTPUT_STRONG] = "\033[1m",
		[OUTPUT_GOOD] = "\033[32m",
		[OUTPUT_BAD] = "\033[1;31m",
	};

	return terminal_colors(output_stream()) ? sequences[style] : "";
}

const char *output_end(enum output_style style)
{
	return style != OUTPUT_PLAIN && terminal_colors(output_stream()) ? "\033[0m" : "";
}

#define NAMES_AT_ONCE 4U

const char *output_name(const char *name)
{
	static char *names[NAMES_AT_ONCE];
	static size_t next;
	char **text = &names[next];

	next = (next + 1) % NAMES_AT_ONCE;
	free(*text);
	*text = strdup(name ? name : "");
	if (!*text) {
		tool_error("no memory for text");
		exit(TOOL_ERROR);
	}
	return text_printable(*text);
}

/* The largest width of a line of prose; longer lines are hard to read. */
#define TEXT_WIDTH 96

/*
 * Print a text word by word, in lines that fit the terminal. The first @styled bytes have the
 * style.
 */
static void text_print(enum output_style style, size_t styled, char *text)
{
	size_t width = terminal_width(output_stream()), column = 0;
	char *rest = text_printable(text), *word;

	if (!width || width > TEXT_WIDTH)
		width = TEXT_WIDTH;
	fputs(output_begin(style), output_stream());
	while ((word = strsep(&rest, " ")) != NULL) {
		size_t length = utf8_width(word), before = (size_t)(word - text);

		if (column && column + 1 + length > width) {
			fputc('\n', output_stream());
			column = 0;
		}
		if (column)
			fputc(' ', output_stream());
		column += length + (column != 0);
		if (before < styled && before + strlen(word) >= styled) {
			fprintf(output_stream(), "%.*s%s", (int)(styled - before), word,
				output_end(style));
			word += styled - before;
		}
		fputs(word, output_stream());
	}
	fputc('\n', output_stream());
}

/* Format a text. Return: the text, which the caller must free. */
static char *text_format(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) >= 0)
		return text;
	tool_error("no memory for text");
	exit(TOOL_ERROR);
}

void output_text(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = text_format(format, arguments);
	va_end(arguments);
	text_print(OUTPUT_PLAIN, 0, text);
	free(text);
}

void output_styled(enum output_style style, const char *begin, const char *format, ...)
{
	va_list arguments;
	char *text, *all;

	va_start(arguments, format);
	text = text_format(format, arguments);
	va_end(arguments);
	if (asprintf(&all, "%s%s", begin, text) < 0) {
		tool_error("no memory for text");
		exit(TOOL_ERROR);
	}
	free(text);
	text_print(style, strlen(begin), all);
	free(all);
}
