/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API that all nodes of a cluster run at the same time, two or more.
 *
 *	SMILE_NODE=N SMILE_NODES=COUNT sisci_nodes [READ_NS]
 *
 *	READ_NS	the minimum time of a load of another node's memory
 *
 * What lives here: each node writes to, reads and locks the memory of all others, sends interrupts
 * and data interrupts to all, and moves blocks by DMA to the next node and back. One node removes
 * its segment, and only the sequences to this segment fail. At the end each node prints its issued
 * accesses, by target:
 *
 *	issued SOURCE,TARGET,READS,WRITES,LOCKS
 *
 * A node polls only its own memory, so these numbers are the same in every run.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define NODES_MAX 16
#define ADAPTER 0
#define NUMBER 41
#define DATA_NUMBER 40
#define MESSAGE_BYTES 60
#define WORDS 64 /* that each node stores in each other node's memory */
#define LOCKS 25
#define DMA_BYTES 3000

/*
 * Parts of a segment: a page for the writes of each other node, the flags and the lock, and the
 * pages for DMA.
 */
#define PAGE 4096U
#define SLOT(node) ((node) * (PAGE / 8))
#define FLAGS SLOT(NODES_MAX)
#define LOCK (FLAGS + 64)
#define DMA (FLAGS + PAGE / 8)
#define BYTES ((NODES_MAX + 2) * PAGE)
#define NODE_ID(node) (4 * ((node) + 1))

struct issued {
	unsigned long reads;
	unsigned long writes;
	unsigned long locks;
};

/* Another node. */
struct peer {
	sci_remote_segment_t segment;
	sci_map_t map;
	sci_map_t lock_map;
	sci_sequence_t sequence;
	sci_remote_interrupt_t line;
	sci_remote_data_interrupt_t data_line;
	volatile uint64_t *memory;
	volatile uint32_t *lock;
	struct issued issued;
};

static unsigned int node, nodes;
static struct peer peers[NODES_MAX];
static volatile uint64_t *mine;

#define EACH_OTHER(i) (i = 0; i < nodes; i++) if (i != node)

/* ---- callbacks ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned int connected, lost_from, messages, senders;

static void await(const unsigned int *what, unsigned int value)
{
	pthread_mutex_lock(&lock);
	while (*what != value)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static sci_callback_action_t on_local(void *arg, sci_local_segment_t segment,
				      sci_segment_cb_reason_t reason, unsigned int nodeId,
				      unsigned int localAdapterNo, sci_error_t why)
{
	(void)arg;
	(void)localAdapterNo;
	check(segment && why == SCI_ERR_OK && nodeId != NODE_ID(node), "the segment's callback");
	pthread_mutex_lock(&lock);
	connected += reason == SCI_CB_CONNECT;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_remote(void *arg, sci_remote_segment_t segment,
				       sci_segment_cb_reason_t reason, sci_error_t why)
{
	const struct peer *peer = arg;

	check(segment == peer->segment && why == SCI_ERR_OK, "the remote segment's callback");
	pthread_mutex_lock(&lock);
	if (reason == SCI_CB_LOST)
		lost_from = SCIGetRemoteSegmentNodeId(segment);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_data(void *arg, sci_local_data_interrupt_t interrupt, void *data,
				     unsigned int length, sci_error_t why)
{
	const unsigned char *bytes = data;

	check(arg == &messages && interrupt && why == SCI_ERR_OK && length == MESSAGE_BYTES &&
		      bytes[0] < nodes && bytes[MESSAGE_BYTES - 1] == bytes[0] + 100,
	      "what a data interrupt carries");
	pthread_mutex_lock(&lock);
	messages++;
	senders |= 1U << bytes[0];
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return SCI_CALLBACK_CONTINUE;
}

/* ---- parts ---- */

