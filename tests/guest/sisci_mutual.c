/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API whose nodes access each other at the same time, all pairs of them.
 *
 *	SMILE_NODE=N SMILE_NODES=COUNT sisci_mutual ROUNDS
 *
 * What lives here: in each round a node loads a page of each other node, stores a page there and
 * loads it again, and locks; in some rounds it moves a block by DMA and sends a message. Every word
 * is compared with its expected value. At the end each node prints its issued accesses, by target:
 *
 *	issued SOURCE,TARGET,READS,WRITES,LOCKS
 *
 * A node polls only its own memory, so these numbers are the same in every run.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define NODES_MAX 16
#define ADAPTER 0
#define DATA_NUMBER 40
#define PAGE 4096U
#define WORDS (PAGE / 8)
#define SELDOM 16 /* rounds from one block of DMA, and one message, to the next */

/* Offsets in a segment, in words: the words that its owner has stored; a page of each other
 * node; flags and the lock; a page of each other node for DMA. */
#define STORED 0
#define SLOT(node) (WORDS * (1 + (node)))
#define FLAGS (WORDS * (1 + NODES_MAX))
#define LOCK (FLAGS + 64)
#define BLOCK(node) (WORDS * (2 + NODES_MAX + (node)))
#define BYTES ((2 + 2 * NODES_MAX) * PAGE)
#define NODE_ID(node) (4 * ((node) + 1))

/* Another node. */
struct peer {
	sci_remote_segment_t segment;
	sci_map_t map;
	sci_map_t lock_map;
	sci_remote_data_interrupt_t line;
	volatile uint64_t *memory;
	volatile uint32_t *lock;
	unsigned long reads;
	unsigned long writes;
	unsigned long locks;
};

static unsigned int node, nodes;
static struct peer peers[NODES_MAX];
static volatile uint64_t *mine;
static uint64_t step;

/* The value that @owner has stored in word @i. */
static uint64_t stored(unsigned int owner, unsigned int i)
{
	return (uint64_t)(owner + 1) << 32 | i * 7;
}

static void expect(uint64_t got, uint64_t wanted, const char *what, unsigned int peer)
{
	if (got == wanted)
		return;
	printf("not ok %s of node %u: 0x%llx instead of 0x%llx\n", what, peer,
	       (unsigned long long)got, (unsigned long long)wanted);
	exit(1);
}

/* Wait until all nodes have called this. */
static void barrier(void)
{
	unsigned int i;

	step++;
	for (i = 0; i < nodes; i++) {
		if (i == node)
			continue;
		peers[i].memory[FLAGS + node] = step;
		peers[i].writes++;
	}
	for (i = 0; i < nodes; i++)
		while (i != node && mine[FLAGS + i] < step)
			sched_yield();
}

