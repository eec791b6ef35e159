/* SPDX-License-Identifier: MIT */
/*
 * run/sample: a program on this machine at full speed, and samples of which node accesses which
 * page.
 *
 * What lives here: the interface. A caller fills in struct sample_config and calls sample_run().
 * The files behind it:
 *
 *	sample.c       the program from its start to its end, or a process that runs
 *	result.c       the result as a document
 *	host.c         nodes and processors of this machine
 *	events.c       perf's events
 *	ring.c         the records in their rings
 *	process.c      the program's process
 *	faults.c       samples by word, node, home and phase
 *	homes.c        where pages lie, from the kernel
 *	mapped.c       what is where in the program's memory
 *	program_log.c  its allocations, named regions and phases
 *	write.c        the recordings
 *
 * May use run/allocations, emu/machine/traffic.h, the public API, lib/analysis and jansson. It
 * reads no options and prints nothing: messages go to the caller.
 */
#ifndef RUN_SAMPLE_SAMPLE_H
#define RUN_SAMPLE_SAMPLE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>

#include <jansson.h>

/* Exit statuses that are not the program's. */
enum sample_status {
	SAMPLE_FAILED = 2, /* a message says why */
	SAMPLE_NOT_EXECUTABLE = 126, /* as in a shell */
	SAMPLE_NOT_FOUND = 127, /* likewise */
};

/**
 * struct sample_config - What is to be sampled.
 * @prefix: of the recordings: PREFIX-nodeN.rec
 * @command_line: for the recordings
 * @overhead: processor time that the sampling may take, in percent of the elapsed time
 * @library: for the program: logs its allocations, named regions and phases; NULL: none
 * @bind: bind the program's threads to nodes by the order of their creation, as `smile place` does
 * @pid: process that is sampled instead of a program, until it ends, or one of @ends comes; 0: none
 * @passed_on: signals that processes send to this one are passed on to the program
 * @ends: signals
 * @message: a warning or an error, one line without its newline
 * @opaque: for @message
 */
struct sample_config {
	const char *prefix;
	const char *command_line;
	double overhead;
	const char *library;
	bool bind;
	pid_t pid;
	sigset_t passed_on;
	sigset_t ends;
	void (*message)(void *opaque, const char *text);
	void *opaque;
};

/**
 * struct sample_result - What has become of all faults. The kernel's count of them is the sum of
 * @samples, @first, @homeless, @others, @before, @nowhere, @outside, @malformed and @lost.
 * @recorded: the recordings are complete
 * @command: the program and its arguments, as given; NULL if @attached
 * @status: its exit status, as a shell would give it; 0 if @attached
 * @nodes: of the machine
 * @samples: that are in the recordings
 * @remote: those of them that were of pages on another node
 * @first: first faults at pages, which are no samples
 * @homeless: at pages whose home the kernel did not tell
 * @others: of other processes, which the program has started
 * @before: before the program executed another one
 * @nowhere: by processors of which no node is known
 * @outside: at addresses that no recording can hold
 * @malformed: that could not be read
 * @lost: for which the kernel had no room
 * @faults: that the kernel has counted
 * @pages: with samples
 * @moves: of pages, by the kernel, seen between two samples
 * @logs: the program has logged its allocations
 * @threads: that it has created, the first one among them; 0 without @logs
 * @bound: of these, threads that were bound to a node
 * @blocks: large blocks of its heap that it has logged
 * @blocks_skipped: that it has not: see SAMPLE_LOG_FIRST_BLOCKS
 * @log_lost: entries for which the log had no room
 * @phases_lost: times that a phase began for whose name there was no room
 * @user_only: faults of the kernel on the program's behalf were not permitted
 * @elapsed_ns: run time of the program
 * @attached: to a process that ran already
 * @program_ns: processor time of the program, and of what it has started and waited for; not known
 *              if @attached
 * @own_ns: processor time of the sampling itself, from the program's beginning to its end
 */
struct sample_result {
	bool recorded;
	char **command;
	int status;
	unsigned nodes;
	uint64_t samples;
	uint64_t remote;
	uint64_t first;
	uint64_t homeless;
	uint64_t others;
	uint64_t before;
	uint64_t nowhere;
	uint64_t outside;
	uint64_t malformed;
	uint64_t lost;
	uint64_t faults;
	uint64_t pages;
	uint64_t moves;
	bool logs;
	uint32_t threads;
	uint32_t bound;
	uint64_t blocks;
	uint64_t blocks_skipped;
	uint64_t log_lost;
	uint64_t phases_lost;
	bool user_only;
	bool attached;
	uint64_t elapsed_ns;
	uint64_t program_ns;
	uint64_t own_ns;
};

/**
 * sample_possible() - Can page faults be sampled here?
 * @why: receives why not, and the remedy, @why_bytes long
 *
 * Return: whether they can.
 */
bool sample_possible(char *why, size_t why_bytes);

/**
 * sample_run() - Run a program, and write a recording for each node of this machine.
 * @command: the program and its arguments, ended by NULL
 * @result: receives what was sampled
 *
 * Return: the program's exit status, or enum sample_status. Without SAMPLE_FAILED and
 * @result->recorded, nothing was written.
 */
int sample_run(const struct sample_config *config, char **command, struct sample_result *result);

/**
 * sample_attach() - Sample a process that runs, config->pid.
 * @result: receives what was sampled
 *
 * The process is not stopped, and goes on when the sampling ends.
 *
 * Return: 0; SAMPLE_FAILED as sample_run().
 */
int sample_attach(const struct sample_config *config, struct sample_result *result);

/**
 * sample_report_json() - The result as a JSON document, smile.sample/1, as the recordings have it.
 *
 * Return: a new reference; NULL without memory.
 */
json_t *sample_report_json(const struct sample_result *result);

#endif /* RUN_SAMPLE_SAMPLE_H */
