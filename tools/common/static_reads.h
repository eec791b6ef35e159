/* SPDX-License-Identifier: MIT */
/*
 * Static reads: read and reset static counters, or only reset them, while a card runs.
 *
 * What lives here: the arguments of --read-static and --reset-static, the times at which counters
 * are due, and the output of the readings. May use the public API.
 */
#ifndef TOOLS_COMMON_STATIC_READS_H
#define TOOLS_COMMON_STATIC_READS_H

#include <smile/monitor.h>

#define STATIC_READS_MAX (2 * SMILE_STATIC_COUNTERS)

/**
 * struct static_read - A counter that is repeatedly read, or that is reset.
 * @counter: index of the counter
 * @print: read and reset the counter every @ns; 0: only reset the counter, once, @ns after the
 *         start
 * @ns: period of the reads, or delay of the reset
 * @due_ns: time of the next read or reset, on the clock of tool_now_ns(); UINT64_MAX: no read or
 *          reset follows
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
 * @json: print readings as lines of JSON; otherwise as CSV
 * @start_ns: time at which the card was started
 */
struct static_reads {
	struct static_read list[STATIC_READS_MAX];
	unsigned int count;
	int json;
	uint64_t start_ns;
};

/**
 * static_reads_take() - Parse the argument "N:TIME" of --read-static, such as 3:100ms.
 * @reads: a struct static_reads
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_reads_take(void *reads, const char *text);
/* Like static_reads_take(), for --reset-static. */
int static_resets_take(void *reads, const char *text);

/**
 * static_reads_check() - Check that each counter exists.
 * @counters: number of static counters that are configured
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_reads_check(const struct static_reads *reads, unsigned int counters);

/**
 * static_reads_begin() - Set the times at which the counters are due. Call this function when the
 * card was started.
 */
void static_reads_begin(struct static_reads *reads);

/**
 * static_reads_wait_ms() - Get the time until the next read or reset is due, at most @most_ms.
 */
int static_reads_wait_ms(const struct static_reads *reads, int most_ms);

/**
 * static_reads_run() - Read and reset the counters that are due.
 *
 * Return: 0; -errno, with Monitor_error_message() set.
 */
int static_reads_run(struct static_reads *reads, struct Monitor *mon);

/**
 * static_reads_end() - For each counter that is read, print a last reading: the count since the
 * previous reading.
 *
 * Return: as static_reads_run().
 */
int static_reads_end(struct static_reads *reads, struct Monitor *mon);

#endif /* TOOLS_COMMON_STATIC_READS_H */
