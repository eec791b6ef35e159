/* SPDX-License-Identifier: MIT */
/*
 * run/sample: a program on this machine at full speed, and samples of which node accesses which
 * page.
 *
 * What lives here: the interface. A caller fills in struct sample_config and calls sample_run().
 * The files behind it:
 *
 *	sample.c       the program from its start to its end, or a process that runs
 *	outcome.c      the outcome of its processes
 *	result.c       the result as a document; result_homes.c: the nodes of pages
 *	source.c       which source is possible on this machine
 *	host.c         nodes and processors of this machine
 *	memory_pmu.c   events of memory accesses that the processors have
 *	events.c       perf's events
 *	ring.c         the records in their rings
 *	perf_sample.c  one sample
 *	data_source.c  the place that has served an access
 *	process.c      the program's process, and those that it starts
 *	sampled_process.c  the data of one process
 *	process_table.c    all processes
 *	import.c       samples from a perf.data file
 *	perf_file.c    reading such a file; perf_features.c: its description of the machine
 *	perf_maps.c    the contents of its program's memory
 *	children.c     names of the processes that the program has started
 *	counts.c       samples by word, node, home and phase, and by thread
 *	threads.c      names of threads
 *	homes.c        nodes of pages, from the kernel
 *	mapped.c       contents of the program's memory
 *	program_log.c  its allocations, named regions and phases
 *	log_file.c     where the processes log them
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

#include "run/sample/children.h"

struct place_plan;

/* Exit statuses that the program itself has not returned. */
enum sample_status {
	SAMPLE_FAILED = 2, /* a message gives the reason */
	SAMPLE_NOT_EXECUTABLE = 126, /* as in a shell */
	SAMPLE_NOT_FOUND = 127, /* as in a shell */
};

/* Origins of samples. */
enum sample_source {
	SAMPLE_AUTO, /* memory if it is possible here, otherwise faults */
	SAMPLE_FAULTS, /* the kernel's NUMA hint faults */
	SAMPLE_MEMORY, /* the processor's samples of memory accesses */
};

/**
 * struct sample_config - What to sample, and how.
 * @source: origin of the samples
 * @prefix: prefix of the recordings, PREFIX-nodeN.rec; for sample_import(), NULL: the name of the
 *          process
 * @command_line: the command line, for the recordings
 * @overhead: processor time that the sampling may take, in percent of the elapsed time
 * @library: path of the library that is loaded into the program, and logs its allocations, named
 *           regions and phases; NULL: none
 * @bind: bind the program's threads to nodes by the order of their creation, as `smile place` does
 * @plan: the nodes of the program's pages, which @library follows; NULL: no plan
 * @small_pages: give the program no transparent huge pages
 * @children: the processes that the program starts, and those that they start, have recordings of
 *            their own: PREFIX.PID-nodeN.rec
 * @pid: process that is sampled instead of a program, until it ends, or a signal of @ends arrives;
 * 0: none. For sample_import(), the process whose samples are imported; 0: the process with the
 * most samples
 * @passed_on: signals that processes send to this one are passed on to the program
 * @ends: signals that end the sampling
 * @quiet: no message reports which source was chosen
 * @message: a warning or an error, one line without its newline
 * @opaque: first argument of @message
 */
struct sample_config {
	enum sample_source source;
	const char *prefix;
	const char *command_line;
	double overhead;
	const char *library;
	bool bind;
	const struct place_plan *plan;
	bool small_pages;
	bool children;
	pid_t pid;
	sigset_t passed_on;
	sigset_t ends;
	bool quiet;
	void (*message)(void *opaque, const char *text);
	void *opaque;
};

/* The number of processes with recordings: the first process, and those with the most samples. */
#define SAMPLE_PROCESSES_MAX 256U
#define SAMPLE_EVENTS_MAX 8U
#define SAMPLE_NAME_BYTES 64U

/**
 * struct sample_kind - An event of the processor whose samples were read.
 * @name: its name in perf
 * @samples: samples of this event, from all processes
 * @period: mean number of events for which each of these samples stands
 */
struct sample_kind {
	char name[SAMPLE_NAME_BYTES];
	uint64_t samples;
	double period;
};

