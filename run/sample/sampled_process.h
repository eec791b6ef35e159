/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the data of one sampled process.
 *
 * What lives here: its samples, the contents of its memory, its log, and the changes of these when
 * it begins as a copy of another process, executes a program, is looked at, and ends. May use
 * counts.h, mapped.h, program_log.h, process.h and homes.c. It does not use rings or other
 * processes. Sample.c follows the process.
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
 * @pid: its process id, also once it has ended
 * @parent: id of the process that has started it, as it was recorded; 0: it is the first process
 * @order: number of processes that began before it
 * @source: origin of its samples
 * @host: the machine
 * @seen: the data that the kernel reported about it at the last look
 * @words: its program and the arguments; NULL: not known, or @copy
 * @copy: it has executed no program: it is a copy of its parent
 * @unsampled: the kernel has ended its sampling
 * @followed: it is followed; otherwise its end is not reported
 * @ended: it has ended: only samples that are still in the rings will be added
 * @ended_ns: when it ended
 * @programs: number of programs that it has executed, including that of a copy
 * @began_ns: when the last of these programs began
 * @taken: number of its samples that were read
 * @periods: sum of the periods of these samples
 * @phase: phase of the last sample
 * @several: a thread other than its first one has had a sample
 * @fresh: it has had samples since the last request for homes
 * @missed: it has had a sample of memory that is not known yet
 * @result: the outcome of its samples, and, once it has ended, the other results
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
 * sampled_process_new() - Create a process without data.
 *
 * Return: the process, to be freed by sampled_process_free(); NULL if there is no memory.
 */
struct sampled_process *sampled_process_new(pid_t pid, enum sample_source source,
					    const struct sample_host *host);

/* Let the process begin as a copy of @parent, whose log was read. Return: 0; -ENOMEM. */
int sampled_process_fork(struct sampled_process *process, const struct sampled_process *parent);

/* Add a sample of the process. Return: 0; -ENOMEM. */
int sampled_process_take(struct sampled_process *process, const struct sample *sample);

/* Read the process's log, if it has one by now. Return: 0; -ENOMEM. */
int sampled_process_log(struct sampled_process *process, const struct log_file *file);

/* Request the nodes of the pages with new samples. */
void sampled_process_homes(struct sampled_process *process);

/*
 * If one of the samples was of memory that is not known yet, read the regions of the process.
 * Return: 0; -ENOMEM.
 */
int sampled_process_missed(struct sampled_process *process);

/* Read the regions of the process's memory. Return: 0; -ENOMEM. */
int sampled_process_regions(struct sampled_process *process);

/* Find out how much of its memory is in huge pages now. */
void sampled_process_huge(struct sampled_process *process);

/*
 * Handle a new program in the process's memory: the memory of samples before it has no names any
 * longer.
 * Return: 0; -ENOMEM.
 */
int sampled_process_executes(struct sampled_process *process);

/* Read the regions and the nodes of the process's pages at its end. Return: 0; -ENOMEM. */
int sampled_process_ends(struct sampled_process *process);

/* Does the process have any sample that counts, or may still count? */
bool sampled_process_has_samples(const struct sampled_process *process);

/*
 * Fill in the result, after the last sample. @end_ns: when the process ended. Return: 0; -ENOMEM.
 */
int sampled_process_finish(struct sampled_process *process, const struct log_file *file,
			   uint64_t end_ns);

void sampled_process_free(struct sampled_process *process);

#endif /* RUN_SAMPLE_SAMPLED_PROCESS_H */
