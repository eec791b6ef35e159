/* SPDX-License-Identifier: MIT */
/*
 * Option table: the options of a command, each in one line with the variable that it sets.
 *
 * What lives here: the macros that make the lines, and the loop that takes in a command line. May
 * use option_form.h, which remembers what was given.
 */
#ifndef TOOLS_COMMON_OPTION_TABLE_H
#define TOOLS_COMMON_OPTION_TABLE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_NOTED,
	OPTION_KIND_INT,
	OPTION_KIND_BOOL,
	OPTION_KIND_TEXT,
	OPTION_KIND_U32,
	OPTION_KIND_U64,
	OPTION_KIND_SECONDS,
	OPTION_KIND_TAKE,
	OPTION_KIND_TAKE_ANY,
	OPTION_KIND_GROUP,
	OPTION_KIND_HELP,
};

/* Take in the argument of an option. Return: TOOL_OK; TOOL_ERROR after a message. */
typedef int option_take(void *to, const char *text);

/* Take in an option of a group. Return: 1 if it is one of them, 0 if not, -1 after a message. */
typedef int option_group_take(void *to, int code, const char *text);

/**
 * struct tool_option - A line of the table.
 * @name: long name
 * @letter: short name, or 0
 * @kind: what it does; of a group, the rest is in @group
 * @to: the variable that it sets, or what @take and @group_take are given
 * @min: least number
 * @max: largest
 * @take: takes in an argument that is neither text nor a number
 * @group: options of getopt_long() with codes of their own
 * @group_take: takes them in
 * @help: the text for --help
 */
struct tool_option {
	const char *name;
	char letter;
	enum option_kind kind;
	void *to;
	uint64_t min;
	uint64_t max;
	option_take *take;
	const struct option *group;
	option_group_take *group_take;
	const char *const *help;
};

/* clang-format off */
/* Without an argument; sets an int or a bool to 1. */
#define OPTION_FLAG(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), int *: OPTION_KIND_INT, bool *: OPTION_KIND_BOOL) }
/* Without an argument; option_given() says whether it was given. */
#define OPTION_NOTED(called, short_name)                                                           \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_NOTED }
#define OPTION_TEXT(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_TEXT) }
/* A whole number from @least to @most, to a uint32_t or a uint64_t. */
#define OPTION_NUMBER(called, short_name, least, most, variable)                                   \
	{ .name = called, .letter = short_name, .to = variable, .min = least, .max = most,         \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_U32, uint64_t *: OPTION_KIND_U64) }
/* A time, to a uint64_t in nanoseconds. */
#define OPTION_SECONDS(called, short_name, variable)                                               \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), uint64_t *: OPTION_KIND_SECONDS) }
/* Any other argument: @function gets @object. */
#define OPTION_TAKE(called, short_name, function, object)                                          \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE, .take = function,        \
	  .to = object }
/* The same; @function gets NULL if there is no argument. */
#define OPTION_TAKE_ANY(called, short_name, function, object)                                      \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE_ANY, .take = function,    \
	  .to = object }
/* Options with codes of their own. */
#define OPTION_GROUP(options, function, object)                                                    \
	{ .name = "", .kind = OPTION_KIND_GROUP, .group = options, .group_take = function,         \
	  .to = object }
#define OPTION_COLOR OPTION_TAKE("color", 0, option_color_take, NULL)
#define OPTION_HELP(lines)                                                                         \
	{ .name = "help", .letter = 'h', .kind = OPTION_KIND_HELP, .help = lines }
#define OPTION_END { .kind = OPTION_KIND_END }
/* clang-format on */

/* --color */
int option_color_take(void *unused, const char *text);

/**
 * option_table_parse() - Take in the options of a command line; optind is then the first argument.
 * @first: "+" if what follows the first argument is no option of this command; "" if it may be one
 * @options: the table, with OPTION_END last
 * @status: receives the command's exit status: of --help, or of an error after its message
 *
 * Return: whether the command goes on.
 */
bool option_table_parse(int argc, char **argv, const char *first, const struct tool_option *options,
			int *status);

#endif /* TOOLS_COMMON_OPTION_TABLE_H */
