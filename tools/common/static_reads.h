/* SPDX-License-Identifier: MIT */
/*
 * Static reads: static counters that are read with reset, or only reset, while a card runs.
 *
 * What lives here: --read-static and --reset-static: their arguments, the times at which they are
 * due, and the readings on standard output. May use the public API.
 */
#ifndef TOOLS_COMMON_STATIC_READS_H
#define TOOLS_COMMON_STATIC_READS_H

#include <smile/monitor.h>

#define STATIC_READS_MAX (2 * SMILE_STATIC_COUNTERS)

/**
 * struct static_read - A counter.
 * @counter: its index
 * @print: read it each @ns; 0: reset it once, @ns after the start
 * @ns: nanoseconds
 * @due_ns: time of the next read, by tool_now_ns(); UINT64_MAX: no read follows
 */
struct static_read {
	unsigned int counter;
	int print;
	uint64_t ns;
	uint64_t due_ns;
};

/**
 * struct static_reads - All counters that are read or reset.
 * @list: the counters; shape [@count]
 * @count: number of counters
 * @json: readings are lines of JSON, not of CSV
 * @start_ns: time at which the card was started
 */
struct static_reads {
	struct static_read list[STATIC_READS_MAX];
	unsigned int count;
	int json;
	uint64_t start_ns;
};

/**
 * static_reads_take() - Take in the "N:TIME" of --read-static, such as 3:100ms.
 * @reads: a struct static_reads
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_reads_take(void *reads, const char *text);
/* Like static_reads_take(), for --reset-static. */
int static_resets_take(void *reads, const char *text);

/**
 * static_reads_check() - Check that each counter exists.
 * @counters: number of configured static counters
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_reads_check(const struct static_reads *reads, unsigned int counters);

/**
 * static_reads_begin() - Call when the card was started.
 */
void static_reads_begin(struct static_reads *reads);

/**
 * static_reads_wait_ms() - Time until the next read is due, at most @most_ms.
 */
int static_reads_wait_ms(const struct static_reads *reads, int most_ms);

/**
 * static_reads_run() - Read and reset the counters that are due.
 *
 * Return: 0; -errno, with Monitor_error_message() set.
 */
int static_reads_run(struct static_reads *reads, struct Monitor *mon);

/**
 * static_reads_end() - Print the last reading of each counter, with its count since the previous
 * reading.
 *
 * Return: as static_reads_run().
 */
int static_reads_end(struct static_reads *reads, struct Monitor *mon);

#endif /* TOOLS_COMMON_STATIC_READS_H */
