/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API with a known number of failed accesses. Its segments use the same
 * page, one after the other.
 *
 *	SMILE_NODE=0|1 sisci_failed
 *
 * What lives here: node 0 exports segment 17, removes it when node 1 has mapped it, and exports
 * segment 18 in the same page. Node 1 continues with its old mapping: FAILED loads and stores fail.
 * Node 1 prints "failed FAILED", and both end with "ok end".
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
#define LOADS 3
#define STORES 2

static sci_desc_t sd;

static void serve(unsigned int id)
{
	sci_local_segment_t segment;
	volatile uint32_t *mine;
	sci_map_t map;
	int tries = 0;

	mine = segment_create(sd, id, SIZE, &segment, &map);
	SCISetSegmentAvailable(segment, 0, 0, &error);
	OK("available");
	while (*mine != id && tries++ < WAIT_MS)
		usleep(1000);
	check(*mine == id, "node 1 has it");
	SCISetSegmentUnavailable(segment, 0, SCI_FLAG_FORCE_DISCONNECT, &error);
	OK("unavailable");
	SCIUnmapSegment(map, 0, &error);
	OK("unmap");
	SCIRemoveSegment(segment, 0, &error);
	OK("remove");
}

static volatile uint32_t *use(unsigned int id)
{
	sci_remote_segment_t segment;
	volatile uint32_t *there;
	sci_map_t map;

	UNTIL_OK(SCIConnectSegment(sd, &segment, 4, id, 0, NULL, NULL, SCI_INFINITE_TIMEOUT, 0,
				   &error),
		 "connect");
	there = SCIMapRemoteSegment(segment, &map, 0, SIZE, NULL, 0, &error);
	OK("map");
	return there;
}

int main(void)
{
	volatile uint32_t *first, *second;
	int i;

	sd = session_open();
	if (atoi(getenv("SMILE_NODE")) == 0) {
		serve(17);
		serve(18);
	} else {
		first = use(17);
		*first = 17;
		second = use(18);
		for (i = 0; i < LOADS; i++)
			check(*first == UINT32_MAX, "a load gives ones");
		for (i = 0; i < STORES; i++)
			*first = 99;
		*second = 18;
		printf("failed %d\n", LOADS + STORES);
	}
	printf("ok end\n");
	return 0;
}
