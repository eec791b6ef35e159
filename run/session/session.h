/* SPDX-License-Identifier: MIT */
/*
 * run/session: a program on the emulated NUMA machine, with an emulated card on each node.
 *
 * What lives here: the interface. A caller fills in struct run_config and calls run_execute(); when
 * the program has ended, its run_ops.ended reads the result from struct run. The files behind it
 * share session_inside.h. May use the public API, the machine, the schedule and jansson. It reads
 * no options, prints nothing and catches no signals. The caller does these through run_ops.
 */
#ifndef RUN_SESSION_SESSION_H
#define RUN_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include <base/checkpoint.h>
#include <smile/monitor.h>

#include "emu/machine/machine.h"
#include "run/session/captures.h"
#include "emu/ring/route.h"
#include "run/schedule/schedule.h"
#include "run/stream.h"

/* Exit statuses that the program itself has not returned. */
enum run_status {
	RUN_FAILED = 2, /* a message says why */
	RUN_NOT_EXECUTABLE = 126, /* as in a shell */
	RUN_NOT_FOUND = 127, /* as in a shell */
};

struct run;

/**
 * struct run_signals - Numbers of signals so far.
 * @ends: number of SIGINT and SIGTERM together
 * @terminates: number of SIGTERM
 * @hangups: number of SIGHUP
 * @interrupts: number of SIGINT that a process sent; a terminal sends SIGINT to the program as well
 */
struct run_signals {
	unsigned ends;
	unsigned terminates;
	unsigned hangups;
	unsigned interrupts;
};

/**
 * struct run_ops - The caller's functions. All but @message are called in the process that does the
 * work, a child of the caller's process: see run_execute().
 * @message: a warning or an error, one line without its newline; called from any thread
 * @configure: configure the card of a node; NULL: the card keeps the state in which it was opened.
 *             Return: 0; -errno after a message
 * @catch: catch signals from now on; a signal that a process sends counts only if @guard has sent
 *         it. NULL: no signals are caught
 * @signals: get the signals so far; NULL: there are none
 * @progress: called often while the program runs; NULL: nothing is shown
 * @ended: the program has ended, and its recordings are complete: the caller can read the result.
 *         Return: 0, or an exit status if the program's own is 0; RUN_FAILED in any case. NULL: 0
 */
struct run_ops {
	void (*message)(void *opaque, const char *text);
	int (*configure)(void *opaque, unsigned node, struct Monitor *mon);
	void (*catch)(void *opaque, pid_t guard);
	void (*signals)(void *opaque, struct run_signals *signals);
	void (*progress)(void *opaque, const struct run *run);
	int (*ended)(void *opaque, const struct run *run);
};

