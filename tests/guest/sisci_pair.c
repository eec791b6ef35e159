/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program for the SISCI API, as programs for real adapters are written: node 0 and node 1 run it
 * at the same time.
 *
 *	SMILE_NODE=0|1 sisci_pair
 *
 * What lives here: an exporter and an importer, ping-pong over shared memory, interrupts, with data
 * and with callbacks, DMA, sequences, and calls that are refused.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define NO_FLAGS 0
#define NO_CALLBACK NULL
#define ADAPTER 0
#define SIZE 20000
#define ROUNDS 200
#define GO_NUMBER 17
#define DATA_NUMBER 18
/* Words of a segment. */
#define PING 0
#define PONG 1
#define FILLED 16

static unsigned int node, other;
static sci_desc_t sd;

/* ---- callbacks ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int connected, lost, data_calls, dma_calls;

static void note(int *what)
{
	pthread_mutex_lock(&lock);
	++*what;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static void await(int *what, int count)
{
	pthread_mutex_lock(&lock);
	while (*what < count)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

static sci_callback_action_t on_local(void *arg, sci_local_segment_t segment,
				      sci_segment_cb_reason_t reason, unsigned int nodeId,
				      unsigned int localAdapterNo, sci_error_t why)
{
	check(arg == &connected && segment && why == SCI_ERR_OK && localAdapterNo == ADAPTER,
	      "arguments of the segment's callback");
	if (reason == SCI_CB_CONNECT) {
		check(nodeId == other, "the other node has connected");
		note(&connected);
	}
	return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_remote(void *arg, sci_remote_segment_t segment,
				       sci_segment_cb_reason_t reason, sci_error_t why)
{
	check(arg == &lost && segment && why == SCI_ERR_OK, "arguments of the remote callback");
	if (reason == SCI_CB_LOST)
		note(&lost);
	return SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_data(void *arg, sci_local_data_interrupt_t interrupt, void *data,
				     unsigned int length, sci_error_t why)
{
	check(arg == &data_calls && interrupt && why == SCI_ERR_OK && length == 60 &&
		      ((char *)data)[0] == 'a' && ((char *)data)[59] == 'z',
	      "what a data interrupt carries");
	note(&data_calls);
	/* The third call is the last requested one. */
	return data_calls == 3 ? SCI_CALLBACK_CANCEL : SCI_CALLBACK_CONTINUE;
}

static sci_callback_action_t on_dma(void *arg, sci_dma_queue_t queue, sci_error_t why)
{
	check(arg == &dma_calls && queue && why == SCI_ERR_OK, "a DMA callback");
	note(&dma_calls);
	return SCI_CALLBACK_CONTINUE;
}

/* ---- parts ---- */

static void queries(void)
{
	unsigned int id = 0, value = 0;
	sci_query_adapter_t query = {.localAdapterNo = ADAPTER, .data = &value};
	char text[100];
	sci_query_string_t string = {.str = text, .length = sizeof(text)};
	dis_nodeId_list_t list;
	dis_virt_adapter_t type;

	SCIGetLocalNodeId(ADAPTER, &id, NO_FLAGS, &error);
	OK("own node id");
	check(id == 4 * (node + 1), "it is a multiple of 4");
	query.subcommand = SCI_Q_ADAPTER_NODEID;
	SCIQuery(SCI_Q_ADAPTER, &query, NO_FLAGS, &error);
	OK("the query for it");
	check(value == id, "gives the same");
	query.subcommand = SCI_Q_ADAPTER_LINK_OPERATIONAL;
	SCIQuery(SCI_Q_ADAPTER, &query, NO_FLAGS, &error);
	check(error == SCI_ERR_OK && value == 1, "the link is operational");
	query.subcommand = 999;
	SCIQuery(SCI_Q_ADAPTER, &query, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_QUERY, "an unknown query");
	SCIQuery(SCI_Q_API, &string, NO_FLAGS, &error);
	check(error == SCI_ERR_OK && strlen(text) > 0, "the API's version");
	query.localAdapterNo = 9;
	query.subcommand = SCI_Q_ADAPTER_NODEID;
	SCIQuery(SCI_Q_ADAPTER, &query, NO_FLAGS, &error);
	REFUSED(SCI_ERR_NO_SUCH_ADAPTERNO, "an adapter that is not there");
	SCIGetNodeIdByAdapterName((char *)"node1", &list, &type, NO_FLAGS, &error);
	check(error == SCI_ERR_OK && list[0] == 8 && list[1] == 0, "a node by its name");
	check(SCIProbeNode(sd, ADAPTER, 99 * 4, NO_FLAGS, &error) == 0 &&
		      error == SCI_ERR_ILLEGAL_NODEID,
	      "a node id that cannot be");
	check(SCIProbeNode(sd, ADAPTER, 60 * 4, NO_FLAGS, &error) == 0 &&
		      error == SCI_ERR_NO_REMOTE_LINK_ACCESS,
	      "a node that is not there");
	UNTIL_OK(SCIProbeNode(sd, ADAPTER, other, NO_FLAGS, &error), "the other node answers");
}

