/* SPDX-License-Identifier: MIT */
/*
 * run/sample: runs a program on this machine at full speed, and samples which node accesses which
 * page.
 *
 * What lives here: the interface. A caller fills in struct sample_config and calls sample_run().
 * The source files:
 *
 * 	sample.c           the program from its start to its end, or a process that already runs
 * 	outcome.c          the results of all processes, and their recordings
 * 	result.c           the result as a document
 * 	result_homes.c     the nodes of pages, for the document
 * 	source.c           the choice of a source that is possible on this machine
 * 	host.c             nodes and processors of this machine
 * 	memory_pmu.c       the processors' events of memory accesses
 * 	events.c           perf's events
 * 	perf_ring.c        the records in the rings of these events
 * 	perf_sample.c      one sample
 * 	data_source.c      the cache or memory that has served an access
 * 	process.c          the program's process, and the processes that it starts
 * 	sampled_process.c  the data of one process
 * 	process_table.c    all processes
 * 	import.c           import of samples from a perf.data file
 * 	perf_file.c        reading such a file
 * 	perf_features.c    the file's description of its machine
 * 	perf_maps.c        the memory of the program in such a file
 * 	children.c         names of the processes that the program has started
 * 	counts.c           samples by word, node, home and phase, and by thread
 * 	threads.c          names of threads
 * 	page_homes.c       nodes of pages, from the kernel
 * 	memory_regions.c   contents of the program's memory
 * 	program_log.c      the program's allocations, named regions and phases
 * 	log_file.c         the file into which the processes log them
 * 	write.c            the recordings
 *
 * This file may use run/allocations, emu/machine/traffic.h, the public API, lib/analysis and
 * jansson. This code reads no options and prints nothing. It passes messages to the caller.
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

/* Exit statuses of sample_run() that are not the program's own. */
enum sample_status {
	SAMPLE_FAILED = 2, /* a message has given the reason */
	/* the program cannot be executed; the same status as in a shell */
	SAMPLE_NOT_EXECUTABLE = 126,
	SAMPLE_NOT_FOUND = 127, /* the program was not found; the same status as in a shell */
};

/* The sources of samples. */
enum sample_source {
	SAMPLE_AUTO, /* memory if it is possible on this machine, otherwise faults */
	SAMPLE_FAULTS, /* the kernel's NUMA hint faults */
	SAMPLE_MEMORY, /* the processor's samples of memory accesses */
};

/**
 * struct sample_config - What the caller wants to sample, and how.
 * @source: source of the samples
 * @prefix: first part of the names of the recordings, PREFIX-nodeN.rec. For sample_import(), it can
 *          be NULL; the prefix is then the name of the process
 * @command_line: the command line, which is written to the recordings
 * @overhead: processor time that sampling may take, in percent of the elapsed time
 * @library: path of a library that is preloaded into the program, and logs its allocations, named
 *           regions and phases; NULL: no library
 * @bind: bind the program's threads to nodes in the order of their creation, like `smile place`
 * @plan: the nodes of the program's pages, which @library applies; NULL: no plan
 * @small_pages: the program gets no transparent huge pages
 * @children: the processes that the program starts, and their descendants, have separate
 *            recordings: PREFIX.PID-nodeN.rec
 * @pid: for sample_attach(), the process that is sampled until it ends or a signal of @ends
 *       arrives. For sample_import(), the process whose samples are imported; 0: the process with
 *       the most samples
 * @passed_on: if another process sends one of these signals to this process, the signal is passed
 *             on to the program
 * @ends: signals that end the sampling
 * @quiet: do not report which source was chosen
 * @message: receives a warning or an error, as one line without a newline
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

/*
 * The largest number of processes with recordings: the first process, and the processes with the
 * most samples.
 */
#define SAMPLE_PROCESSES_MAX 256U
#define SAMPLE_EVENTS_MAX 8U
#define SAMPLE_NAME_BYTES 64U

/**
 * struct sample_kind - An event of the processor whose samples were read.
 * @name: name of the event in perf
 * @samples: number of samples of this event, from all processes
 * @period: mean number of events that each sample of this event represents
 */
struct sample_kind {
	char name[SAMPLE_NAME_BYTES];
	uint64_t samples;
	double period;
};

