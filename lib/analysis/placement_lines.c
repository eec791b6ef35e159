// SPDX-License-Identifier: MIT
/*
 * Placement lines. See lib/analysis/placement_lines.h. May use libc and the public API.
 */
#include "lib/analysis/placement_lines.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "lib/analysis/csv_cells.h"

#define PLACE_PAGE_MAX ((1ULL << SMILE_ADDRESS_BITS) / SMILE_PAGE_BYTES - 1)
#define WORDS_MAX 7

/**
 * struct words - The words of a line.
 * @list: the words, shape [@count]; further elements are NULL
 * @count: number of words
 */
struct words {
	char *list[WORDS_MAX + 1];
	size_t count;
};

/*
 * The form of a region's line, for each kind of region. In a form, a letter stands for a word of
 * the line: "n" for NTH, "p" for PATH, "l" for LINK, "N" for NAME, and "k" for private or shared.
 */
static const struct region_form {
	const char *word;
	enum placement_region_kind kind;
	const char *fields;
	size_t optional;
} region_forms[] = {
	{"data", PLACEMENT_DATA, "pl", 0},	  {"variable", PLACEMENT_VARIABLE, "plN", 0},
	{"block", PLACEMENT_BLOCK, "nplN", 1},	  {"named", PLACEMENT_NAMED, "nN", 0},
	{"mapping", PLACEMENT_PRIVATE, "nkp", 1},
};

/*
 * Read a number, and advance *@text to the text after it. Return: 0; -1 if @text does not begin
 * with a number.
 */
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

/* Parse a word that must be a number. */
static int number_parse(const char *word, uint64_t *number)
{
	return number_take(&word, number) < 0 || *word ? -1 : 0;
}

/* Parse a range of pages: "17-20". */
static int pages_parse(const char *text, struct placement_line *line)
{
	uint64_t first, last;

	if (number_take(&text, &first) < 0)
		return -1;
	last = first;
	if (*text == '-' && (text++, number_take(&text, &last) < 0))
		return -1;
	if (*text || first > last || last > PLACE_PAGE_MAX)
		return -1;
	line->start = first * SMILE_PAGE_BYTES;
	line->bytes = (last - first + 1) * SMILE_PAGE_BYTES;
	return 0;
}

/* Parse a range of bytes: "0x7000+4096". */
static int bytes_parse(const char *text, struct placement_line *line)
{
	uint64_t start, bytes;

	if (number_take(&text, &start) < 0 || *text++ != '+' || number_take(&text, &bytes) < 0 ||
	    *text)
		return -1;
	line->start = start;
	line->bytes = bytes;
	return bytes && start < 1ULL << SMILE_ADDRESS_BITS &&
			       bytes <= (1ULL << SMILE_ADDRESS_BITS) - start
		       ? 0
		       : -1;
}

/* Replace each %XX by the byte that it stands for, in place. Return: 0; -1 for an invalid %XX. */
static int word_decode(char *word)
{
	char *to = word;

	for (; *word; word++) {
		char digits[3] = {0};

		if (*word != '%') {
			*to++ = *word;
			continue;
		}
		if (!isxdigit((unsigned char)word[1]) || !isxdigit((unsigned char)word[2]))
			return -1;
		memcpy(digits, word + 1, 2);
		*to++ = (char)strtoul(digits, NULL, 16);
		word += 2;
		if (!to[-1])
			return -1;
	}
	*to = '\0';
	return 0;
}

static int field_parse(char field, char *word, struct placement_line *line)
{
	switch (field) {
	case 'n':
		return number_parse(word, &line->nth);
	case 'l':
		return number_parse(word, &line->link);
	case 'k':
		line->region = strcmp(word, "shared") ? PLACEMENT_PRIVATE : PLACEMENT_SHARED;
		return line->region == PLACEMENT_SHARED || !strcmp(word, "private") ? 0 : -1;
	case 'p':
		line->path = word;
		return word_decode(word);
	default:
		line->name = word;
		return word_decode(word);
	}
}

static int region_parse(const struct words *words, struct placement_line *line)
{
	line->kind = PLACEMENT_LINE_REGION;
	if (words->count < 3 || bytes_parse(words->list[1], line) < 0)
		return -1;
	for (size_t i = 0; i < sizeof(region_forms) / sizeof(region_forms[0]); i++) {
		const struct region_form *form = &region_forms[i];
		size_t given = words->count - 3, fields = strlen(form->fields);

		if (strcmp(words->list[2], form->word))
			continue;
		if (given > fields || given + form->optional < fields)
			return -1;
		line->region = form->kind;
		for (size_t field = 0; field < given; field++)
			if (field_parse(form->fields[field], words->list[3 + field], line) < 0)
				return -1;
		return 0;
	}
	return -1;
}

static int place_parse(const struct words *words, struct placement_line *line)
{
	line->kind = PLACEMENT_LINE_PLACE;
	line->own = words->count == 5 && !strcmp(words->list[4], "own");
	line->file = words->count == 5 && !strcmp(words->list[4], "file");
	if (words->count != 4U + (size_t)(line->own || line->file) ||
	    strcmp(words->list[2], "node") || number_parse(words->list[3], &line->node) < 0)
		return -1;
	return strcmp(words->list[0], "pages") ? bytes_parse(words->list[1], line)
					       : pages_parse(words->list[1], line);
}

