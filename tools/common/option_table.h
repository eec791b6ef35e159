/* SPDX-License-Identifier: MIT */
/*
 * Option table: the options of a command. Each line of the table describes an option and the
 * variable that it sets.
 *
 * What lives here: the macros that make the lines, and the loop that parses a command line. Lines
 * that several commands share are in a separate table, called a group. May use bit_names.h, and
 * option_form.h, which remembers the names of the given options.
 */
#ifndef TOOLS_COMMON_OPTION_TABLE_H
#define TOOLS_COMMON_OPTION_TABLE_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

struct bit_name;

enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_NOTED,
	OPTION_KIND_INT,
	OPTION_KIND_BOOL,
	OPTION_KIND_BITS,
	OPTION_KIND_TEXT,
	OPTION_KIND_INPUT,
	OPTION_KIND_OUTPUT,
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

/* Parse the argument of an option. Return: TOOL_OK; TOOL_ERROR after a message. */
typedef int option_take(void *to, const char *text);

/* Called for each option of a group after the option was parsed. Return: as option_take(). */
typedef int option_note(void *to, const char *name, const char *text);

/**
 * struct tool_option - A line of an option table.
 * @name: long name of the option
 * @letter: short name of the option, or 0
 * @kind: kind of the option; for the kind of a group, @group has the lines
 * @to: the variable that the option sets, or the argument of @take. In a group, the offset of this
 *      variable in the object that the group sets
 * @min: smallest allowed number; for a flag, a switch or words, the bits
 * @max: largest allowed number
 * @take: parses an argument of any other kind
 * @on: the first of two words; for a switch, the word that sets the bits
 * @off: the second word; for a switch, the word that clears the bits
 * @bit_names: the words that a list may contain
 * @group: the lines of a group; @to is then the object that they set
 * @note: for a group, called for each given option of the group; NULL: not called
 * @listener: passed to @note
 * @help: the text for --help; NULL: the function @print prints the text
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
	const struct bit_name *bit_names;
	const struct tool_option *group;
	option_note *note;
	void *listener;
	const char *const *help;
	void (*print)(void);
};

/* clang-format off */
/* An option without an argument that sets an int or a bool to 1. */
#define OPTION_FLAG(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), int *: OPTION_KIND_INT, bool *: OPTION_KIND_BOOL) }
/* An option without an argument that sets bits of a uint32_t. */
#define OPTION_BITS(called, bits, variable)                                                        \
	{ .name = called, .to = variable, .min = bits,                                             \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_BITS) }
/*
 * An option without an argument that sets no variable; option_given() returns whether it was given.
 */
#define OPTION_NOTED(called, short_name)                                                           \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_NOTED }
/* An option whose argument is a text that is not empty. */
#define OPTION_TEXT(called, short_name, variable)                                                  \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_TEXT) }
/* An option whose argument is one of two words. */
/*
 * Options whose argument is the name of a file that the command reads, and that it writes. A
 * command line on which a written file is also another file is refused: see
 * tools/common/option_files.h.
 */
#define OPTION_INPUT(called, short_name, variable)                                                 \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_INPUT) }
#define OPTION_OUTPUT(called, short_name, variable)                                                \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), const char **: OPTION_KIND_OUTPUT) }
#define OPTION_WORD(called, first, second, variable)                                               \
	{ .name = called, .to = variable, .on = first, .off = second,                              \
	  .kind = _Generic((variable), const char **: OPTION_KIND_WORD) }
/*
 * An option whose argument is an integer from @least to @most. The option sets a uint32_t, a
 * uint64_t or an int64_t.
 */
#define OPTION_NUMBER(called, short_name, least, most, variable)                                   \
	{ .name = called, .letter = short_name, .to = variable, .min = least, .max = most,         \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_U32, uint64_t *: OPTION_KIND_U64,   \
			   int64_t *: OPTION_KIND_U64) }
/* An option whose argument is a time. The option sets a uint64_t in nanoseconds. */
#define OPTION_SECONDS(called, short_name, variable)                                               \
	{ .name = called, .letter = short_name, .to = variable,                                    \
	  .kind = _Generic((variable), uint64_t *: OPTION_KIND_SECONDS) }
/* An option whose argument is a period. The option sets a uint32_t in microseconds. */
#define OPTION_PERIOD(called, variable)                                                            \
	{ .name = called, .to = variable,                                                          \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_PERIOD) }
/* An option whose argument is one of two words, which sets or clears bits of a uint32_t. */
#define OPTION_SWITCH(called, set, clear, bits, variable)                                          \
	{ .name = called, .to = variable, .min = bits, .on = set, .off = clear,                    \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_SWITCH) }
/* An option whose argument is a list of words. Each word sets some bits of a uint32_t. */
#define OPTION_BIT_NAMES(called, known, bits, variable)                                            \
	{ .name = called, .to = variable, .min = bits, .bit_names = known,                         \
	  .kind = _Generic((variable), uint32_t *: OPTION_KIND_WORDS) }
/* An option with any other argument. @function parses the argument for @object. */
#define OPTION_TAKE(called, short_name, function, object)                                          \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE, .take = function,        \
	  .to = object }
/* Like OPTION_TAKE(), but the argument is optional. If it is missing, @function receives NULL. */
#define OPTION_TAKE_ANY(called, short_name, function, object)                                      \
	{ .name = called, .letter = short_name, .kind = OPTION_KIND_TAKE_ANY, .take = function,    \
	  .to = object }
/*
 * The lines of another table, which set @object. @told is called with @whom for each given option.
 */
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

/* Parse the argument of --color. */
int option_color_take(void *unused, const char *text);

/**
 * option_table_parse() - Parse the options of a command line. Afterwards optind is the index of the
 * first argument that is not an option.
 * @first: "+" if the first argument of the command ends the options of this command; "" if options
 *         may follow the first argument
 * @options: the table, ended by OPTION_END
 * @status: receives the command's exit status if the command does not continue: after --help, or
 *          after the message of an error
 *
 * Return: true if the command continues; false if it ends with @status.
 */
bool option_table_parse(int argc, char **argv, const char *first, const struct tool_option *options,
			int *status);

/**
 * option_table_walk() - Pass each option of a command line to a function, without setting any
 * variable.
 * @first: as in option_table_parse()
 * @options: as in option_table_parse()
 * @told: called for each option
 * @whom: passed to @told
 *
 * Afterwards optind is the index of the first argument that is not an option. Return: 0; -1 after
 * an unknown option, or if @told has failed.
 */
int option_table_walk(int argc, char **argv, const char *first, const struct tool_option *options,
		      option_note *told, void *whom);

#endif /* TOOLS_COMMON_OPTION_TABLE_H */
