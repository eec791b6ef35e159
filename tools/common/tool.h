/* SPDX-License-Identifier: MIT */
/*
 * smile: the subcommands, and the helper functions that all of them use.
 *
 * What lives here: a declaration for each subcommand, exit statuses, messages, and the parsing of
 * numbers. Data is written to standard output, and everything else to standard error.
 * docs/architecture.md lists the rooms that a tool may include.
 */
#ifndef TOOLS_COMMON_TOOL_H
#define TOOLS_COMMON_TOOL_H

#include <stddef.h>
#include <stdint.h>

struct Monitor;

/* Exit statuses of all subcommands. */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FINDING = 1, /* a finding, such as a difference above --fail-over */
	TOOL_ERROR = 2, /* an invalid command line, or an error */
};

/*
 * The subcommands. argv[0] is the name of the subcommand, so that a subcommand can call
 * getopt_long() like any main(). Return: the exit status.
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
 * tool_name() - Get the first words of all messages, such as "smile replay".
 */
const char *tool_name(void);

/**
 * tool_message() - Print a message on standard error after the command's name, such as "smile
 * replay: ". A newline is added.
 */
void tool_message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_error() - Like tool_message(), for an error that ends the subcommand.
 *
 * Return: TOOL_ERROR.
 */
int tool_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_result() - Convert the result of a library function into an exit status.
 * @result: if it is negative, Monitor_error_message() is printed
 *
 * Return: TOOL_OK; TOOL_ERROR if @result is negative.
 */
int tool_result(int result);

/**
 * tool_usage() - Like tool_error(), for an invalid command line. The message refers to --help.
 *
 * Return: TOOL_ERROR.
 */
int tool_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * tool_help() - Print a help text to standard output.
 * @lines: lines that tools/help/text.awk has generated from a help text, ended by NULL
 */
void tool_help(const char *const *lines);

/**
 * tool_unknown_option() - Print a reference to --help. Call this function after getopt_long() has
 * returned '?' or ':'; it has then already printed the error.
 *
 * Return: TOOL_ERROR.
 */
int tool_unknown_option(void);

/**
 * tool_number() - Parse an integer. A number that begins with 0x is hexadecimal; all other numbers
 * are decimal.
 * @what: name of the number in messages, such as "--range"
 * @text: the user's text
 * @min: smallest allowed number
 * @max: largest allowed number
 * @out: receives the number; unchanged on failure
 *
 * Return: 0; -1 after a message if the text is not a number, or if the number is out of range.
 */
int tool_number(const char *what, const char *text, uint64_t min, uint64_t max, uint64_t *out);

/**
 * tool_decimal() - Parse a finite number that is not negative, such as 10, 0.5 or 1e6.
 * @out: receives the number; unchanged on failure
 *
 * Return: 0; -1 if the text is not such a number. The caller must report the error.
 */
int tool_decimal(const char *text, double *out);

/**
 * tool_seconds() - Parse a time in seconds, such as 10 or 0.5.
 * @out_ns: receives the time in nanoseconds
 *
 * Return: 0; -1 after a message.
 */
int tool_seconds(const char *what, const char *text, uint64_t *out_ns);

/* Like tool_seconds(), for a time in milliseconds. */
int tool_milliseconds(const char *what, const char *text, uint64_t *out_ns);

/**
 * tool_period() - Parse an integer followed by us, ms or s, such as 500us or 10ms.
 * @out_us: receives the period in microseconds: 1 to 2^32 - 1
 *
 * Return: 0; -1 after a message.
 */
int tool_period(const char *what, const char *text, uint32_t *out_us);

#define TOOL_SECOND_NS 1000000000U

/**
 * tool_now_ns() - Read the monotonic clock of the machine.
 */
uint64_t tool_now_ns(void);

/**
 * tool_command_line() - Join the words of a command line into one string, with the quotes that a
 * shell needs.
 *
 * Return: the string, which the caller must free; NULL if memory ran out.
 */
char *tool_command_line(int argc, char **argv);

/**
 * tool_memory() - Allocate zeroed memory. If memory runs out, end the program with a message.
 */
void *tool_memory(size_t count, size_t size);

/**
 * tool_larger() - Resize memory to hold @count items, like reallocarray(3). If memory runs out, end
 * the program with a message.
 */
void *tool_larger(void *memory, size_t count, size_t size);

/**
 * tool_reserve() - Like array_reserve() of <base/array.h>. However, if memory runs out, end the
 * program with a message.
 */
void tool_reserve(void *array, size_t *size, size_t count, size_t bytes);

#endif /* TOOLS_COMMON_TOOL_H */
