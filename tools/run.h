/* SPDX-License-Identifier: MIT */
/*
 * smile run: a program on the emulated NUMA machine, with an emulated card on each node.
 *
 * What lives here: what its parts share. Options in run.c and run_options.c, the program and what it
 * needs to be traced in run_program.c and run_tracer.c, cards and recordings in run_cards.c, the
 * replay in run_replay.c, what is known of the program's memory in run_map.c, the placement file in
 * run_place.c, the account and the summary in run_account.c and run_report.c.
 */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include <smile/monitor.h>
#include <trace/stream.h>

#include "emu/machine/machine.h"
#include "emu/schedule/schedule.h"
#include "tools/captures.h"
#include "tools/config.h"

#define RUN_ARGUMENTS_MAX 8 /* what a script's interpreters add to its arguments */

/* Exit statuses of a program that was not run, as a shell has them. */
enum run_status {
	RUN_NOT_EXECUTABLE = 126,
	RUN_NOT_FOUND = 127,
};

/**
 * struct run_options - What the user asked for.
 * @nodes: nodes of the machine
 * @mapping: threads to nodes
 * @threads: for SCHEDULE_IN_BLOCKS
 * @list: for SCHEDULE_BY_LIST; shape [@list_count]
 * @list_count: how many
 * @place: as given; NULL: the default
 * @placement: the policy
 * @placement_node: what it asks for
 * @placement_file: NULL, or what goes before the policy
 * @latency: the model, with the user's numbers put in
 * @cache: of each node
 * @card: configuration of the cards
 * @prefix: of the recordings
 * @capture: prefix of the captures; NULL: none
 * @json: file for the summary; NULL: none
 * @quiet: no summary on standard error
 * @stacks: count thread stacks, too
 * @libc: count what libc's own code does, too
 */
struct run_options {
	unsigned nodes;
	enum schedule_mapping mapping;
	unsigned threads;
	unsigned *list;
	size_t list_count;
	const char *place;
	const struct placement_policy *placement;
	unsigned placement_node;
	const char *placement_file;
	struct latency_model latency;
	struct machine_cache cache;
	struct config_options card;
	const char *prefix;
	const char *capture;
	const char *json;
	int quiet;
	int stacks;
	int libc;
};

/**
 * struct run_program - What is to be run.
 * @file: the ELF file that is traced
 * @argv: its arguments, argv[0] first, ended by NULL
 */
struct run_program {
	char *file;
	char **argv;
};

/**
 * struct run_card - The card of a node.
 * @mon: fed with the node's frames
 * @file: its recording
 * @records: taken in
 * @waiting: frames passed since records were last taken in
 * @passed: frames passed
 * @loss: the loss account; valid if @known
 * @statistics: its counters; valid if @known
 * @known: they are
 */
struct run_card {
	struct Monitor *mon;
	char *file;
	uint64_t records;
	uint64_t waiting;
	uint64_t passed;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int known;
};

/**
 * struct run - One run.
 * @options: what the user asked for
 * @command_line: for the recordings
 * @stream: the memory that the program's tracer writes
 * @stream_fd: its file, for the tracer to inherit
 * @pid: the process that was started; 0: none
 * @child_ended: it has ended
 * @status: its exit status, as a shell would give it
 * @signals: Ctrl-C and SIGTERM that had come by then
 * @interrupted: the user has ended it all, by a second one
 * @failed: something went wrong and was told; what was recorded stays
 * @no_responses: the machine makes none, since nobody looks at them
 * @machine: the machine
 * @schedule: the replay
 * @cards: by node
 * @captures: by node
 * @phases: phases so far
 */
struct run {
	struct run_options options;
	char *command_line;
	void *stream;
	int stream_fd;
	pid_t pid;
	int child_ended;
	int status;
	int signals;
	int interrupted;
	int failed;
	int no_responses;
	struct machine *machine;
	struct schedule *schedule;
	struct run_card cards[MACHINE_NODES_MAX];
	struct captures captures;
	unsigned phases;
};

/* ---- run_options.c: each returns 0, or -1 after saying what is wrong -------------------------- */

int run_threads_parse(struct run_options *options, const char *text);
int run_latency_parse(struct run_options *options, const char *text);
int run_cache_parse(struct run_options *options, const char *text);
int run_place_parse(struct run_options *options, const char *text);

/* After all options: do they fit together? Return: TOOL_OK; TOOL_ERROR after saying what does not. */
int run_options_check(const struct run_options *options);

/* ---- run_place.c ------------------------------------------------------------------------------ */

/* Tell the machine what a placement file says. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_place_apply(const char *file, struct machine *machine);

/* ---- run_program.c ---------------------------------------------------------------------------- */

/*
 * Find the program, and see that it can be traced. Return: TOOL_OK; after saying why not,
 * enum run_status.
 */
int run_program_find(struct run_program *program, char **command);
void run_program_free(struct run_program *program);

/* Search PATH as execvp(3) does. Return: the path, to be freed; NULL if there is none. */
char *run_search(const char *name);

/* ---- run_tracer.c ----------------------------------------------------------------------------- */

/* Make the memory. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_stream_create(struct run *run);
void run_stream_free(struct run *run);

/* Producers wait for nobody any more. */
void run_stream_stop(struct run *run);

/* Start the program. Return: TOOL_OK; TOOL_ERROR or enum run_status after saying why not. */
int run_tracer_start(struct run *run, const struct run_program *program);

/* ---- run_cards.c ------------------------------------------------------------------------------ */

/* Open, configure, start. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_cards_open(struct run *run);

/* Frames pass on a node's B-Link: struct machine_ops. */
void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames,
		      size_t count);

/* Take in the records that are there. */
void run_cards_poll(struct run *run);

/* Stop, swap out, and get the accounts. */
void run_cards_stop(struct run *run);

/* Complete the recordings. */
void run_cards_close(struct run *run);

/* ---- run_map.c -------------------------------------------------------------------------------- */

/* A phase has begun: struct schedule_ops. */
void run_map_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns);

/* Tell every card's recording what is where, and the run's parameters and results. */
void run_map_tell(struct run *run);

/* ---- run_replay.c ----------------------------------------------------------------------------- */

/* Replay until the program has ended, or somebody wants it to end. */
void run_replay(struct run *run);

/* ---- run_account.c ---------------------------------------------------------------------------- */

#define RUN_CHECKS_MAX (3 + 2 * MACHINE_NODES_MAX)

/**
 * struct run_check - What must be equal, and whether it is.
 * @name: what is checked
 * @node: of which node; -1: of all
 * @is: one side
 * @should_be: the other
 */
struct run_check {
	const char *name;
	int node;
	uint64_t is;
	uint64_t should_be;
};

/* Fill in the checks. Return: how many. */
size_t run_account(const struct run *run, struct run_check *checks);

/* All accesses of a kind, over nodes. */
struct run_totals {
	uint64_t accesses;
	uint64_t local;
	uint64_t remote;
	uint64_t hits;
	uint64_t split;
	uint64_t frames;
	uint64_t cycles; /* the latest clock of a node */
};

void run_totals(const struct run *run, struct run_totals *totals);

/* ---- run_report.c ----------------------------------------------------------------------------- */

/*
 * The summary as JSON. @recorded: the part that is the same in each run of a program whose order its
 * own synchronisation decides, for the recordings. Return: a new reference.
 */
json_t *run_report_json(const struct run *run, int recorded);

/* Show the summary. Return: TOOL_OK; TOOL_FINDING if an account does not hold; TOOL_ERROR. */
int run_report(const struct run *run);

#endif /* TOOLS_RUN_H */
