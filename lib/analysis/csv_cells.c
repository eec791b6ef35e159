// SPDX-License-Identifier: MIT
/*
 * CSV cells. See csv_cells.h.
 */
#include "lib/analysis/csv_cells.h"

#include <errno.h>
#include <string.h>

/*
 * Read a quoted cell, beginning at its first quote, and remove its quotes. Return: the text after
 * the cell; NULL: the closing quote is missing.
 */
static char *cell_quoted(char *from)
{
	char *to = from;

	for (char *c = from + 1; *c; c++) {
		if (*c != '"') {
			*to++ = *c;
		} else if (c[1] == '"') {
			*to++ = *c++;
		} else {
			*to = '\0';
			return c + 1;
		}
	}
	return NULL;
}

int csv_cells_split(char *line, char **cells, size_t most)
{
	char *c = line;

	for (size_t count = 0; count < most;) {
		cells[count++] = c;
		if (*c == '"') {
			c = cell_quoted(c);
			if (!c || (*c && *c != ','))
				return -EINVAL;
		} else {
			c += strcspn(c, ",");
		}
		if (!*c)
			return (int)count;
		*c++ = '\0';
	}
	return -E2BIG;
}

size_t text_mark_cut(char *line)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t length = strlen(line);

	if (strncmp(line, mark, sizeof(mark) - 1))
		return length;
	length -= sizeof(mark) - 1;
	memmove(line, line + sizeof(mark) - 1, length + 1);
	return length;
}
