/* SPDX-License-Identifier: MIT */
/*
 * run/session: runs a program on the emulated NUMA machine, with an emulated card on each node.
 *
 * What lives here: the interface. A caller fills in struct run_config and calls run_execute(). When
 * the program has ended, run_execute() calls run_ops.ended, which reads the result from struct run.
 * The source files of this directory share session_inside.h. They may use the public API, the
 * machine, the schedule and jansson. They read no options, print nothing and catch no signals; the
 * caller does this work with the functions of run_ops.
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
#include "run/session/gather.h"
#include "emu/ring/route.h"
#include "run/schedule/schedule.h"
#include "run/stream.h"

/* Exit statuses of run_execute() that are not the program's own. */
enum run_status {
	RUN_FAILED = 2, /* a message has given the reason */
	/* the program cannot be executed; the same status as in a shell */
	RUN_NOT_EXECUTABLE = 126,
	RUN_NOT_FOUND = 127, /* the program was not found; the same status as in a shell */
};

struct run;

/**
 * struct run_signals - The number of signals received so far.
 * @ends: number of SIGINT and SIGTERM, added up
 * @terminates: number of SIGTERM
 * @hangups: number of SIGHUP
 * @interrupts: number of SIGINT that other processes have sent. A SIGINT from the terminal is not
 *              included, because the terminal also sends it to the program
 */
struct run_signals {
	unsigned ends;
	unsigned terminates;
	unsigned hangups;
	unsigned interrupts;
};

/**
 * struct run_ops - The caller's functions. run_execute() creates a child process that does the
 * work. It calls all functions except @message in this child process.
 * @message: receives a warning or an error, as one line without a newline. Any thread may call it
 * @configure: configures the card of a node. Return: 0 or -errno after a message. NULL: the card
 *             keeps the state in which it was opened
 * @catch: starts to catch signals. The function must ignore signals that a process other than
 *         @guard has sent. NULL: no signals are caught
 * @signals: gets the number of signals so far. NULL: the number is always 0
 * @progress: called often while the program runs. NULL: no progress is shown
 * @ended: called when the program has ended and its recordings are complete, so that the caller can
 *         read the result. Return: RUN_FAILED, or an exit status that is used if the program's own
 *         status is 0. NULL: the same as a function that returns 0
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
 * struct run_config - The machine on which the program runs, and the data to record.
 * @nodes: number of nodes of the machine
 * @mapping: how threads are assigned to nodes
 * @threads: the number of threads, for SCHEDULE_IN_BLOCKS
 * @list: the nodes of the threads, for SCHEDULE_BY_LIST; shape [@list_count]
 * @list_count: number of entries of @list
 * @place: name of the placement policy, for the result; NULL: the default policy
 * @placement: the placement policy; NULL: the default policy
 * @placement_node: the node, if the policy takes a node as its argument
 * @network: the network between the nodes. If its number of nodes is 0, no transaction waits in the
 *           network
 * @network_name: name of the network, as given by the user
 * @placement_file: placement file, which takes precedence over the policy; NULL: there is no
 *                  placement file
 * @migrate_phases: move pages at the beginning of each phase to the nodes that use them
 * @migrate_ns: length of an epoch, in nanoseconds of simulated time; 0: no epochs. At the end of
 *              each epoch, pages move to the nodes that use them
 * @machine: name of the machine that has defined @latency, @cache, @caches and the other values
 * @machine_source: source of the machine's values
 * @latency: the latency model
 * @cache: the cache of each node
 * @caches: the caches in front of all memory
 * @prefix: first part of the names of the recordings; NULL: the nodes have no cards
 * @records: if true, the recordings hold the cards' records; otherwise they hold exact counts
 * @capture: first part of the names of the captures; "-": standard output; NULL: nothing is
 *           captured
 * @capture_node: the only node whose frames are captured; negative: the frames of all nodes are
 *                captured
 * @workload: if the program is one of the papers' programs, the program's name for the result;
 *           otherwise NULL
 * @only: cards and captures see only the phases of this name; NULL: they see all phases
 * @only_until: name of a phase; NULL: not used. Cards and captures then also see the phases that
 *              follow a phase named @only, until a phase named @only_until begins
 * @from: cards and captures see nothing before the first phase of this name; NULL: they see the
 *        program from its beginning
 * @to: cards and captures see nothing from the next phase of this name on. If @from is set, a phase
 *      of this name has this effect only after the phase @from; NULL: they see the program until
 *      its end
 * @sample: cards and captures see only every @sample-th phase of the phases that @from and @to
 *          select; 0 or 1: they see all of these phases
 * @responses: the cards also count response packets
 * @stdout_taken: the program's standard output is redirected to standard error
 * @stacks: also count accesses to the stacks of threads
 * @no_constants: do not count accesses to constants, or to the tables through which object files
 *                are linked
 * @libc: also count the accesses of libc's own code
 * @allow_incomplete: return the exit status 0 even if some accesses were not counted
 * @host_order: in the replay, threads take locks in the order in which they took the locks on the
 *              host
 * @command_line: the command line, which is written to the recordings
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
 * @mon: the emulated card, which receives the frames of the node
 * @file: name of the card's recording
 * @created: the file did not exist before the run
 * @records: number of records that were read from the card
 * @looked_ns: time of run_now_ns() at the last poll of the card
 * @passed: number of frames that were passed to the card
 * @looked_passed: the value of @passed at the last poll
 * @until_ns: the recording has all counts up to this simulated time
 * @lost: an error has occurred while the recording was written, and nothing more can be written to
 *        it
 * @refused: the card has failed to process frames, and receives no further frames
 * @left_out: number of frames that the card did not receive, because their phase is not selected
 * @loss: the loss account, if @known is set
 * @statistics: the card's counters, if @known is set
 * @known: @loss and @statistics are valid
 */