static void peer_open(sci_desc_t sd, unsigned int id)
{
	struct peer *peer = &peers[id];

	UNTIL_OK(SCIConnectSegment(sd, &peer->segment, NODE_ID(id), 300 + id, ADAPTER, NULL, NULL,
				   SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect");
	peer->memory = SCIMapRemoteSegment(peer->segment, &peer->map, 0, BYTES, NULL, 0, &error);
	OK("map");
	peer->lock = SCIMapRemoteSegment(peer->segment, &peer->lock_map, LOCK * 8, 4, NULL,
					 SCI_FLAG_LOCK_OPERATION, &error);
	OK("map the lock");
	UNTIL_OK(SCIConnectDataInterrupt(sd, &peer->line, NODE_ID(id), ADAPTER, DATA_NUMBER,
					 SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect the data interrupt");
}

/* Load and store words of node @id, and lock. */
static void access_words(unsigned int id, unsigned long round)
{
	struct peer *peer = &peers[id];
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		expect(peer->memory[STORED + i], stored(id, i), "a word", id);
	for (i = 0; i < WORDS; i++)
		peer->memory[SLOT(node) + i] = round * WORDS + i;
	for (i = 0; i < WORDS; i++)
		expect(peer->memory[SLOT(node) + i], round * WORDS + i, "a word stored there", id);
	(void)*peer->lock;
	peer->reads += 2 * WORDS;
	peer->writes += WORDS;
	peer->locks++;
}

static void message_send(struct peer *peer, uint64_t message)
{
	UNTIL_OK(SCITriggerDataInterrupt(peer->line, &message, sizeof(message), 0, &error),
		 "send a message");
}

/* Transfer a page by DMA, and send a message. */
static void access_page(unsigned int id, unsigned long round, sci_local_segment_t local,
			volatile uint64_t *page, sci_dma_queue_t queue)
{
	struct peer *peer = &peers[id];
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		page[i] = round * WORDS + i + id;
	SCIStartDmaTransfer(queue, local, peer->segment, 0, PAGE, BLOCK(node) * 8, NULL, NULL,
			    SCI_FLAG_DMA_WAIT, &error);
	OK("write by DMA");
	for (i = 0; i < WORDS; i++)
		expect(peer->memory[BLOCK(node) + i], round * WORDS + i + id, "a word of DMA", id);
	/* Sixteen blocks of 256 bytes. */
	peer->writes += 16;
	peer->reads += WORDS;
	message_send(peer, round);
}

/* Receive a message of each other node for @round, in any order. */
static void messages_take(sci_local_data_interrupt_t line, unsigned long round)
{
	uint64_t message = 0;
	unsigned int length, i;

	for (i = 1; i < nodes; i++) {
		length = sizeof(message);
		SCIWaitForDataInterrupt(line, &message, &length, WAIT_MS, 0, &error);
		OK("wait for a message");
		expect(message, round, "the message", nodes);
	}
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1, round;
	unsigned int number = DATA_NUMBER, i;
	sci_local_segment_t segment, local;
	sci_local_data_interrupt_t line;
	sci_map_t map, local_map;
	sci_dma_queue_t queue;
	volatile uint64_t *page;
	sci_desc_t sd;

	node = (unsigned int)atoi(getenv("SMILE_NODE"));
	nodes = (unsigned int)atoi(getenv("SMILE_NODES"));
	check(nodes >= 2 && nodes <= NODES_MAX && node < nodes, "two to sixteen nodes");
	sd = session_open();
	mine = segment_create(sd, 300 + node, BYTES, &segment, &map);
	SCICreateSegment(sd, &local, 0, PAGE, NULL, NULL, SCI_FLAG_AUTO_ID, &error);
	OK("a segment for DMA");
	SCIPrepareSegment(local, ADAPTER, SCI_FLAG_DMA_SOURCE_ONLY, &error);
	OK("prepare it");
	page = SCIMapLocalSegment(local, &local_map, 0, PAGE, NULL, 0, &error);
	OK("map it");
	SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error);
	OK("a DMA queue");
	SCICreateDataInterrupt(sd, &line, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			       &error);
	OK("a data interrupt");
	for (i = 0; i < WORDS; i++)
		mine[STORED + i] = stored(node, i);
	SCISetSegmentAvailable(segment, ADAPTER, 0, &error);
	OK("available");
	for (i = 0; i < nodes; i++) {
		if (i != node)
			peer_open(sd, i);
	}
	barrier();
	for (round = 0; round < rounds; round++) {
		for (i = (node + 1) % nodes; i != node; i = (i + 1) % nodes)
			access_words(i, round);
		if (round % SELDOM)
			continue;
		for (i = (node + 1) % nodes; i != node; i = (i + 1) % nodes)
			access_page(i, round, local, page, queue);
		messages_take(line, round);
		/*
		 * Without the barrier, the next message of one node could arrive before this
		 * round's message of another node.
		 */
		barrier();
	}
	barrier();
	expect(mine[LOCK], rounds * (nodes - 1), "the lock", node);
	for (i = 0; i < nodes; i++) {
		if (i == node)
			continue;
		for (number = 0; rounds && number < WORDS; number++)
			expect(mine[SLOT(i) + number], (rounds - 1) * WORDS + number,
			       "a word stored here", i);
		printf("issued %u,%u,%lu,%lu,%lu\n", node, i, peers[i].reads, peers[i].writes,
		       peers[i].locks);
	}
	/*
	 * A message arrives after all accesses of its sender: when it is received, this card has
	 * counted them.
	 */
	for (i = 0; i < nodes; i++) {
		if (i != node)
			message_send(&peers[i], rounds);
	}
	messages_take(line, rounds);
	printf("ok %lu rounds\n", rounds);
	SCITerminate();
	return 0;
}
