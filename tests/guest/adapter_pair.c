/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Two nodes of a fabric, using only the adapter's driver: one node in each guest.
 *
 * 	adapter_pair owner|user
 *
 * What lives here: the owner and the user of a segment. The user connects to the segment, reads,
 * writes and locks it, transfers it by DMA, and triggers interrupts of the owner. At the end, the
 * owner removes the segment. Each step prints its result. May use: <uapi/smile_adapter.h>,
 * <hw/adapter_regs.h>, POSIX.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

#define SEGMENT_ID 7
#define SEGMENT_PAGES 3
#define BYTES (SEGMENT_PAGES * ADAPTER_PAGE_BYTES)
#define INTERRUPT 5
#define WORDS 256
#define WAIT_MS 120000

static int file;

static void fail(const char *what)
{
	printf("not ok %s: %s\n", what, strerror(errno));
	exit(1);
}

static void check(int good, const char *what)
{
	if (!good) {
		printf("not ok %s\n", what);
		exit(1);
	}
	printf("ok %s\n", what);
}

static void call(unsigned long command, void *arguments, const char *what)
{
	if (ioctl(file, command, arguments))
		fail(what);
}

static volatile uint8_t *map(unsigned int kind, unsigned int handle, size_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_SHARED, file,
			(off_t)SMILE_ADAPTER_MMAP(kind, handle));

	if (at == MAP_FAILED)
		fail("mmap");
	return at;
}

/* Read the next event, which must be of this kind. */
static struct smile_adapter_event expect_event(unsigned int kind, const char *what)
{
	struct smile_adapter_event event;
	struct pollfd ready = {.fd = file, .events = POLLIN};

	if (poll(&ready, 1, WAIT_MS) != 1)
		fail(what);
	if (read(file, &event, sizeof(event)) != sizeof(event))
		fail(what);
	if (event.kind != kind) {
		printf("not ok %s: event %u instead of %u\n", what, event.kind, kind);
		exit(1);
	}
	printf("ok %s\n", what);
	return event;
}

static void owner(void)
{
	struct smile_adapter_segment segment = {.id = SEGMENT_ID, .bytes = BYTES - 100};
	struct smile_adapter_interrupt plain = {.number = INTERRUPT,
						.flags = SMILE_ADAPTER_INTERRUPT_FIXED};
	struct smile_adapter_interrupt data = {.number = INTERRUPT,
					       .flags = SMILE_ADAPTER_INTERRUPT_FIXED |
							SMILE_ADAPTER_INTERRUPT_DATA};
	struct smile_adapter_state state;
	struct smile_adapter_event event;
	struct smile_adapter_data taken = {0};
	volatile uint64_t *memory;
	unsigned int i;

	call(SMILE_ADAPTER_SEGMENT_CREATE, &segment, "create a segment");
	check(ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, &segment) < 0 && errno == EEXIST,
	      "its id is taken");
	memory = (volatile uint64_t *)map(SMILE_ADAPTER_MMAP_SEGMENT, segment.handle, BYTES,
					  PROT_READ | PROT_WRITE);
	for (i = 0; i < BYTES / 8 && !memory[i]; i++)
		continue;
	check(i == BYTES / 8, "a segment is zeros");
	call(SMILE_ADAPTER_INTERRUPT_CREATE, &plain, "create an interrupt");
	call(SMILE_ADAPTER_INTERRUPT_CREATE, &data, "create a data interrupt");
	state = (struct smile_adapter_state){.handle = segment.handle,
					     .state = SMILE_ADAPTER_AVAILABLE};
	call(SMILE_ADAPTER_SEGMENT_STATE, &state, "make it available");

	event = expect_event(SMILE_ADAPTER_EVENT_CONNECT, "a node connects");
	check(event.node == 0 && event.handle == segment.handle, "it is node 0");
	event = expect_event(SMILE_ADAPTER_EVENT_INTERRUPT, "an interrupt comes");
	check(event.handle == plain.handle && event.count == 1, "it is the one without data");
	for (i = 0; i < WORDS && memory[i] == i * 3 + 1; i++)
		continue;
	check(i == WORDS, "what the user has stored is here");
	check(memory[WORDS] == 100, "a hundred locks have counted");
	check(!memcmp((const void *)(memory + 512), "moved by DMA", 12), "so has DMA");
	event = expect_event(SMILE_ADAPTER_EVENT_INTERRUPT, "a data interrupt comes");
	check(event.handle == data.handle && event.count == 1, "it is the one with data");
	taken.handle = data.handle;
	call(SMILE_ADAPTER_DATA, &taken, "take what it carries");
	check(taken.node == 0 && taken.bytes == 5 && !memcmp(taken.data, "hello", 5), "hello");
	check(ioctl(file, SMILE_ADAPTER_DATA, &taken) < 0 && errno == EAGAIN, "no more waits");

	state.state = SMILE_ADAPTER_DISCONNECT;
	call(SMILE_ADAPTER_SEGMENT_STATE, &state, "take it away");
	memory[0] = 77;
	event = expect_event(SMILE_ADAPTER_EVENT_INTERRUPT, "the user has seen it");
	check(memory[0] == 77, "a store of the user's has no effect any more");
}

