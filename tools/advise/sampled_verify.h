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

/**
 * struct sampled_verified - What was measured.
 * @runs: of each kind: to be filled in before
 * @done: it was
 * @failed: a run had another exit status than the sampled one
 * @status: that status, or the sampled run's
 * @without: runs without the placement
 * @with: runs with it
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
 * sampled_verify() - Run the program, by turns with and without the placement.
 * @verified: receives what was measured
 * @run: the recorded run
 * @placement: file
 * @scratch: directory, in which nothing is left
 *
 * The program's standard output is discarded, its standard input is this command's if that is a
 * file, and empty if it is not.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sampled_verify(struct sampled_verified *verified, const struct advise_command *command,
		   const struct run_facts *run, const char *placement, const char *scratch);

enum sampled_verdict sampled_verdict(const struct sampled_verified *verified);

/* Print it as one line. */
void sampled_verified_print(const struct sampled_verified *verified);

json_t *sampled_verified_json(const struct sampled_verified *verified);

#endif /* TOOLS_ADVISE_SAMPLED_VERIFY_H */
