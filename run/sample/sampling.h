/* SPDX-License-Identifier: MIT */
/*
 * run/sample: defines the state of a sampling run, from its start to its recordings.
 *
 * What lives here: declarations that two files share. sample.c follows the processes, and outcome.c
 * writes the results.
 */
#ifndef RUN_SAMPLE_SAMPLING_H
#define RUN_SAMPLE_SAMPLING_H

#include <poll.h>

#include "run/sample/events.h"
#include "run/sample/process_table.h"

/**
 * struct sampling - A run of the sampling. In this file, a look is one pass that reads the rings,
 * counts the samples, and asks the kernel for the nodes of pages.
 * @config: the configuration
 * @result: receives the result
 * @host: the machine
 * @plan: the events to sample
 * @events: the open events
 * @process: the program that is sampled, while it runs
 * @first: data of the program's process, or of the process to which the sampling is attached;
 *         @table owns it
 * @table: all processes that are sampled
 * @logs: the logs that the processes write
 * @begun: number of processes that have begun
 * @newest_ns: time at which the latest process began
 * @rest: sums over the processes that have no recordings
 * @periods: sum of the periods of samples of processes that are not in @table
 * @batch: samples that were read, but not counted yet; shape [@batch_count], with space for
 *         @batch_size
 * @batch_count: number of samples in @batch
 * @batch_size: number of samples for which @batch has room
 * @began_ns: time at which the program began
 * @used_ns: processor time that the sampling had used when the program began
 * @looked_ns: processor time that the sampling had used at the last look
 * @look_ns: time of the next look
 * @names: names of processes, and samples of processes that are not in @table
 * @rights_warned: a message has warned that a program does not get its additional rights while it
 *         is sampled
 * @huge_looked: the use of huge pages was read while the program ran
 * @signals: descriptor from which signals are read
 * @pidfd: descriptor of the process to which the sampling is attached; -1: none
 * @fds: @signals and @pidfd, followed by the descriptors of the events
 * @failed: the run has failed, and a message has given the reason
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

/*
 * Mark the run as failed because memory is missing. If the run had not failed before, report this.
 */
void sampling_no_memory(struct sampling *sampling);

/**
 * sampling_retire() - Finish the data of a process that has ended, or that still runs when the
 * sampling ends. If the process has samples, keep its data for its recordings. Otherwise, add the
 * data to the sums in @sampling->rest.
 * @process: the process, which is removed from the table of running processes
 */
void sampling_retire(struct sampling *sampling, struct sampled_process *process, uint64_t end_ns);

/*
 * Fill in the result, and write the recordings. Call this function after all processes were
 * finished.
 */
void sampling_record(struct sampling *sampling);

#endif /* RUN_SAMPLE_SAMPLING_H */