/* Wait until all nodes have reached @step. */
static void barrier(uint64_t step)
{
	unsigned int i;

	for
		EACH_OTHER(i)
		{
			peers[i].memory[FLAGS + node] = step;
			peers[i].issued.writes++;
		}
	for
		EACH_OTHER(i)
		{
			while (mine[FLAGS + i] < step)
				sched_yield();
		}
}

static void peer_open(sci_desc_t sd, unsigned int id)
{
	struct peer *peer = &peers[id];

	/* The callback compares the segment. */
	UNTIL_OK(SCIConnectSegment(sd, &peer->segment, NODE_ID(id), 200 + id, ADAPTER, on_remote,
				   peer, SCI_INFINITE_TIMEOUT, SCI_FLAG_USE_CALLBACK, &error),
		 "connect");
	check(SCIGetRemoteSegmentSize(peer->segment) == BYTES, "the size");
	peer->memory = SCIMapRemoteSegment(peer->segment, &peer->map, 0, BYTES, NULL, 0, &error);
	OK("map");
	peer->lock = SCIMapRemoteSegment(peer->segment, &peer->lock_map, LOCK * 8, 4, NULL,
					 SCI_FLAG_LOCK_OPERATION, &error);
	OK("map the lock");
	SCICreateMapSequence(peer->map, &peer->sequence, 0, &error);
	OK("a sequence");
	UNTIL_OK(SCIConnectInterrupt(sd, &peer->line, NODE_ID(id), ADAPTER, NUMBER,
				     SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect the interrupt");
	UNTIL_OK(SCIConnectDataInterrupt(sd, &peer->data_line, NODE_ID(id), ADAPTER, DATA_NUMBER,
					 SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect the data interrupt");
	check(SCIStartSequence(peer->sequence, 0, &error) == SCI_SEQ_OK, "start the sequence");
}

static void all_to_all(void)
{
	unsigned int i, j;

	for
		EACH_OTHER(i)
		{
			for (j = 0; j < WORDS; j++)
				peers[i].memory[SLOT(node) + j] = node * 1000 + i * 100 + j;
			for (j = 0; j < WORDS / 4; j++)
				check(peers[i].memory[SLOT(node) + j] == node * 1000 + i * 100 + j,
				      "a load gives what was stored");
			peers[i].issued.writes += WORDS;
			peers[i].issued.reads += WORDS / 4;
			check(SCICheckSequence(peers[i].sequence, 0, &error) == SCI_SEQ_OK,
			      "no errors");
		}
	barrier(2);
	for
		EACH_OTHER(i)
		{
			for (j = 0; j < WORDS; j++)
				check(mine[SLOT(i) + j] == i * 1000 + node * 100 + j,
				      "what each node has stored is here");
		}
	printf("ok all to all\n");
}

/* All nodes fetch and increment a word of each other node: each value is returned once. */
static void locks(void)
{
	uint32_t last, value;
	unsigned int i, j;

	for
		EACH_OTHER(i)
		{
			for (j = 0, last = 0; j < LOCKS; j++, last = value + 1) {
				value = *peers[i].lock;
				check(value >= last, "no value comes twice");
			}
			peers[i].issued.locks += LOCKS;
		}
	barrier(3);
	check((uint32_t)mine[LOCK] == LOCKS * (nodes - 1), "all locks have counted");
	printf("ok locks\n");
}

static void data_interrupts(void)
{
	unsigned char message[MESSAGE_BYTES] = {0};
	unsigned int i;

	message[0] = (unsigned char)node;
	message[MESSAGE_BYTES - 1] = (unsigned char)(node + 100);
	for
		EACH_OTHER(i)
	UNTIL_OK(SCITriggerDataInterrupt(peers[i].data_line, message, sizeof(message), 0, &error),
		 "trigger with data");
	await(&senders, ((1U << nodes) - 1) & ~(1U << node));
	check(messages == nodes - 1, "one of each");
	printf("ok data interrupts\n");
}

static void dma(sci_desc_t sd)
{
	struct peer *next = &peers[(node + 1) % nodes];
	sci_local_segment_t local;
	sci_dma_queue_t queue;
	sci_map_t map;
	uint8_t *bytes;
	unsigned int i;

	SCICreateSegment(sd, &local, 0, DMA_BYTES, NULL, NULL, SCI_FLAG_AUTO_ID, &error);
	OK("a segment for DMA");
	SCIPrepareSegment(local, ADAPTER, SCI_FLAG_DMA_SOURCE_ONLY, &error);
	OK("prepare it");
	bytes = SCIMapLocalSegment(local, &map, 0, DMA_BYTES, NULL, 0, &error);
	OK("map it");
	for (i = 0; i < DMA_BYTES; i++)
		bytes[i] = (uint8_t)(i * 3 + node);
	SCICreateDMAQueue(sd, &queue, ADAPTER, 1, 0, &error);
	OK("a DMA queue");
	SCIStartDmaTransfer(queue, local, next->segment, 0, DMA_BYTES, DMA * 8, NULL, NULL,
			    SCI_FLAG_DMA_WAIT, &error);
	OK("write by DMA");
	memset(bytes, 0, DMA_BYTES);
	SCIStartDmaTransfer(queue, local, next->segment, 0, DMA_BYTES, DMA * 8, NULL, NULL,
			    SCI_FLAG_DMA_WAIT | SCI_FLAG_DMA_READ, &error);
	OK("read by DMA");
	for (i = 0; i < DMA_BYTES; i++)
		check(bytes[i] == (uint8_t)(i * 3 + node), "what DMA has moved");
	/* 11 blocks of 256 bytes, 2 of 64, 3 of 16, and 8 bytes. */
	next->issued.writes += 17;
	next->issued.reads += 17;
	barrier(4);
	for (i = 0; i < DMA_BYTES; i++)
		check(((volatile uint8_t *)(mine + DMA))[i] ==
			      (uint8_t)(i * 3 + (node + nodes - 1) % nodes),
		      "what the node before has moved here");
	SCIRemoveDMAQueue(queue, 0, &error);
	OK("remove the queue");
	SCIUnmapSegment(map, 0, &error);
	OK("unmap");
	SCIRemoveSegment(local, 0, &error);
	OK("remove");
	printf("ok DMA\n");
}

/* Check that loads are not faster than the modelled latency, however slow this machine is. */
static void latency(unsigned int read_ns)
{
	struct peer *next = &peers[(node + 1) % nodes];
	struct timespec begin, end;
	long long took_ns;
	unsigned int i;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	for (i = 0; i < WORDS; i++)
		(void)next->memory[SLOT(node)];
	clock_gettime(CLOCK_MONOTONIC, &end);
	next->issued.reads += WORDS;
	took_ns = (end.tv_sec - begin.tv_sec) * 1000000000LL + end.tv_nsec - begin.tv_nsec;
	/* Allow one part in a thousand, because the guest's clock is not exactly the host's. */
	check(took_ns * 1000 >= (long long)read_ns * WORDS * 999, "loads take as long as modelled");
	printf("ok latency\n");
}

/* The last node removes its segment. */
static void loss(sci_local_segment_t segment)
{
	unsigned int last = nodes - 1, i;

	if (node == last) {
		SCISetSegmentUnavailable(segment, ADAPTER, SCI_FLAG_FORCE_DISCONNECT, &error);
		OK("take the segment away");
		return;
	}
	await(&lost_from, NODE_ID(last));
	check(peers[last].memory[SLOT(node)] == UINT64_MAX, "loads give ones");
	for
		EACH_OTHER(i)
		{
			sci_sequence_status_t status =
				SCICheckSequence(peers[i].sequence, 0, &error);

			check(status == (i == last ? SCI_SEQ_NOT_RETRIABLE : SCI_SEQ_OK),
			      "the sequence to this node alone has failed");
		}
	check(SCIStartSequence(peers[last].sequence, 0, &error) != SCI_SEQ_OK,
	      "it cannot be started again");
}

static void peer_close(struct peer *peer)
{
	SCIRemoveSequence(peer->sequence, 0, &error);
	OK("remove the sequence");
	SCIUnmapSegment(peer->lock_map, 0, &error);
	OK("unmap the lock");
	SCIUnmapSegment(peer->map, 0, &error);
	OK("unmap the other segment");
	SCIDisconnectSegment(peer->segment, 0, &error);
	OK("disconnect");
	SCIDisconnectInterrupt(peer->line, 0, &error);
	OK("disconnect the interrupt");
	SCIDisconnectDataInterrupt(peer->data_line, 0, &error);
	OK("disconnect the data interrupt");
}

/*
 * Wait until all nodes have finished: all accesses of a node have passed here before its last
 * interrupt.
 */
static void end(sci_local_interrupt_t interrupt)
{
	unsigned int i;

	for
		EACH_OTHER(i)
		{
			SCITriggerInterrupt(peers[i].line, 0, &error);
			OK("trigger");
		}
	for (i = 0; i < nodes - 1; i++) {
		SCIWaitForInterrupt(interrupt, WAIT_MS, 0, &error);
		OK("an interrupt of each");
	}
	SCIWaitForInterrupt(interrupt, 1, 0, &error);
	check(error == SCI_ERR_TIMEOUT, "and no more");
}

int main(int argc, char **argv)
{
	unsigned int number = NUMBER, data_number = DATA_NUMBER, i;
	sci_local_segment_t segment;
	sci_local_interrupt_t interrupt;
	sci_local_data_interrupt_t data;
	sci_map_t map;
	sci_desc_t sd;

	node = (unsigned int)atoi(getenv("SMILE_NODE"));
	nodes = (unsigned int)atoi(getenv("SMILE_NODES"));
	check(nodes >= 2 && nodes <= NODES_MAX && node < nodes, "two to sixteen nodes");
	sd = session_open();
	SCICreateSegment(sd, &segment, 200 + node, BYTES, on_local, NULL, SCI_FLAG_USE_CALLBACK,
			 &error);
	OK("create");
	SCIPrepareSegment(segment, ADAPTER, 0, &error);
	OK("prepare");
	mine = SCIMapLocalSegment(segment, &map, 0, BYTES, NULL, 0, &error);
	OK("map");
	SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL,
			   SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT, &error);
	OK("an interrupt");
	SCICreateDataInterrupt(sd, &data, ADAPTER, &data_number, on_data, &messages,
			       SCI_FLAG_FIXED_INTNO | SCI_FLAG_USE_CALLBACK, &error);
	OK("a data interrupt");
	SCISetSegmentAvailable(segment, ADAPTER, 0, &error);
	OK("available");
	for
		EACH_OTHER(i)
	peer_open(sd, i);
	await(&connected, nodes - 1);
	barrier(1);
	all_to_all();
	locks();
	data_interrupts();
	dma(sd);
	if (argc > 1)
		latency((unsigned int)atoi(argv[1]));
	barrier(5);
	loss(segment);
	/* The accesses to the lost segment are included. */
	end(interrupt);
	printf("ok loss\n");
	for
		EACH_OTHER(i)
		{
			const struct issued *issued = &peers[i].issued;

			printf("issued %u,%u,%lu,%lu,%lu\n", node, i, issued->reads, issued->writes,
			       issued->locks);
			peer_close(&peers[i]);
		}
	SCIUnmapSegment(map, 0, &error);
	OK("unmap");
	SCIRemoveDataInterrupt(data, 0, &error);
	OK("remove the data interrupt");
	SCIRemoveInterrupt(interrupt, 0, &error);
	OK("remove the interrupt");
	SCIRemoveSegment(segment, 0, &error);
	OK("remove");
	SCIClose(sd, 0, &error);
	OK("close");
	SCITerminate();
	printf("ok end\n");
	return 0;
}
