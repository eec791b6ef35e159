/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the deep trace instrument, in one process.
 *
 * What lives here: the processing of a capture's packets from memory through triggers and filters
 * into the trace memory, compared with a plain copy of the same packets and time stamps into the
 * same memory. All are measured in turn, round by round, in the process's own time; the best round
 * counts.
 *
 * usage: trace_bench CAPTURE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <smile/monitor.h>

#include "emu/trace/instrument.h"
#include "tests/bench/traffic.h"

#define ROUNDS 5
#define PASSES 4

/* 16 patterns of mask and value, with little in common. */
#define FILTER_16                                                                                  \
	"address=0x20000..0x2ffff,type=lock or address=0x30000..0x3ffff,type=lock or "             \
	"transaction=1 or source=65/67/69/71/73/75 or target=80/82/84/86/88/90 or source=99"

static uint8_t *memory;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/**
 * struct work - One measurement.
 * @name: name in the table
 * @levels: texts of the levels
 * @filter: text of the filter; NULL: no filter
 * @copy: measure the plain copy
 */
struct work {
	const char *name;
	const char *levels[SMILE_TRACE_LEVELS];
	const char *filter;
	bool copy;
};

static const struct work works[] = {
	{.name = "plain copy", .copy = true},
	{.name = "all packets, no trigger"},
	{.name = "filter of 1 pattern, 1 in 4 accepted", .filter = "source=2"},
	{.name = "filter of 16 patterns, 1 in 64 accepted", .filter = FILTER_16},
	{.name = "4 levels and a filter of 16 patterns",
	 .levels = {"source=1,type=write count=1000 within=1s else=back",
		    "type=response,source=2 count=1000 within=1s else=back",
		    "source=77 or source=79 or source=81 within=1s else=stop", "any"},
	 .filter = FILTER_16},
	{.name = "4 levels, all packets stored",
	 .levels = {"source=1,type=write count=1000 within=1s else=back",
		    "type=response,source=2 count=1000 within=1s else=back",
		    "source=77 or source=79 or source=81 within=1s else=stop", "any"}},
};

#define WORKS (sizeof(works) / sizeof(works[0]))

/*
 * Copy time stamp, length and frame of each packet, one behind the other; at the end of the memory,
 * continue at its start.
 */
static uint64_t run_copy(const struct traffic *traffic)
{
	size_t at = 0;

	for (size_t i = 0; i < traffic->frame_count; i++) {
		const struct card_frame *frame = &traffic->frames[i];
		uint64_t head[2] = {frame->time_ns, frame->bytes};

		if (at + sizeof(head) + frame->bytes > SMILE_TRACE_MEMORY_HISTORIC)
			at = 0;
		memcpy(memory + at, head, sizeof(head));
		memcpy(memory + at + sizeof(head), frame->frame, frame->bytes);
		at += sizeof(head) + (frame->bytes + 7) / 8 * 8;
	}
	return traffic->frame_count;
}

static uint64_t run_instrument(const struct traffic *traffic, const struct work *work)
{
	static struct instrument instrument;
	struct smile_trace_config config;
	struct smile_trace_status status;

	Monitor_trace_config_default(&config);
	config.memory_bytes = SMILE_TRACE_MEMORY_HISTORIC;
	for (unsigned int i = 0; i < SMILE_TRACE_LEVELS && work->levels[i]; i++)
		if (Monitor_trace_level(&config, work->levels[i]) < 0)
			fail(Monitor_error_message());
	if (work->filter && Monitor_trace_filter(&config, work->filter) < 0)
		fail(Monitor_error_message());
	instrument_init(&instrument, memory, SMILE_TRACE_MEMORY_HISTORIC, NULL, NULL);
	if (!instrument_configure(&instrument, &config) || !instrument_arm(&instrument))
		fail("the instrument refuses its configuration");
	for (size_t i = 0; i < traffic->frame_count; i++)
		instrument_frame(&instrument, traffic->frames[i].frame, traffic->frames[i].bytes,
				 traffic->frames[i].time_ns);
	instrument_status(&instrument, &status);
	if (status.seen != traffic->frame_count)
		fail("the trigger has occurred: not all packets were measured");
	return status.stored + status.overwritten;
}

int main(int argc, char **argv)
{
	double best[WORKS] = {0};
	uint64_t stored[WORKS] = {0};
	struct traffic traffic;

	if (argc != 2) {
		fprintf(stderr, "usage: trace_bench CAPTURE\n");
		return 2;
	}
	memory = malloc(SMILE_TRACE_MEMORY_HISTORIC);
	if (!memory)
		fail("no memory");
	memset(memory, 0, SMILE_TRACE_MEMORY_HISTORIC);
	traffic_load(&traffic, argv[1]);
	for (unsigned int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < WORKS; i++) {
			double start = now_s(), seconds;

			for (unsigned int pass = 0; pass < PASSES; pass++)
				stored[i] = works[i].copy ? run_copy(&traffic)
							  : run_instrument(&traffic, &works[i]);
			seconds = now_s() - start;
			if (!round || seconds < best[i])
				best[i] = seconds;
		}
	printf("\nDeep trace instrument: %zu packets in memory to a trace memory of %u MB\n\n"
	       "%-42s %10s %8s %10s\n",
	       traffic.frame_count, SMILE_TRACE_MEMORY_HISTORIC >> 20, "", "M packets/s", "time",
	       "stored");
	for (size_t i = 0; i < WORKS; i++)
		printf("%-42s %10.1f %8.2f %9.1f%%\n", works[i].name,
		       (double)traffic.frame_count * PASSES / best[i] / 1e6, best[i] / best[0],
		       100.0 * (double)stored[i] / (double)traffic.frame_count);
	traffic_free(&traffic);
	free(memory);
	return 0;
}
