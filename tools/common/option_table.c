// SPDX-License-Identifier: MIT
/*
 * Option table: see tools/common/option_table.h. The table is turned into one for getopt_long().
 */
#include "tools/common/option_table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/option_form.h"
#include "tools/common/output.h"
#include "tools/common/tool.h"

#define OPTIONS_MAX 63
/* Codes of options without a letter, above those of all groups. */
#define CODE_FIRST 0x10000

static struct option table[OPTIONS_MAX + 1];
static char letters[3 * OPTIONS_MAX + 2];

int option_color_take(void *unused, const char *text)
{
	(void)unused;
	return output_color_parse(text);
}

static int code_of(const struct tool_option *options, size_t i)
{
	return options[i].letter ? options[i].letter : CODE_FIRST + (int)i;
}

static int has_argument(const struct tool_option *option)
{
	if (option->kind == OPTION_KIND_TAKE_ANY)
		return optional_argument;
	return option->kind >= OPTION_KIND_TEXT && option->kind <= OPTION_KIND_TAKE
		       ? required_argument
		       : no_argument;
}

static void table_make(const char *first, const struct tool_option *options)
{
	static const char *const marks[] = {"", ":", "::"};
	char *letter = letters + sprintf(letters, "%s", first);
	size_t count = 0;

	for (size_t i = 0; options[i].kind != OPTION_KIND_END; i++) {
		const struct tool_option *option = &options[i];
		int argument = has_argument(option);

		for (size_t j = 0; option->group && option->group[j].name; j++) {
			assert(count < OPTIONS_MAX);
			table[count++] = option->group[j];
		}
		if (option->group)
			continue;
		assert(count < OPTIONS_MAX);
		table[count++] = (struct option){option->name, argument, NULL, code_of(options, i)};
		if (option->letter)
			letter += sprintf(letter, "%c%s", option->letter, marks[argument]);
	}
	table[count] = (struct option){0};
}

static int number_take(const struct tool_option *option, const char *text)
{
	uint64_t number;
	char what[64];
	int result;

	snprintf(what, sizeof(what), "--%s", option->name);
	if (option->kind == OPTION_KIND_SECONDS)
		result = tool_seconds(what, text, &number);
	else
		result = tool_number(what, text, option->min, option->max, &number);
	if (result < 0)
		return TOOL_ERROR;
	if (option->kind == OPTION_KIND_U32)
		*(uint32_t *)option->to = (uint32_t)number;
	else
		*(uint64_t *)option->to = number;
	return TOOL_OK;
}

static int option_take_in(const struct tool_option *option, const char *text)
{
	switch (option->kind) {
	case OPTION_KIND_INT:
		*(int *)option->to = 1;
		return TOOL_OK;
	case OPTION_KIND_BOOL:
		*(bool *)option->to = true;
		return TOOL_OK;
	case OPTION_KIND_TEXT:
		*(const char **)option->to = text;
		return TOOL_OK;
	case OPTION_KIND_U32:
	case OPTION_KIND_U64:
	case OPTION_KIND_SECONDS:
		return number_take(option, text);
	case OPTION_KIND_TAKE:
	case OPTION_KIND_TAKE_ANY:
		return option->take(option->to, text);
	default:
		return TOOL_OK;
	}
}

/* The line of an option; a group takes in its own. NULL: @status is the result. */
static const struct tool_option *option_find(const struct tool_option *options, int code,
					     const char *text, int *status)
{
	for (size_t i = 0; options[i].kind != OPTION_KIND_END; i++) {
		int taken = 0;

		if (options[i].group)
			taken = options[i].group_take(options[i].to, code, text);
		else if (code == code_of(options, i))
			return &options[i];
		if (taken) {
			*status = taken < 0 ? TOOL_ERROR : TOOL_OK;
			return NULL;
		}
	}
	*status = tool_unknown_option();
	return NULL;
}

bool option_table_parse(int argc, char **argv, const char *first, const struct tool_option *options,
			int *status)
{
	int code;

	*status = TOOL_OK;
	table_make(first, options);
	while (*status == TOOL_OK && (code = option_next(argc, argv, letters, table)) != -1) {
		const struct tool_option *option = option_find(options, code, optarg, status);

		if (option && option->kind == OPTION_KIND_HELP) {
			tool_help(option->help);
			return false;
		}
		if (option)
			*status = option_take_in(option, optarg);
	}
	return *status == TOOL_OK;
}
