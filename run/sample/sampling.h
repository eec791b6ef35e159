/* SPDX-License-Identifier: MIT */
/*
 * run/sample: a run, from its start to its recordings.
 *
 * What lives here: declarations that sample.c, which follows the processes, and outcome.c, which
 * writes the outcome, share.
 */
#ifndef RUN_SAMPLE_SAMPLING_H
#define RUN_SAMPLE_SAMPLING_H

#include <poll.h>

#include "run/sample/events.h"
#include "run/sample/process_table.h"

/**
 * struct sampling - A run of the sampling.
 * @plan: the events to sample
 * @process: the program, while it runs
 * @first: the data of the program, or of the process that is attached to; owned by @table
 * @table: all processes that are sampled
 * @logs: the logs that the processes write
 * @begun: number of processes that have begun
 * @newest_ns: when the latest of them began
 * @rest: sums of the processes that have no recordings
 * @periods: sum of the periods of samples of processes that are not in @table
 * @batch: samples that were read, but not counted yet; shape [@batch_count], room for @batch_size
 * @began_ns: when the program began
 * @used_ns: processor time of the sampling until the program began
 * @looked_ns: processor time of the sampling until the last look
 * @look_ns: when the next look is due
 * @names: names of processes, and the samples of processes that are not in @table
 * @rights_warned: a message has warned that a program does not have its own rights here
 * @huge_looked: the use of huge pages was read while the program ran
 * @signals: a descriptor from which signals are read
 * @pidfd: descriptor of the process that is attached to; -1: none
 * @fds: both descriptors, then those of the events
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

/* Print a message, once, that there is no memory, and mark the run as failed. */
void sampling_no_memory(struct sampling *sampling);

/**
 * sampling_retire() - Finish a process that has ended, or is still running when the sampling ends.
 * @process: the process, taken out of the table
 *
 * A process with samples is kept for its recordings; the others are added to the sums in @rest.
 */
void sampling_retire(struct sampling *sampling, struct sampled_process *process, uint64_t end_ns);

/* Fill in the result, and write the recordings, when all processes are finished. */
void sampling_record(struct sampling *sampling);

#endif /* RUN_SAMPLE_SAMPLING_H */