struct run_card {
	struct Monitor *mon;
	char *file;
	bool created;
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
 * @name: its name; "" for the time before the first phase mark
 * @counted: cards and captures saw the phase
 * @start_cycle: cycle at which the phase began
 * @cycles: its length
 * @single_cycles: number of cycles that the work of the phase would take on one processor of one
 *                 node
 * @nodes: counts of each node in the phase. The member cycles is the time for which the node worked
 *         in the phase
 *
 * Until a phase has ended, @single_cycles and @nodes have the values that they had at the beginning
 * of the phase.
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
 * @list: the phases that have ended; phases beyond a limit are not kept
 * @count: number of phases in @list
 * @capacity: number of phases for which @list has space
 * @current: the phase that has not ended
 * @part: the sum of all counted phases, if only some phases are counted
 * @counting: the current phase is counted
 * @found: a phase of the requested name has begun
 * @begun: the phase run_config.from has begun, or run_config.from is NULL
 * @over: after the phase run_config.from, the phase run_config.to has begun
 * @sampled: number of phases that began while @begun was set and @over was not set
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
 * struct run_interval - The time between two meetings of threads, or the sum of several similar
 * intervals.
 * @phase: number of the phase in which the interval lies
 * @cycles: its length
 * @busiest_page: the page whose accesses would take the most cycles if the page were remote
 * @work: by node, cycles of work and of accesses that caches served
 * @busy: by node, cycles of work and of all accesses
 * @most: for each node, the cycles of work and of all accesses of the node's busiest processor
 * @waits: by node, cycles for which threads have waited for locks
 * @pauses: by node, cycles for which threads have waited for a time to pass
 * @first_meeting: the schedule's number of meetings when the interval began
 * @last_meeting: the schedule's number of meetings when the interval ended, not including the
 *                meeting that has ended the interval
 * @several: this structure is the sum of several intervals
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
 * struct run_intervals - The intervals of the program. The current interval is the interval that
 * has not ended.
 * @list: the recorded intervals; an element is one interval, or the sum of several intervals
 * @count: number of intervals in @list
 * @capacity: number of intervals for which @list has space
 * @phase: number of the current phase
 * @start_cycle: cycle at which the current interval began
 * @seen: two numbers of cycles for each processor, up to @start_cycle. The first is work and
 *        accesses that caches served; the second is work and all accesses; shape [processors][2]
 * @waits: for each node, the cycles up to @start_cycle for which threads had waited for locks
 * @pauses: for each node, the cycles up to @start_cycle for which threads had waited for a certain
 *          time
 * @meeting: the schedule's number of meetings when the current interval began
 * @counts: number of counts of accesses that were written to recordings
 * @failed: an error occurred, and the intervals are not reported
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
 * struct run_orders - The orders in which threads must first take locks, from the placement file;
 * all members are zero if the file has no orders.
 * @list: the orders; shape [@count], with space for @capacity. The caller must free the threads of
 *        each order
 */
struct run_orders {
	struct schedule_order *list;
	size_t count;
	size_t capacity;
};

#define RUN_SLEEPERS 64U

/**
 * struct run_sleeper - An open file of /proc that shows the state of a thread.
 * @tid: the system's id of the thread; 0: the entry is free
 * @fd: descriptor of the file
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
 * @stream: the memory into which the tracer writes the program's accesses
 * @stream_fd: descriptor of the file of @stream, which the tracer inherits
 * @files: path of the directory with the machine's files; NULL: there is no directory
 * @files_lock: descriptor whose lock shows that @files is in use; negative: the file system has no
 *              locks
 * @program: path of the program
 * @arguments: the program's command line; the last element is NULL
 * @real: path of the program's file, if the program was called through a symbolic link with another
 *        name; otherwise NULL
 * @called: the path of that symbolic link; otherwise NULL
 * @guard: the parent of this process
 * @works: this process does the work; otherwise this process is the guard
 * @pid: the process that was started; 0: no process was started
 * @began_ns: time of run_now_ns() at which the program started to run
 * @child_ended: the process @pid has ended
 * @status: exit status of the process @pid, as a shell would return it
 * @ends: the value of run_signals.ends when the process @pid ended
 * @signals: the signals to which this process has already reacted
 * @deadline_ns: time of run_now_ns() at which the program will be killed; 0: no signal to end was
 *               sent to the program yet
 * @interrupted: the program and all processes that it had started were killed
 * @alone: the program continues to run, but the replay no longer follows it
 * @broken: the program or QEMU was killed before its end
 * @failed: an error was reported. The data recorded before the error stays
 * @no_responses: the machine generates no responses, because they are not used
 * @machine: the machine
 * @schedule: the schedule, which replays the program's threads
 * @several: the replay may use several of the host's processors
 * @gather: whether threads that wait for turns are gathered on one of these processors
 * @gathers: number of times that threads were gathered, or stopped being gathered
 * @sleepers: open files with the states of threads, indexed by the thread's system id modulo
 *            RUN_SLEEPERS
 * @orders: the orders of threads that the schedule enforces
 * @names: the regions of the placement file; NULL: there is no placement file
 * @cards: the cards, by node
 * @migrate: the state of migration; NULL: pages do not move
 * @network: the network between the nodes; NULL: there is no network
 * @counted_bytes: the machine counts requests by blocks of this number of bytes; 0: the cards count
 *                 the requests
 * @checkpoint: decides when the machine's counts are written to the recordings before a phase ends
 * @captures: the captures of the nodes
 * @phases: the program's phases
 * @intervals: the intervals between meetings of threads
 * @locals: number of reported counts of accesses by nodes to their own memory
 * @accessed_phase: the phase of the processors' accesses, before caches serve some of them, that
 *                  the machine now delivers
 * @heap: the blocks that the program has allocated; NULL: no block was allocated yet
 * @frames: the functions in which threads of the program were; NULL: no function was reported yet
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
	bool several;
	struct gather gather;
	uint32_t gathers;
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
 * @command: the program and its arguments; the last element is NULL
 *
 * A child process does the work, and ends with exit(3). Functions that the caller has registered
 * with atexit(3) therefore also run in the child process. If either process is killed, the other
 * process ends the program. Only one run at a time is possible.
 *
 * Return: the program's exit status, or one of enum run_status.
 */
int run_execute(const struct run_config *config, char **command);

/* ---- the result ---------------------------------------------------------------------------- */

#define RUN_CHECKS_MAX (7 + 2 * MACHINE_NODES_MAX)

/**
 * struct run_check - An equation of the loss account: both sides must be equal.
 * @name: name of the equation
 * @node: the node to which the equation applies; -1: all nodes
 * @is: left side
 * @should_be: right side
 */
struct run_check {
	const char *name;
	int node;
	uint64_t is;
	uint64_t should_be;
};

/* Size in bytes of the text of run_complete(). */
#define RUN_WHY_BYTES 256

/*
 * Check whether all accesses that the options select were counted. @text: receives the reason if
 * some accesses were not counted, as a sentence without a full stop; the text has @bytes bytes, and
 * may be NULL. Return: true if all were counted.
 */
bool run_complete(const struct run *run, char *text, size_t bytes);

/* Get the host time in nanoseconds since the program was started. */
uint64_t run_elapsed_ns(const struct run *run);

/**
 * struct run_left - A group of accesses that are not counted.
 * @reason: the accesses of the group
 * @rule: the rule that excludes these accesses; NULL: no rule excludes them
 * @known: the number of accesses is known
 * @accesses: the number of accesses
 */
struct run_left {
	const char *reason;
	const char *rule;
	bool known;
	uint64_t accesses;
};

/*
 * Get the number of times that the program got data of the kind @what from the host. In another
 * run, the host may supply other data.
 */
uint64_t run_host_data(const struct run *run, enum stream_host_data what);

/*
 * Get the name of a kind of data. run_host_data_key() returns a key for JSON, and
 * run_host_data_text() returns words for a message.
 */
const char *run_host_data_key(enum stream_host_data what);
const char *run_host_data_text(enum stream_host_data what);

/*
 * run_unsupported() gets the number of times that QEMU did not execute system call @number, which
 * is below STREAM_SYSCALLS. run_unsupported_name() gets the name of the system call.
 */
uint32_t run_unsupported(const struct run *run, unsigned number);
const char *run_unsupported_name(unsigned number);

/*
 * Get row @index of the accesses that are not counted with the options of this run. The sum of the
 * counted accesses and of all rows with a known number is the number of all accesses that the
 * program and its libraries have made.
 *
 * Return: true if the row exists.
 */
bool run_left(const struct run *run, size_t index, struct run_left *left);

/*
 * Fill in @checks, which has space for RUN_CHECKS_MAX equations. Return: the number of equations.
 */
size_t run_account(const struct run *run, struct run_check *checks);

/* The machine's counts, summed over all nodes. */
struct run_totals {
	uint64_t accesses;
	uint64_t local;
	uint64_t remote;
	/*
	 * the remote accesses of processors, before caches serve some of them, if the caches serve
	 * all memory
	 */
	uint64_t made_local;
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
 * Get the name of a level of the caches. The level after the last level is the cache of another
 * processor of the same node, and is called "neighbour".
 */
const char *run_level_name(const struct run *run, unsigned level);

/* Get the sum of the counts of all types of access. */
uint64_t run_types(const uint64_t *counts);

/* Get the name of the policy: run_config.place, or the name of the default policy. */
const char *run_place_text(const struct run *run);

double run_speed_up(const struct run *run, uint64_t cycles);
double run_phase_speed_up(const struct run_phase *phase);

/* Add @part, the statistics of one node, to @total. */
void run_statistics_add(struct machine_statistics *total, const struct machine_statistics *part);

/*
 * Get the summary as JSON. If @recorded is set, get only the deterministic part of the summary,
 * which the recordings contain.
 *
 * Return: a new reference.
 */
json_t *run_report_json(const struct run *run, int recorded);

/* ---- the files that a run needs ------------------------------------------------------------ */

#define RUN_QEMU "qemu-x86_64"
#define RUN_QEMU_BUILD "build-qemu"
#define RUN_TRACER "smile-tracer.so"
#define RUN_PRELOAD "smile-preload.so"

/*
 * Find a file that is installed with the library, such as RUN_TRACER. The function searches next to
 * the directory of the calling program, and in the directory where the library is installed.
 *
 * Return: the path, which the caller must free; NULL if the file does not exist.
 */
char *run_file_look(const char *name);

/*
 * Get the paths that run_file_look() has searched for a file, for a message. @text: receives the
 * paths; it has @bytes bytes.
 */
void run_file_missing(const char *name, char *text, size_t bytes);

/*
 * Find the QEMU that traces the program. If SMILE_QEMU is set, it is the path of this QEMU.
 * Otherwise, use the QEMU in PATH if it can load plug-ins. Otherwise, use the QEMU that
 * RUN_QEMU_BUILD has built for this user or for this machine.
 *
 * Return: the path, which the caller must free; NULL if there is no QEMU. If there is only a QEMU
 * that cannot load plug-ins, the function returns the path of this QEMU.
 */
char *run_emulator_find(void);

/*
 * Check whether the QEMU in this file can load plug-ins. A statically linked QEMU cannot load
 * plug-ins.
 */
bool run_emulator_loads(const char *path);

/*
 * Get the remedy for a message, if there is no QEMU, or no QEMU that can load plug-ins. @text:
 * receives the remedy; it has @bytes bytes.
 */
void run_emulator_missing(char *text, size_t bytes);

/*
 * Search PATH as execvp(3) does. Return: the path, which the caller must free; NULL if no file was
 * found.
 */
char *run_search(const char *name);

#endif /* RUN_SESSION_SESSION_H */