/**
 * struct run_config - The program's machine, and what is recorded.
 * @nodes: number of nodes of the machine
 * @mapping: how threads are assigned to nodes
 * @threads: argument of SCHEDULE_IN_BLOCKS
 * @list: argument of SCHEDULE_BY_LIST; shape [@list_count]
 * @list_count: number of entries of @list
 * @place: the policy's name, for the result; NULL: the default policy
 * @placement: the policy; NULL: the default policy
 * @placement_node: the node that is the policy's argument
 * @network: the network between the nodes; its @nodes is 0: transactions do not wait
 * @network_name: its name as the user gave it
 * @placement_file: file that takes precedence over the policy; NULL: none
 * @migrate_phases: pages move to the nodes that use them, when a phase begins
 * @migrate_ns: pages move to the nodes that use them, at the end of each epoch of this many
 *              nanoseconds of simulated time; 0: pages stay
 * @machine: the name of the machine from which @latency, @caches and the rest were derived
 * @machine_source: source of the machine's numbers
 * @latency: the latency model
 * @cache: the cache of each node
 * @caches: the caches in front of all memory
 * @prefix: first part of the names of the recordings; NULL: there are no cards
 * @records: the recordings hold the cards' records; otherwise exact counts
 * @capture: first part of the names of the captures; NULL: no captures; "-": standard output
 * @capture_node: the only node that is captured; negative: all nodes are captured
 * @workload: name of the papers' program, for the result; NULL: not one of these programs
 * @only: cards and captures see only the phases of this name; NULL: all phases
 * @only_until: cards and captures also see all phases after @only, until a phase of this name
 *              begins; NULL: only the phases @only
 * @from: cards and captures see all phases from the first phase of this name on; NULL: from the
 *        beginning
 * @to: cards and captures see the phases until the next phase of this name begins, with or without
 *      @from; NULL: to the end
 * @sample: cards and captures see only each @sample-th of those phases; 0 or 1: all of them
 * @responses: the cards count response packets, too
 * @stdout_taken: the program's standard output is redirected to standard error
 * @stacks: count thread stacks, too
 * @no_constants: do not count constants, and the tables by which object files are linked
 * @libc: count the accesses of libc's own code, too
 * @allow_incomplete: exit with 0 even if something was not counted
 * @host_order: locks pass from thread to thread in the host's order
 * @command_line: the command line, for the recordings
 * @ops: the caller's functions
 * @opaque: first argument of the functions of @ops
 */
struct run_config {
	unsigned nodes;
	enum schedule_mapping mapping;
	unsigned threads;
	unsigned *list;
	size_t list_count;
	const char *place;
	const struct placement_policy *placement;
	unsigned placement_node;
	struct network_config network;
	const char *network_name;
	const char *placement_file;
	bool migrate_phases;
	uint64_t migrate_ns;
	const char *machine;
	const char *machine_source;
	struct latency_model latency;
	struct machine_cache cache;
	struct caches_shape caches;
	const char *prefix;
	bool records;
	const char *capture;
	int capture_node;
	const char *workload;
	const char *only;
	const char *only_until;
	const char *from;
	const char *to;
	unsigned sample;
	bool responses;
	bool stdout_taken;
	bool stacks;
	bool no_constants;
	bool libc;
	bool host_order;
	bool allow_incomplete;
	const char *command_line;
	const struct run_ops *ops;
	void *opaque;
};

/**
 * struct run_card - The card of a node.
 * @mon: the card, which gets the node's frames
 * @file: the name of its recording
 * @records: number of records taken in
 * @looked_ns: when it was last polled, by run_now_ns()
 * @passed: number of frames that it has seen
 * @looked_passed: the value of @passed when the card was last polled
 * @until_ns: up to this simulated time all counts are in the recording
 * @lost: the recording has failed: nothing more can be written to it
 * @refused: the card has failed to take in frames, and receives no more frames
 * @left_out: number of frames of phases that it must not see
 * @loss: the loss account; valid if @known
 * @statistics: the card's counters; valid if @known
 * @known: @loss and @statistics are valid
 */
struct run_card {
	struct Monitor *mon;
	char *file;
	uint64_t records;
	uint64_t looked_ns;
	uint64_t passed;
	uint64_t looked_passed;
	uint64_t until_ns;
	bool lost;
	bool refused;
	uint64_t left_out;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
	int known;
};

/**
 * struct run_phase - A phase of the program.
 * @name: its name; "" before the first mark
 * @counted: cards and captures saw the phase
 * @start_cycle: when it began
 * @cycles: its length
 * @single_cycles: the cycles that its work takes on one processor of one node
 * @nodes: counts of each node in the phase; their @cycles is the time for which the node's clocks
 *         ran
 *
 * For the phase that has not ended yet, all values are those at its beginning.
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
 * struct run_phases - The phases of the program.
 * @list: the phases that have ended, as many as are kept
 * @count: number of phases in @list
 * @capacity: of @list
 * @current: the phase that has not ended
 * @part: all counted phases together, if not all phases are counted
 * @counting: the current phase is counted
 * @found: there was a phase of the requested name
 * @begun: the phase run_config.from has begun, or none was requested
 * @over: after @begun, the phase run_config.to has begun as well
 * @sampled: number of phases since then
 */
