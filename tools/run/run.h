/* SPDX-License-Identifier: MIT */
/*
 * smile run: a program on the emulated NUMA machine, with an emulated card on each node.
 *
 * What lives here: what its parts share. Options in run.c and options.c, the run from its
 * beginning to its end in command.c, the program and what it needs to be traced in program.c
 * and tracer.c, what the system says of its processes in process.c, cards and recordings in
 * cards.c and feed.c, the replay in replay.c, what is done if it is killed in guard.c; what is
 * known of the program's memory in map.c, local.c, object.c, heap.c and merge.c, its phases in
 * phase.c, the placement file in place.c; the account and the summary in account.c, report.c and
 * json.c. `smile sim` is all of that, with programs and defaults of its own: sim.c.
 */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include <jansson.h>

#include <smile/monitor.h>
#include <trace/stream.h>

#include "emu/machine/machine.h"
#include "emu/schedule/schedule.h"
#include "tools/common/captures.h"
#include "tools/common/config_options.h"
#include "tools/run/feed.h"

#define RUN_ARGUMENTS_MAX 8 /* what a script's interpreters add to its arguments */

/* Exit statuses of a program that was not run, as a shell has them. */
enum run_status {
	RUN_NOT_EXECUTABLE = 126,
	RUN_NOT_FOUND = 127,
};

/* What getopt_long() returns for RUN_LONG_OPTIONS. */
enum run_code {
	RUN_NODES = CONFIG_END,
	RUN_THREADS,
	RUN_PLACE,
	RUN_LATENCY,
	RUN_CACHE,
	RUN_CAPTURE,
	RUN_JSON,
	RUN_STACKS,
	RUN_LIBC,
	RUN_HOST_ORDER,
	RUN_ONLY_PHASE,
	RUN_END,
};

/* clang-format off */
/* What `smile run` and `smile sim` have in common; the option for RUN_THREADS has another name. */
#define RUN_LONG_OPTIONS                                                                           \
	{ "output", required_argument, NULL, 'o' },                                                \
	{ "quiet", no_argument, NULL, 'q' },                                                       \
	{ "nodes", required_argument, NULL, RUN_NODES },                                           \
	{ "place", required_argument, NULL, RUN_PLACE },                                           \
	{ "latency", required_argument, NULL, RUN_LATENCY },                                       \
	{ "cache", required_argument, NULL, RUN_CACHE },                                           \
	{ "capture", required_argument, NULL, RUN_CAPTURE },                                       \
	{ "json", required_argument, NULL, RUN_JSON },                                             \
	{ "stacks", no_argument, NULL, RUN_STACKS },                                               \
	{ "libc", no_argument, NULL, RUN_LIBC },                                                   \
	{ "host-order", no_argument, NULL, RUN_HOST_ORDER },                                       \
	{ "only-phase", required_argument, NULL, RUN_ONLY_PHASE },                                 \
	{ "help", no_argument, NULL, 'h' },                                                        \
	CONFIG_COUNTING_LONG_OPTIONS
/* clang-format on */

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
 * @prefix: of the recordings; NULL: there are no cards
 * @capture: prefix of the captures; NULL: none; "-": standard output
 * @capture_node: the only node that is captured; negative: all of them
 * @json: file for the summary; NULL: none
 * @workload: of `smile sim`; NULL: any program
 * @only: cards and captures are to see the phases of this name alone; NULL: all
 * @only_until: and all that come behind it, up to one of this name; NULL: no others
 * @quiet: no summary
 * @summary_to_stdout: the summary goes there
 * @stdout_taken: the program's standard output goes to standard error
 * @stacks: count thread stacks, too
 * @libc: count what libc's own code does, too
 * @host_order: locks go from thread to thread as the host has them come
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
	int capture_node;
	const char *json;
	const char *workload;
	const char *only;
	const char *only_until;
	int quiet;
	int summary_to_stdout;
	int stdout_taken;
	int stacks;
	int libc;
	int host_order;
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
 * @looked_ns: when it was last looked at, by tool_now_ns()
 * @passed: frames passed
 * @looked_passed: how many they were then
 * @left_out: frames of phases that it is not to see
 * @loss: the loss account; valid if @known
 * @statistics: its counters; valid if @known
 * @known: they are
 */
