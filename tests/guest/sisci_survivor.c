/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API in which one node is killed while the other node loads from its
 * memory.
 *
 *	SMILE_NODE=0|1 sisci_survivor
 *
 * What lives here: node 1 exports a segment and waits. Node 0 loads from the segment until the
 * loads return all ones, and then checks the error that the library reports. It prints "begun", and
 * after the kill "ok error". It ends only by a signal.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define SIZE 4096
#define SEGMENT 77
#define VALUE 12345

static void owner(sci_desc_t sd)
{
	sci_local_segment_t segment;
	volatile uint64_t *mine;
	sci_map_t map;

	mine = segment_create(sd, SEGMENT, SIZE, &segment, &map);
	*mine = VALUE;
	SCISetSegmentAvailable(segment, 0, 0, &error);
	OK("available");
}

static void user(sci_desc_t sd)
{
	sci_remote_segment_t segment;
	sci_sequence_t sequence;
	volatile uint64_t *there;
	sci_map_t map;
	sci_error_t status;

	UNTIL_OK(SCIConnectSegment(sd, &segment, 8, SEGMENT, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0,
				   &error),
		 "connect");
	there = SCIMapRemoteSegment(segment, &map, 0, SIZE, NULL, 0, &error);
	OK("map");
	SCICreateMapSequence(map, &sequence, 0, &error);
	OK("a sequence");
	check(SCIStartSequence(sequence, 0, &error) == SCI_SEQ_OK, "start it");
	check(*there == VALUE, "load");
	printf("begun\n");
	while (*there == VALUE)
		continue;
	check(*there == UINT64_MAX, "loads give ones");
	check(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE, "the sequence fails");
	check(SCIWaitForRemoteSegmentEvent(segment, &status, WAIT_MS, 0, &error) == SCI_CB_LOST,
	      "the segment is lost");
	check(!SCIProbeNode(sd, 0, 8, 0, &error) && error == SCI_ERR_NO_REMOTE_LINK_ACCESS,
	      "the node does not answer");
	SCIUnmapSegment(map, 0, &error);
	OK("unmap under the sequence");
	SCIRemoveSequence(sequence, 0, &error);
	OK("remove the sequence");
	SCIDisconnectSegment(segment, 0, &error);
	OK("disconnect");
	printf("ok error\n");
}

int main(void)
{
	sci_desc_t sd;

	sd = session_open();
	if (atoi(getenv("SMILE_NODE")) == 1)
		owner(sd);
	else
		user(sd);
	for (;;)
		pause();
}