struct run_phases {
	struct run_phase *list;
	size_t count;
	size_t capacity;
	struct run_phase current;
	struct run_phase part;
	bool counting;
	bool found;
	bool begun;
	bool over;
	uint64_t sampled;
};

/**
 * struct run_interval - The time between two meetings of threads; or several similar intervals
 * together.
 * @phase: number of its phase
 * @cycles: its length
 * @busiest_page: the page on which the most cycles were spent
 * @work: cycles of work and of accesses that caches served, by node
 * @busy: cycles of work and accesses, by node
 * @most: the same as @busy, of the busiest processor of each node
 * @waits: cycles for which its threads have waited for locks, by node
 * @pauses: cycles for which its threads have waited for a time to pass, by node
 * @first_meeting: number of the schedule's meetings at its beginning
 * @last_meeting: the same at its end, without the meeting that ended it
 * @several: it stands for several intervals
 */
struct run_interval {
	unsigned phase;
	uint64_t cycles;
	uint64_t busiest_page;
	uint64_t *work;
	uint64_t *busy;
	uint64_t *most;
	uint64_t *waits;
	uint64_t *pauses;
	uint64_t first_meeting;
	uint64_t last_meeting;
	bool several;
};

/**
 * struct run_intervals - The intervals of the program.
 * @list: the intervals that are recorded separately
 * @count: number of intervals in @list
 * @capacity: of @list
 * @phase: number of the current phase
 * @start_cycle: when the current interval began
 * @seen: work, and work plus accesses, of each processor at that time; shape [processors][2]
 * @waits: cycles for which threads had waited for locks at that time, by node
 * @pauses: cycles for which threads had waited for a time to pass at that time, by node
 * @meeting: number of the schedule's meetings at that time
 * @counts: number of counts of accesses that were reported
 * @failed: the intervals are not known
 */
struct run_intervals {
	struct run_interval *list;
	size_t count;
	size_t capacity;
	unsigned phase;
	uint64_t start_cycle;
	uint64_t (*seen)[2];
	uint64_t waits[MACHINE_NODES_MAX];
	uint64_t pauses[MACHINE_NODES_MAX];
	uint64_t meeting;
	uint64_t counts;
	bool failed;
};

/**
 * struct run_orders - Orders of the placement file; all zero: there are no orders.
 * @list: the orders; shape [@count], room for @capacity; the caller frees their threads
 */
struct run_orders {
	struct schedule_order *list;
	size_t count;
	size_t capacity;
};

#define RUN_SLEEPERS 64U

/**
 * struct run_sleeper - An open file with the state of a thread.
 * @tid: the thread id of the system; 0: the entry is free
 * @fd: the descriptor of the file
 */
struct run_sleeper {
	uint32_t tid;
	int fd;
};

struct place_names;
struct migrate;
struct run_network;
struct allocations;
struct run_frames;

