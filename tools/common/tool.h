/* SPDX-License-Identifier: MIT */
/*
 * smile: the subcommands, and helpers for all of them.
 *
 * What lives here: one declaration for each subcommand, exit statuses, messages, and parsing of
 * numbers. docs/architecture.md lists the rooms that a tool may include. Data is written to
 * standard output, everything else to standard error.
 */
#ifndef TOOLS_COMMON_TOOL_H
#define TOOLS_COMMON_TOOL_H

#include <stddef.h>
#include <stdint.h>

struct Monitor;

/* Exit statuses of every sub-command. */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FINDING = 1, /* a finding with which the command should fail, by the user's request */
	TOOL_ERROR = 2, /* usage, or an error */
};

/*
 * The sub-commands. argv[0] is the sub-command's name, so that getopt_long() can be used as in any
 * main(). Return: the exit status.
 */
int list_main(int argc, char **argv);
int cluster_main(int argc, char **argv);
int control_main(int argc, char **argv);
int doctor_main(int argc, char **argv);
int place_main(int argc, char **argv);
int record_main(int argc, char **argv);
int replay_main(int argc, char **argv);
int ring_main(int argc, char **argv);
int report_main(int argc, char **argv);
int advise_main(int argc, char **argv);
int diff_main(int argc, char **argv);
int dump_main(int argc, char **argv);
int run_main(int argc, char **argv);
int sample_main(int argc, char **argv);
int serve_main(int argc, char **argv);
int sim_main(int argc, char **argv);
int stat_main(int argc, char **argv);
int sweep_main(int argc, char **argv);
int top_main(int argc, char **argv);
int trace_main(int argc, char **argv);
int view_main(int argc, char **argv);

/**
 * tool_name() - The beginning of messages: "smile replay" while `smile replay` runs.
 */
const char *tool_name(void);

/**
 * tool_message() - Print a message on standard error, after "smile replay: "; the newline is added.
 */
void tool_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_error() - Like tool_message(), for an error that ends the sub-command.
 *
 * Return: TOOL_ERROR.
 */
int tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_result() - Convert the result of a library's function into an exit status.
 * @result: negative: Monitor_error_message() is printed
 *
 * Return: TOOL_OK; TOOL_ERROR if @result is negative.
 */
int tool_result(int result);

/**
 * tool_usage() - Like tool_error(), for an invalid command line; the message refers to --help.
 *
 * Return: TOOL_ERROR.
 */
int tool_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_help() - Print a help text to standard output.
 * @lines: lines that tools/help/text.awk has made from a text; NULL ends them
 */
void tool_help(const char *const *lines);

/**
 * tool_unknown_option() - Call when getopt_long() has returned '?' or ':' (and has printed why).
 *
 * Return: TOOL_ERROR.
 */
int tool_unknown_option(void);

/**
 * tool_number() - Parse a whole number, decimal or 0x hexadecimal.
 * @what: name of the number in messages: "--range"
 * @text: the user's text
 * @min: least number allowed
 * @max: largest number allowed
 * @out: receives the number; untouched on failure
 *
 * Return: 0; -1 after a message: not a number, or out of range.
 */
int tool_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/**
 * tool_seconds() - Parse a time in seconds, such as 10 or 0.5.
 * @out_ns: receives it in nanoseconds
 *
 * Return: 0; -1 after a message.
 */
int tool_seconds(const char *what, const char *text, uint64_t *out_ns);

/* Like tool_seconds(), for a time in milliseconds. */
int tool_milliseconds(const char *what, const char *text, uint64_t *out_ns);

/**
 * tool_period() - Parse a whole number of us, ms or s, such as 500us or 10ms.
 * @out_us: receives it in microseconds: 1 to 2^32 - 1
 *
 * Return: 0; -1 after a message.
 */
int tool_period(const char *what, const char *text, uint32_t *out_us);

#define TOOL_SECOND_NS 1000000000U

/**
 * tool_now_ns() - The machine's monotonic clock.
 */
uint64_t tool_now_ns(void);

/**
 * tool_command_line() - The command line in one string, with the quotes that a shell needs.
 *
 * Return: to be freed; NULL if there is no memory.
 */
char *tool_command_line(int argc, char **argv);

/**
 * tool_memory() - Zeroed memory. Without memory the program ends with a message.
 */
void *tool_memory(size_t count, size_t size);

/**
 * tool_larger() - Memory with room for @count items, as reallocarray(3). Without memory the program
 * ends with a message.
 */
void *tool_larger(void *memory, size_t count, size_t size);

/**
 * tool_reserve() - As array_reserve() of <base/array.h>. Without memory the program ends with a
 * message.
 */
void tool_reserve(void *array, size_t *size, size_t count, size_t bytes);

#endif /* TOOLS_COMMON_TOOL_H */
