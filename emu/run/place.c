// SPDX-License-Identifier: MIT
/*
 * emu/run: the placement file.
 *
 * What lives here: its parser. A line says where pages are to lie:
 *
 *	pages FIRST[-LAST] node N
 *	bytes ADDRESS+COUNT node N
 *
 * # begins a comment. Numbers are decimal, or hexadecimal after 0x. Of two lines for a page the
 * later one holds. Pages that no line names lie where the program or the policy says.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/run/parts.h"

#define PLACE_PAGE_MAX ((1ULL << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES - 1)

/**
 * struct place_line - A line's meaning.
 */
struct place_line {
	uint64_t start;
	uint64_t bytes;
	uint64_t node;
};

/* A number, and *@text behind it. Return: 0; -1 if there is none. */
static int number_take(const char **text, uint64_t *number)
{
	int base = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X') ? 16 : 10;
	char *end;

	if (!isdigit((unsigned char)**text))
		return -1;
	errno = 0;
	*number = strtoull(*text, &end, base);
	*text = end;
	return errno ? -1 : 0;
}

/* "17-20", in pages, or "0x7000+4096", in bytes */
static int range_parse(const char *kind, const char *text, struct place_line *line)
{
	uint64_t first, second;

	if (number_take(&text, &first) < 0)
		return -1;
	if (!strcmp(kind, "pages")) {
		second = first;
		if (*text == '-' && (text++, number_take(&text, &second) < 0))
			return -1;
		if (*text || first > second || second > PLACE_PAGE_MAX)
			return -1;
		line->start = first * SMILE_PAGE_BYTES;
		line->bytes = (second - first + 1) * SMILE_PAGE_BYTES;
		return 0;
	}
	if (strcmp(kind, "bytes") || *text++ != '+' || number_take(&text, &second) < 0 || *text)
		return -1;
	line->start = first;
	line->bytes = second;
	return second && first < 1ULL << SMILE_ADDRESS_BITS &&
			       second <= (1ULL << SMILE_ADDRESS_BITS) - first
		       ? 0
		       : -1;
}

/* Return: 1; 0 if there is nothing in it; -1 if it makes no sense. */
static int line_parse(char *text, struct place_line *line)
{
	static const char blanks[] = " \t\r\n";
	char *rest, *kind, *range, *word, *node;
	const char *at;

	text[strcspn(text, "#")] = '\0';
	kind = strtok_r(text, blanks, &rest);
	if (!kind)
		return 0;
	range = strtok_r(NULL, blanks, &rest);
	word = strtok_r(NULL, blanks, &rest);
	node = strtok_r(NULL, blanks, &rest);
	if (!node || strtok_r(NULL, blanks, &rest) || strcmp(word, "node"))
		return -1;
	at = node;
	if (number_take(&at, &line->node) < 0 || *at)
		return -1;
	return range_parse(kind, range, line) < 0 ? -1 : 1;
}

static int line_apply(const char *file, size_t number, const struct place_line *line,
		      struct machine *machine)
{
	if (line->node >= machine_nodes(machine))
		return run_error(-EINVAL,
				 "%s: line %zu: there is no node %" PRIu64 ": the machine has %u, "
				 "see --nodes",
				 file, number, line->node, machine_nodes(machine));
	if (machine_place(machine, line->start, line->bytes, (unsigned)line->node, PLACEMENT_USER) <
	    0)
		return run_error(-ENOMEM, "%s: line %zu: no memory for it", file, number);
	return 0;
}

int run_place_apply(const char *file, struct machine *machine)
{
	FILE *in = fopen(file, "re");
	char *text = NULL;
	size_t room = 0;
	int status = 0;

	if (!in)
		return run_error(-errno, "the placement file %s: %s", file, strerror(errno));
	for (size_t number = 1; !status && getline(&text, &room, in) >= 0; number++) {
		struct place_line line;
		int parsed = line_parse(text, &line);

		if (parsed < 0)
			status = run_error(
				-EINVAL,
				"%s: line %zu is neither \"pages FIRST[-LAST] node N\" nor \"bytes "
				"ADDRESS+COUNT node N\"",
				file, number);
		else if (parsed)
			status = line_apply(file, number, &line, machine);
	}
	if (!status && ferror(in))
		status = run_error(-EIO, "the placement file %s: %s", file, strerror(errno));
	free(text);
	fclose(in);
	return status;
}
