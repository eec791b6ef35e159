/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API during which the environment changes: the time of day is set back
 * during a wait, and a segment is created again, but smaller, while another node has it mapped.
 *
 *	SMILE_NODE=0|1 sisci_changes		as root: it sets the time of its guest
 *
 * What lives here: node 0 exports a segment of LARGE pages, and another segment for answers; node 1
 * maps both. Node 0 then removes the first segment, and creates a segment with the same id and
 * SMALL pages. Through the old mapping node 1 reaches nothing of the new segment, and prints the
 * number of its loads and stores that have failed: "failed FAILED". A new connection has the new
 * size, and cannot map more.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define PAGE 4096
#define LARGE 8
#define SMALL 2
#define SEGMENT 21
#define ANSWERS 22
#define PATTERN 0x5a5a5a5aU
#define DAY_S 86400

static sci_desc_t sd;

/* ---- the time of day ---- */

static void *day_back(void *unused)
{
	struct timespec now;

	(void)unused;
	usleep(300000);
	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec -= DAY_S;
	check(!clock_settime(CLOCK_REALTIME, &now), "the time of day is set back");
	return NULL;
}

/* If the wait lasted until the former time of day, it would take longer than the test may run. */
static void wait_on(void)
{
	sci_local_interrupt_t line;
	unsigned int number = 1;
	pthread_t thread;

	SCICreateInterrupt(sd, &line, 0, &number, NULL, NULL, 0, &error);
	OK("create an interrupt");
	check(!pthread_create(&thread, NULL, day_back, NULL), "a thread");
	SCIWaitForInterrupt(line, 2000, 0, &error);
	REFUSED(SCI_ERR_TIMEOUT, "a wait ends in time");
	pthread_join(thread, NULL);
	SCIRemoveInterrupt(line, 0, &error);
	OK("remove the interrupt");
	printf("ok wait\n");
}

/* ---- a smaller segment ---- */

static volatile uint32_t *export_pages(unsigned int id, unsigned int pages,
				       sci_local_segment_t *segment, sci_map_t *map)
{
	volatile uint32_t *mine;

	mine = segment_create(sd, id, pages * PAGE, segment, map);
	SCISetSegmentAvailable(*segment, 0, 0, &error);
	OK("available");
	return mine;
}

static void await(volatile uint32_t *word, uint32_t value, const char *what)
{
	int tries = 0;

	while (*word != value && tries++ < WAIT_MS)
		usleep(1000);
	check(*word == value, what);
}

static void serve(void)
{
	sci_local_segment_t large, small, answers;
	sci_map_t large_map, small_map, answers_map;
	volatile uint32_t *mine, *answer;
	unsigned int i;

	answer = export_pages(ANSWERS, 1, &answers, &answers_map);
	mine = export_pages(SEGMENT, LARGE, &large, &large_map);
	mine[0] = LARGE;
	await(answer, 1, "node 1 has the large segment");
	SCISetSegmentUnavailable(large, 0, SCI_FLAG_FORCE_DISCONNECT, &error);
	OK("unavailable");
	SCIUnmapSegment(large_map, 0, &error);
	OK("unmap");
	SCIRemoveSegment(large, 0, &error);
	OK("remove");
	mine = export_pages(SEGMENT, SMALL, &small, &small_map);
	for (i = 0; i < SMALL * PAGE / sizeof(*mine); i++)
		mine[i] = PATTERN;
	answer[1] = 1;
	await(answer, 2, "node 1 has the small one");
	for (i = 0; i < SMALL * PAGE / sizeof(*mine); i++)
		check(mine[i] == PATTERN, "nothing has come by the old mapping");
}

static sci_remote_segment_t connect_to(unsigned int id)
{
	sci_remote_segment_t segment;

	UNTIL_OK(SCIConnectSegment(sd, &segment, 4, id, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0,
				   &error),
		 "connect");
	return segment;
}

static volatile uint32_t *map_pages(sci_remote_segment_t segment, unsigned int pages)
{
	sci_map_t map;

	return SCIMapRemoteSegment(segment, &map, 0, pages * PAGE, NULL, 0, &error);
}

static void use(void)
{
	volatile uint32_t *answer = map_pages(connect_to(ANSWERS), 1), *before, *after;
	sci_remote_segment_t segment;
	unsigned int page;

	OK("map the answers");
	segment = connect_to(SEGMENT);
	check(SCIGetRemoteSegmentSize(segment) == LARGE * PAGE, "the large segment's size");
	before = map_pages(segment, LARGE);
	OK("map the large segment");
	await(before, LARGE, "the large segment");
	answer[0] = 1;
	await(answer + 1, 1, "there is a small segment");
	for (page = 0; page < LARGE; page++) {
		check(before[page * PAGE / sizeof(*before)] == UINT32_MAX, "an old load is ones");
		before[page * PAGE / sizeof(*before)] = page;
	}
	printf("failed %d\n", 2 * LARGE);
	segment = connect_to(SEGMENT);
	check(SCIGetRemoteSegmentSize(segment) == SMALL * PAGE, "the small segment's size");
	map_pages(segment, LARGE);
	REFUSED(SCI_ERR_OUT_OF_RANGE, "no more is mapped than there is");
	after = map_pages(segment, SMALL);
	OK("map the small segment");
	for (page = 0; page < SMALL; page++)
		check(after[page * PAGE / sizeof(*after)] == PATTERN, "the small segment");
	answer[0] = 2;
}

int main(void)
{
	sd = session_open();
	wait_on();
	if (atoi(getenv("SMILE_NODE")) == 0)
		serve();
	else
		use();
	printf("ok end\n");
	return 0;
}
