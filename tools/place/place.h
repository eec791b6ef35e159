/* SPDX-License-Identifier: MIT */
/*
 * smile place: the types and functions that the files of this directory share.
 *
 *	place.c     parses the command line, and runs the command
 *	preparation.c   finds the nodes of this machine, and makes the plan
 *	native_run.c    runs the program and passes signals on
 *	outcome.c   prints what the library in the program reports, as a table and as JSON
 *
 * The placement file, the recorded objects and the plan are in lib/analysis/place/. May use:
 * tools/common, lib/analysis, run/session to find files, libnuma.
 */
#ifndef TOOLS_PLACE_PLACE_H
#define TOOLS_PLACE_PLACE_H

#include <place/plan.h>

#include "lib/analysis/place/place_plan.h"
#include "lib/analysis/place/place_request.h"

/**
 * struct place_run - Result of the program's run.
 * @status: exit status of the program, in a shell's form
 * @elapsed_ns: time from the start of the program's process to its end
 */
struct place_run {
	int status;
	uint64_t elapsed_ns;
};

/* Find the nodes of this machine that have memory and that this process may use. */
void place_nodes_find(struct place_nodes *nodes);

/**
 * place_plan_prepare() - Make the plan for a program. If parts of the placement do not fit the
 * program or the machine, print warnings.
 * @threads_on: number of nodes to bind threads to; 0: do not bind threads
 * @command: the program and its arguments, ended by NULL
 *
 * The plan's fd must be -1 before the call. Call place_plan_free() also after a failure. Return:
 * TOOL_OK; TOOL_ERROR after a message.
 */
int place_plan_prepare(struct place_plan *plan, struct place_request *request,
		       const struct place_nodes *nodes, uint32_t threads_on, char **command);

/* Run the program with the library that places its pages as the plan requires. */
struct place_run place_native_run(const struct place_plan *plan, const char *library,
				  char **command);

/*
 * Replace this process by the program. This function returns only on failure. Return: 126 or 127
 * after a message.
 */
int place_native_execute(char **command);

/*
 * Print notes before the program runs: about files that were rebuilt since the recording, and about
 * locks that are not found.
 */
void place_plan_notes(const struct place_plan *plan, const struct place_request *request);

void place_outcome_print(const struct place_plan *plan, const struct place_request *request);

/* Write the JSON document. Return: TOOL_OK; TOOL_ERROR after a message. */
int place_outcome_json(const struct place_plan *plan, const struct place_request *request,
		       const struct place_nodes *nodes, const char *file,
		       const struct place_run *run);

#endif /* TOOLS_PLACE_PLACE_H */
