/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what the files of sample.h share.
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

/* Addresses from here on are the kernel's. */
#define SAMPLE_KERNEL_BEGIN (1ULL << 63)

/**
 * source_choose() - The source that is asked for, or the best that works.
 * @host: receives this machine
 * @plan: receives the events
 *
 * Return: 0; -errno after a message.
 */
int source_choose(const struct sample_config *config, struct sample_host *host,
		  struct sample_plan *plan);

/**
 * homes_ask() - Ask the kernel where pages lie.
 * @counts: receives it
 * @pid: whose they are
 * @numbers: of the pages, shape [@count]
 *
 * Of a page that waits for a fault the kernel says that it is absent: then what was known stays.
 *
 * Return: 0; -errno as move_pages(2), for example if the process is gone.
 */
int homes_ask(struct counts *counts, pid_t pid, const uint64_t *numbers, size_t count);

/**
 * write_recordings() - Write a recording for each node.
 * @source: of the samples: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @log: allocations and phases
 * @parameters: the document of sample_report_json(), as text
 *
 * A recording has its name only once it is complete: one that was cut off would lack samples.
 *
 * Return: 0; -errno after a message: no recording was written then.
 */
int write_recordings(const struct sample_config *config, const struct sample_host *host,
		     enum sample_source source, const struct counts *counts,
		     const struct mapped *mapped, struct program_log *log, const char *parameters);

/*
 * Those of the parameters that the header of a recording has: what the counts are, and of how many
 * nodes. Return: to be freed; NULL without memory.
 */
char *sample_mark_of(const char *parameters);

/* Can recordings be written there? Return: 0; -errno after a message. */
int write_try(const struct sample_config *config, const struct sample_host *host);

/* The samples, transactions, pages, homes and latencies so far. */
void sample_result_counts(struct sample_result *result, const struct counts *counts);

/**
 * sample_homes_json() - Where the pages lay at the start, in each phase and at the end.
 *
 * Return: a new reference; NULL without memory.
 */
json_t *sample_homes_json(const struct counts *counts, const struct sample_host *host,
			  const struct program_log *log);

/* Samples by the names of threads. Return: a new reference; NULL without memory. */
json_t *sample_threads_json(const struct counts *counts, const struct sample_host *host);

/* CLOCK_MONOTONIC, as perf's samples and the log of the program have it. */
uint64_t sample_now_ns(void);

/* Pass a message to the caller. */
void sample_message(const struct sample_config *config, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* RUN_SAMPLE_SAMPLE_INSIDE_H */
