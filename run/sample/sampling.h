/* SPDX-License-Identifier: MIT */
/*
 * run/sample: a run, from its start to its recordings.
 *
 * What lives here: what sample.c, which follows the processes, and outcome.c, which writes what has
 * become of them, share.
 */
#ifndef RUN_SAMPLE_SAMPLING_H
#define RUN_SAMPLE_SAMPLING_H

#include <poll.h>

#include "run/sample/events.h"
#include "run/sample/process_table.h"

/**
 * struct sampling - A run.
 * @plan: what is sampled
 * @process: the program, while it runs
 * @first: what is kept of it, or of the process that is attached to; owned by @table
 * @table: all processes that are sampled
 * @logs: what they write
 * @begun: processes that have begun
 * @newest_ns: when the last of them did
 * @rest: sums of those that have no recordings
 * @periods: sum of the periods of samples of processes that are not in @table
 * @batch: samples read and not taken in; shape [@batch_count], room @batch_size
 * @began_ns: when the program began
 * @used_ns: processor time of the sampling until then
 * @looked_ns: the same until the last look
 * @look_ns: when the next look is due
 * @names: of processes, and those that are not in @table
 * @rights_warned: a message has said that a program has no rights of its own here
 * @huge_looked: huge pages were looked at while the program ran
 * @signals: a file from which signals come
 * @pidfd: file of the process that is attached to; -1: none
 * @fds: both files, then those of the events
 * @failed: the run has failed, after a message
 */
struct sampling {
	const struct sample_config *config;
	struct sample_result *result;
	struct sample_host host;
	struct sample_plan plan;
	struct sample_events events;
	struct process process;
	struct sampled_process *first;
	struct process_table table;
	struct log_file logs;
	uint64_t begun;
	uint64_t newest_ns;
	struct sample_result rest;
	double periods;
	struct sample *batch;
	size_t batch_count;
	size_t batch_size;
	uint64_t began_ns;
	uint64_t used_ns;
	uint64_t looked_ns;
	uint64_t look_ns;
	struct children names;
	bool rights_warned;
	bool huge_looked;
	int signals;
	int pidfd;
	struct pollfd *fds;
	int failed;
};

/* There is no memory: a message, once, and the run has failed. */
void sampling_no_memory(struct sampling *sampling);

/**
 * sampling_retire() - A process has ended, or the sampling has: finish it.
 * @process: taken out of the table
 *
 * One that has samples is kept for its recordings; the sums of others are in @rest.
 */
void sampling_retire(struct sampling *sampling, struct sampled_process *process, uint64_t end_ns);

/* All processes are finished: fill in the result, and write the recordings. */
void sampling_record(struct sampling *sampling);

#endif /* RUN_SAMPLE_SAMPLING_H */
