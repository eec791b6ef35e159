/* SPDX-License-Identifier: MIT */
/* run/sample: declarations that the source files of this room share. */
#ifndef RUN_SAMPLE_SAMPLE_INSIDE_H
#define RUN_SAMPLE_SAMPLE_INSIDE_H

#include <sys/types.h>

#include "run/sample/counts.h"
#include "run/sample/host.h"
#include "run/sample/memory_regions.h"
#include "run/sample/memory_pmu.h"
#include "run/sample/program_log.h"
#include "run/sample/sample.h"

/* The first address of the kernel. */
#define SAMPLE_KERNEL_BEGIN (1ULL << 63)

/**
 * source_choose() - Choose the source of samples. If the configuration requests no source, choose
 * the best source that is possible.
 * @host: receives the nodes of this machine
 * @plan: receives the events to sample
 *
 * Return: 0 or -errno after a message.
 */
int source_choose(const struct sample_config *config, struct sample_host *host,
		  struct sample_plan *plan);

/**
 * homes_ask() - Ask the kernel for the nodes of pages.
 * @counts: receives the nodes
 * @pid: the process that has the pages
 * @numbers: numbers of the pages; shape [@count]
 *
 * While the kernel has marked a page for a hint fault, it reports the page as absent. The known
 * node of such a page does not change.
 *
 * Return: 0; -errno of move_pages(2), for example if the process has ended.
 */
int homes_ask(struct counts *counts, pid_t pid, const uint64_t *numbers, size_t count);

/**
 * write_recordings() - Write a recording for each node.
 * @source: source of the samples: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @log: allocations and phases
 * @document: the document of sample_report_json(); NULL: there was no memory for it
 *
 * A recording receives its name only when it is complete, because an incomplete recording would
 * lack samples.
 *
 * Return: 0; -errno after a message: no recording was written then.
 */
int write_recordings(const struct sample_config *config, const struct sample_host *host,
		     enum sample_source source, const struct counts *counts,
		     const struct mapped *mapped, struct program_log *log, const json_t *document);

/*
 * Select the parameters that belong in the header of a recording: the kind of the counts, and the
 * number of nodes. Return: a JSON text, which the caller frees; NULL if memory is missing.
 */
char *sample_mark_of(const json_t *document);

/*
 * Check that recordings can be written with the configured prefix, and lock the file of the first
 * node until write_recordings(), so that two samplings cannot replace each other's recordings.
 * Return: 0; -EBUSY if another program has locked it; -errno; an error is reported.
 */
int write_try(const struct sample_config *config, const struct sample_host *host);

/* If the file of write_try() is still locked, unlock and remove it. */
void write_try_end(void);

/*
 * Set the members of the result that depend on counts: samples, transactions, pages, homes and
 * latencies.
 */
void sample_result_counts(struct sample_result *result, const struct counts *counts);

/**
 * sample_homes_json() - Get the nodes of the pages at the start, in each phase, and at the end.
 *
 * Return: a new reference; NULL if there is no memory.
 */
json_t *sample_homes_json(const struct counts *counts, const struct sample_host *host,
			  const struct program_log *log);

/* Get the samples by the names of threads. Return: a new reference; NULL if there is no memory. */
json_t *sample_threads_json(const struct counts *counts, const struct sample_host *host);

/* Get the time of CLOCK_MONOTONIC. perf's samples and the program's log use the same clock. */
uint64_t sample_now_ns(void);

/* Pass a message to the caller. */
void sample_message(const struct sample_config *config, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* RUN_SAMPLE_SAMPLE_INSIDE_H */