struct run_card {
	struct Monitor *mon;
	char *file;
	_Atomic uint64_t records;
	uint64_t looked_ns;
	uint64_t passed;
	uint64_t looked_passed;
	uint64_t left_out;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int known;
};

/**
 * struct run_phase - A phase of the program.
 * @name: "" before the first mark
 * @counted: cards and captures saw it
 * @start_cycle: when it began
 * @cycles: how long it took
 * @single_cycles: what its work takes on one processor of one node
 * @nodes: what each node did in it, by node; in their @cycles, how long its clocks ran
 *
 * Of the phase that has not ended yet: what all was up to its beginning.
 */
struct run_phase {
	char *name;
	bool counted;
	uint64_t start_cycle;
	uint64_t cycles;
	uint64_t single_cycles;
	struct machine_statistics *nodes;
};

/**
 * struct run_phases - The phases.
 * @list: those that have ended, as many as are kept
 * @count: of them
 * @capacity: of @list
 * @current: the one that has not
 * @part: all that were counted, together, if not all are
 * @counting: the current one counts
 * @found: there was one of the name that was asked for
 */
struct run_phases {
	struct run_phase *list;
	size_t count;
	size_t capacity;
	struct run_phase current;
	struct run_phase part;
	bool counting;
	bool found;
};

/**
 * struct run - One run.
 * @options: what the user asked for
 * @command_line: for the recordings
 * @stream: the memory that the program's tracer writes
 * @stream_fd: its file, for the tracer to inherit
 * @guard: the parent of this process
 * @pid: the process that was started; 0: none
 * @child_ended: it has ended
 * @status: its exit status, as a shell would give it
 * @signals: Ctrl-C and SIGTERM that had come by then
 * @deadline_ns: when the program is killed, by tool_now_ns(); 0: it was not asked to end
 * @interrupted: it was killed with all that it has started
 * @alone: it has gone on without being followed
 * @failed: something went wrong and was reported; what was recorded stays
 * @no_responses: the machine makes none, since they are not used
 * @machine: the machine
 * @schedule: the replay
 * @cards: by node
 * @feed: threads that they run in, while the program runs; NULL: none
 * @captures: by node
 * @phases: the program's
 * @locals: counts of accesses to own memory reported so far
 * @heap: what it has allocated; NULL: nothing yet
 * @frames: what functions its threads were in; NULL: nothing yet
 */
struct run {
	struct run_options options;
	char *command_line;
	void *stream;
	int stream_fd;
	pid_t guard;
	pid_t pid;
	int child_ended;
	int status;
	int signals;
	uint64_t deadline_ns;
	int interrupted;
	int alone;
	_Atomic int failed;
	int no_responses;
	struct machine *machine;
	struct schedule *schedule;
	struct run_card cards[MACHINE_NODES_MAX];
	struct feed *feed;
	struct captures captures;
	struct run_phases phases;
	uint64_t locals;
	struct run_heap *heap;
	struct run_frames *frames;
};

/*
 * ---- run.c ------------------------------------------------------------------------------------
 */

void run_options_init(struct run_options *options);
void run_options_free(struct run_options *options);

/* Take in what getopt_long() returned. Return: TOOL_OK; TOOL_ERROR after saying what is wrong. */
int run_option_parse(struct run_options *options, int option);

/**
 * struct run_again - A recorded command line of `smile run` or `smile sim`, to be run once more.
 * @words: the options that say what machine it was, each as "--name=value" or "--name": not where
 *         results, captures and pages go; each to be freed; shape [@count], room as for all
 *         arguments
 * @count: how many
 * @output: what was given to -o, within the arguments; NULL: nothing
 */
struct run_again {
	char **words;
	size_t count;
	const char *output;
};

struct option;

/*
 * Take a command line apart. @letters, @table: its options; argv[0] is the command's name;
 * arguments change their order as getopt_long() has it. Return: where the program stands in @argv;
 * -1 if there is none, or the options are not such.
 */
int run_options_again(int argc, char **argv, const char *letters, const struct option *table,
		      struct run_again *again);

/* The same with the options of `smile run`. */
int run_again(int argc, char **argv, struct run_again *again);