/* Calls without a pointer for the handle. */
static void nowhere(sci_local_segment_t segment)
{
	unsigned int number = 1001;

	SCIOpen(NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a session");
	SCICreateSegment(sd, NULL, 901, 4, NO_CALLBACK, NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a segment");
	SCIAttachLocalSegment(sd, NULL, 900, NULL, NO_CALLBACK, NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put an attached segment");
	SCIConnectSegment(sd, NULL, other, 901, ADAPTER, NO_CALLBACK, NULL, SCI_INFINITE_TIMEOUT,
			  NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a connection");
	check(!SCIMapLocalSegment(segment, NULL, 0, 4, NULL, NO_FLAGS, &error) &&
		      error == SCI_ERR_ILLEGAL_PARAMETER,
	      "nowhere to put a map");
	SCICreateDMAQueue(sd, NULL, ADAPTER, 1, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a queue");
	SCICreateInterrupt(sd, NULL, ADAPTER, &number, NULL, NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put an interrupt");
	SCICreateDataInterrupt(sd, NULL, ADAPTER, &number, NULL, NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a data interrupt");
	SCIConnectInterrupt(sd, NULL, other, ADAPTER, number, SCI_INFINITE_TIMEOUT, NO_FLAGS,
			    &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "nowhere to put a connected interrupt");
}

static void refusals(void)
{
	sci_local_segment_t segment, second;
	sci_remote_segment_t remote;
	sci_map_t map;
	unsigned int number = 1000;
	sci_local_interrupt_t interrupt, again;

	SCICreateSegment(sd, &segment, 900, 4, NO_CALLBACK, NULL, 0x80000000, &error);
	REFUSED(SCI_ERR_ILLEGAL_FLAG, "a flag that no call takes");
	check(segment == NULL, "no handle where a call fails");
	SCICreateSegment(sd, &segment, 900, 4, NO_CALLBACK, NULL, SCI_FLAG_BROADCAST, &error);
	REFUSED(SCI_ERR_FLAG_NOT_IMPLEMENTED, "broadcast");
	SCICreateSegment(sd, &segment, 900, 5, NO_CALLBACK, NULL, NO_FLAGS, &error);
	OK("a segment of five bytes");
	check(SCIGetLocalSegmentSize(segment) == 5 && SCIGetLocalSegmentId(segment) == 900,
	      "its size and id");
	SCICreateSegment(sd, &second, 900, 4, NO_CALLBACK, NULL, NO_FLAGS, &error);
	REFUSED(SCI_ERR_SEGMENTID_USED, "an id that is in use");
	SCISetSegmentAvailable(segment, ADAPTER, NO_FLAGS, &error);
	REFUSED(SCI_ERR_SEGMENT_NOT_PREPARED, "available before it is prepared");
	check(!SCIMapLocalSegment(segment, &map, 2, 4, NULL, NO_FLAGS, &error) &&
		      error == SCI_ERR_OUT_OF_RANGE,
	      "a map beyond the end");
	nowhere(segment);
	check(SCIMapLocalSegment(segment, &map, 2, 3, NULL, NO_FLAGS, &error) != NULL &&
		      error == SCI_ERR_OK,
	      "a map of its last bytes");
	SCIRemoveSegment(segment, NO_FLAGS, &error);
	REFUSED(SCI_ERR_BUSY, "removed while it is mapped");
	SCIUnmapSegment(map, NO_FLAGS, &error);
	OK("unmap");
	SCIUnmapSegment(map, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "unmapped twice");
	SCIRemoveSegment(segment, NO_FLAGS, &error);
	OK("remove");
	SCIConnectSegment(sd, &remote, other, 900, ADAPTER, NO_CALLBACK, NULL, SCI_INFINITE_TIMEOUT,
			  NO_FLAGS, &error);
	REFUSED(SCI_ERR_NO_SUCH_SEGMENT, "a segment that is not there");
	SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			   &error);
	OK("an interrupt of its number");
	SCICreateInterrupt(sd, &again, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
	REFUSED(SCI_ERR_INTNO_USED, "the same number twice");
	SCIWaitForInterrupt(interrupt, 10, NO_FLAGS, &error);
	REFUSED(SCI_ERR_TIMEOUT, "an interrupt that does not come");
	SCIRemoveInterrupt(interrupt, NO_FLAGS, &error);
	OK("remove the interrupt");
}

static void dma(sci_local_segment_t local, sci_remote_segment_t remote, volatile uint8_t *there)
{
	const unsigned int at = 4096;
	sci_local_segment_t source;
	sci_dma_queue_t queue;
	sci_map_t map;
	uint8_t *memory;
	int i;

	SCICreateSegment(sd, &source, 0, SIZE, NO_CALLBACK, NULL,
			 SCI_FLAG_AUTO_ID | SCI_FLAG_PRIVATE, &error);
	OK("a private segment");
	SCIPrepareSegment(source, ADAPTER, NO_FLAGS, &error);
	SCISetSegmentAvailable(source, ADAPTER, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_OPERATION, "a private one is not made available");
	memory = SCIMapLocalSegment(source, &map, 0, SIZE, NULL, NO_FLAGS, &error);
	for (i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 5 + node);
	SCICreateDMAQueue(sd, &queue, ADAPTER, 2, NO_FLAGS, &error);
	OK("a DMA queue");
	SCIEnqueueDMATransfer(queue, source, remote, 3, at, 1000, NO_FLAGS, &error);
	OK("a transfer");
	SCIEnqueueDMATransfer(queue, source, remote, 1003, at + 1000, 1, NO_FLAGS, &error);
	OK("of one byte");
	SCIEnqueueDMATransfer(queue, source, remote, 0, at, 1, NO_FLAGS, &error);
	REFUSED(SCI_ERR_MAX_ENTRIES, "one too many");
	SCIPostDMAQueue(queue, on_dma, &dma_calls, SCI_FLAG_USE_CALLBACK, &error);
	OK("post");
	check(SCIWaitForDMAQueue(queue, WAIT_MS, NO_FLAGS, &error) == SCI_DMAQUEUE_DONE, "done");
	await(&dma_calls, 1);
	for (i = 0; i < 1001; i++)
		check(there[at + i] == (uint8_t)((i + 3) * 5 + node), "what DMA has written");
	memset(memory, 0, 2000);
	SCIStartDmaTransfer(queue, source, remote, 7, 1001, at, NULL, NULL,
			    SCI_FLAG_DMA_READ | SCI_FLAG_DMA_WAIT, &error);
	OK("read it back");
	for (i = 0; i < 1001; i++)
		check(memory[7 + i] == (uint8_t)((i + 3) * 5 + node), "what DMA has read");
	SCIStartDmaTransfer(queue, source, remote, 0, 2, SIZE - 1, NULL, NULL, SCI_FLAG_DMA_WAIT,
			    &error);
	REFUSED(SCI_ERR_OUT_OF_RANGE, "beyond the end");
	SCIRemoveDMAQueue(queue, NO_FLAGS, &error);
	OK("remove the queue");
	SCIUnmapSegment(map, NO_FLAGS, &error);
	SCIRemoveSegment(source, NO_FLAGS, &error);
	OK("remove the private segment");
	(void)local;
}

static void copies(sci_map_t map, sci_sequence_t sequence, volatile uint8_t *there)
{
	uint8_t from[100], to[100];
	int i;

	for (i = 0; i < 100; i++)
		from[i] = (uint8_t)(i + 1);
	SCIMemCpy(sequence, from, map, 8003, sizeof(from), SCI_FLAG_ERROR_CHECK, &error);
	OK("SCIMemCpy");
	for (i = 0; i < 100; i++)
		check(there[8003 + i] == i + 1, "has written");
	SCIMemCpy(sequence, to, map, 8003, sizeof(to), SCI_FLAG_BLOCK_READ, &error);
	check(!memcmp(to, from, 100), "and read");
	SCIMemCpy(sequence, from, map, SIZE - 99, 100, NO_FLAGS, &error);
	REFUSED(SCI_ERR_OUT_OF_RANGE, "beyond the end");
	SCIFlush(sequence, NO_FLAGS);
	SCIStoreBarrier(sequence, NO_FLAGS);
	check(SCICheckSequence(sequence, NO_FLAGS, &error) == SCI_SEQ_OK, "no errors");
}

int main(void)
{
	unsigned int go = GO_NUMBER, data_number = DATA_NUMBER, from;
	char message[60] = "a";
	sci_local_segment_t local;
	sci_remote_segment_t remote;
	sci_map_t local_map, map;
	sci_sequence_t sequence;
	sci_local_interrupt_t interrupt;
	sci_remote_interrupt_t line;
	sci_local_data_interrupt_t data;
	sci_remote_data_interrupt_t data_line;
	volatile uint64_t *mine, *there;
	int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	node = (unsigned int)atoi(getenv("SMILE_NODE"));
	other = 4 * (2 - node);
	message[59] = 'z';
	SCIOpen(&sd, NO_FLAGS, &error);
	REFUSED(SCI_ERR_NOT_INITIALIZED, "open before initialize");
	SCIInitialize(NO_FLAGS, &error);
	OK("initialize");
	SCIOpen(&sd, NO_FLAGS, &error);
	OK("open");
	queries();
	refusals();

	SCICreateSegment(sd, &local, 100 + node, SIZE, on_local, &connected, SCI_FLAG_USE_CALLBACK,
			 &error);
	OK("create");
	SCIPrepareSegment(local, ADAPTER, NO_FLAGS, &error);
	OK("prepare");
	mine = SCIMapLocalSegment(local, &local_map, 0, SIZE, NULL, NO_FLAGS, &error);
	OK("map");
	SCICreateInterrupt(sd, &interrupt, ADAPTER, &go, NULL, NULL,
			   SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT, &error);
	OK("an interrupt");
	SCICreateDataInterrupt(sd, &data, ADAPTER, &data_number, on_data, &data_calls,
			       SCI_FLAG_FIXED_INTNO | SCI_FLAG_USE_CALLBACK, &error);
	OK("a data interrupt");
	SCISetSegmentAvailable(local, ADAPTER, NO_FLAGS, &error);
	OK("available");

	UNTIL_OK(SCIConnectSegment(sd, &remote, other, 101 - node, ADAPTER, on_remote, &lost,
				   SCI_INFINITE_TIMEOUT, SCI_FLAG_USE_CALLBACK, &error),
		 "connect");
	check(SCIGetRemoteSegmentSize(remote) == SIZE, "the other segment's size");
	there = SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, NO_FLAGS, &error);
	OK("map the other segment");
	SCICreateMapSequence(map, &sequence, NO_FLAGS, &error);
	OK("a sequence");
	check(SCIStartSequence(sequence, NO_FLAGS, &error) == SCI_SEQ_OK, "start it");
	UNTIL_OK(SCIConnectInterrupt(sd, &line, other, ADAPTER, GO_NUMBER, SCI_INFINITE_TIMEOUT,
				     NO_FLAGS, &error),
		 "connect the interrupt");
	UNTIL_OK(SCIConnectDataInterrupt(sd, &data_line, other, ADAPTER, DATA_NUMBER,
					 SCI_INFINITE_TIMEOUT, NO_FLAGS, &error),
		 "connect the data interrupt");
	await(&connected, 1);

	/* Ping-pong: each node polls its own memory and writes to the other node's memory. */
	for (i = 1; i <= ROUNDS; i++) {
		if (node == 0) {
			there[PING] = i;
			while (mine[PONG] != (uint64_t)i)
				sched_yield();
		} else {
			while (mine[PING] != (uint64_t)i)
				sched_yield();
			there[PONG] = i;
		}
	}
	printf("ok ping-pong\n");

	for (i = 0; i < 3; i++) {
		UNTIL_OK(SCITriggerDataInterrupt(data_line, message, sizeof(message), NO_FLAGS,
						 &error),
			 "trigger with data");
		SCITriggerInterrupt(line, NO_FLAGS, &error);
		OK("trigger");
	}
	for (i = 0; i < 3; i++) {
		SCIWaitForInterrupt(interrupt, WAIT_MS, NO_FLAGS, &error);
		OK("three interrupts come");
	}
	await(&data_calls, 3);
	printf("ok interrupts\n");
	copies(map, sequence, (volatile uint8_t *)there);
	printf("ok copies\n");
	dma(local, remote, (volatile uint8_t *)there);
	printf("ok DMA\n");

	/*
	 * Both nodes have finished their accesses to the other node's memory; then node 1 removes
	 * its own segment.
	 */
	SCITriggerInterrupt(line, NO_FLAGS, &error);
	OK("trigger");
	SCIWaitForInterrupt(interrupt, WAIT_MS, NO_FLAGS, &error);
	OK("the other node is as far");
	if (node == 1) {
		SCISetSegmentUnavailable(local, ADAPTER, SCI_FLAG_FORCE_DISCONNECT, &error);
		OK("take the segment away");
		SCIWaitForInterrupt(interrupt, WAIT_MS, NO_FLAGS, &error);
		OK("the other node has seen it");
	} else {
		await(&lost, 1);
		check(there[FILLED] == UINT64_MAX, "loads give ones");
		check(SCICheckSequence(sequence, NO_FLAGS, &error) == SCI_SEQ_NOT_RETRIABLE,
		      "the sequence has failed");
		check(SCIStartSequence(sequence, NO_FLAGS, &error) != SCI_SEQ_OK,
		      "and cannot be started again");
		SCITriggerInterrupt(line, NO_FLAGS, &error);
		OK("trigger");
	}
	printf("ok loss\n");

	SCIClose(sd, NO_FLAGS, &error);
	REFUSED(SCI_ERR_BUSY, "close while there are segments");
	SCIDisconnectSegment(remote, NO_FLAGS, &error);
	REFUSED(SCI_ERR_BUSY, "disconnect while it is mapped");
	SCIRemoveSequence(sequence, NO_FLAGS, &error);
	OK("remove the sequence");
	SCIUnmapSegment(map, NO_FLAGS, &error);
	OK("unmap the other segment");
	SCIDisconnectSegment(remote, NO_FLAGS, &error);
	OK("disconnect");
	SCIWaitForLocalSegmentEvent(local, &from, NULL, 1, NO_FLAGS, &error);
	REFUSED(SCI_ERR_ILLEGAL_OPERATION, "wait for events of a segment with a callback");
	SCIUnmapSegment(local_map, NO_FLAGS, &error);
	SCIRemoveInterrupt(interrupt, NO_FLAGS, &error);
	SCIRemoveDataInterrupt(data, NO_FLAGS, &error);
	SCIDisconnectInterrupt(line, NO_FLAGS, &error);
	SCIDisconnectDataInterrupt(data_line, NO_FLAGS, &error);
	SCIRemoveSegment(local, NO_FLAGS, &error);
	OK("remove");
	SCIClose(sd, NO_FLAGS, &error);
	OK("close");
	SCITerminate();
	SCIRemoveSegment(local, NO_FLAGS, &error);
	OK("what is removed after the end is no error");
	printf("ok end\n");
	return 0;
}
