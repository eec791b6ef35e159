/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the SISCI API: the calls and variants that sisci_pair.c and sisci_nodes.c do not use.
 * Nodes 0 and 1 run this program at the same time.
 *
 * 	SMILE_NODE=0|1 sisci_calls
 *
 * What lives here: tests of every query; calls that are not implemented; access to own memory
 * through the adapter; fixed addresses; asynchronous connections, with a callback and with a wait;
 * waits for events; block transfers; vectors of DMA; waits for data interrupts; floods; a child,
 * and a cancelled thread; a segment whose owner requests that it is disconnected.
 *
 * May use: tests/guest/sisci_check.h, <sisci_api.h>, POSIX.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sisci_api.h>

#include "sisci_check.h"

#define ADAPTER 0
#define SIZE 16384U
#define DATA_NUMBER 7
#define FLOOD_NUMBER 8

static unsigned int node, other;
static sci_desc_t sd;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_t main_thread;
static int connected, moved;

static void count(int *what)
{
	check(!pthread_equal(pthread_self(), main_thread), "a callback has a thread of its own");
	pthread_mutex_lock(&lock);
	++*what;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

static sci_callback_action_t on_connected(void *arg, sci_remote_segment_t segment,
					  sci_segment_cb_reason_t reason, sci_error_t why)
{
	check(arg == &connected && segment && why == SCI_ERR_OK && reason == SCI_CB_CONNECT,
	      "the answer to an asynchronous request");
	count(&connected);
	return SCI_CALLBACK_CANCEL;
}

static sci_callback_action_t on_moved(void *arg, sci_dma_queue_t queue, sci_error_t why)
{
	check(arg == &moved && queue && why == SCI_ERR_OK, "a DMA callback");
	count(&moved);
	return SCI_CALLBACK_CONTINUE;
}

/* ---- parts ---- */

static void queries(sci_local_segment_t local, sci_remote_segment_t remote, sci_map_t map)
{
	static const unsigned int adapter[] = {
		SCI_Q_ADAPTER_SERIAL_NUMBER,
		SCI_Q_ADAPTER_CARD_TYPE,
		SCI_Q_ADAPTER_NODEID,
		SCI_Q_ADAPTER_CONFIGURED,
		SCI_Q_ADAPTER_LINK_OPERATIONAL,
		SCI_Q_ADAPTER_DMA_MTU,
		SCI_Q_ADAPTER_DMA_SIZE_ALIGNMENT,
		SCI_Q_ADAPTER_DMA_OFFSET_ALIGNMENT,
		SCI_Q_ADAPTER_SUGGESTED_MIN_DMA_SIZE,
		SCI_Q_ADAPTER_SUGGESTED_MIN_BLOCK_SIZE,
		SCI_Q_ADAPTER_NUMBER_OF_STREAMS,
		SCI_Q_ADAPTER_NUMBER_OF_LINKS,
		SCI_Q_ADAPTER_BDF,
		SCI_Q_ADAPTER_LINK_WIDTH,
		SCI_Q_ADAPTER_LINK_SPEED,
	};
	unsigned int value = 0;
	sci_query_adapter_t query = {.localAdapterNo = ADAPTER, .data = &value};
	sci_query_system_t system_query = {SCI_Q_SYSTEM_CPU_CACHE_LINE_SIZE, &value};
	sci_query_dma_t dma = {ADAPTER, SCI_Q_DMA_AVAILABLE, &value};
	sci_query_local_segment_t of_local = {.segment = local};
	sci_query_remote_segment_t of_remote = {.segment = remote};
	sci_query_map_t of_map = {.map = map, .subcommand = SCI_Q_MAP_MAPPED_TO_LOCAL_TARGET};
	char text[100];
	sci_query_string_t string = {text, sizeof(text)};
	size_t i;

	for (i = 0; i < sizeof(adapter) / sizeof(adapter[0]); i++) {
		value = 0;
		query.subcommand = adapter[i];
		SCIQuery(SCI_Q_ADAPTER, &query, 0, &error);
		check(error == SCI_ERR_OK && value, "a query about the adapter");
	}
	query.subcommand = SCI_Q_ADAPTER_LINK_UPTIME;
	SCIQuery(SCI_Q_ADAPTER, &query, 0, &error);
	OK("the link's uptime");
	SCIQuery(SCI_Q_VENDORID, &string, 0, &error);
	check(error == SCI_ERR_OK && text[0], "the vendor");
	string.length = 1;
	SCIQuery(SCI_Q_API, &string, 0, &error);
	REFUSED(SCI_ERR_NOSPC, "too little room for the version");
	SCIQuery(SCI_Q_SYSTEM, &system_query, 0, &error);
	check(error == SCI_ERR_OK && value >= 16, "the size of a cache line");
	SCIQuery(SCI_Q_DMA, &dma, SCI_FLAG_DMA_ADAPTER, &error);
	check(error == SCI_ERR_OK && value == 1, "the adapter has DMA");
	dma.subcommand = SCI_Q_DMA_CAPABILITIES;
	SCIQuery(SCI_Q_DMA, &dma, 0, &error);
	OK("its capabilities");
	of_local.subcommand = SCI_Q_LOCAL_SEGMENT_IOADDR;
	SCIQuery(SCI_Q_LOCAL_SEGMENT, &of_local, 0, &error);
	check(error == SCI_ERR_OK && of_local.data.ioaddr >> 32 == node &&
		      of_local.data.ioaddr % 4096 == 0,
	      "a local segment's address");
	of_remote.subcommand = SCI_Q_REMOTE_SEGMENT_IOADDR;
	SCIQuery(SCI_Q_REMOTE_SEGMENT, &of_remote, 0, &error);
	check(error == SCI_ERR_OK && of_remote.data.ioaddr >> 32 == 1 - node &&
		      of_remote.data.ioaddr % 4096 == 0,
	      "a remote segment's address");
	SCIQuery(SCI_Q_MAP, &of_map, 0, &error);
	check(error == SCI_ERR_OK && of_map.data == 0, "the mapping's target is another node");
	SCIQuery(99, &value, 0, &error);
	REFUSED(SCI_ERR_ILLEGAL_QUERY, "a command that is none");
	SCIQuery(SCI_Q_API, &string, SCI_FLAG_DMA_ADAPTER, &error);
	REFUSED(SCI_ERR_ILLEGAL_FLAG, "a flag of another query");
	printf("ok queries\n");
}

static void absent(void)
{
	sci_address_t address = {0};
	sci_remote_segment_t segment = (sci_remote_segment_t)&address;
	sci_block_transfer_t block;
	sci_dma_channel_t channel;
	unsigned int counter;

	SCIGetCSRRegister(sd, ADAPTER, other, 0, 0, &error);
	REFUSED(SCI_ERR_NOT_IMPLEMENTED, "a node's register");
	SCIConnectSCISpace(sd, ADAPTER, &segment, address, 4096, 0, &error);
	check(error == SCI_ERR_NOT_IMPLEMENTED && !segment, "a raw address");
	SCITransferBlockAsync(NULL, 0, NULL, 0, 4, &block, NULL, NULL, 0, &error);
	check(error == SCI_ERR_NOT_IMPLEMENTED && !block, "an asynchronous transfer");
	SCIRequestDMAChannel(sd, &channel, ADAPTER, SCI_DMA_TYPE_ADAPTER, 0, 0, &error);
	check(error == SCI_ERR_NOT_IMPLEMENTED && !channel, "a DMA channel");
	SCIGetConditionalInterruptTrigCounter(NULL, &counter, 0, &error);
	REFUSED(SCI_ERR_NOT_IMPLEMENTED, "a conditional interrupt");
	printf("ok what is not implemented\n");
}

/* Map this node's own segment through the adapter, at an address that the program chooses. */
static void own(unsigned int id, volatile uint32_t *mine)
{
	sci_remote_segment_t segment;
	volatile uint32_t *there;
	sci_map_t map, second;
	void *at;

	SCIConnectSegment(sd, &segment, SCI_LOCAL_HOST, id, ADAPTER, NULL, NULL,
			  SCI_INFINITE_TIMEOUT, 0, &error);
	OK("connect to an own segment");
	check(SCIGetRemoteSegmentNodeId(segment) == 4 * (node + 1), "it is this node's");
	at = mmap(NULL, SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	SCIMapRemoteSegment(segment, &map, 0, SIZE, at, SCI_FLAG_FIXED_MAP_ADDR, &error);
	check(error == SCI_ERR_ILLEGAL_ADDRESS && !map, "an address that is in use");
	munmap(at, SIZE);
	there = SCIMapRemoteSegment(segment, &map, 0, SIZE, at,
				    SCI_FLAG_FIXED_MAP_ADDR | SCI_FLAG_NO_MEMORY_LOOPBACK_MAP,
				    &error);
	check(error == SCI_ERR_OK && there == at && SCIGetMapPointer(map) == there,
	      "mapped where the program wants it");
	there[3] = 33;
	check(mine[3] == 33, "a store through the adapter");
	there = SCIMapRemoteSegment(segment, &second, 8, 8, NULL,
				    SCI_FLAG_READONLY_MAP | SCI_FLAG_IO_MAP_IOSPACE, &error);
	check(error == SCI_ERR_OK && there[1] == 33, "a second mapping, inside a page");
	SCIUnmapSegment(second, 0, &error);
	SCIUnmapSegment(map, 0, &error);
	SCIDisconnectSegment(segment, 0, &error);
	OK("disconnect");
	printf("ok own segment\n");
}

static void transfers(sci_map_t from, sci_map_t to, volatile uint8_t *mine)
{
	sci_sequence_t sequence;
	uint8_t buffer[64];
	int i;

	for (i = 0; i < 300; i++)
		mine[4096 + i] = (uint8_t)(i ^ node);
	SCICreateMapSequence(to, &sequence, SCI_FLAG_FAST_BARRIER, &error);
	OK("a sequence");
	while (SCIStartSequence(sequence, 0, &error) != SCI_SEQ_OK)
		usleep(1000);
	do {
		SCITransferBlock(from, 4097, to, 8195, 299, SCI_FLAG_ERROR_CHECK, &error);
	} while (SCICheckSequence(sequence, 0, &error) == SCI_SEQ_RETRIABLE);
	OK("a block to the other node");
	SCITransferBlock(to, 8195, from, 12288, 299, 0, &error);
	OK("and back");
	for (i = 0; i < 299; i++)
		check(mine[12288 + i] == (uint8_t)((i + 1) ^ node), "what came back");
	SCIMemCopy(buffer, to, 8195, sizeof(buffer), SCI_FLAG_BLOCK_READ, &error);
	check(error == SCI_ERR_OK && buffer[63] == (64 ^ node), "a copy without a sequence");
	SCITransferBlock(from, SIZE - 4, to, 0, 8, 0, &error);
	REFUSED(SCI_ERR_OUT_OF_RANGE, "beyond the end");
	SCIRemoveSequence(sequence, 0, &error);
	OK("remove the sequence");
	printf("ok block transfers\n");
}

static void dma(sci_local_segment_t local, sci_remote_segment_t remote, volatile uint8_t *mine)
{
	dis_dma_vec_t vector[3] = {
		{16, 4096, 8192 + 512, 0}, {1, 4200, 8192, 0}, {100, 4100, 9000, 0}};
	sci_remote_segment_t again;
	sci_dma_queue_t queue;
	sci_desc_t second;

	SCICreateDMAQueue(sd, &queue, ADAPTER, 2, 0, &error);
	OK("a queue of two, for vectors of three");
	SCIStartDmaTransferVec(queue, local, remote, 3, vector, on_moved, &moved,
			       SCI_FLAG_USE_CALLBACK | SCI_FLAG_DMA_SYSDMA, &error);
	OK("a vector");
	pthread_mutex_lock(&lock);
	while (!moved)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	check(SCIWaitForDMAQueue(queue, WAIT_MS, 0, &error) == SCI_DMAQUEUE_DONE, "it is done");
	SCIResetDMAQueue(queue, 0, &error);
	memset((void *)(uintptr_t)(mine + 12288), 0, 200);
	check(SCIEnqueueDMATransfer(queue, local, remote, 12288, 9000, 100,
				    SCI_FLAG_DMA_READ | SCI_FLAG_DMA_POST | SCI_FLAG_DMA_WAIT |
					    SCI_FLAG_DMA_RESET,
				    &error) == SCI_DMAQUEUE_IDLE,
	      "a whole transfer in one call");
	check(!memcmp((void *)(uintptr_t)(mine + 12288), (void *)(uintptr_t)(mine + 4100), 100),
	      "what was moved there and back");
	SCIEnqueueDMATransfer(queue, local, remote, 4096, 8192, 1, 0, &error);
	SCIEnqueueDMATransfer(queue, local, remote, 4097, 8193, 1, 0, &error);
	OK("two transfers");
	SCIEnqueueDMATransfer(queue, local, remote, 4098, 8194, 1, 0, &error);
	REFUSED(SCI_ERR_MAX_ENTRIES, "a queue of two has no third");
	SCIPostDMAQueue(queue, NULL, NULL, 0, &error);
	OK("post them");
	/* Poll until the transfers have ended. */
	while (SCIDMAQueueState(queue) == SCI_DMAQUEUE_POSTED)
		continue;
	check(SCIDMAQueueState(queue) == SCI_DMAQUEUE_DONE, "the state says that it is done");
	SCIAbortDMAQueue(queue, 0, &error);
	REFUSED(SCI_ERR_ILLEGAL_OPERATION, "nothing is under way");
	SCIResetDMAQueue(queue, 0, &error);
	SCIStartDmaTransfer(queue, local, remote, 0, 4, 0, NULL, NULL, SCI_FLAG_BROADCAST, &error);
	REFUSED(SCI_ERR_FLAG_NOT_IMPLEMENTED, "broadcast");
	/* Programs for the first version of the API use one session for each segment. */
	SCIOpen(&second, 0, &error);
	OK("a second session");
	SCIConnectSegment(second, &again, other, SCIGetRemoteSegmentId(remote), ADAPTER, NULL, NULL,
			  SCI_INFINITE_TIMEOUT, 0, &error);
	OK("connect there");
	memset((void *)(uintptr_t)(mine + 12288), 0, 200);
	SCIStartDmaTransfer(queue, local, again, 12288, 100, 9000, NULL, NULL,
			    SCI_FLAG_DMA_READ | SCI_FLAG_DMA_WAIT, &error);
	OK("a transfer between segments of two sessions");
	check(!memcmp((void *)(uintptr_t)(mine + 12288), (void *)(uintptr_t)(mine + 4100), 100),
	      "what was moved");
	SCIEnqueueDMATransfer(queue, local, again, 12288, 9000, 100, 0, &error);
	SCIResetDMAQueue(queue, 0, &error);
	SCIEnqueueDMATransfer(queue, local, again, 12288, 9000, 100, 0, &error);
	SCIClose(second, 0, &error);
	OK("close a session whose connection is queued");
	SCIPostDMAQueue(queue, NULL, NULL, 0, &error);
	check(SCIWaitForDMAQueue(queue, WAIT_MS, 0, &error) == SCI_DMAQUEUE_ERROR,
	      "the transfer fails");
	SCIRemoveDMAQueue(queue, 0, &error);
	OK("remove the queue");
	printf("ok DMA\n");
}

static void data_interrupts(void)
{
	unsigned int number = DATA_NUMBER, length = 3;
	sci_local_data_interrupt_t interrupt;
	sci_remote_data_interrupt_t line;
	char data[32] = "";

	SCICreateDataInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			       &error);
	OK("a data interrupt");
	SCICreateDataInterrupt(sd, NULL, ADAPTER, &number, NULL, NULL, 0, &error);
	REFUSED(SCI_ERR_ILLEGAL_PARAMETER, "no place for a handle");
	UNTIL_OK(SCIConnectDataInterrupt(sd, &line, other, ADAPTER, DATA_NUMBER,
					 SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect to it");
	UNTIL_OK(SCITriggerDataInterrupt(line, (void *)"first", 6, 0, &error), "trigger");
	UNTIL_OK(SCITriggerDataInterrupt(line, (void *)"second", 7, 0, &error), "trigger");
	SCIWaitForDataInterrupt(interrupt, data, &length, WAIT_MS, 0, &error);
	check(error == SCI_ERR_OVERFLOW && length == 6, "too little room: the length is reported");
	length = sizeof(data);
	SCIWaitForDataInterrupt(interrupt, data, &length, WAIT_MS, 0, &error);
	check(error == SCI_ERR_OK && length == 7 && !strcmp(data, "second"), "the second");
	SCIWaitForDataInterrupt(interrupt, data, &length, 1, 0, &error);
	REFUSED(SCI_ERR_TIMEOUT, "there is no third");
	SCIDisconnectDataInterrupt(line, 0, &error);
	OK("disconnect");
	printf("ok data interrupts\n");
	/*
	 * The segment is not removed here, because the other node may still need it. SCITerminate()
	 * removes it.
	 */
}

/*
 * A flood of one data interrupt, from which no data is read: it ends with NOSPC, and another
 * interrupt still has room. All data whose call returned OK has arrived, in order. All triggers of
 * a counting interrupt have arrived, too.
 */
static void floods(void)
{
	const unsigned int triggers = 3000;
	unsigned int number = FLOOD_NUMBER, sent = 0, got, length, i;
	sci_local_data_interrupt_t flooded, after;
	sci_remote_data_interrupt_t flood_line, after_line;
	sci_local_interrupt_t counting;
	sci_remote_interrupt_t line;

	SCICreateDataInterrupt(sd, &flooded, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			       &error);
	OK("a data interrupt to be flooded");
	SCICreateInterrupt(sd, &counting, ADAPTER, &number, NULL, NULL,
			   SCI_FLAG_FIXED_INTNO | SCI_FLAG_COUNTING_INT, &error);
	OK("a counting interrupt");
	number++;
	SCICreateDataInterrupt(sd, &after, ADAPTER, &number, NULL, NULL, SCI_FLAG_FIXED_INTNO,
			       &error);
	OK("another data interrupt");
	UNTIL_OK(SCIConnectDataInterrupt(sd, &after_line, other, ADAPTER, number,
					 SCI_INFINITE_TIMEOUT, 0, &error),
		 "connect to the other");
	SCIConnectDataInterrupt(sd, &flood_line, other, ADAPTER, FLOOD_NUMBER, SCI_INFINITE_TIMEOUT,
				0, &error);
	OK("connect to the first");
	SCIConnectInterrupt(sd, &line, other, ADAPTER, FLOOD_NUMBER, SCI_INFINITE_TIMEOUT, 0,
			    &error);
	OK("connect to the counting one");

	do {
		SCITriggerDataInterrupt(flood_line, &sent, sizeof(sent), 0, &error);
	} while (error == SCI_ERR_OK && ++sent < 100000);
	REFUSED(SCI_ERR_NOSPC, "the interrupt is full");
	for (i = 0; i < triggers; i++) {
		SCITriggerInterrupt(line, 0, &error);
		OK("a trigger without data");
	}
	SCITriggerDataInterrupt(after_line, &sent, sizeof(sent), 0, &error);
	OK("the other interrupt has room");

	length = sizeof(sent);
	SCIWaitForDataInterrupt(after, &sent, &length, WAIT_MS, 0, &error);
	check(error == SCI_ERR_OK && sent, "the other node has sent some");
	for (i = 0; i < sent; i++) {
		length = sizeof(got);
		SCIWaitForDataInterrupt(flooded, &got, &length, 0, 0, &error);
		check(error == SCI_ERR_OK && length == sizeof(got) && got == i,
		      "what was answered OK is here, in order");
	}
	length = sizeof(got);
	SCIWaitForDataInterrupt(flooded, &got, &length, 1, 0, &error);
	REFUSED(SCI_ERR_TIMEOUT, "and nothing else");
	for (i = 0; i < triggers; i++) {
		SCIWaitForInterrupt(counting, WAIT_MS, 0, &error);
		OK("each trigger counts");
	}
	SCIWaitForInterrupt(counting, 1, 0, &error);
	REFUSED(SCI_ERR_TIMEOUT, "once");
	printf("ok floods\n");
	/* The interrupts are not removed here, because the other node may still need them. */
}

static void *wait_for_ever(void *interrupt)
{
	SCIWaitForInterrupt(interrupt, SCI_INFINITE_TIMEOUT, 0, &error);
	return NULL;
}

/*
 * A child that ends its session, and a thread that is cancelled in a call, do not affect this
 * process.
 */
static void survivals(sci_local_segment_t local)
{
	sci_local_interrupt_t interrupt;
	unsigned int number = 0;
	pthread_t thread;
	void *result;
	int status;
	pid_t pid;

	SCICreateInterrupt(sd, &interrupt, ADAPTER, &number, NULL, NULL, 0, &error);
	OK("an interrupt");
	pid = fork();
	if (!pid) {
		sci_desc_t own;

		SCITerminate();
		SCIInitialize(0, &error);
		SCIOpen(&own, 0, &error);
		OK("the child opens a session of its own");
		SCITerminate();
		_exit(0);
	}
	check(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status),
	      "the child ends");
	SCISetSegmentAvailable(local, ADAPTER, 0, &error);
	OK("the segment is still there");
	check(!pthread_create(&thread, NULL, wait_for_ever, interrupt), "a thread that waits");
	check(!pthread_cancel(thread) && !pthread_join(thread, &result) &&
		      result == PTHREAD_CANCELED,
	      "it is cancelled");
	SCIRemoveInterrupt(interrupt, 0, &error);
	OK("remove the interrupt");
	printf("ok survivals\n");
}

static void expect_event(sci_local_segment_t local, sci_segment_cb_reason_t reason,
			 const char *what)
{
	unsigned int from = 0, adapter = 9;

	check(SCIWaitForLocalSegmentEvent(local, &from, &adapter, WAIT_MS, 0, &error) == reason &&
		      error == SCI_ERR_OK && from == other && adapter == ADAPTER,
	      what);
}

int main(void)
{
	unsigned int id;
	sci_remote_segment_t early, remote;
	sci_local_segment_t local;
	sci_map_t local_map, map;
	sci_sequence_t sequence;
	volatile uint8_t *mine, *there;
	sci_error_t status;

	setvbuf(stdout, NULL, _IOLBF, 0);
	node = (unsigned int)atoi(getenv("SMILE_NODE"));
	other = 4 * (2 - node);
	id = 500 + node;
	main_thread = pthread_self();
	SCIInitialize(0, &error);
	OK("initialize");
	SCIOpen(&sd, SCI_FLAG_THREAD_SAFE, &error);
	OK("open");
	absent();
	SCICreateSegment(sd, &local, id, SIZE, NULL, NULL, 0, &error);
	OK("create");
	mine = SCIMapLocalSegment(local, &local_map, 0, SIZE, NULL, 0, &error);
	OK("map before it is prepared");
	SCIPrepareSegment(local, ADAPTER, SCI_FLAG_DMA_SOURCE_ONLY, &error);
	SCISetSegmentAvailable(local, ADAPTER, 0, &error);
	OK("available");

	/* Two connections: the first completes with a callback, the second with an event. */
	UNTIL_OK(SCIConnectSegment(sd, &early, other, 501 - node, ADAPTER, on_connected, &connected,
				   SCI_INFINITE_TIMEOUT,
				   SCI_FLAG_USE_CALLBACK | SCI_FLAG_ASYNCHRONOUS_CONNECT, &error),
		 "connect with a callback");
	pthread_mutex_lock(&lock);
	while (!connected)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	SCIDisconnectSegment(early, 0, &error);
	OK("disconnect");
	check(SCIGetRemoteSegmentId(early) == 501 - node &&
		      SCIGetRemoteSegmentNodeId(early) == other &&
		      SCIGetRemoteSegmentSize(early) == SIZE,
	      "what it was is still known");
	expect_event(local, SCI_CB_CONNECT, "the other node connects");
	expect_event(local, SCI_CB_DISCONNECT, "and disconnects");
	UNTIL_OK(SCIConnectSegment(sd, &remote, other, 501 - node, ADAPTER, NULL, NULL,
				   SCI_INFINITE_TIMEOUT, SCI_FLAG_ASYNCHRONOUS_CONNECT, &error),
		 "connect without a callback");
	check(SCIWaitForRemoteSegmentEvent(remote, &status, WAIT_MS, 0, &error) == SCI_CB_CONNECT &&
		      error == SCI_ERR_OK && status == SCI_ERR_OK,
	      "an event answers");
	expect_event(local, SCI_CB_CONNECT, "the other node connects again");
	printf("ok asynchronous connections\n");

	there = SCIMapRemoteSegment(remote, &map, 0, SIZE, NULL, 0, &error);
	OK("map");
	queries(local, remote, map);
	transfers(local_map, map, mine);
	dma(local, remote, mine);
	expect_event(local, SCI_CB_CONNECT, "the other node connects in a second session");
	expect_event(local, SCI_CB_DISCONNECT, "and closes it");
	data_interrupts();
	floods();
	survivals(local);

	/*
	 * The owner requests the disconnection: the memory exists until the other node has
	 * disconnected.
	 */
	SCISetSegmentUnavailable(local, ADAPTER, SCI_FLAG_NOTIFY, &error);
	OK("unavailable, with a notice");
	check(SCIWaitForRemoteSegmentEvent(remote, &status, WAIT_MS, 0, &error) ==
			      SCI_CB_DISCONNECT &&
		      error == SCI_ERR_OK,
	      "the owner asks to leave");
	there[5] = 5;
	check(there[5] == 5, "its memory is still there");
	SCICreateMapSequence(map, &sequence, 0, &error);
	OK("a sequence");
	SCIUnmapSegment(map, 0, &error);
	OK("unmap under the sequence");
	check(SCICheckSequence(sequence, 0, &error) == SCI_SEQ_NOT_RETRIABLE &&
		      error == SCI_ERR_ILLEGAL_OPERATION,
	      "there is nothing to check");
	SCIRemoveSequence(sequence, 0, &error);
	OK("remove the sequence");
	SCIDisconnectSegment(remote, 0, &error);
	OK("leave");
	expect_event(local, SCI_CB_DISCONNECT, "the other node has left");
	printf("ok a notice\n");

	SCISetSegmentAvailable(local, ADAPTER, 0, &error);
	OK("available again");
	own(id, (volatile uint32_t *)mine);
	SCIUnmapSegment(local_map, 0, &error);
	SCIRemoveSegment(local, 0, &error);
	OK("remove");
	SCITerminate();
	printf("ok calls\n");
	return 0;
}
