// SPDX-License-Identifier: MIT
/*
 * Reading CSV. See tools/common/csv_read.h.
 */
#include "tools/common/csv_read.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/csv_cells.h"
#include "tools/common/tool.h"

int csv_read_error(const struct csv_read *csv, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tool_error("%s:%llu: %s", csv->name, (unsigned long long)csv->line, text);
	return -1;
}

/* Split the line into cells. Return: the number of cells; 0 after a message. */
static size_t line_split(struct csv_read *csv)
{
	int count = csv_cells_split(csv->text, csv->cells, CSV_CELLS_MAX);

	if (count > 0)
		return (size_t)count;
	if (count == -E2BIG)
		csv_read_error(csv, "more than %d columns", CSV_CELLS_MAX);
	else
		csv_read_error(csv, "a quote has no end, or text follows it");
	return 0;
}

/* Read the next line that is not blank, and remove its newline. Return: as csv_read_row(). */
static int line_read(struct csv_read *csv)
{
	ssize_t length;

	do {
		errno = 0;
		length = getline(&csv->text, &csv->text_bytes, csv->file);
		if (length < 0 && (ferror(csv->file) || errno)) {
			tool_error("cannot read %s: %s", csv->name, strerror(errno));
			return -1;
		}
		if (length < 0)
			return 0;
		csv->line++;
		if (strlen(csv->text) != (size_t)length)
			return csv_read_error(csv, "a zero byte: this is no text");
		if (csv->line == 1)
			length = (ssize_t)text_mark_cut(csv->text);
		if (length && csv->text[length - 1] == '\n')
			csv->text[--length] = '\0';
		else
			tool_message("note: %s:%llu: this line has no end: if the file is cut off, "
				     "its last value is wrong",
				     csv->name, (unsigned long long)csv->line);
		if (length && csv->text[length - 1] == '\r')
			csv->text[--length] = '\0';
	} while (!length);
	return 1;
}

/* Compare the names of the columns with @header. A name in the file may be in quotes. */
static int header_check(struct csv_read *csv, const char *header, int more)
{
	int got = line_read(csv);
	const char *name = header;
	size_t i = 0, length;

	if (got < 0)
		return -1;
	if (!got) {
		tool_error("%s is empty: its first line must be %s", csv->name, header);
		return -1;
	}
	csv->columns = line_split(csv);
	if (!csv->columns)
		return -1;
	for (; *name; name += length + (name[length] == ','), i++) {
		length = strcspn(name, ",");
		if (i == csv->columns || strlen(csv->cells[i]) != length ||
		    strncmp(csv->cells[i], name, length))
			break;
	}
	if (!*name && (more || i == csv->columns))
		return 0;
	return csv_read_error(csv, "the header must %s %s, with commas between: column %zu is '%s'",
			      more ? "begin with" : "be", header, i + 1,
			      i < csv->columns ? csv->cells[i] : "");
}

int csv_read_open(struct csv_read *csv, const char *path, const char *header, int more)
{
	int is_input = !strcmp(path, "-");

	*csv = (struct csv_read){.name = is_input ? "standard input" : path};
	csv->file = is_input ? stdin : fopen(path, "re");
	if (!csv->file)
		return tool_error("cannot open %s: %s", path, strerror(errno));
	if (header_check(csv, header, more) < 0) {
		csv_read_close(csv);
		return TOOL_ERROR;
	}
	return TOOL_OK;
}

int csv_read_row(struct csv_read *csv)
{
	int got = line_read(csv);
	size_t count;

	if (got <= 0)
		return got;
	count = line_split(csv);
	if (!count)
		return -1;
	if (count != csv->columns)
		return csv_read_error(csv, "%zu columns, and the header has %zu", count,
				      csv->columns);
	return 1;
}

int csv_read_real(const struct csv_read *csv, size_t cell, const char *what, double *out)
{
	const char *text = csv->cells[cell];
	double number;
	char *end;

	if (!*text)
		return csv_read_error(csv, "%s is empty", what);
	errno = 0;
	number = strtod(text, &end);
	if (*end || isspace((unsigned char)*text) || isnan(number))
		return csv_read_error(csv, "%s '%s' is no number", what, text);
	if (isinf(number))
		return csv_read_error(csv, "%s '%s' is not finite, or too large", what, text);
	*out = number;
	return 0;
}

int csv_read_whole(const struct csv_read *csv, size_t cell, const char *what, uint64_t *out)
{
	const char *text = csv->cells[cell];
	unsigned long long number;
	char *end;

	errno = 0;
	number = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end)
		return csv_read_error(csv, "%s '%s' is no whole number from 0 on", what, text);
	if (errno)
		return csv_read_error(csv, "%s '%s' is too large", what, text);
	*out = number;
	return 0;
}

void csv_read_close(struct csv_read *csv)
{
	if (csv->file && csv->file != stdin)
		fclose(csv->file);
	free(csv->text);
	csv->file = NULL;
	csv->text = NULL;
}