/**
 * struct sample_result - The result of a run. @all is the sum of @samples, @first, @homeless,
 * @others, @before, @nowhere, @outside, @kernel, @no_address, @no_source, @malformed and @lost.
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @recorded: the recordings are complete
 * @command: the program and its arguments, as the user gave them; NULL if @attached or @imported is
 *           set
 * @status: exit status of the program, as a shell would report it; 0 if @attached or @imported is
 *          set; negative if @one_of is set and the status is not known
 * @nodes: number of nodes of this machine
 * @samples: number of samples that are in the recordings
 * @behind: number of samples in @samples that are transactions, because no cache has served the
 *          access. Samples of faults count as transactions
 * @remote: number of transactions in @behind with pages on another node
 * @first: number of first faults at pages, which are not samples
 * @homeless: number of samples that were not counted, because the home of their page is not known
 * @others: number of samples of other processes, which the program has started. If @children is
 *          set, they are only the samples of processes without recordings. A process has no
 *          recordings if it had ended before its memory could be read, or if there are more than
 *          SAMPLE_PROCESSES_MAX processes
 * @others_of: the other processes by name, the name with the most samples first; shape
 *             [@others_count]; the caller must free it. Not set if @imported is set
 * @others_count: number of names
 * @others_ns: processor time of the other processes for whose end the program has waited
 * @others_timed: @others_ns is known
 * @before: number of samples that were taken before a process executed another program
 * @nowhere: number of samples by processors whose node is not known
 * @outside: number of samples of addresses that a recording cannot hold
 * @kernel: number of samples of kernel addresses
 * @no_address: number of samples of instructions that did not access memory, or whose address is
 *              not known
 * @no_source: number of samples without a data source
 * @malformed: number of samples that could not be read
 * @lost: number of samples for which the kernel had no room
 * @all: for SAMPLE_FAULTS, the number of faults that the kernel has counted; otherwise the number
 *       of samples that were taken
 * @throttled: number of times that the kernel stopped sampling because it took too much time
 * @one_thread: for SAMPLE_FAULTS: only one thread had samples. In this case, the kernel hardly
 *              scans the pages on the node of the thread
 * @processors_missed: number of processors that came online during the run, so that their accesses
 *                     were not sampled
 * @unscanned_bytes: for SAMPLE_FAULTS: number of bytes that some kernels do not scan (see struct
 *                   mapped) and that have no samples
 * @huge_bytes: for SAMPLE_FAULTS: the largest number of bytes that were in huge pages at one time
 * @pages: number of pages with samples
 * @moves: number of changes of pages' homes that were seen between two samples
 * @logs: the program has logged its allocations
 * @threads: number of threads that the program has created, including the first one; 0 if @logs is
 *           not set
 * @bound: number of threads that were bound to a node
 * @blocks: number of large blocks of the heap that the program has logged
 * @blocks_skipped: number of large blocks of the heap that the program has not logged (see
 *                  SAMPLE_LOG_FIRST_BLOCKS)
 * @plan: the plan of the configuration, in which the library has noted the outcome for each page;
 *        NULL: there was no plan
 * @unscanned_nodes: for SAMPLE_FAULTS: bit N is set if the kernel does not scan pages on node N
 *                   that the plan has placed
 * @log_lost: number of log entries for which the log had no room
 * @phases_lost: number of beginnings of phases that were not stored, because there was no space for
 *               the name of the phase
 * @hidden: the kernel does not permit this user to find the nodes of the program's pages
 * @user_only: the kernel's work for the program was not sampled, because the system does not permit
 *             it
 * @elapsed_ns: run time of the program; if @imported is set, the time from the first to the last
 *              sample
 * @attached: the samples are from a process that already ran
 * @imported: the samples are from a perf.data file
 * @cut_off: if @imported is set: records are missing at the end of the file
 * @spe: if @imported is set: perf has made the samples from packets of Arm SPE
 * @program_ns: processor time of the program, and of the processes that it has started and for
 *              whose end it has waited; not known if @attached or @imported is set
 * @own_ns: processor time of the sampling itself, from the program's beginning to its end; not
 *          known if @imported is set
 * @latency: for SAMPLE_MEMORY: latencies of accesses, as in the document; the caller must free it
 *           with json_decref(). NULL: no sample reports latencies
 * @thread_names: samples by the names of threads, as in the document; the caller must free it with
 *                json_decref(). NULL if @imported is set
 * @homes: homes of pages, as in the document; the caller must free it with json_decref(). NULL if
 *         @imported is set
 * @kinds: for SAMPLE_MEMORY: the sampled events; shape [@kind_count]
 * @kind_count: number of entries of @kinds. Events beyond SAMPLE_EVENTS_MAX are combined into the
 *              last entry
 * @prefix: first part of the names of the recordings
 * @process: if @imported is set, id of the process whose samples were imported; if @one_of is set,
 *           id of the process
 * @process_name: name of the process @process
 * @children: the result is the sum of all processes, with and without recordings; @processes has
 *            the results of single processes. Members that only a single process can have, such as
 *            @homes, are not set. The members that are read from a log are those of the first
 *            process
 * @processes: results of the processes that have recordings, the first process first, without
 *             @latency, @homes, @thread_names and @command; shape [@process_count]; the caller
 *             frees it
 * @process_count: number of results in @processes
 * @without: number of processes without recordings, because they had no samples that count
 * @few: number of processes without recordings, because too many other processes had more samples
 * @went_on: number of processes that still ran when the program had ended
 * @unsampled: number of processes whose sampling the kernel has ended, including the processes that
 *             such processes have started later
 * @unlogged: number of processes with recordings that did not log their allocations and phases
 * @recordings: if @children is set: first part of the names of all recordings
 * @one_of: the result is the result of one of several processes
 * @parent: if @one_of is set: id of the process that has started this process; 0: this is the first
 *          process
 * @copy: if @one_of is set: the process has executed no program, and is a copy of its parent
 * @alive: if @one_of is set: the process still ran when the program had ended
 * @elsewhere: if @one_of is set: number of samples of all other processes
 * @lost_any: if @one_of is set: number of samples of any process that were lost or could not be
 *            read
 * @suffix: if @one_of is set: text that follows the prefix in the names of the recordings
 * @hostname: if @imported is set: name of the machine; "" if the file does not give it
 * @recorded_by: if @imported is set: the command line that has written the file; "" if the file
 *               does not give it
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
 * struct sample_reason - A reason for which samples are left out, and the number of these samples.
 * @reason: the reason, as a key of a document
 * @text: the reason, as a text that follows the number of samples
 * @samples: number of samples that are left out for this reason
 */