static int program_parse(const struct words *words, struct placement_line *line)
{
	line->kind = PLACEMENT_LINE_PROGRAM;
	line->path = words->list[1];
	line->name = words->count == 3 ? words->list[2] : "";
	return words->count > 1 && words->count < 4 && !word_decode(words->list[1]) &&
			       (words->count == 2 || !word_decode(words->list[2]))
		       ? 0
		       : -1;
}

static int object_parse(const struct words *words, struct placement_line *line)
{
	line->kind = PLACEMENT_LINE_OBJECT;
	line->path = words->list[1];
	line->name = words->list[2];
	return words->count == 3 && !word_decode(words->list[1]) && !word_decode(words->list[2])
		       ? 0
		       : -1;
}

/* Parse a list of numbers: "0,3,1". Return: the length of the list; 0 if the text is invalid. */
static size_t list_parse(const char *text, uint32_t *numbers)
{
	uint64_t number;
	size_t count = 0;

	for (;;) {
		if (number_take(&text, &number) < 0 || number >= PLACEMENT_THREADS_MAX)
			return 0;
		numbers[count++] = (uint32_t)number;
		if (*text++ != ',')
			return text[-1] ? 0 : count;
	}
}

static int order_parse(const struct words *words, struct placement_line *line)
{
	uint32_t *threads;

	line->kind = PLACEMENT_LINE_ORDER;
	if (words->count != 4 || strcmp(words->list[2], "threads") ||
	    number_parse(words->list[1], &line->start) < 0 || line->start >= PLACEMENT_LOCK_END)
		return -1;
	threads = calloc(strlen(words->list[3]) + 1, sizeof(*threads));
	if (!threads)
		return -1;
	line->thread_count = list_parse(words->list[3], threads);
	line->threads = threads;
	return line->thread_count ? 0 : -1;
}

static int default_parse(const struct words *words, struct placement_line *line)
{
	line->kind = PLACEMENT_LINE_DEFAULT;
	return words->count == 2 && !strcmp(words->list[1], PLACEMENT_FIRST_TOUCH) ? 0 : -1;
}

/* Parse a line. Return: 1; 0 if the line is empty; -1 after an error, with a message. */
static int line_parse(const char *file, char *text, struct placement_line *line)
{
	static const char blanks[] = " \t\r\n";
	struct words words = {0};
	char *rest = NULL, *word;

	text[strcspn(text, "#")] = '\0';
	for (word = strtok_r(text, blanks, &rest); word && words.count < WORDS_MAX;
	     word = strtok_r(NULL, blanks, &rest))
		words.list[words.count++] = word;
	if (!words.count)
		return 0;
	if (!strcmp(words.list[0], "order") && !word && !order_parse(&words, line))
		return 1;
	if (!strcmp(words.list[0], "default") && !word && !default_parse(&words, line))
		return 1;
	if (!word && (!strcmp(words.list[0], "pages") || !strcmp(words.list[0], "bytes")) &&
	    !place_parse(&words, line))
		return 1;
	if (!strcmp(words.list[0], "region")) {
		if (!word && !region_parse(&words, line))
			return 1;
		Monitor_error_set(
			EINVAL,
			"%s: line %zu: a region is START+BYTES and data, variable, block, named "
			"or mapping, as smile-place(1) has them",
			file, line->number);
		return -1;
	}
	if (!strcmp(words.list[0], "program")) {
		if (!word && !program_parse(&words, line))
			return 1;
		Monitor_error_set(EINVAL, "%s: line %zu is not \"program PATH [ARGUMENTS]\"", file,
				  line->number);
		return -1;
	}
	if (!strcmp(words.list[0], "object")) {
		if (!word && !object_parse(&words, line))
			return 1;
		Monitor_error_set(EINVAL, "%s: line %zu is not \"object PATH BUILD\"", file,
				  line->number);
		return -1;
	}
	Monitor_error_set(
		EINVAL,
		"%s: line %zu is none of \"pages FIRST[-LAST] node N [own|file]\", "
		"\"bytes ADDRESS+COUNT node N [own|file]\", \"order ADDRESS threads T,T,...\" and "
		"\"default first-touch\"",
		file, line->number);
	return -1;
}

int placement_lines_read(const char *file, placement_line_fn *take, void *opaque)
{
	FILE *in = fopen(file, "re");
	char *text = NULL;
	size_t room = 0;
	int status = 0;

	if (!in)
		return Monitor_error_set(errno, "the placement file %s: %s", file, strerror(errno));
	for (size_t number = 1; !status && getline(&text, &room, in) >= 0; number++) {
		struct placement_line line = {.number = number, .path = "", .name = ""};
		int parsed;

		if (number == 1)
			text_mark_cut(text);
		parsed = line_parse(file, text, &line);

		if (parsed < 0)
			status = -EINVAL;
		else if (parsed)
			status = take(opaque, &line);
		free((uint32_t *)line.threads);
	}
	if (!status && ferror(in))
		status = Monitor_error_set(EIO, "the placement file %s: %s", file, strerror(errno));
	free(text);
	fclose(in);
	return status;
}