/* For --help: the machine's options and the cards'. @threads: the option for RUN_THREADS. */
void run_options_print(const char *threads);

/*
 * ---- command.c --------------------------------------------------------------------------------
 */

/**
 * run_execute() - Run a program, and record what was asked for.
 * @options: what the user asked for; copied
 * @command: the program and its arguments, ended by NULL
 * @argc: of the command line, for the recordings
 * @argv: likewise
 *
 * Return: the exit status.
 */
int run_execute(const struct run_options *options, char **command, int argc, char **argv);

/*
 * ---- options.c: each returns 0, or -1 after saying what is wrong ------------------------------
 */

int run_threads_parse(struct run_options *options, const char *text);
int run_latency_parse(struct run_options *options, const char *text);
int run_cache_parse(struct run_options *options, const char *text);
int run_place_parse(struct run_options *options, const char *text);

/*
 * After all options: do they fit together? Return: TOOL_OK; TOOL_ERROR after saying what does not.
 */
int run_options_check(const struct run_options *options);

/*
 * ---- place.c ----------------------------------------------------------------------------------
 */

/*
 * Report the machine what a placement file says. Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int run_place_apply(const char *file, struct machine *machine);

/*
 * ---- program.c --------------------------------------------------------------------------------
 */

/*
 * Find the program, and see that it can be traced. Return: TOOL_OK; after saying why not,
 * enum run_status.
 */
int run_program_find(struct run_program *program, char **command);
void run_program_free(struct run_program *program);

/* Search PATH as execvp(3) does. Return: the path, to be freed; NULL if there is none. */
char *run_search(const char *name);

/*
 * ---- tracer.c ---------------------------------------------------------------------------------
 */

#define RUN_QEMU "qemu-x86_64"
#define RUN_TRACER "smile-tracer.so"
#define RUN_PRELOAD "smile-preload.so"

/*
 * What comes with this command, by name: beside the command's directory, or where it is installed.
 * Return: its path, to be freed; NULL if there is none, which run_file_find() says.
 */
char *run_file_look(const char *name);
char *run_file_find(const char *name);

/* Make the memory. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_stream_create(struct run *run);
void run_stream_free(struct run *run);

/* Producers do not wait any more. */
void run_stream_stop(struct run *run);

/* Start the program. Return: TOOL_OK; TOOL_ERROR or enum run_status after saying why not. */
int run_tracer_start(struct run *run, const struct run_program *program);

/*
 * ---- process.c --------------------------------------------------------------------------------
 */

/* Is it gone, or has it no thread left and only its parent has not asked yet? */
int run_process_is_dead(uint32_t pid);

/* Is it a descendant of this process? */
int run_process_is_ours(uint32_t pid);

/* Kill all descendants of this process that there are now. */
void run_process_kill_all(void);

/* Wait for children that end about now. Return: whether there are any left. */
bool run_process_reap(void);

/*
 * ---- guard.c ----------------------------------------------------------------------------------
 */

typedef int run_work(struct run *run, const struct run_program *program);

/**
 * run_guard() - Do the work in a process of its own; it and this one see to the other's end.
 *
 * Signals are caught in it: see signals_catch_guarded(). Return, in both: the exit status.
 */
int run_guard(struct run *run, const struct run_program *program, run_work *work);

/*
 * ---- cards.c ----------------------------------------------------------------------------------
 */

/* Open, configure, start. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_cards_open(struct run *run);

/* The program was started: from now on the cards may run in threads of their own. */
void run_cards_begin(struct run *run);

/* All frames so far have passed, and none does before the machine makes another. */
void run_cards_drain(struct run *run);

/*
 * Nothing comes for the moment: a follower of the recordings is to see what there is. With
 * threads of their own, the cards do so by themselves.
 */
void run_cards_rest(struct run *run);

/* Frames pass on a node's B-Link: struct machine_ops. */
void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames,
		      size_t count);

/* The same, of requests that are decoded already. */
void run_cards_requests(void *opaque, unsigned node, const uint64_t *requests,
			const uint64_t *times_ns, size_t count);

/* Stop, swap out, and get the accounts. */
void run_cards_stop(struct run *run);

