/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * grow FILE [NODE [counts]]: a recording that grows on command, for the tests of `smile top`; with
 * "counts", a counting recording that has a checkpoint for each command.
 *
 * Executes commands from standard input, and answers each with "ok":
 *
 *	COUNT SOURCE HOME read|write|lock PAGE OFFSET	COUNT requests of 4 bytes, counted and saved
 *	lose COUNT					COUNT events are lost, as with a full ring
 *	name PAGE PAGES TEXT				a region of the program, written at the end
 *	close						complete the recording
 *	die						leave it incomplete, as a killed writer does
 *
 * Uses only the public API and the frame format.
 */
#include <inttypes.h>
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
	fprintf(stderr, "grow: %s: %s\n", what, Monitor_error_message());
	exit(2);
}

/*
 * A request of 4 bytes. The low nibble of the address is the offset of the last byte in 16 bytes.
 */
static void request(unsigned int source, unsigned int home, unsigned int command, uint64_t address)
{
	unsigned char bytes[BLINK_BYTES_MAX];

	blink_request(bytes, source, home, command + (unsigned int)((address & 12) | 3), 0,
		      address);
	now_ns += 1000;
	need(Monitor_packet(mon, bytes, (command == BLINK_READSB ? 3 : 5) * BLINK_WORD_BYTES,
			    now_ns),
	     "packet");
}

static void requests(unsigned int count, unsigned int source, unsigned int home, const char *type,
		     uint64_t page, unsigned int offset)
{
	unsigned int command = !strcmp(type, "read")	? BLINK_READSB
			       : !strcmp(type, "write") ? BLINK_WRITESB
							: BLINK_LOCKSB;

	if (counting) {
		unsigned int kind = !strcmp(type, "read")    ? SMILE_TYPE_READ
				    : !strcmp(type, "write") ? SMILE_TYPE_WRITE
							     : SMILE_TYPE_LOCK;

		now_ns += 1000;
		need(Monitor_counted(
			     mon,
			     Monitor_request(source, home, kind, page * SMILE_PAGE_BYTES + offset),
			     &count, 1, now_ns),
		     "counted");
		need(Monitor_counted_until(mon, now_ns), "checkpoint");
		return;
	}
	while (count--)
		request(source, home, command, page * SMILE_PAGE_BYTES + offset);
	need(Monitor_swap(mon), "swap");
	/* A poll that finds no new records writes the records that were collected before to the
	 * file. */
	need(Monitor_poll(mon, 0), "poll");
}

/* Each request has its own page and so makes a record; none of these records is counted. */
static void lose(unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		request(1, 0, BLINK_READSB, (1000000 + (uint64_t)i) * SMILE_PAGE_BYTES);
	need(Monitor_swap(mon), "swap");
	need(Monitor_poll(mon, 0), "poll");
}

static void obey(char *line)
{
	unsigned int count, source, home, offset;
	struct Monitor_region region = {.kind = MONITOR_REGION_NAMED};
	uint64_t page, pages;
	char text[128];

	if (sscanf(line, "lose %u", &count) == 1) {
		lose(count);
	} else if (sscanf(line, "name %" SCNu64 " %" SCNu64 " %127s", &page, &pages, text) == 3) {
		region.start = page * SMILE_PAGE_BYTES;
		region.end = (page + pages) * SMILE_PAGE_BYTES;
		region.name = text;
		need(Monitor_region_add(mon, &region), "region");
	} else if (sscanf(line, "%u %u %u %127s %" SCNu64 " %u", &count, &source, &home, text,
			  &page, &offset) == 6) {
		requests(count, source, home, text, page, offset);
	} else {
		fprintf(stderr, "grow: not understood: %s", line);
		exit(2);
	}
}

int main(int argc, char **argv)
{
	struct smile_config config;
	char line[256];

	if (argc < 2)
		return 2;
	need(Monitor_open(&mon, "emu:"), "open");
	Monitor_config_default(&config);
	config.node = argc > 2 ? (unsigned int)atoi(argv[2]) : 0;
	need(Monitor_config_set(mon, &config), "configure");
	counting = argc > 3 && !strcmp(argv[3], "counts");
	if (counting)
		need(Monitor_record_only(mon), "record only");
	need(counting ? Monitor_save_counts(mon, argv[1], "grow")
		      : Monitor_save(mon, argv[1], "grow"),
	     "save");
	need(Monitor_start(mon), "start");
	for (;;) {
		printf("ok\n");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin) || !strcmp(line, "die\n"))
			_exit(0);
		if (!strcmp(line, "close\n"))
			break;
		obey(line);
	}
	need(Monitor_stop(mon), "stop");
	need(Monitor_swap(mon), "swap");
	need(Monitor_close(mon), "close");
	printf("ok\n");
	return 0;
}
