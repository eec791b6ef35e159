/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that counts its own accesses to the other node, and reads its card's counts only at the
 * end.
 *
 *	SMILE_NODE=N SMILE_NODES=2 sisci_self
 *
 * What lives here: more accesses than the rings can hold. No access waits for the reader, which is
 * the program itself; the loss is reported. May use: tests/guest/sisci_check.h, <sisci_api.h>,
 * <smile/monitor.h>, POSIX.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sisci_api.h>
#include <smile/monitor.h>

#include "sisci_check.h"

#define ADAPTER 0
#define BYTES 4096U
#define WORDS (BYTES / 4)
#define ROUNDS 200
#define FLAG (WORDS - 1) /* the word in which the other node stores its progress */
#define NODE_ID(node) (4 * ((node) + 1))

static volatile uint32_t *mine, *other;

static void barrier(uint32_t step)
{
	other[FLAG] = step;
	while (mine[FLAG] < step)
		sched_yield();
}

static void must(int result, const char *what)
{
	if (result >= 0)
		return;
	printf("not ok %s: %s\n", what, Monitor_error_message());
	exit(1);
}

int main(void)
{
	unsigned int node = (unsigned int)atoi(getenv("SMILE_NODE")), i, round;
	struct Monitor_loss loss;
	struct smile_config config;
	sci_local_segment_t segment;
	sci_remote_segment_t remote;
	sci_map_t map, remote_map;
	struct Monitor *mon;
	sci_desc_t sd;

	sd = session_open();
	mine = segment_create(sd, 300 + node, BYTES, &segment, &map);
	for (i = 0; i < FLAG; i++)
		mine[i] = node * WORDS + i;
	SCISetSegmentAvailable(segment, ADAPTER, 0, &error);
	OK("available");
	UNTIL_OK(SCIConnectSegment(sd, &remote, NODE_ID(1 - node), 301 - node, ADAPTER, NULL, NULL,
				   SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect");
	other = SCIMapRemoteSegment(remote, &remote_map, 0, BYTES, NULL, 0, &error);
	OK("map");
	barrier(1);
	must(Monitor_open(&mon, "dev:0"), "open the card");
	Monitor_config_default(&config);
	/* A record for each word. */
	config.max_range_bytes = 4;
	must(Monitor_config_set(mon, &config), "configure the card");
	must(Monitor_start(mon), "start the card");
	barrier(2);
	for (round = 0; round < ROUNDS; round++) {
		for (i = 0; i < FLAG; i++)
			check(other[i] == (1 - node) * WORDS + i, "a load gives what was stored");
	}
	barrier(3);
	must(Monitor_stop(mon), "stop the card");
	must(Monitor_swap(mon), "swap the counters out");
	while (Monitor_poll(mon, 0) > 0)
		continue;
	must(Monitor_loss(mon, &loss), "the account");
	printf("accepted %llu, delivered %llu, lost %llu\n", (unsigned long long)loss.accepted,
	       (unsigned long long)loss.delivered, (unsigned long long)loss.lost);
	/* The accesses of this node, and perhaps accesses of the other node. */
	check(loss.accepted >= (uint64_t)ROUNDS * FLAG, "the card has accepted all loads");
	check(loss.lost && loss.accepted == loss.delivered + loss.lost, "the loss is stated");
	must(Monitor_close(mon), "close the card");
	SCITerminate();
	printf("ok end\n");
	return 0;
}