static void user(void)
{
	struct smile_adapter_connect connect = {.node = 1, .id = SEGMENT_ID};
	struct smile_adapter_interrupt_connect plain = {.node = 1, .number = INTERRUPT};
	struct smile_adapter_interrupt_connect data = {
		.node = 1, .number = INTERRUPT, .flags = SMILE_ADAPTER_INTERRUPT_DATA};
	struct smile_adapter_segment own = {.bytes = 4096, .flags = SMILE_ADAPTER_SEGMENT_AUTO_ID};
	struct smile_adapter_trigger trigger = {0};
	struct smile_adapter_dma dma;
	struct smile_adapter_info info;
	volatile uint64_t *remote;
	volatile uint32_t *lock, *state;
	volatile uint8_t *memory;
	uint32_t errors;
	uint64_t sum = 0;
	int i, tries = 0;

	while (ioctl(file, SMILE_ADAPTER_CONNECT, &connect)) {
		if ((errno != ENOENT && errno != EHOSTUNREACH) || tries++ > WAIT_MS / 10)
			fail("connect");
		usleep(10000);
	}
	check(connect.bytes == BYTES && connect.exact_bytes == BYTES - 100, "connected");
	call(SMILE_ADAPTER_INFO, &info, "info");
	check(info.node == 0 && info.reachable == 3, "two nodes answer");
	connect.id++;
	check(ioctl(file, SMILE_ADAPTER_CONNECT, &connect) < 0 && errno == ENOENT,
	      "another segment is not there");
	connect.id--;
	call(SMILE_ADAPTER_INTERRUPT_CONNECT, &plain, "connect an interrupt");
	call(SMILE_ADAPTER_INTERRUPT_CONNECT, &data, "connect a data interrupt");

	remote = (volatile uint64_t *)map(SMILE_ADAPTER_MMAP_REMOTE, connect.handle, BYTES,
					  PROT_READ | PROT_WRITE);
	lock = (volatile uint32_t *)map(SMILE_ADAPTER_MMAP_LOCK, connect.handle, BYTES, PROT_READ);
	state = (volatile uint32_t *)map(SMILE_ADAPTER_MMAP_STATE, 0, ADAPTER_PAGE_BYTES,
					 PROT_READ);
	/* At the start, the other node may not have responded. */
	errors = state[(ADAPTER_REG_ERRORS - ADAPTER_STATE_PAGE) / 4 + 2];
	for (i = 0; i < WORDS; i++)
		remote[i] = i * 3 + 1;
	for (i = 0; i < WORDS; i++)
		sum += remote[i];
	check(sum == (uint64_t)WORDS * (WORDS - 1) / 2 * 3 + WORDS, "loads give what was stored");
	for (i = 0; i < 100 && lock[WORDS * 2] == (uint32_t)i; i++)
		continue;
	check(i == 100, "fetch and increment, a hundred times");

	call(SMILE_ADAPTER_SEGMENT_CREATE, &own, "create a segment of its own");
	memory = map(SMILE_ADAPTER_MMAP_SEGMENT, own.handle, 4096, PROT_READ | PROT_WRITE);
	memcpy((void *)(memory + 8), "moved by DMA", 12);
	dma = (struct smile_adapter_dma){.segment = own.handle,
					 .remote = connect.handle,
					 .segment_offset = 8,
					 .remote_offset = 4096,
					 .bytes = 3000};
	call(SMILE_ADAPTER_DMA, &dma, "DMA");
	check(dma.done == 3000, "all of it");
	dma.remote_offset = BYTES;
	check(ioctl(file, SMILE_ADAPTER_DMA, &dma) < 0 && errno == ERANGE, "not beyond the end");

	trigger.handle = plain.handle;
	call(SMILE_ADAPTER_TRIGGER, &trigger, "trigger");
	trigger.handle = data.handle;
	trigger.bytes = 5;
	memcpy(trigger.data, "hello", 5);
	check(state[(ADAPTER_REG_ERRORS - ADAPTER_STATE_PAGE) / 4 + 2] == errors,
	      "no errors so far");
	call(SMILE_ADAPTER_TRIGGER, &trigger, "trigger with data");

	expect_event(SMILE_ADAPTER_EVENT_LOST, "the segment is taken away");
	check(remote[0] == UINT64_MAX, "loads give ones");
	remote[0] = 5;
	check(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file,
		   (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_REMOTE, connect.handle)) ==
			      MAP_FAILED &&
		      errno == ENOTCONN,
	      "it cannot be mapped again");
	check(ioctl(file, SMILE_ADAPTER_CONNECT, &connect) < 0 && errno == ENOENT,
	      "it cannot be connected again");
	/*
	 * This is the last transaction. When it arrives, the owner's card has counted all others.
	 */
	trigger.handle = plain.handle;
	trigger.bytes = 0;
	call(SMILE_ADAPTER_TRIGGER, &trigger, "trigger for the last time");
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	file = open("/dev/smile_adapter0", O_RDWR);
	if (file < 0)
		fail("/dev/smile_adapter0");
	if (argc == 2 && !strcmp(argv[1], "owner"))
		owner();
	else
		user();
	return 0;
}
