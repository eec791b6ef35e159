// SPDX-License-Identifier: MIT
/*
 * Messages, numbers and command lines: the helpers of tools/common/tool.h.
 */
#include "tools/common/tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/clock.h>
#include <smile/monitor.h>

#include "lib/analysis/text.h"
#include "tools/common/progress.h"

/* Names in a message may contain control characters, which a terminal would interpret. */
static void message_print(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	/* Lock the stream, so that lines of several threads do not mix. */
	flockfile(stderr);
	progress_clear();
	fprintf(stderr, "%s: ", tool_name());
	fputs(text ? text_printable(text) : "no memory for a message", stderr);
	fputc('\n', stderr);
	funlockfile(stderr);
	free(text);
}

void tool_message(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print(format, arguments);
	va_end(arguments);
}

int tool_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print(format, arguments);
	va_end(arguments);
	return TOOL_ERROR;
}

int tool_usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	message_print(format, arguments);
	va_end(arguments);
	return tool_unknown_option();
}

int tool_unknown_option(void)
{
	fprintf(stderr, "Try '%s --help'.\n", tool_name());
	return TOOL_ERROR;
}

int tool_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	unsigned long long number;
	int base = 10;
	char *end;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		base = 16;
	errno = 0;
	/* Refuse a sign or a blank, which strtoull() would accept, as in "-1" and " 1". */
	number = strtoull(text, &end, base);
	if (!isdigit((unsigned char)text[0]) || *end || errno || number < min || number > max) {
		if (max == UINT64_MAX)
			tool_usage("%s: '%s' is no number", what, text);
		else
			tool_usage("%s: '%s' is no number from %" PRIu64 " to %" PRIu64, what, text,
				   min, max);
		return -1;
	}
	*out = number;
	return 0;
}

int tool_decimal(const char *text, double *out)
{
	double number;
	char *end;

	/* strtod() would accept a sign, a blank or a word, as in "-1", " 1" and "inf". */
	number = strtod(text, &end);
	if (!isdigit((unsigned char)text[0]) || *end || !isfinite(number))
		return -1;
	*out = number;
	return 0;
}

static int duration(const char *what, const char *text, const char *unit, double unit_ns,
		    uint64_t *out_ns)
{
	double number;

	if (tool_decimal(text, &number) || number > 1e9) {
		tool_usage("%s: '%s' is no time in %s, such as 10 or 0.5", what, text, unit);
		return -1;
	}
	*out_ns = (uint64_t)(number * unit_ns);
	return 0;
}

int tool_seconds(const char *what, const char *text, uint64_t *out_ns)
{
	return duration(what, text, "seconds", 1e9, out_ns);
}

int tool_milliseconds(const char *what, const char *text, uint64_t *out_ns)
{
	return duration(what, text, "milliseconds", 1e6, out_ns);
}

int tool_period(const char *what, const char *text, uint32_t *out_us)
{
	static const struct {
		const char *name;
		uint64_t us;
	} units[] = {{"us", 1}, {"ms", 1000}, {"s", 1000000}};
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!isdigit((unsigned char)text[0]) || strcmp(end, units[i].name))
			continue;
		if (errno || !number || number > UINT32_MAX / units[i].us) {
			tool_usage("%s: %s is not between 1us and 4294967295us", what, text);
			return -1;
		}
		*out_us = (uint32_t)(number * units[i].us);
		return 0;
	}
	tool_usage("%s: '%s' is no time such as 500us, 10ms or 1s", what, text);
	return -1;
}

uint64_t tool_now_ns(void)
{
	return clock_now_ns();
}

static int word_is_plain(const char *word)
{
	return *word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-+=./:,@%") == strlen(word);
}

char *tool_command_line(int argc, char **argv)
{
	size_t bytes;
	char *line;
	FILE *out;
	int i;

	out = open_memstream(&line, &bytes);
	if (!out)
		return NULL;
	fputs("smile", out);
	for (i = 0; i < argc; i++) {
		const char *c;

		fputc(' ', out);
		if (word_is_plain(argv[i])) {
			fputs(argv[i], out);
			continue;
		}
		fputc('\'', out);
		for (c = argv[i]; *c; c++)
			if (*c == '\'')
				fputs("'\\''", out);
			else
				fputc(*c, out);
		fputc('\'', out);
	}
	if (fclose(out))
		return NULL;
	return line;
}

void *tool_memory(size_t count, size_t size)
{
	void *memory = calloc(count ? count : 1, size);

	if (memory)
		return memory;
	tool_error("no memory for %zu x %zu bytes", count, size);
	exit(TOOL_ERROR);
}

void *tool_larger(void *memory, size_t count, size_t size)
{
	memory = reallocarray(memory, count ? count : 1, size);
	if (memory)
		return memory;
	tool_error("no memory for %zu x %zu bytes", count, size);
	exit(TOOL_ERROR);
}

void tool_reserve(void *array, size_t *size, size_t count, size_t bytes)
{
	if (array_reserve(array, size, count, bytes) == 0)
		return;
	tool_error("no memory for %zu x %zu bytes", count + 1, bytes);
	exit(TOOL_ERROR);
}

int tool_result(int result)
{
	return result < 0 ? tool_error("%s", Monitor_error_message()) : TOOL_OK;
}

void tool_help(const char *const *lines)
{
	for (; *lines; lines++)
		fputs(*lines, stdout);
}
