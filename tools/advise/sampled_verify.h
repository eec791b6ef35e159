/* SPDX-License-Identifier: MIT */
/*
 * smile advise --verify from samples: the program runs natively, with and without the placement.
 */
#ifndef TOOLS_ADVISE_SAMPLED_VERIFY_H
#define TOOLS_ADVISE_SAMPLED_VERIFY_H

#include <stdbool.h>

#include "tools/advise/advise.h"

/**
 * struct sampled_times - Elapsed times of some runs, in seconds.
 */
struct sampled_times {
	double median;
	double least;
	double most;
};

/* The change of the remote share with the placement; clear only if the band of it excludes 0. */
enum sampled_change {
	SAMPLED_UNCLEAR,
	SAMPLED_FEWER,
	SAMPLED_MORE,
};

/**
 * struct sampled_remote - Remote samples of a run without the placement, and of one with it.
 * @known: both runs have samples
 * @why: otherwise, the reason
 * @remote: number of remote samples; shape [2]
 * @samples: number of all samples that could be remote; shape [2]
 */
struct sampled_remote {
	bool known;
	char why[512];
	uint64_t remote[2];
	uint64_t samples[2];
};

/**
 * struct sampled_verified - The measurements.
 * @runs: number of runs of each kind; to be filled in before
 * @done: the measurements were made
 * @failed: a run had another exit status than the sampled run
 * @status: this status, or the status of the sampled run
 * @without: times of the runs without the placement
 * @with: times of the runs with it
 * @remote: remote samples of two sampled runs
 * @pages: number of pages that the placement names
 * @placed: number of these pages that lay on their nodes at the end of the last run
 * @looked_up: false: the program ended by a signal, or executed another program
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

/* The verdict on elapsed times: they differ only if all runs show the difference. */
enum sampled_verdict {
	SAMPLED_FASTER,
	SAMPLED_SLOWER,
	SAMPLED_ALIKE,
	SAMPLED_FAILED,
};

/**
 * struct sampled_again - Options with which the program is sampled again.
 * @program: the program; ends with NULL
 * @reads: standard input is a file, which each run reads from its start
 * @source: source of the samples
 * @bound: threads are bound to nodes
 * @recorded: exit status of the recorded run
 * @placement: placement file
 * @scratch: directory for temporary files, which are removed
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
 * @errors: file for its standard error; NULL: that of this command
 * @seconds: receives the elapsed time
 *
 * Return: its exit status, as a shell would report it; -1 if it did not start.
 */
int sampled_run_once(const char *file, char **words, bool reads, const char *errors,
		     double *seconds);

/* ---- sampled_remote.c ------------------------------------------------------------------------ */

/* Sample the program without the placement, then with it. */
void sampled_remote_measure(struct sampled_remote *remote, const struct sampled_again *request);

enum sampled_change sampled_remote_change(const struct sampled_remote *remote);

/* Write the result as a sentence, or as a JSON object. */
void sampled_remote_text(const struct sampled_remote *remote, char *text, size_t bytes);
json_t *sampled_remote_json(const struct sampled_remote *remote);

/* ---- sampled_verify.c ------------------------------------------------------------------------ */

/**
 * sampled_verify() - Run the program, by turns with and without the placement; then sample it in
 * the same way.
 * @verified: receives the measurements
 * @run: the recorded run
 * @source: source of the recorded samples
 * @placement: placement file
 * @scratch: directory for temporary files, which are removed
 *
 * The program's standard output is discarded. Its standard input is that of this command if it is a
 * file; otherwise it is empty.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sampled_verify(struct sampled_verified *verified, const struct advise_command *command,
		   const struct run_facts *run, const char *source, const char *placement,
		   const char *scratch);

enum sampled_verdict sampled_verdict(const struct sampled_verified *verified);

/* Print the result as one line. */
void sampled_verified_print(const struct sampled_verified *verified);

json_t *sampled_verified_json(const struct sampled_verified *verified);

#endif /* TOOLS_ADVISE_SAMPLED_VERIFY_H */
