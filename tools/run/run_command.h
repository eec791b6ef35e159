/* SPDX-License-Identifier: MIT */
/*
 * smile run: run a program on the emulated NUMA machine, with an emulated card on each node.
 *
 * What lives here: the types and functions that the files of this directory share. The options are
 * in run.c and options.c, the callbacks of the run in callbacks.c, and the summary in summary.c and
 * phase_table.c. The run itself is in run/session. `smile sim` uses the same code with its own
 * programs and defaults, which are in sim.c.
 */
#ifndef TOOLS_RUN_RUN_COMMAND_H
#define TOOLS_RUN_RUN_COMMAND_H

#include <stdio.h>

#include "emu/machine/model.h"
#include "run/session/session.h"
#include "tools/common/config_options.h"

struct machine_file;
struct output_table;

/**
 * struct run_options - The user's options.
 * @run: the configuration of the run
 * @machine: the machine, to which the other options apply; NULL: the default machine
 * @file: the machine file that was read; NULL: the machine is a model from the tables
 * @latency_given: the user has given latencies, which replace those of the machine
 * @caches_given: the user has given caches
 * @threads_given: the user has given the nodes on which threads run
 * @card: configuration of the cards
 * @json: name of the file for the summary; NULL: do not write it
 * @quiet: do not print the summary
 * @summary_to_stdout: print the summary on standard output instead of standard error
 */
struct run_options {
	struct run_config run;
	const struct machine_model *machine;
	struct machine_file *file;
	int latency_given;
	int caches_given;
	int threads_given;
	struct config_options card;
	const char *json;
	int quiet;
	int summary_to_stdout;
};

/* ---- run.c --------------------------------------------------------------------------------- */

/*
 * Set the defaults. @machine: the machine that is used without --machine; NULL:
 * run_machine_default().
 */
void run_options_init(struct run_options *options, const char *machine);
void run_options_free(struct run_options *options);

/*
 * The options that `smile run` and `smile sim` share, as a group of an option table that sets a
 * struct run_options. The option for run_threads_take() is not in the group, because it has a
 * different name in each command.
 */
extern const struct tool_option run_lines[];

/**
 * struct run_again - A recorded command line of `smile run` or `smile sim`, to be repeated.
 * @words: the options for the machine, each as "--name=value" or "--name". Options for results,
 *         captures and pages are left out. Each word must be freed; shape [@count], with room for
 *         all arguments
 * @count: number of @words
 * @output: the argument of -o, which points into the recorded arguments; NULL: not given
 */
struct run_again {
	char **words;
	size_t count;
	const char *output;
};

/*
 * Parse a recorded command line. @first, @table: as in option_table_parse(). argv[0] is the name of
 * the command. The arguments are reordered as getopt_long() does. Return: the index of the program
 * in @argv; -1 if there is no program, or if an option is unknown.
 */
int run_options_again(int argc, char **argv, const char *first, const struct tool_option *table,
		      struct run_again *again);

/* Like run_options_again(), for the options of `smile run`. */
int run_again(int argc, char **argv, struct run_again *again);

/*
 * Print the help texts of the options for the machine and the cards. @threads: the help text of the
 * option for run_threads_take().
 */
void run_options_print(const char *threads, const char *machine);

/* ---- callbacks.c --------------------------------------------------------------------------- */

/**
 * run_command() - Run a program with the given options.
 * @command: the program and its arguments, ended by NULL
 * @argc: number of arguments of the whole command line, which is stored in the recordings
 * @argv: the whole command line
 *
 * Return: the exit status.
 */
int run_command(struct run_options *options, char **command, int argc, char **argv);

/* ---- options.c ------------------------------------------------------------------------------*/

/* Functions that parse an option into a struct run_options. */
int run_threads_take(void *options, const char *text);
int run_cache_take(void *options, const char *text);
int run_place_take(void *options, const char *text);

/* Parse a size such as "64", "64K" or "1M". Return: 0, or -1 after a message. */
int run_bytes_parse(const char *what, const char *text, uint64_t max, uint64_t *bytes);

/*
 * After all options were parsed and run_machine_settle() was called, check whether the options are
 * compatible with each other. Return: TOOL_OK; TOOL_ERROR after a message.
 */
int run_options_check(const struct run_options *options);

/* ---- machine.c ------------------------------------------------------------------------------- */

/* Get the default of --machine: the environment variable SMILE_MACHINE, or MODEL_DEFAULT. */
const char *run_machine_default(void);

/* Functions that parse an option into a struct run_options. */
int run_machine_take(void *options, const char *text);
int run_caches_take(void *options, const char *text);

/*
 * If the user has not set an option, take its value from the machine. Call this function after all
 * options were parsed. Return: TOOL_OK; TOOL_ERROR after a message.
 */
int run_machine_settle(struct run_options *options);

/* Print a message that describes the assumed machine. */
void run_machine_say(const struct run_options *options);

/* Print all machines, for --help. */
void run_machines_print(const char *machine);

/* ---- summary.c and phase_table.c ----------------------------------------------------------- */

/* Print the summary. Return: TOOL_OK; TOOL_FINDING if a check of the account fails; TOOL_ERROR. */
int run_report(const struct run *run, const struct run_options *options);

/*
 * Print all phases, one per line, on the stream @out. The caller has passed this stream to
 * output_to().
 */
void run_phases_table(const struct run *run, FILE *out);

/*
 * Add the columns that show the nodes on which the accessed memory lies. run_places_cells() fills
 * in the cells of a row.
 */
void run_places_columns(const struct run *run, struct output_table *table);
void run_places_cells(const struct run *run, struct output_table *table,
		      const struct machine_statistics *of);

/* ---- sim.c --------------------------------------------------------------------------------- */

/* Like run_again(), for the options of `smile sim`. Return: the index of the workload. */
int sim_again(int argc, char **argv, struct run_again *again);

#endif /* TOOLS_RUN_RUN_COMMAND_H */
