/* SPDX-License-Identifier: MIT */
/*
 * run/sample: declarations that the files of sample.h share.
 */
#ifndef RUN_SAMPLE_SAMPLE_INSIDE_H
#define RUN_SAMPLE_SAMPLE_INSIDE_H

#include <sys/types.h>

#include "run/sample/counts.h"
#include "run/sample/host.h"
#include "run/sample/mapped.h"
#include "run/sample/memory_pmu.h"
#include "run/sample/program_log.h"
#include "run/sample/sample.h"

/* Addresses from this one on are the kernel's. */
#define SAMPLE_KERNEL_BEGIN (1ULL << 63)

/**
 * source_choose() - Find the requested source, or the best one that is possible.
 * @host: receives this machine
 * @plan: receives the events
 *
 * Return: 0; -errno after a message.
 */
int source_choose(const struct sample_config *config, struct sample_host *host,
		  struct sample_plan *plan);

/**
 * homes_ask() - Ask the kernel for the nodes of pages.
 * @counts: receives the nodes
 * @pid: the process that has the pages
 * @numbers: numbers of the pages, shape [@count]
 *
 * The kernel reports a page that waits for a fault as absent: then the known node stays.
 *
 * Return: 0; -errno of move_pages(2), for example if the process has ended.
 */
int homes_ask(struct counts *counts, pid_t pid, const uint64_t *numbers, size_t count);

/**
 * write_recordings() - Write a recording for each node.
 * @source: origin of the samples: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @log: allocations and phases
 * @parameters: the document of sample_report_json(), as text
 *
 * A recording gets its name only when it is complete: a recording that was cut off would lack
 * samples.
 *
 * Return: 0; -errno after a message, and no recording was written.
 */
int write_recordings(const struct sample_config *config, const struct sample_host *host,
		     enum sample_source source, const struct counts *counts,
		     const struct mapped *mapped, struct program_log *log, const char *parameters);

/*
 * Select the parameters that belong into the header of a recording: the kind of the counts, and the
 * number of nodes. Return: a text to be freed; NULL without memory.
 */
char *sample_mark_of(const char *parameters);

/* Can recordings be written under the configured name? Return: 0; -errno after a message. */
int write_try(const struct sample_config *config, const struct sample_host *host);

/* Set the samples, transactions, pages, homes and latencies so far. */
void sample_result_counts(struct sample_result *result, const struct counts *counts);

/**
 * sample_homes_json() - Get the nodes of the pages at the start, in each phase and at the end.
 *
 * Return: a new reference; NULL if there is no memory.
 */
json_t *sample_homes_json(const struct counts *counts, const struct sample_host *host,
			  const struct program_log *log);

/* Get the samples by the names of threads. Return: a new reference; NULL if there is no memory. */
json_t *sample_threads_json(const struct counts *counts, const struct sample_host *host);

/* The time of CLOCK_MONOTONIC, the clock of perf's samples and of the program's log. */
uint64_t sample_now_ns(void);

/* Pass a message to the caller. */
void sample_message(const struct sample_config *config, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* RUN_SAMPLE_SAMPLE_INSIDE_H */