/**
 * struct sample_result - The outcome of all samples. @all is the sum of @samples, @first,
 * @homeless, @others, @before, @nowhere, @outside, @kernel, @no_address, @no_source, @malformed and
 * @lost.
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @recorded: the recordings are complete
 * @command: the program and its arguments, as given; NULL if @attached or @imported
 * @status: its exit status, as a shell would report it; 0 if @attached or @imported; negative if
 *          @one_of and not known
 * @nodes: number of nodes of the machine
 * @samples: number of samples that are in the recordings
 * @behind: of @samples, those that no cache served, which are transactions; for faults, all
 * @remote: of @behind, the samples of pages on another node
 * @first: first faults at pages, which are not samples
 * @homeless: samples of pages whose home is not known
 * @others: samples of other processes, which the program has started. With @children, samples of
 *          processes without recordings: they had ended before their memory could be read, or were
 *          too many
 * @others_of: these processes by name, not if @imported; to be freed; shape [@others_count], the
 *             name with the most samples first
 * @others_count: number of names
 * @others_ns: processor time of the other processes that the program has waited for
 * @others_timed: @others_ns is known
 * @before: samples taken before the program executed another one
 * @nowhere: samples of processors whose node is not known
 * @outside: samples of addresses that no recording can hold
 * @kernel: samples of addresses of the kernel
 * @no_address: samples of instructions that accessed no memory, or whose address is not known
 * @no_source: samples without a data source
 * @malformed: samples that could not be read
 * @lost: samples for which the kernel had no room
 * @all: for faults, all faults that the kernel has counted; otherwise all samples that were taken
 * @throttled: number of times that the kernel stopped sampling, because it took too much time
 * @one_thread: for SAMPLE_FAULTS: no second thread was seen, so the kernel hardly scans pages on
 *              the node where the thread runs
 * @processors_missed: processors that came on line during the run; their accesses were not sampled
 * @unscanned_bytes: for SAMPLE_FAULTS: memory that not every kernel scans, see struct mapped,
 *                   without ranges that have samples
 * @huge_bytes: for SAMPLE_FAULTS: the largest amount of memory in huge pages that was seen
 * @pages: pages with samples
 * @moves: changes of pages' homes, seen between two samples
 * @logs: the program has logged its allocations
 * @threads: number of threads that it has created, including the first; 0 without @logs
 * @bound: how many of these threads were bound to a node
 * @blocks: number of large blocks of its heap that it has logged
 * @blocks_skipped: number of large blocks that it has not logged: see SAMPLE_LOG_FIRST_BLOCKS
 * @plan: the plan of the configuration, with the outcome for its pages; NULL: there was no plan
 * @unscanned_nodes: for SAMPLE_FAULTS: a bit for each node on which the kernel does not scan pages
 *                   that the plan has placed
 * @log_lost: number of entries for which the log had no room
 * @phases_lost: number of times that a phase began for whose name there was no room
 * @hidden: the kernel does not permit this user to read the program's memory
 * @user_only: samples of the kernel's work for the program were not permitted
 * @elapsed_ns: run time of the program; if @imported, the time from the first to the last sample
 * @attached: the samples are of a process that ran already
 * @imported: the samples are from a perf.data file
 * @cut_off: if @imported: the file lacks records that it should have
 * @spe: if @imported: perf has made the samples from packets of Arm SPE
 * @program_ns: processor time of the program, and of the processes that it has started and waited
 *              for; not known if @attached or @imported
 * @own_ns: processor time of the sampling itself, from the program's beginning to its end; not
 *          known if @imported
 * @latency: for SAMPLE_MEMORY: the durations of accesses, as in the document, to be freed by
 *           json_decref(); NULL: no sample reports them
 * @thread_names: samples by the names of threads, as in the document, to be freed by json_decref();
 *                NULL if @imported
 * @homes: homes of pages, as in the document, to be freed by json_decref(); NULL if @imported
 * @kinds: for SAMPLE_MEMORY: the events; shape [@kind_count]
 * @kind_count: number of events; those beyond SAMPLE_EVENTS_MAX are combined
 * @prefix: prefix of the recordings
 * @process: if @imported, the process whose samples these are; if @one_of, the id of the process
 * @process_name: name of this process
 * @children: the result is of all processes: those with a result in @processes, and those without
 *            recordings. Members that only one process can have, such as @homes, are empty, and the
 *            members from the log are those of the first process
 * @processes: results of the processes that have recordings, the program's own first; without
 *             @latency, @homes and @command; to be freed; shape [@process_count]
 * @process_count: number of these results
 * @without: number of processes without recordings, since they had no samples that count
 * @few: number of processes without recordings, since so many others had more samples
 * @went_on: number of processes that had not ended when the program had
 * @unsampled: number of processes whose sampling the kernel has ended, and of those that they have
 *             started since
 * @unlogged: number of processes with recordings whose allocations and phases were not logged
 * @recordings: if @children: the prefix of the recordings of all processes
 * @one_of: the result is of one of several processes
 * @parent: if @one_of: the process that has started it; 0: it is the first process
 * @copy: if @one_of: it has executed no program, and is a copy of its parent
 * @alive: if @one_of: it had not ended when the program had
 * @elsewhere: if @one_of: number of samples of all other processes
 * @lost_any: if @one_of: number of samples that were lost or could not be read, of any process
 * @suffix: if @one_of: the part behind the prefix in the names of its recordings
 * @hostname: if @imported: name of the machine; "" if the file does not give it
 * @recorded_by: if @imported: the command line that has written the file; "" if the file does not
 *               give it
 */
