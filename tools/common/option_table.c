// SPDX-License-Identifier: MIT
/*
 * Option table: see tools/common/option_table.h. The table is converted into a table for
 * getopt_long().
 */
#include "tools/common/option_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/option_files.h"
#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"
#include "tools/common/bit_names.h"

#define OPTIONS_MAX 63
/* The number of operands that are compared with the files that a command writes. */
#define OPERANDS_MAX 1024
/* The first code that getopt_long() returns for options without a letter. */
#define CODE_FIRST 0x100

/**
 * struct line - An option of the table or of one of the table's groups.
 * @option: the option
 * @group: the innermost group that contains the option and has a @note; NULL: none
 * @base: address of the object that the lines of the group set; 0: the option is in no group
 */
struct line {
	const struct tool_option *option;
	const struct tool_option *group;
	uintptr_t base;
};

static struct line lines[OPTIONS_MAX];
static struct option table[OPTIONS_MAX + 1];
static char letters[3 * OPTIONS_MAX + 2];

int option_color_take(void *unused, const char *text)
{
	(void)unused;
	return output_color_parse(text);
}

static int has_argument(const struct tool_option *option)
{
	if (option->kind == OPTION_KIND_TAKE_ANY)
		return optional_argument;
	return option->kind >= OPTION_KIND_TEXT && option->kind <= OPTION_KIND_TAKE
		       ? required_argument
		       : no_argument;
}

/*
 * Add the lines of a group; if the group is NULL, add the lines of the table. Return: the new
 * number of lines.
 */
static size_t lines_add(size_t count, const struct tool_option *options,
			const struct tool_option *group, uintptr_t base)
{
	static const char *const marks[] = {"", ":", "::"};

	for (const struct tool_option *option = options; option->kind != OPTION_KIND_END;
	     option++) {
		int code = option->letter ? option->letter : CODE_FIRST + (int)count;

		if (option->kind == OPTION_KIND_GROUP) {
			count = lines_add(count, option->group, option->note ? option : group,
					  base + (uintptr_t)option->to);
			continue;
		}
		assert(count < OPTIONS_MAX);
		lines[count] = (struct line){option, group, base};
		table[count] = (struct option){option->name, has_argument(option), NULL, code};
		if (option->letter)
			sprintf(letters + strlen(letters), "%c%s", option->letter,
				marks[has_argument(option)]);
		count++;
	}
	return count;
}

static void table_make(const char *first, const struct tool_option *options)
{
	snprintf(letters, sizeof(letters), "%s", first);
	table[lines_add(0, options, NULL, 0)] = (struct option){0};
}

static int word_take(const struct tool_option *option, void *to, const char *text)
{
	bool on = !strcmp(text, option->on);
	uint32_t *bits = to;

	if (!on && strcmp(text, option->off) != 0)
		return tool_usage("--%s: '%s' is neither %s nor %s", option->name, text, option->on,
				  option->off);
	if (option->kind == OPTION_KIND_WORD)
		*(const char **)to = text;
	else
		*bits = (*bits & ~(uint32_t)option->min) | (on ? (uint32_t)option->min : 0);
	return TOOL_OK;
}

static int number_take(const struct tool_option *option, void *to, const char *text)
{
	uint64_t number;
	char what[64];
	int result;

	snprintf(what, sizeof(what), "--%s", option->name);
	if (option->kind == OPTION_KIND_PERIOD)
		return tool_period(what, text, to) ? TOOL_ERROR : TOOL_OK;
	if (option->kind == OPTION_KIND_WORDS)
		return bit_names_parse(what, text, ',', option->bit_names, (uint32_t)option->min,
				       to) < 0
			       ? TOOL_ERROR
			       : TOOL_OK;
	if (option->kind == OPTION_KIND_SECONDS)
		result = tool_seconds(what, text, &number);
	else
		result = tool_number(what, text, option->min, option->max, &number);
	if (result < 0)
		return TOOL_ERROR;
	if (option->kind == OPTION_KIND_U32)
		*(uint32_t *)to = (uint32_t)number;
	else
		*(uint64_t *)to = number;
	return TOOL_OK;
}

