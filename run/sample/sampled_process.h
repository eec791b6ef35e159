/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what is kept of one sampled process.
 *
 * What lives here: its samples, what is where in its memory, what it has logged, and what becomes
 * of that when it begins as a copy of another one, executes a program, is looked at, and ends. May
 * use counts.h, mapped.h, program_log.h, process.h and homes.c. It knows no rings and no other
 * process. sample.c follows the process.
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
 * struct sampled_process - A process.
 * @pid: its number, also once it has ended
 * @parent: that of the one that has started it, where it was recorded; 0: the first one
 * @order: processes that began before it
 * @source: of its samples
 * @host: the machine
 * @seen: what the kernel has said of it at the last look
 * @words: its program and the arguments; NULL: not known, or @copy
 * @copy: it has executed no program: it is a copy of its parent
 * @unsampled: the kernel has ended its sampling
 * @followed: it is followed; else its end is not reported
 * @ended: nothing of it is to come but what is in the rings
 * @ended_ns: when that was
 * @programs: that it has executed, a copy's own among them
 * @began_ns: when the last of them began
 * @taken: samples that were read of it
 * @periods: sum of their periods
 * @phase: of the last one
 * @several: another of its threads than the first had one
 * @fresh: there were samples since homes were asked for
 * @missed: there was one of memory that is not known yet
 * @result: what has become of its samples, and, once it has ended, the rest
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
 * sampled_process_new() - A process of which nothing is known.
 *
 * Return: to be freed by sampled_process_free(); NULL without memory.
 */
struct sampled_process *sampled_process_new(pid_t pid, enum sample_source source,
					    const struct sample_host *host);

/* It begins now as a copy of @parent, whose log was read. Return: 0; -ENOMEM. */
int sampled_process_fork(struct sampled_process *process, const struct sampled_process *parent);

/* A sample of it. Return: 0; -ENOMEM. */
int sampled_process_take(struct sampled_process *process, const struct sample *sample);

/* Read its log, if it has one by now. Return: 0; -ENOMEM. */
int sampled_process_log(struct sampled_process *process, const struct log_file *file);

/* Ask where the pages with new samples lie. */
void sampled_process_homes(struct sampled_process *process);

/* If one of these was of memory that is not known yet, read what is where. Return: 0; -ENOMEM. */
int sampled_process_missed(struct sampled_process *process);

/* Read what is where in its memory. Return: 0; -ENOMEM. */
int sampled_process_regions(struct sampled_process *process);

/* How much of its memory is in huge pages now. */
void sampled_process_huge(struct sampled_process *process);

/*
 * Another program is in its memory: what was sampled of the one before has no names any more.
 * Return: 0; -ENOMEM.
 */
int sampled_process_executes(struct sampled_process *process);

/* Where everything lies at the end. Return: 0; -ENOMEM. */
int sampled_process_ends(struct sampled_process *process);

/* Does any sample count, or may count yet? */
bool sampled_process_has_samples(const struct sampled_process *process);

/* Nothing comes any more: fill in the result. @end_ns: when. Return: 0; -ENOMEM. */
int sampled_process_finish(struct sampled_process *process, const struct log_file *file,
			   uint64_t end_ns);

void sampled_process_free(struct sampled_process *process);

#endif /* RUN_SAMPLE_SAMPLED_PROCESS_H */
