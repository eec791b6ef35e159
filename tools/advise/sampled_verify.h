/* SPDX-License-Identifier: MIT */
/*
 * smile advise --verify, for samples: run the program natively, with the placement and without it.
 */
#ifndef TOOLS_ADVISE_SAMPLED_VERIFY_H
#define TOOLS_ADVISE_SAMPLED_VERIFY_H

#include <stdbool.h>

#include "tools/advise/advise.h"

/**
 * struct sampled_times - Elapsed times of several runs, in seconds.
 */
struct sampled_times {
	double median;
	double least;
	double most;
};

/*
 * The change of the share of remote samples that the placement causes. A change is clear only if
 * its 95 % confidence interval does not contain 0.
 */
enum sampled_change {
	SAMPLED_UNCLEAR,
	SAMPLED_FEWER,
	SAMPLED_MORE,
};

/**
 * struct sampled_remote - Remote samples of a run without the placement, and of a run with the
 * placement.
 * @known: the shares of both runs are known
 * @why: the reason why a share is not known
 * @remote: number of remote samples; shape [2]
 * @samples: number of all samples that could have been remote; shape [2]
 */
struct sampled_remote {
	bool known;
	char why[512];
	uint64_t remote[2];
	uint64_t samples[2];
};

/**
 * struct sampled_verified - The measurements.
 * @runs: number of runs with the placement, and also the number of runs without it; the caller sets
 *        it
 * @done: the measurements were made
 * @failed: the exit status of a run differs from that of the sampled run
 * @status: the first exit status that differs from the exit status of the sampled run; if none
 *          differs, the exit status of the sampled run
 * @without: times of the runs without the placement
 * @with: times of the runs with the placement
 * @remote: remote samples of a sampled run without the placement, and of a sampled run with the
 *          placement
 * @pages: number of pages that the placement names
 * @placed: number of these pages that lay on their advised nodes at the end of the last run
 * @looked_up: the nodes of the pages were read at the end of the last run; false if a signal ended
 *             the program, or if the program executed another program
 */
struct sampled_verified {
	size_t runs;
	bool done;
	bool failed;
	int status;
	struct sampled_times without;
	struct sampled_times with;
	struct sampled_remote remote;
	uint64_t pages;
	uint64_t placed;
	bool looked_up;
};

/*
 * The verdict on the elapsed times. The runs with and without the placement count as different only
 * if all of them show the difference.
 */
enum sampled_verdict {
	SAMPLED_FASTER,
	SAMPLED_SLOWER,
	SAMPLED_ALIKE,
	SAMPLED_FAILED,
};

/**
 * struct sampled_again - The parameters of a repeated sampling.
 * @program: the program and its arguments; ends with NULL
 * @reads: standard input is a file, which each run reads from its start
 * @source: source of the samples, as in `smile sample --source`
 * @bound: threads are bound to nodes
 * @recorded: exit status of the recorded run
 * @placement: placement file
 * @scratch: directory for temporary files, which are removed afterwards
 */
struct sampled_again {
	char **program;
	bool reads;
	const char *source;
	bool bound;
	int recorded;
	const char *placement;
	const char *scratch;
};

/**
 * sampled_run_once() - Run a command, and discard its output.
 * @errors: file that receives the command's standard error; NULL: the command writes to the
 *          standard error of this process
 * @seconds: receives the elapsed time
 *
 * Return: the exit status, in a shell's form; -1 if the command did not start.
 */
int sampled_run_once(const char *file, char **words, bool reads, const char *errors,
		     double *seconds);

/* ---- sampled_remote.c ------------------------------------------------------------------------ */

/* Sample the program without the placement, then with the placement. */
void sampled_remote_measure(struct sampled_remote *remote, const struct sampled_again *request);

enum sampled_change sampled_remote_change(const struct sampled_remote *remote);

/* Describe the comparison of both shares in a sentence, or in a JSON object. */
void sampled_remote_text(const struct sampled_remote *remote, char *text, size_t bytes);
json_t *sampled_remote_json(const struct sampled_remote *remote);

/* ---- sampled_verify.c ------------------------------------------------------------------------ */

/**
 * sampled_verify() - Run the program several times alternately with and without the placement. Then
 * sample the program once with the placement, and once without it.
 * @verified: receives the measurements
 * @run: the facts about the recorded run
 * @placement: placement file
 * @scratch: directory for temporary files, which are removed
 *
 * The program's standard output is discarded. If the standard input of this command is a file, the
 * program reads that file; otherwise its standard input is empty.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sampled_verify(struct sampled_verified *verified, const struct advise_command *command,
		   const struct run_facts *run, const char *placement, const char *scratch);

enum sampled_verdict sampled_verdict(const struct sampled_verified *verified);

/* Print the measurements on one line. */
void sampled_verified_print(const struct sampled_verified *verified);

json_t *sampled_verified_json(const struct sampled_verified *verified);

#endif /* TOOLS_ADVISE_SAMPLED_VERIFY_H */