static int option_take_in(const struct tool_option *option, void *to, const char *text)
{
	switch (option->kind) {
	case OPTION_KIND_INT:
		*(int *)to = 1;
		return TOOL_OK;
	case OPTION_KIND_BOOL:
		*(bool *)to = true;
		return TOOL_OK;
	case OPTION_KIND_BITS:
		*(uint32_t *)to |= (uint32_t)option->min;
		return TOOL_OK;
	case OPTION_KIND_TEXT:
	case OPTION_KIND_INPUT:
	case OPTION_KIND_OUTPUT:
		if (!*text)
			return tool_usage("--%s: the argument is empty", option->name);
		*(const char **)to = text;
		return TOOL_OK;
	case OPTION_KIND_U32:
	case OPTION_KIND_U64:
	case OPTION_KIND_SECONDS:
	case OPTION_KIND_PERIOD:
	case OPTION_KIND_WORDS:
		return number_take(option, to, text);
	case OPTION_KIND_WORD:
	case OPTION_KIND_SWITCH:
		return word_take(option, to, text);
	case OPTION_KIND_TAKE:
	case OPTION_KIND_TAKE_ANY:
		return option->take(to, text);
	default:
		return TOOL_OK;
	}
}

static const struct line *line_find(int code)
{
	for (size_t i = 0; table[i].name; i++)
		if (table[i].val == code)
			return &lines[i];
	return NULL;
}

static int line_take(const struct line *line, const char *text)
{
	const struct tool_option *option = line->option, *group = line->group;
	int status = option_take_in(option, (void *)(line->base + (uintptr_t)option->to), text);

	if (status == TOOL_OK && group)
		status = group->note(group->listener, option->name, text);
	return status;
}

static void help_print(const struct tool_option *option)
{
	if (option->help)
		tool_help(option->help);
	else
		option->print();
}

/*
 * Check the files of the options and of the operands. If the table is parsed up to the first
 * operand, this operand is a program, whose arguments are not checked.
 */
static int files_check(int argc, char **argv, const char *first)
{
	struct option_file files[OPTIONS_MAX + OPERANDS_MAX];
	size_t count = 0;

	for (size_t i = 0; table[i].name; i++) {
		const struct tool_option *option = lines[i].option;
		bool written = option->kind == OPTION_KIND_OUTPUT;
		const char *const *name = (void *)(lines[i].base + (uintptr_t)option->to);

		if ((written || option->kind == OPTION_KIND_INPUT) && *name)
			files[count++] = (struct option_file){option->name, *name, written};
	}
	for (int i = optind; *first != '+' && i < argc && i < optind + OPERANDS_MAX; i++)
		files[count++] = (struct option_file){NULL, argv[i], false};
	return option_files_check(files, count);
}

bool option_table_parse(int argc, char **argv, const char *first, const struct tool_option *options,
			int *status)
{
	int code;

	*status = TOOL_OK;
	table_make(first, options);
	while (*status == TOOL_OK && (code = option_next(argc, argv, letters, table)) != -1) {
		const struct line *line = line_find(code);

		if (line && line->option->kind == OPTION_KIND_HELP) {
			help_print(line->option);
			return false;
		}
		*status = line ? line_take(line, optarg) : tool_unknown_option();
	}
	if (*status == TOOL_OK)
		*status = files_check(argc, argv, first);
	return *status == TOOL_OK;
}

int option_table_walk(int argc, char **argv, const char *first, const struct tool_option *options,
		      option_note *told, void *whom)
{
	int code;

	table_make(first, options);
	/*
	 * Reset getopt_long(), because it may have parsed other arguments in this process before.
	 */
	optind = 0;
	opterr = 0;
	while ((code = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		const struct line *line = line_find(code);

		if (!line || told(whom, line->option->name, optarg))
			return -1;
	}
	return 0;
}
