/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * feeder FILE [records|counts [NODE]]: a recording that grows on command, for the tests of `smile
 * serve`; with "counts", a counting recording that has a checkpoint for each line.
 *
 * Reads commands from standard input, one on each line, and prints "ok" once the result is in the
 * file:
 *
 *	reads COUNT SOURCE HOME PAGE [PAGES]
 *	spread PAGES NODES	pages from 65536 on, each read once by three nodes, in rotation
 *	part PAGES NODES	those of the same reads that the card of NODE sees
 *	region PAGE PAGES NAME
 *	mark
 *	end
 *
 * At the end of its input it ends as if it was killed: the recording is incomplete. Uses only the
 * public API and the frame format.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tests/harness/blink_request.h"

static struct Monitor *mon;
static uint64_t now_ns;
static int counting;

static void need(int result, const char *what)
{
	if (result >= 0)
		return;
	fprintf(stderr, "feeder: %s: %s\n", what, Monitor_error_message());
	_exit(2);
}

static void read_request(unsigned int source, unsigned int home, uint64_t address)
{
	unsigned char bytes[BLINK_BYTES_MAX];

	now_ns += 1000;
	if (counting) {
		const uint32_t one = 1;

		need(Monitor_counted(mon, Monitor_request(source, home, SMILE_TYPE_READ, address),
				     &one, 1, now_ns),
		     "counted");
		return;
	}
	blink_request(bytes, source, home, BLINK_READSB + 3, 0, address);
	need(Monitor_packet(mon, bytes, 3 * BLINK_WORD_BYTES, now_ns), "packet");
}

static void flush(void)
{
	if (counting) {
		need(Monitor_counted_until(mon, now_ns), "checkpoint");
		return;
	}
	need(Monitor_swap(mon), "swap");
	while (Monitor_poll(mon, 0) > 0)
		continue;
}

static void reads(const char *line)
{
	unsigned long long count, page, pages = 1;
	unsigned int source, home;

	if (sscanf(line, "reads %llu %u %u %llu %llu", &count, &source, &home, &page, &pages) < 4)
		_exit(2);
	for (unsigned long long k = 0; k < pages; k++)
		for (unsigned long long i = 0; i < count; i++)
			read_request(source, home, (page + k) * 4096);
	flush();
}

/* @seen: the node whose card sees the reads; negative: all nodes */
static void spread(const char *arguments, int seen)
{
	unsigned long long pages;
	unsigned int nodes;

	if (sscanf(arguments, "%llu %u", &pages, &nodes) < 2 || nodes < 4)
		_exit(2);
	for (unsigned long long k = 0; k < pages; k++)
		for (unsigned int i = 1; i <= 3; i++) {
			unsigned int source = (unsigned int)((k + i * (1 + k % 5)) % nodes);
			unsigned int home = (unsigned int)(k % nodes);

			if (seen < 0 || source == (unsigned int)seen || home == (unsigned int)seen)
				read_request(source, home, (65536 + k) * 4096);
		}
	flush();
}

static void region(const char *line)
{
	unsigned long long page, pages;
	char name[64];
	struct Monitor_region one = {.kind = MONITOR_REGION_NAMED, .name = name};

	if (sscanf(line, "region %llu %llu %63s", &page, &pages, name) < 3)
		_exit(2);
	one.start = page * 4096;
	one.end = (page + pages) * 4096;
	need(Monitor_region_add(mon, &one), "region");
}

/* All later reads are in another phase. */
static void mark(void)
{
	need(Monitor_event(mon, 0), "mark");
	flush();
}

static void end(void)
{
	need(Monitor_stop(mon), "stop");
	need(Monitor_swap(mon), "swap");
	need(Monitor_close(mon), "close");
	mon = NULL;
}

int main(int argc, char **argv)
{
	struct smile_config config;
	char line[256];

	if (argc < 2)
		return 2;
	counting = argc > 2 && !strcmp(argv[2], "counts");
	need(Monitor_open(&mon, "emu:"), "open");
	Monitor_config_default(&config);
	config.node = argc > 3 ? (__u32)strtoul(argv[3], NULL, 10) : 0;
	need(Monitor_config_set(mon, &config), "configure");
	if (counting)
		need(Monitor_record_only(mon), "record only");
	need(counting ? Monitor_save_counts(mon, argv[1], "feeder")
		      : Monitor_save(mon, argv[1], "feeder"),
	     "save");
	need(Monitor_start(mon), "start");
	puts("ok");
	fflush(stdout);
	while (mon && fgets(line, sizeof(line), stdin)) {
		if (!strncmp(line, "reads ", 6))
			reads(line);
		else if (!strncmp(line, "spread ", 7))
			spread(line + 7, -1);
		else if (!strncmp(line, "part ", 5))
			spread(line + 5, (int)config.node);
		else if (!strncmp(line, "region ", 7))
			region(line);
		else if (!strcmp(line, "mark\n"))
			mark();
		else if (!strcmp(line, "end\n"))
			end();
		else
			return 2;
		puts("ok");
		fflush(stdout);
	}
	_exit(0);
}
