/* SPDX-License-Identifier: MIT */
/*
 * smile advise: print the node on which each page should be placed.
 *
 * What lives here: the types and functions that the files of this directory share. The options are
 * parsed in advise.c. Tables, JSON and CSV are in advice_show.c, json.c and csv.c. The recorded
 * command line is in command.c, the run that verifies the advice in verify.c, and advice from
 * samples in sampled.c. The advice itself is computed in lib/analysis/advise.
 */
#ifndef TOOLS_ADVISE_H
#define TOOLS_ADVISE_H

#include "lib/analysis/advise/advise.h"
#include "lib/analysis/advise/sampled_pages.h"

/**
 * struct advise_words - A command line.
 * @list: the words, each allocated, with NULL after the last word; shape [@room]
 * @count: number of words
 * @room: capacity of @list
 */
struct advise_words {
	char **list;
	size_t count;
	size_t room;
};

/**
 * struct advise_verified - Result of the second run of the program, with the advised placement.
 * @done: the program was run
 * @status: the program's exit status
 * @failed: the exit status differs from that of the recorded run
 * @early: the run failed before the cycles of its accesses had reached half of the predicted
 *         cycles; its run time is therefore not a measurement
 * @cycles: run time of the considered phases
 * @access_cycles: cycles of all accesses in the considered phases
 * @why: the reason why the run time differs from the prediction; "" if the two differ by at most 10
 *       percent
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
 * @output: name of the placement file to write; NULL: do not write a placement file
 * @latency: the latency model that the user gave; NULL: use the model of the recording
 * @options: options of the advice
 * @rows_shown: largest number of rows of a table
 * @json: print a JSON document instead of text
 * @csv: print CSV rows instead of text
 * @verify: run the program again, with the advised placement
 * @runs: number of runs with the placement, and also the number of runs without it; used only if
 *        the recordings are of samples
 * @program: the program to run; NULL: run the recorded program
 * @advise: the advice
 * @verified: result of the second run, for --verify
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

/* Get the machine that is assumed if the recordings do not describe their machine. */
struct Monitor_advise_machine advise_fallback(void);

/*
 * Write the placement file. @samples: the advice from samples; NULL: the advice is from counts.
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int advise_place_write(const struct Monitor_advise *advise, const struct sampled_advice *samples,
		       const char *path);

/* ---- command.c ----------------------------------------------------------------------------- */

/*
 * Compose the command that repeats the recorded run, or that runs command->program instead of the
 * recorded program. @results: options that name the files of its results. Return: 1; 0 if the
 * recordings do not contain the program's command line.
 */
int advise_command_make(const struct advise_command *command, struct advise_words *words,
			const char *const *results, size_t count);
void advise_words_free(struct advise_words *words);

/*
 * Get the recorded command with a placement file, quoted for a shell. Return: the command, which
 * the caller must free; NULL if the command is not known.
 */
char *advise_command_line(const struct advise_command *command, const char *placement);

/*
 * Check whether the recordings were written into the current directory. The function assumes this
 * if neither the names of the recordings nor the recorded command contain a directory.
 */
int advise_recorded_here(const struct advise_command *command);

/*
 * Get the `smile advise` command that writes a placement file from these recordings. The caller
 * must free the command.
 */
char *advise_own_command(const struct advise_command *command, const char *placement);

/* ---- verify.c, advice_show.c, json.c, csv.c ------------------------------------------------ */

#define ADVISE_SCRATCH_BYTES 256

/*
 * Make a directory for the temporary files of a run. Return: TOOL_OK; TOOL_ERROR after a message.
 */
int advise_scratch_make(char scratch[ADVISE_SCRATCH_BYTES]);

/*
 * Run the program with the placement file. Return: TOOL_OK; TOOL_ERROR after a message with the
 * reason.
 */
int advise_verify(struct advise_command *command, const char *placement);

/*
 * Get the exit status of `smile advise`. It is TOOL_FINDING if the second run has shown that the
 * advice is wrong.
 */
int advise_finding(const struct advise_command *command);

/*
 * Run the command for recordings of samples. @sampled: facts about them. Return: the exit
 * status.
 */
int advise_sampled(const struct advise_command *command, struct Monitor *mon,
		   const struct run_facts *sampled);

void advise_show(const struct advise_command *command);
int advise_json(const struct advise_command *command);
int advise_csv(const struct advise_command *command);

#endif /* TOOLS_ADVISE_H */