/* Complete the recordings. */
void run_cards_close(struct run *run);

/*
 * ---- map.c ------------------------------------------------------------------------------------
 */

/* A phase has begun: struct schedule_ops. */
void run_map_phase(void *opaque, const char *name, unsigned index, uint64_t time_ns);

/* Report every card's recording what is where, and the run's parameters and results. */
void run_map_report(struct run *run);

/*
 * ---- phase.c ----------------------------------------------------------------------------------
 */

/* Before the program starts. Return: TOOL_OK; TOOL_ERROR after saying why not. */
int run_phases_begin(struct run *run);

/* A phase has begun. */
void run_phases_next(struct run *run, const char *name);

/* The program has ended. */
void run_phases_end(struct run *run);
void run_phases_free(struct run *run);

/* Are cards and captures to see this frame? */
bool run_phases_pass(const struct run *run, const void *frame);

/* All phases, a line each, on @out, which output_to() knows. */
void run_phases_table(const struct run *run, FILE *out);

double run_phase_speed_up(const struct run_phase *phase);

/*
 * ---- local.c ----------------------------------------------------------------------------------
 */

/* A phase has ended: report the recordings what nodes have accessed of their own memory in it. */
void run_locals_take(struct run *run, unsigned phase);

/* And the last one, with which they know all of it. */
void run_locals_end(struct run *run, unsigned phase);

/* Cycles of work, by phase and node; empty if there are too many. Return: a new reference. */
json_t *run_work_json(const struct run *run);

/*
 * ---- heap.c -----------------------------------------------------------------------------------
 */

struct run_heap;

/* A block of the heap came or went: struct schedule_ops. */
void run_heap_block(void *opaque, const struct schedule_block *block);

/* Report every card's recording what the program has allocated, and forget it. */
void run_heap_report(struct run *run);
void run_heap_free(struct run *run);

/* Blocks of at least so many bytes are reported one by one. */
#define RUN_HEAP_LARGE_BYTES 4096U
/* Between neighbours the C library keeps less than this. */
#define RUN_HEAP_GAP_BYTES 64U

/*
 * ---- frames.c ---------------------------------------------------------------------------------
 */

struct run_frames;

/* A thread is in a function: struct schedule_ops. */
void run_frames_frame(void *opaque, const struct schedule_frame *frame);

/* Report every card's recording what functions the threads were in, and forget it. */
void run_frames_report(struct run *run);
void run_frames_free(struct run *run);

/*
 * ---- merge.c ----------------------------------------------------------------------------------
 */

/*
 * Of @rows, ascending by address, merge small neighbours, at most @most into one. Return: how many
 * there are now.
 */
size_t run_heap_merge(struct Monitor_block *rows, size_t count, size_t most);

/*
 * ---- object.c ---------------------------------------------------------------------------------
 */

/* Report every card's recording of which builds the program's files are. */
void run_objects_report(struct run *run);

/*
 * ---- replay.c ---------------------------------------------------------------------------------
 */

/* Replay until the program has ended, or it is to end. */
void run_replay(struct run *run);

/*
 * ---- account.c --------------------------------------------------------------------------------
 */

#define RUN_CHECKS_MAX (5 + 2 * MACHINE_NODES_MAX)

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

/* Counts of all types together. */
uint64_t run_types(const uint64_t *counts);

/*
 * ---- json.c ------------------------------------------------------------------------------------
 */

/*
 * The summary as JSON. @recorded: the part that is the same in each run of a program whose order
 * its own synchronisation decides, for the recordings. Return: a new reference.
 */
json_t *run_report_json(const struct run *run, int recorded);

/*
 * ---- report.c ---------------------------------------------------------------------------------
 */

/* What --place said, or would have. */
const char *run_place_text(const struct run *run);

double run_speed_up(const struct run *run, uint64_t cycles);

/* Show the summary. Return: TOOL_OK; TOOL_FINDING if an account does not hold; TOOL_ERROR. */
int run_report(const struct run *run);

/*
 * ---- sim.c ------------------------------------------------------------------------------------
 */

/* run_again() with the options of `smile sim`; what it returns is where the workload stands. */
int sim_again(int argc, char **argv, struct run_again *again);

#endif /* TOOLS_RUN_H */