struct sample_result {
	enum sample_source source;
	bool recorded;
	char **command;
	int status;
	unsigned nodes;
	uint64_t samples;
	uint64_t behind;
	uint64_t remote;
	uint64_t first;
	uint64_t homeless;
	uint64_t others;
	struct children_sum *others_of;
	size_t others_count;
	uint64_t others_ns;
	bool others_timed;
	uint64_t before;
	uint64_t nowhere;
	uint64_t outside;
	uint64_t kernel;
	uint64_t no_address;
	uint64_t no_source;
	uint64_t malformed;
	uint64_t lost;
	uint64_t all;
	uint64_t throttled;
	bool one_thread;
	unsigned processors_missed;
	uint64_t unscanned_bytes;
	uint64_t huge_bytes;
	uint64_t pages;
	uint64_t moves;
	bool logs;
	uint32_t threads;
	uint32_t bound;
	uint64_t blocks;
	uint64_t blocks_skipped;
	const struct place_plan *plan;
	uint64_t unscanned_nodes;
	uint64_t log_lost;
	uint64_t phases_lost;
	bool hidden;
	bool user_only;
	bool attached;
	bool imported;
	bool cut_off;
	bool spe;
	uint64_t elapsed_ns;
	uint64_t program_ns;
	uint64_t own_ns;
	json_t *latency;
	json_t *thread_names;
	json_t *homes;
	struct sample_kind kinds[SAMPLE_EVENTS_MAX];
	unsigned kind_count;
	char prefix[SAMPLE_NAME_BYTES];
	uint32_t process;
	char process_name[SAMPLE_NAME_BYTES];
	bool children;
	struct sample_result *processes;
	size_t process_count;
	uint64_t without;
	uint64_t few;
	uint64_t went_on;
	uint64_t unsampled;
	uint64_t unlogged;
	const char *recordings;
	bool one_of;
	uint32_t parent;
	bool copy;
	bool alive;
	uint64_t elsewhere;
	uint64_t lost_any;
	char suffix[32];
	char hostname[256];
	char recorded_by[1024];
};

/**
 * struct sample_reason - Samples that are left out for one reason.
 * @reason: the reason, as in a document
 * @text: the reason, as in the account of a run; it follows a number
 * @samples: number of the samples
 */
struct sample_reason {
	const char *reason;
	const char *text;
	uint64_t samples;
};

#define SAMPLE_REASONS 11U

/* Get all reasons, for either source; shape [SAMPLE_REASONS]. */
void sample_reasons(const struct sample_result *result, struct sample_reason *reasons);

/**
 * sample_possible() - Can samples be taken here?
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @why: receives the reason why not, and the remedy, @why_bytes long
 *
 * Return: whether samples can be taken.
 */
bool sample_possible(enum sample_source source, char *why, size_t why_bytes);

/**
 * sample_run() - Run a program, and write a recording for each node of this machine.
 * @command: the program and its arguments, ended by NULL
 * @result: receives the outcome
 *
 * Return: the program's exit status, or enum sample_status. If the status is not SAMPLE_FAILED and
 * @result->recorded is false, nothing was written.
 */
int sample_run(const struct sample_config *config, char **command, struct sample_result *result);

/**
 * sample_attach() - Sample a process that already runs, config->pid.
 * @result: receives the outcome
 *
 * The process is not stopped, and continues when the sampling ends.
 *
 * Return: 0; SAMPLE_FAILED: see sample_run().
 */
int sample_attach(const struct sample_config *config, struct sample_result *result);

/**
 * sample_import() - Import the samples of memory accesses from a perf.data file.
 * @path: path of the file
 * @result: receives the outcome
 *
 * Return: 0; SAMPLE_FAILED: see sample_run().
 */
int sample_import(const struct sample_config *config, const char *path,
		  struct sample_result *result);

/**
 * sample_report_json() - Get the result as a JSON document, smile.sample/1, as it is in the
 * recordings.
 *
 * Return: a new reference; NULL if there is no memory.
 */
json_t *sample_report_json(const struct sample_result *result);

#endif /* RUN_SAMPLE_SAMPLE_H */