struct sample_reason {
	const char *reason;
	const char *text;
	uint64_t samples;
};

#define SAMPLE_REASONS 11U

/*
 * Get all reasons, which are the same for both sources. @reasons: receives the reasons; shape
 * [SAMPLE_REASONS].
 */
void sample_reasons(const struct sample_result *result, struct sample_reason *reasons);

/**
 * sample_possible() - Check whether samples from this source can be taken on this machine.
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @why: if such samples cannot be taken, receives the reason and the remedy; it has @why_bytes
 *       bytes
 */
bool sample_possible(enum sample_source source, char *why, size_t why_bytes);

/**
 * sample_run() - Run a program, and write a recording for each node of this machine.
 * @command: the program and its arguments, ended by NULL
 * @result: receives the result
 *
 * Return: the program's exit status, or one of enum sample_status. If the return value is not
 * SAMPLE_FAILED, but @result->recorded is false, no recording was written.
 */
int sample_run(const struct sample_config *config, char **command, struct sample_result *result);

/**
 * sample_attach() - Sample the process config->pid, which already runs. The process is not stopped,
 * and continues to run after the sampling has ended.
 * @result: receives the result
 *
 * Return: 0; SAMPLE_FAILED: see sample_run().
 */
int sample_attach(const struct sample_config *config, struct sample_result *result);

/**
 * sample_import() - Import samples of memory accesses from a perf.data file.
 * @path: path of the file
 * @result: receives the result
 *
 * Return: 0; SAMPLE_FAILED: see sample_run().
 */
int sample_import(const struct sample_config *config, const char *path,
		  struct sample_result *result);

/**
 * sample_report_json() - Get the result as a JSON document, smile.sample/1. The recordings contain
 * the same document.
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *sample_report_json(const struct sample_result *result);

#endif /* RUN_SAMPLE_SAMPLE_H */
