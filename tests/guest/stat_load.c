/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A load whose accesses are known exactly, for smile stat --cluster: each node reads six pages of
 * the next node, with rates that change slowly and differently.
 *
 *	SMILE_NODE=N SMILE_NODES=COUNT stat_load ROUNDS
 *
 * What lives here: the program writes the number of the node's first page to the file "page", and
 * starts the load when a file "go" exists. When all accesses of the previous node have passed this
 * node's B-Link, it creates a file "done". Output: "issued PAGE,NUMBER" for each page of the next
 * node. May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define ADAPTER 0
#define SEGMENT 77
#define NUMBER 77
#define PAGES 6
#define PAGE_WORDS 512
#define NODE_ID(node) (4 * ((node) + 1))
/* Number of rounds in which a rate is constant. */
#define STAYS 25

static unsigned int node, nodes;

static void file_make(const char *name, unsigned int number)
{
	char partial[32];
	FILE *file;

	/* A process that waits for the file finds it complete. */
	snprintf(partial, sizeof(partial), "%s.part", name);
	file = fopen(partial, "w");
	check(file && fprintf(file, "%u\n", number) > 0 && !fclose(file) && !rename(partial, name),
	      name);
}

static uint64_t draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005U + 1442695040888963407U;
	return *seed >> 33;
}

/*
 * Read each page in each round: the number of reads has a part that changes slowly, and a part that
 * changes fast.
 */
static void load(const volatile uint64_t *there, unsigned int rounds, uint64_t *issued)
{
	uint64_t seed = node + 1, rates[PAGES] = {0};

	for (unsigned int round = 0; round < rounds; round++)
		for (unsigned int page = 0; page < PAGES; page++) {
			uint64_t count;

			if ((round + 5 * page) % STAYS == 0 || !rates[page])
				rates[page] = 20 + 10 * page + draw(&seed) % 60;
			count = rates[page] + draw(&seed) % 20;
			for (uint64_t i = 0; i < count; i++)
				(void)there[page * PAGE_WORDS + i % PAGE_WORDS];
			issued[page] += count;
		}
}

int main(int argc, char **argv)
{
	sci_query_local_segment_t query = {.subcommand = SCI_Q_LOCAL_SEGMENT_IOADDR};
	unsigned int number = NUMBER, next;
	const volatile uint64_t *there;
	uint64_t issued[PAGES] = {0};
	sci_local_segment_t segment;
	sci_local_interrupt_t interrupt;
	sci_remote_interrupt_t line;
	sci_remote_segment_t remote;
	sci_map_t map;
	sci_desc_t sd;

	node = (unsigned int)atoi(getenv("SMILE_NODE"));
	nodes = (unsigned int)atoi(getenv("SMILE_NODES"));
	next = NODE_ID((node + 1) % nodes);
	sd = session_open();
	SCICreateSegment(sd, &segment, SEGMENT, PAGES * 4096, NULL, NULL, 0, &error);
	OK("create the segment");
	SCIPrepareSegment(segment, ADAPTER, 0, &error);
	query.segment = segment;
	SCIQuery(SCI_Q_LOCAL_SEGMENT, &query, 0, &error);
	OK("ask for its address");
	SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			   &error);
	OK("create the interrupt");
	file_make("page", (unsigned int)(query.data.ioaddr % (1ULL << 32) / 4096));
	while (access("go", F_OK))
		usleep(1000);
	/* A node that connects to the segment can rely on this node's card to count. */
	SCISetSegmentAvailable(segment, ADAPTER, 0, &error);
	OK("make it available");
	UNTIL_OK(SCIConnectSegment(sd, &remote, next, SEGMENT, ADAPTER, NULL, NULL,
				   SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect");
	there = SCIMapRemoteSegment(remote, &map, 0, PAGES * 4096, NULL, 0, &error);
	OK("map");
	UNTIL_OK(SCIConnectInterrupt(sd, &line, next, ADAPTER, NUMBER, SCI_INFINITE_TIMEOUT, 0,
				     &error),
		 "connect the interrupt");
	load(there, argc > 1 ? (unsigned int)atoi(argv[1]) : 100, issued);
	/* The interrupt follows all accesses on the next node's B-Link. */
	SCITriggerInterrupt(line, 0, &error);
	OK("trigger");
	SCIWaitForInterrupt(interrupt, SCI_INFINITE_TIMEOUT, 0, &error);
	OK("the node before this one is done");
	for (unsigned int page = 0; page < PAGES; page++)
		printf("issued %u,%llu\n", page, (unsigned long long)issued[page]);
	file_make("done", 1);
	/* Other nodes may still access this node's memory. */
	pause();
	return 0;
}