/**
 * struct run - A run of a program.
 * @config: the caller's configuration
 * @stream: the memory that the program's tracer writes
 * @stream_fd: the file of @stream, which the tracer inherits
 * @files: folder of the machine's files; NULL: there are no files
 * @files_lock: descriptor whose lock holds @files; negative: its file system has no locks
 * @program: name of the program
 * @arguments: the command to run:
 * @real: path of the program's file if it was called by a symbolic link of another name; otherwise
 *        NULL
 * @called: the path of that link
 * @guard: the parent of this process
 * @works: this is the process that does the work, not the guard
 * @pid: the process that was started; 0: none
 * @began_ns: when it was started, by run_now_ns()
 * @child_ended: it has ended
 * @status: its exit status, as a shell would give it
 * @ends: the value of signals.ends when it ended
 * @signals: the signals that this process has acted upon
 * @deadline_ns: when the program is killed, by run_now_ns(); 0: it has not been signalled to end
 * @interrupted: it was killed, with all processes that it has started
 * @alone: the program has continued without being followed
 * @broken: the program or QEMU was killed before its end
 * @failed: an error occurred and was reported; all data recorded before that stays
 * @no_responses: the machine generates no responses, since they are not used
 * @machine: the machine
 * @schedule: the replay
 * @sleepers: indexed by the number of the thread, modulo RUN_SLEEPERS
 * @orders: the orders that the schedule enforces
 * @names: the placement file's regions; NULL: there is no placement file
 * @cards: the cards, by node
 * @migrate: the state of migration; NULL: pages do not move
 * @network: the network between the nodes; NULL: there is no network
 * @counted_bytes: the machine counts requests by blocks of this size in bytes; 0: the cards count
 *                 requests
 * @checkpoint: decides when the machine's counts go into the recordings before the phase's end
 * @captures: the captures of the nodes
 * @phases: the program's phases
 * @intervals: the intervals between meetings of threads
 * @locals: number of counts of accesses to own memory reported so far
 * @accessed_phase: the phase of accesses in front of the caches that are delivered now
 * @heap: what the program has allocated; NULL: nothing yet
 * @frames: the functions in which the program's threads were; NULL: none yet
 */
struct run {
	struct run_config config;
	void *stream;
	int stream_fd;
	char *files;
	int files_lock;
	const char *program;
	char **arguments;
	char *real;
	char *called;
	pid_t guard;
	bool works;
	pid_t pid;
	uint64_t began_ns;
	bool child_ended;
	int status;
	unsigned ends;
	struct run_signals signals;
	uint64_t deadline_ns;
	bool interrupted;
	bool alone;
	bool broken;
	int failed;
	bool no_responses;
	struct machine *machine;
	struct schedule *schedule;
	struct run_sleeper sleepers[RUN_SLEEPERS];
	struct run_orders orders;
	struct place_names *names;
	struct run_card cards[MACHINE_NODES_MAX];
	struct migrate *migrate;
	struct run_network *network;
	unsigned counted_bytes;
	struct checkpoint checkpoint;
	struct captures captures;
	struct run_phases phases;
	struct run_intervals intervals;
	uint64_t locals;
	unsigned accessed_phase;
	struct allocations *heap;
	struct run_frames *frames;
};

/**
 * run_execute() - Run a program, and record the requested data.
 * @config: the configuration; not changed, and used until the function returns
 * @command: the program and its arguments, ended by NULL
 *
 * The work is done in a child process, which ends with exit(3): functions that the caller has
 * registered with atexit(3) run in it, too. If one of the two processes is killed, the other ends
 * the program. Only one run at a time is possible.
 *
 * Return: the program's exit status, or enum run_status.
 */
int run_execute(const struct run_config *config, char **command);

/* ---- the result ---------------------------------------------------------------------------- */

#define RUN_CHECKS_MAX (7 + 2 * MACHINE_NODES_MAX)

/**
 * struct run_check - Two numbers that must be equal.
 * @name: name of the equation
 * @node: the node to which it applies; -1: all nodes
 * @is: left side
 * @should_be: right side
 */
struct run_check {
	const char *name;
	int node;
	uint64_t is;
	uint64_t should_be;
};

/* Room for why a run is not complete. */
#define RUN_WHY_BYTES 256

/*
 * Was everything counted that should be counted? If not, @text, @bytes long, receives the accesses
 * that were not counted, as a sentence without a full stop. @text may be NULL.
 */
bool run_complete(const struct run *run, char *text, size_t bytes);

/* Host time since the program was started, ns. */
uint64_t run_elapsed_ns(const struct run *run);

/**
 * struct run_left - Accesses that are not counted.
 * @reason: which accesses
 * @rule: why they are left out; NULL: no rule leaves them out
 * @known: their number is known
 * @accesses: their number
 */
