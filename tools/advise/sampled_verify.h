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

/* How the remote share differs with the placement: only if the band of the difference says so. */
enum sampled_change {
	SAMPLED_UNCLEAR,
	SAMPLED_FEWER,
	SAMPLED_MORE,
};

/**
 * struct sampled_remote - Remote samples of a run without the placement, and of one with it.
 * @known: both have samples
 * @why: if not, why not
 * @remote: shape [2]
 * @samples: all that could be remote; shape [2]
 */
struct sampled_remote {
	bool known;
	char why[512];
	uint64_t remote[2];
	uint64_t samples[2];
};

/**
 * struct sampled_verified - What was measured.
 * @runs: of each kind: to be filled in before
 * @done: it was
 * @failed: a run had another exit status than the sampled one
 * @status: that status, or the sampled run's
 * @without: runs without the placement
 * @with: runs with it
 * @remote: what two sampled runs say
 * @pages: that the placement names
 * @placed: of these, pages that lay on their nodes at the end of the last run
 * @looked_up: false: the program ended by a signal, or executed another one
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

/* A difference is one only if all runs show it. */
enum sampled_verdict {
	SAMPLED_FASTER,
	SAMPLED_SLOWER,
	SAMPLED_ALIKE,
	SAMPLED_FAILED,
};

/**
 * struct sampled_again - How the program is sampled again.
 * @program: ends with NULL
 * @reads: standard input is a file, which each run reads from its beginning
 * @source: of the samples
 * @bound: threads are bound to nodes
 * @recorded: exit status when it was sampled
 * @placement: file
 * @scratch: directory, in which nothing is left
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
 * sampled_run_once() - Run something, without its output.
 * @errors: file for its errors; NULL: as this command's
 * @seconds: receives how long it was
 *
 * Return: its exit status, as a shell would give it; -1: it did not begin.
 */
int sampled_run_once(const char *file, char **words, bool reads, const char *errors,
		     double *seconds);

/* ---- sampled_remote.c ------------------------------------------------------------------------ */

/* Sample the program without the placement, then with it. */
void sampled_remote_measure(struct sampled_remote *remote, const struct sampled_again *request);

enum sampled_change sampled_remote_change(const struct sampled_remote *remote);

/* As a sentence, or as an object. */
void sampled_remote_text(const struct sampled_remote *remote, char *text, size_t bytes);
json_t *sampled_remote_json(const struct sampled_remote *remote);

/* ---- sampled_verify.c ------------------------------------------------------------------------ */

/**
 * sampled_verify() - Run the program, by turns with and without the placement; then sample it so.
 * @verified: receives what was measured
 * @run: the recorded run
 * @source: of the recorded samples
 * @placement: file
 * @scratch: directory, in which nothing is left
 *
 * The program's standard output is discarded, its standard input is this command's if that is a
 * file, and empty if it is not.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sampled_verify(struct sampled_verified *verified, const struct advise_command *command,
		   const struct run_facts *run, const char *source, const char *placement,
		   const char *scratch);

enum sampled_verdict sampled_verdict(const struct sampled_verified *verified);

/* Print it as one line. */
void sampled_verified_print(const struct sampled_verified *verified);

json_t *sampled_verified_json(const struct sampled_verified *verified);

#endif /* TOOLS_ADVISE_SAMPLED_VERIFY_H */
