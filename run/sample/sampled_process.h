/* SPDX-License-Identifier: MIT */
/*
 * run/sample: keeps the data of one sampled process.
 *
 * What lives here: the samples of the process, the contents of its memory, and its log; and
 * functions that change this data when the process is forked, executes a program, or ends, and at
 * each look of sample.c. This file may use counts.h, memory_regions.h, program_log.h, process.h and
 * page_homes.c. This code does not access rings or the data of other processes. sample.c follows
 * the process.
 */
#ifndef RUN_SAMPLE_SAMPLED_PROCESS_H
#define RUN_SAMPLE_SAMPLED_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/sample/perf_sample.h"
#include "run/sample/process.h"
#include "run/sample/sample_inside.h"

/**
 * struct sampled_process - A process that is sampled.
 * @pid: process id; it is kept after the end of the process
 * @parent: id of the parent process; 0: this is the first process
 * @order: number of processes that began before this process
 * @source: source of the samples
 * @host: the machine
 * @seen: data that the kernel reported about the process at the last look
 * @counts: samples of the process
 * @mapped: the contents of the process's memory
 * @log: the process's log
 * @words: the program and its arguments; NULL if they are not known, or if @copy is set
 * @copy: the process has executed no program, and is a copy of its parent
 * @unsampled: the kernel has ended the sampling of the process
 * @followed: the process is followed; otherwise its end is not reported
 * @ended: the process has ended, so only samples that are still in the rings will be added
 * @ended_ns: time at which the process ended
 * @programs: number of programs that the process has executed. If @copy is set, the program of the
 *            parent counts too
 * @began_ns: time at which the present program began
 * @taken: number of samples of the process that were read
 * @periods: sum of the periods of the samples that were read
 * @phase: phase of the last sample
 * @several: a thread other than the first thread has had a sample
 * @fresh: the process has had samples since the kernel was last asked for homes
 * @missed: the process has had a sample of memory that is not in @mapped yet
 * @result: the result of the process's samples; complete after sampled_process_finish()
 */
struct sampled_process {
	pid_t pid;
	pid_t parent;
	uint64_t order;
	enum sample_source source;
	const struct sample_host *host;
	struct process_seen seen;
	struct counts counts;
	struct mapped mapped;
	struct program_log log;
	char **words;
	bool copy;
	bool unsampled;
	bool followed;
	bool ended;
	uint64_t ended_ns;
	unsigned programs;
	uint64_t began_ns;
	uint64_t taken;
	double periods;
	uint32_t phase;
	bool several;
	bool fresh;
	bool missed;
	struct sample_result result;
};

/**
 * sampled_process_new() - Create the data of a process that has no samples yet.
 *
 * Return: the data, which the caller must free with sampled_process_free(); NULL if memory is
 * missing.
 */
struct sampled_process *sampled_process_new(pid_t pid, enum sample_source source,
					    const struct sample_host *host);

/*
 * sampled_process_fork() - Make the data of a process that is a copy of @parent. The log of @parent
 * must have been read.
 *
 * Return: 0 or -ENOMEM.
 */
int sampled_process_fork(struct sampled_process *process, const struct sampled_process *parent);

/* Count a sample of the process. Return: 0 or -ENOMEM. */
int sampled_process_take(struct sampled_process *process, const struct sample *sample);

/*
 * Read the new entries of the process's log. If the process has no log yet, search for one. Return:
 * 0; -ENOMEM.
 */
int sampled_process_log(struct sampled_process *process, const struct log_file *file);

/* Ask the kernel for the nodes of the pages that have had samples since the last call. */
void sampled_process_homes(struct sampled_process *process);

/* If a sample was in no known region, read the regions of the process again. Return: 0; -ENOMEM. */
int sampled_process_missed(struct sampled_process *process);

/* Read the regions of the process. Return: 0 or -ENOMEM. */
int sampled_process_regions(struct sampled_process *process);

/* Determine how much memory of the process is in huge pages now. */
void sampled_process_huge(struct sampled_process *process);

/*
 * Handle an execve(2) of the process. The memory of the previous program no longer exists, so
 * discard the samples. Return: 0 or -ENOMEM.
 */
int sampled_process_executes(struct sampled_process *process);

/*
 * sampled_process_ends() - Read the regions of a process that is about to end, and the nodes of its
 * pages.
 *
 * Return: 0 or -ENOMEM.
 */
int sampled_process_ends(struct sampled_process *process);

/* Check whether the process has samples that count, or that may count later. */
bool sampled_process_has_samples(const struct sampled_process *process);

/*
 * Fill in the result of the process. Call this function after its last sample. @end_ns: time at
 * which the process has ended. Return: 0; -ENOMEM.
 */
int sampled_process_finish(struct sampled_process *process, const struct log_file *file,
			   uint64_t end_ns);

void sampled_process_free(struct sampled_process *process);

#endif /* RUN_SAMPLE_SAMPLED_PROCESS_H */
