/* SPDX-License-Identifier: MIT */
/*
 * Option table: the options of a command, each in one line with the variable that it sets.
 *
 * What lives here: the macros that make the lines, and the loop that takes in a command line. Lines
 * that several commands share are in a separate table, a group. May use words.h, and option_form.h,
 * which keeps the names of the given options.
 */
#ifndef TOOLS_COMMON_OPTION_TABLE_H
#define TOOLS_COMMON_OPTION_TABLE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

struct word;

enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_NOTED,
	OPTION_KIND_INT,
	OPTION_KIND_BOOL,
	OPTION_KIND_BITS,
	OPTION_KIND_TEXT,
	OPTION_KIND_NAME,
	OPTION_KIND_WORD,
	OPTION_KIND_U32,
	OPTION_KIND_U64,
	OPTION_KIND_SECONDS,
	OPTION_KIND_PERIOD,
	OPTION_KIND_SWITCH,
	OPTION_KIND_WORDS,
	OPTION_KIND_TAKE,
	OPTION_KIND_TAKE_ANY,
	OPTION_KIND_GROUP,
	OPTION_KIND_HELP,
};

/* Take in the argument of an option. Return: TOOL_OK; TOOL_ERROR after a message. */
typedef int option_take(void *to, const char *text);

/* Is called for each option of a group that was taken in. Return: as option_take(). */
typedef int option_note(void *to, const char *name, const char *text);

/**
 * struct tool_option - A line of the table.
 * @name: long name
 * @letter: short name, or 0
 * @kind: the kind of the option; a group has its lines in @group
 * @to: the variable that it sets, or the argument of @take. In a group, as if the object that the
 *	group sets lay at address 0
 * @min: least number; or the bits of a flag, a switch or words
 * @max: largest number
 * @take: takes in an argument of another kind
 * @on: the first of two words; of a switch, it sets the bits
 * @off: the second word; of a switch, it clears the bits
 * @words: the words
 * @group: the lines of a group; @to is the object that they set
 * @note: of a group: called for each given option of the group; NULL: none
 * @listener: the argument of @note
 * @help: the text for --help; NULL: @print prints it
 */
struct tool_option {
	const char *name;
	char letter;
	enum option_kind kind;
	void *to;
	uint64_t min;
	uint64_t max;
	option_take *take;
	const char *on;
	const char *off;
	const struct word *words;
	const struct tool_option *group;
	option_note *note;
	void *listener;
	const char *const *help;
	void (*print)(void);
};

/* clang-format off */
/* Without an argument; sets an int or a bool to 1. */
#define OPTION_FLAG(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), int *: OPTION_KIND_INT, bool *: OPTION_KIND_BOOL) }
/* Without an argument; sets bits of a uint32_t. */
#define OPTION_BITS(called, bits, variable)                                                        \
	{ .name = called, .to = variable, .min = bits,                                             \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_BITS) }
/* Without an argument; option_given() returns whether it was given. */
#define OPTION_NOTED(called, short_name)                                                           \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_NOTED }
#define OPTION_TEXT(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_TEXT) }
/* Text that is not empty. */
#define OPTION_NAME(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_NAME) }
/* One of two words. */
#define OPTION_WORD(called, first, second, variable)                                               \
	{ .name = called, .to = variable, .on = first, .off = second,                              \
	  .kind = _Generic((variable), const char **: OPTION_KIND_WORD) }
/* A whole number from @least to @most; sets a uint32_t, a uint64_t or an int64_t. */
#define OPTION_NUMBER(called, short_name, least, most, variable)                                   \
	{ .name = called, .letter = short_name, .to = variable, .min = least, .max = most,         \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_U32, uint64_t *: OPTION_KIND_U64,   \
			   int64_t *: OPTION_KIND_U64) }
/* A time; sets a uint64_t in nanoseconds. */
#define OPTION_SECONDS(called, short_name, variable)                                               \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), uint64_t *: OPTION_KIND_SECONDS) }
/* A period; sets a uint32_t in microseconds. */
#define OPTION_PERIOD(called, variable)                                                            \
	{ .name = called, .to = variable,                                                          \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_PERIOD) }
/* One of two words: bits of a uint32_t are set or cleared. */
#define OPTION_SWITCH(called, set, clear, bits, variable)                                          \
	{ .name = called, .to = variable, .min = bits, .on = set, .off = clear,                    \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_SWITCH) }
/* A list of words, each of which sets some of the bits of a uint32_t. */
#define OPTION_WORDS(called, known, bits, variable)                                                \
	{ .name = called, .to = variable, .min = bits, .words = known,                             \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_WORDS) }
/* Any other argument: @function gets @object. */
#define OPTION_TAKE(called, short_name, function, object)                                          \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE, .take = function,        \
	  .to = object }
/* Like OPTION_TAKE(), but the argument is optional: without one, @function gets NULL. */
#define OPTION_TAKE_ANY(called, short_name, function, object)                                      \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE_ANY, .take = function,    \
	  .to = object }
/* The lines of another table, for @object; @told is called for each given option, with @whom. */
#define OPTION_GROUP(lines, object)                                                                \
	{ .name = "", .kind = OPTION_KIND_GROUP, .group = lines, .to = object }
#define OPTION_GROUP_NOTED(lines, object, told, whom)                                              \
	{ .name = "", .kind = OPTION_KIND_GROUP, .group = lines, .to = object, .note = told,       \
	  .listener = whom }
#define OPTION_COLOR OPTION_TAKE("color", 0, option_color_take, NULL)
#define OPTION_HELP(lines)                                                                         \
	{ .name = "help", .letter = 'h', .kind = OPTION_KIND_HELP, .help = lines }
#define OPTION_HELP_BY(function)                                                                   \
	{ .name = "help", .letter = 'h', .kind = OPTION_KIND_HELP, .print = function }
#define OPTION_END { .kind = OPTION_KIND_END }
/* clang-format on */

/* --color */
int option_color_take(void *unused, const char *text);

/**
 * option_table_parse() - Take in the options of a command line; optind is then the first argument.
 * @first: "+" if no options of this command follow the first argument; "" if they may follow it
 * @options: the table, with OPTION_END last
 * @status: receives the command's exit status: of --help, or of an error after its message
 *
 * Return: whether the command continues.
 */
bool option_table_parse(int argc, char **argv, const char *first, const struct tool_option *options,
			int *status);

/**
 * option_table_walk() - Report the options of a command line, and take in none.
 * @first: as in option_table_parse()
 * @options: as in option_table_parse()
 * @told: is called for each option
 * @whom: its argument
 *
 * optind is then the first argument. Return: 0; -1 after an unknown option, or if @told fails.
 */
int option_table_walk(int argc, char **argv, const char *first, const struct tool_option *options,
		      option_note *told, void *whom);

#endif /* TOOLS_COMMON_OPTION_TABLE_H */