struct run_left {
	const char *reason;
	const char *rule;
	bool known;
	uint64_t accesses;
};

/* How often the program got data of a kind from the host; another run may get different data. */
uint64_t run_asked(const struct run *run, enum stream_asked what);

/* The name of the kind of data: a key for JSON, or words for a message. */
const char *run_asked_key(enum stream_asked what);
const char *run_asked_text(enum stream_asked what);

/*
 * How often QEMU has not executed system call @number, below STREAM_SYSCALLS; and the name of the
 * call.
 */
uint32_t run_unsupported(const struct run *run, unsigned number);
const char *run_unsupported_name(unsigned number);

/*
 * Get row @index of the rows that apply with this run's options. Return: whether the row exists.
 * The counted accesses and the known rows add up to all accesses that the program and its libraries
 * have made.
 */
bool run_left(const struct run *run, size_t index, struct run_left *left);

/* Fill in the checks. Return: their number. */
size_t run_account(const struct run *run, struct run_check *checks);

/* All counts of each kind, summed over nodes. */
struct run_totals {
	uint64_t accesses;
	uint64_t local;
	uint64_t remote;
	uint64_t made_local; /* in front of the caches, if they serve all memory */
	uint64_t made_remote;
	uint64_t hits;
	uint64_t misses;
	uint64_t backs;
	uint64_t split;
	uint64_t frames;
	uint64_t cycles; /* the latest clock of all nodes */
};

void run_totals(const struct run *run, struct run_totals *totals);

/*
 * The name of a level of the caches; behind the last level: "neighbour", the cache of another
 * processor of the node.
 */
const char *run_level_name(const struct run *run, unsigned level);

/* The sum of the counts of all types. */
uint64_t run_types(const uint64_t *counts);

/* The name of the policy that @config.place names, or of the default. */
const char *run_place_text(const struct run *run);

double run_speed_up(const struct run *run, uint64_t cycles);
double run_phase_speed_up(const struct run_phase *phase);

/* Add @part, the statistics of one node, to @total. */
void run_statistics_add(struct machine_statistics *total, const struct machine_statistics *part);

/*
 * The summary as JSON. @recorded: include only the deterministic part, for the recordings. Return:
 * a new reference.
 */
json_t *run_report_json(const struct run *run, int recorded);

/* ---- what a run needs ---------------------------------------------------------------------- */

#define RUN_QEMU "qemu-x86_64"
#define RUN_QEMU_BUILD "build-qemu"
#define RUN_TRACER "smile-tracer.so"
#define RUN_PRELOAD "smile-preload.so"

/*
 * Find a file that is installed with the library, by its name, beside the directory of the calling
 * program, or where the library is installed. Return: its path, to be freed; NULL if the file does
 * not exist.
 */
char *run_file_look(const char *name);

/* The places that run_file_look() has searched, for a message. @text: receives it, @bytes long. */
void run_file_missing(const char *name, char *text, size_t bytes);

/*
 * Find the QEMU that traces: the one that SMILE_QEMU names; else the one in PATH, if it loads
 * plug-ins; else the one that RUN_QEMU_BUILD has built for this user or this machine. Return: its
 * path, to be freed; NULL if there is no QEMU. If the only QEMU loads no plug-ins, its path.
 */
char *run_emulator_find(void);

/* Can the QEMU in this file load plug-ins? A statically linked QEMU cannot. */
bool run_emulator_loads(const char *path);

/*
 * The remedy if there is no QEMU, or no QEMU that loads plug-ins, for a message. @text: receives
 * it.
 */
void run_emulator_missing(char *text, size_t bytes);

/* Search PATH as execvp(3) does. Return: the path, to be freed; NULL if no file was found. */
char *run_search(const char *name);

#endif /* RUN_SESSION_SESSION_H */
