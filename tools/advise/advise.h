/* SPDX-License-Identifier: MIT */
/*
 * smile advise: the node on which each page should lie.
 *
 * What lives here: the types and functions that its files share. Options are in advise.c; tables,
 * JSON and CSV in show.c, json.c and csv.c; the recorded command line in command.c; the run that
 * verifies the advice in verify.c; advice from samples in sampled.c. The advice itself is in
 * lib/analysis/advise.
 */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include "lib/analysis/advise/advise.h"
#include "lib/analysis/advise/sampled_pages.h"

/**
 * struct advise_words - A command line.
 * @list: the words, ended by NULL; each to be freed; shape [@room]
 * @count: number of words
 * @room: capacity of @list
 */
struct advise_words {
	char **list;
	size_t count;
	size_t room;
};

/**
 * struct advise_verified - Result of the run with the placement.
 * @done: the program was run
 * @status: the program's exit status
 * @failed: the exit status differs from that of the recorded run
 * @early: the run ended with an error before it had made half of the predicted accesses, by their
 *         cycles, so its run time is no measurement
 * @cycles: run time of the considered phases
 * @access_cycles: cycles of all accesses in these phases
 * @why: the reason for the difference from the prediction; "" if it is at most 10 percent
 */
struct advise_verified {
	int done;
	int status;
	int failed;
	int early;
	uint64_t cycles;
	uint64_t access_cycles;
	char why[MONITOR_SENTENCE_BYTES];
};

/**
 * struct advise_command - One call of `smile advise`.
 * @files: recordings; shape [@file_count]
 * @file_count: number of recordings
 * @output: placement file; NULL: none
 * @latency: the given latency model; NULL: the recording's
 * @options: options of the advice
 * @rows_shown: number of rows of a table
 * @json: print a document instead of text
 * @csv: print rows for other programs instead of text
 * @verify: run the program again
 * @runs: number of runs with, and of runs without the placement, if the recordings are of samples
 * @program: the program to run; NULL: the recorded one
 * @advise: the advice
 * @verified: result of --verify
 */
struct advise_command {
	char **files;
	int file_count;
	const char *output;
	const char *latency;
	struct Monitor_advise_options options;
	uint64_t rows_shown;
	int json;
	int csv;
	int verify;
	uint32_t runs;
	char **program;
	struct Monitor_advise *advise;
	struct advise_verified verified;
};

/* The machine that is assumed if the recordings have none. */
struct Monitor_advise_machine advise_fallback(void);

/* Write the placement file. @samples: NULL: none. Return: TOOL_OK; TOOL_ERROR after a message. */
int advise_place_write(const struct Monitor_advise *advise, const struct sampled_advice *samples,
		       const char *path);

/* ---- command.c ----------------------------------------------------------------------------- */

/*
 * Make the recorded command, or the command of command->program; @results: options that name its
 * results. Return: 1; 0 if the recordings do not hold the program's command line.
 */
int advise_command_make(const struct advise_command *command, struct advise_words *words,
			const char *const *results, size_t count);
void advise_words_free(struct advise_words *words);

/* The command in a shell's syntax, with a placement file. Return: to be freed; NULL: not known. */
char *advise_command_line(const struct advise_command *command, const char *placement);

/*
 * Were the recordings written into the current directory? This is assumed if neither their names
 * nor the recorded command contain a directory.
 */
int advise_recorded_here(const struct advise_command *command);

/* The command `smile advise` that writes a placement file from these recordings; to be freed. */
char *advise_own_command(const struct advise_command *command, const char *placement);

/* ---- verify.c, show.c, json.c, csv.c ------------------------------------------------------- */

#define ADVISE_SCRATCH_BYTES 256

/* Make a directory for the files of a run. Return: TOOL_OK; TOOL_ERROR after a message. */
int advise_scratch_make(char scratch[ADVISE_SCRATCH_BYTES]);

/* Run with the placement file. Return: TOOL_OK; TOOL_ERROR after a message with the reason. */
int advise_verify(struct advise_command *command, const char *placement);

/* Return: the exit status: TOOL_FINDING if the run has shown the advice to be wrong. */
int advise_finding(const struct advise_command *command);

/* The command for recordings of samples, whose mark is @mark. Return: the exit status. */
int advise_sampled(const struct advise_command *command, struct Monitor *mon, json_t *mark);

void advise_show(const struct advise_command *command);
int advise_json(const struct advise_command *command);
int advise_csv(const struct advise_command *command);

#endif /* TOOLS_ADVISE_H */
