/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * One node that connects to its own segment, using only the adapter's driver.
 *
 * What lives here: tests of failed accesses, guessed handles, the limits of a session, DMA
 * transfers that a signal ends, and mappings and calls after the driver is unbound. Each test
 * prints its result. May use: <uapi/smile_adapter.h>, <hw/adapter_regs.h>, POSIX, sysfs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

#define BYTES (4U << 20)
#define ENDED 3 /* number of transfers that a signal must end */
#define ROUNDS_MAX 2000
#define DEVICE "/dev/smile_adapter0"
#define DRIVER "/sys/bus/pci/drivers/smile_adapter"
#define WAIT_TRIES 12000 /* of 10 ms */

static int file;

static void check(int good, const char *what)
{
	if (!good) {
		printf("not ok %s (%s)\n", what, strerror(errno));
		exit(1);
	}
	printf("ok %s\n", what);
}

static uint8_t *map(unsigned int kind, unsigned int handle)
{
	void *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file,
			(off_t)SMILE_ADAPTER_MMAP(kind, handle));

	check(at != MAP_FAILED, "mmap");
	return at;
}

static unsigned int segment(void)
{
	struct smile_adapter_segment segment = {.bytes = BYTES,
						.flags = SMILE_ADAPTER_SEGMENT_AUTO_ID};

	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, &segment), "create a segment");
	return segment.handle;
}

static unsigned int this_node(void)
{
	struct smile_adapter_info info;

	check(!ioctl(file, SMILE_ADAPTER_INFO, &info), "info");
	return info.node;
}

/* Create a segment to which sessions can connect. */
static unsigned int available(int session, unsigned int id, size_t bytes)
{
	struct smile_adapter_segment made = {.id = id, .bytes = bytes};
	struct smile_adapter_state state = {.state = SMILE_ADAPTER_AVAILABLE};

	check(!ioctl(session, SMILE_ADAPTER_SEGMENT_CREATE, &made), "create the remote segment");
	state.handle = made.handle;
	check(!ioctl(session, SMILE_ADAPTER_SEGMENT_STATE, &state), "make it available");
	return made.handle;
}

/* Create a segment and connect to it. */
static struct smile_adapter_connect connected(unsigned int *handle)
{
	struct smile_adapter_connect connect = {.id = 1, .node = this_node()};

	*handle = available(file, connect.id, BYTES);
	check(!ioctl(file, SMILE_ADAPTER_CONNECT, &connect), "connect to it");
	return connect;
}

/* ---- accesses that fail ---- */

static unsigned long long failed_attribute(void)
{
	unsigned long long value = 0;
	FILE *attribute = fopen("/sys/class/smile_adapter/smile_adapter0/failed", "r");

	check(attribute && fscanf(attribute, "%llu", &value) == 1, "the attribute failed");
	fclose(attribute);
	return value;
}

/* Read events about failures until the sum of their counts is @count. Ignore other events. */
static void expect_failed(unsigned int node, unsigned int reason, unsigned long long count)
{
	struct pollfd ready = {.fd = file, .events = POLLIN};
	struct smile_adapter_event event;

	while (count) {
		check(poll(&ready, 1, WAIT_TRIES * 10) == 1, "an event comes");
		check(read(file, &event, sizeof(event)) == sizeof(event), "it can be read");
		if (event.kind != SMILE_ADAPTER_EVENT_FAILED)
			continue;
		check(!event.handle, "it is about no object");
		check(event.node == node && event.reason == reason, "it has node and reason");
		check(event.count && event.count <= count, "it counts no failure twice");
		count -= event.count;
	}
}

#define STORM 20000

static void failures(void)
{
	unsigned long long before = failed_attribute();
	struct smile_adapter_handle handle = {0};
	struct smile_adapter_state state = {.state = SMILE_ADAPTER_DISCONNECT};
	struct smile_adapter_connect connect, lost = {.node = 63, .id = 1};
	volatile uint8_t *remote;
	unsigned int i;

	connect = connected(&state.handle);
	remote = map(SMILE_ADAPTER_MMAP_REMOTE, connect.handle);
	check(ioctl(file, SMILE_ADAPTER_CONNECT, &lost) < 0 && errno == EHOSTUNREACH,
	      "a node that is not there");
	check(failed_attribute() == before, "no access has failed");
	handle.handle = connect.handle;
	check(!ioctl(file, SMILE_ADAPTER_RELEASE, &handle), "release the connection");
	check(*remote == 0xff && failed_attribute() == before + 1, "a load that failed counts");
	expect_failed(connect.node, ADAPTER_ERROR_UNMAPPED, 1);
	/* Many more failures cause few interrupts, but each failure is counted. */
	for (i = 0; i < STORM; i++)
		remote[i] = 1;
	expect_failed(connect.node, ADAPTER_ERROR_UNMAPPED, STORM);
	check(failed_attribute() == before + 1 + STORM, "so do stores");
	munmap((void *)remote, BYTES);
}

/* ---- a handle that is not known yet ---- */

#define GUESSES 10
#define TRIES 2000
#define LARGE_PAGES 16
#define PAGE 4096U

static struct smile_adapter_connect large;
static atomic_int large_status; /* 0: in progress; 1: connected; -1: failed */

/* Connect to the large segment at a low priority, so that the other thread runs whenever it can. */
static void *connect_large(void *unused)
{
	const struct sched_param parameters = {0};

	(void)unused;
	sched_setscheduler(0, SCHED_IDLE, &parameters);
	atomic_store(&large_status, ioctl(file, SMILE_ADAPTER_CONNECT, &large) ? -1 : 1);
	return NULL;
}

/*
 * Release the connection that the other thread is creating, by guessing its handle. Return: 1 if
 * the handle existed.
 */
static int guess(unsigned int last)
{
	const struct timespec pause = {0, 1000000};
	struct smile_adapter_handle handle = {0};
	unsigned int tries;

	for (tries = 0; !atomic_load(&large_status); tries++) {
		/* After many failures, let the other thread continue. */
		if (tries > TRIES)
			nanosleep(&pause, NULL);
		for (handle.handle = last; handle.handle <= last + 1; handle.handle++) {
			if (!ioctl(file, SMILE_ADAPTER_RELEASE, &handle))
				return 1;
		}
	}
	return 0;
}

/*
 * While one thread connects to a segment, another thread releases this connection and connects to a
 * smaller segment. The new connection must reach only the smaller segment.
 */
static void guesses(void)
{
	struct smile_adapter_connect small = {.id = 2, .node = this_node()};
	struct smile_adapter_handle handle = {0};
	int owner = open(DEVICE, O_RDWR);
	pthread_t thread;
	unsigned int i;

	check(owner >= 0, "a session that owns both segments");
	available(owner, 1, (size_t)LARGE_PAGES * PAGE);
	available(owner, 2, PAGE);
	for (i = 0; i < GUESSES; i++) {
		check(!ioctl(file, SMILE_ADAPTER_CONNECT, &small), "connect to the small one");
		handle.handle = small.handle;
		check(!ioctl(file, SMILE_ADAPTER_RELEASE, &handle), "release it");
		large = (struct smile_adapter_connect){.id = 1, .node = small.node};
		atomic_store(&large_status, 0);
		check(!pthread_create(&thread, NULL, connect_large, NULL), "a thread connects");
		guess(small.handle);
		check(!ioctl(file, SMILE_ADAPTER_CONNECT, &small), "connect to the small one");
		pthread_join(thread, NULL);
		check(small.bytes == PAGE, "it is the small one");
		check(mmap(NULL, (size_t)LARGE_PAGES * PAGE, PROT_READ, MAP_SHARED, file,
			   (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_REMOTE, small.handle)) ==
				      MAP_FAILED &&
			      errno == EINVAL,
		      "the small connection does not reach the large segment");
		handle.handle = small.handle;
		ioctl(file, SMILE_ADAPTER_RELEASE, &handle);
		handle.handle = large.handle;
		ioctl(file, SMILE_ADAPTER_RELEASE, &handle);
	}
	close(owner);
}

/* A file that is open only for reading can only query the adapter. */
static void read_only(void)
{
	struct smile_adapter_segment segment = {.id = 5, .bytes = PAGE};
	struct smile_adapter_connect connect = {.id = 4, .node = this_node()};
	struct smile_adapter_handle handle = {.handle = 1};
	struct smile_adapter_dma dma = {.bytes = 8};
	struct smile_adapter_info info;
	int reader = open(DEVICE, O_RDONLY), kind;
	void *state;

	available(file, connect.id, PAGE);
	check(reader >= 0 && !ioctl(reader, SMILE_ADAPTER_INFO, &info), "it can query");
	check(ioctl(reader, SMILE_ADAPTER_SEGMENT_CREATE, &segment) < 0 && errno == EBADF,
	      "it cannot make a segment");
	check(ioctl(reader, SMILE_ADAPTER_CONNECT, &connect) < 0 && errno == EBADF,
	      "it cannot connect");
	check(ioctl(reader, SMILE_ADAPTER_DMA, &dma) < 0 && errno == EBADF, "nor transfer");
	check(ioctl(reader, SMILE_ADAPTER_RELEASE, &handle) < 0 && errno == EBADF, "nor release");
	for (kind = SMILE_ADAPTER_MMAP_SEGMENT; kind <= SMILE_ADAPTER_MMAP_LOCK; kind++) {
		check(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, reader,
			   (off_t)SMILE_ADAPTER_MMAP(kind, 1)) == MAP_FAILED &&
			      errno == EACCES,
		      "it cannot map");
	}
	state = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, reader,
		     (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_STATE, 0));
	check(state != MAP_FAILED, "it can map the state page");
	munmap(state, PAGE);
	close(reader);
}

/* If the handle of a new object cannot be written to the caller, the object must be removed. */
static void unwritable(void)
{
	struct smile_adapter_segment *segment =
		mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct smile_adapter_info before, after;

	check(segment != MAP_FAILED && !ioctl(file, SMILE_ADAPTER_INFO, &before), "info");
	*segment = (struct smile_adapter_segment){.id = 9, .bytes = BYTES};
	check(!mprotect(segment, PAGE, PROT_READ), "arguments that cannot be written");
	check(ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, segment) < 0 && errno == EFAULT,
	      "no segment is made");
	check(!ioctl(file, SMILE_ADAPTER_INFO, &after) && after.memory_free == before.memory_free,
	      "its memory is free");
	munmap(segment, PAGE);
}

/* ---- the limits of a session ---- */

/* Write a parameter of the module. */
static void parameter(const char *name, const char *value)
{
	char path[200];
	int fd;

	snprintf(path, sizeof(path), "/sys/module/smile_adapter/parameters/%s", name);
	fd = open(path, O_WRONLY);
	check(fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value), name);
	close(fd);
}

/* Return: as ioctl(). */
static int create(int session, size_t bytes, struct smile_adapter_handle *handle)
{
	struct smile_adapter_segment made = {.bytes = bytes,
					     .flags = SMILE_ADAPTER_SEGMENT_AUTO_ID};
	int ret = ioctl(session, SMILE_ADAPTER_SEGMENT_CREATE, &made);

	handle->handle = made.handle;
	return ret;
}

#define MB (1U << 20)

static void limit_memory(void)
{
	struct smile_adapter_handle first = {0}, other = {0};
	int session = open(DEVICE, O_RDWR);
	void *mapped;

	parameter("session_memory_mb", "1");
	check(session >= 0 && !create(file, MB, &first), "all memory that a session can have");
	check(create(file, 1, &other) < 0 && errno == ENOSPC, "a page more is ENOSPC");
	check(!create(session, MB, &other), "another session can have as much");
	mapped = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file,
		      (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_SEGMENT, first.handle));
	check(mapped != MAP_FAILED, "map the segment");
	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_REMOVE, &first), "remove it");
	check(create(file, 1, &other) < 0 && errno == ENOSPC, "what is mapped counts");
	munmap(mapped, PAGE);
	check(!create(file, MB, &other), "what is free does not");
	close(session);
	parameter("session_memory_mb", "0");
}

static void limit_window(void)
{
	unsigned int handle;
	struct smile_adapter_connect connect = connected(&handle);
	off_t offset = (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_REMOTE, connect.handle);
	void *all;

	parameter("session_window_mb", "1");
	all = mmap(NULL, MB, PROT_READ, MAP_SHARED, file, offset);
	check(all != MAP_FAILED, "all of the window that a session can have");
	check(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, file, offset) == MAP_FAILED &&
		      errno == ENOSPC,
	      "a page more is ENOSPC");
	munmap(all, MB);
	all = mmap(NULL, MB, PROT_READ, MAP_SHARED, file, offset);
	check(all != MAP_FAILED, "what is unmapped is free");
	munmap(all, MB);
	parameter("session_window_mb", "0");
}

static void limit_objects(void)
{
	struct smile_adapter_interrupt interrupt = {0};
	struct smile_adapter_handle handle = {0};
	int i;

	parameter("session_objects", "3");
	for (i = 0; i < 3; i++)
		check(!ioctl(file, SMILE_ADAPTER_INTERRUPT_CREATE, &interrupt), "an interrupt");
	check(ioctl(file, SMILE_ADAPTER_INTERRUPT_CREATE, &interrupt) < 0 && errno == ENOSPC,
	      "a fourth object is ENOSPC");
	check(create(file, 1, &handle) < 0 && errno == ENOSPC, "also a segment");
	handle.handle = interrupt.handle;
	check(!ioctl(file, SMILE_ADAPTER_INTERRUPT_REMOVE, &handle), "remove one");
	check(!create(file, 1, &handle), "then there is room");
	parameter("session_objects", "16384");
}

/* ---- DMA ---- */

static void on_signal(int number)
{
	(void)number;
}

static atomic_int sending, resting;
static pthread_t sender_to;

/* Send signals to the thread that transfers, while that thread sleeps. */
static void *send_signals(void *unused)
{
	(void)unused;
	while (atomic_load(&sending) >= 0) {
		if (atomic_load(&sending))
			pthread_kill(sender_to, SIGUSR1);
		else
			atomic_store(&resting, 1);
		sched_yield();
	}
	return NULL;
}

/* Make a transfer while signals arrive. Return: 1 if a signal has ended the transfer. */
static int interrupted(struct smile_adapter_dma *dma)
{
	int ret, error;

	atomic_store(&sending, 1);
	ret = ioctl(file, SMILE_ADAPTER_DMA, dma);
	error = errno;
	atomic_store(&sending, 0);
	/*
	 * Wait until the last signal has been sent, so that no signal ends the following transfers.
	 */
	atomic_store(&resting, 0);
	while (!atomic_load(&resting))
		sched_yield();
	if (ret && error != EINTR) {
		errno = error;
		check(0, "a transfer ends, or a signal ends it");
	}
	return ret != 0;
}

static void dma_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct smile_adapter_dma dma = {.bytes = BYTES};
	unsigned int handle, ended = 0, i;
	struct smile_adapter_connect connect = connected(&handle);
	pthread_t sender;
	uint8_t *from, *to = map(SMILE_ADAPTER_MMAP_SEGMENT, handle);

	sigaction(SIGUSR1, &action, NULL);
	sender_to = pthread_self();
	check(!pthread_create(&sender, NULL, send_signals, NULL), "a thread that sends signals");
	dma.segment = segment();
	dma.remote = connect.handle;
	from = map(SMILE_ADAPTER_MMAP_SEGMENT, dma.segment);
	for (i = 0; ended < ENDED && i < ROUNDS_MAX; i++) {
		ended += interrupted(&dma);
		memset(from, (int)i + 1, BYTES);
		if (ioctl(file, SMILE_ADAPTER_DMA, &dma) || dma.done != BYTES ||
		    memcmp(from, to, BYTES)) {
			printf("not ok round %u: %llu of %u bytes: %s\n", i,
			       (unsigned long long)dma.done, BYTES, strerror(errno));
			exit(1);
		}
	}
	atomic_store(&sending, -1);
	pthread_join(sender, NULL);
	printf("signals have ended %u of %u transfers\n", ended, i);
	check(ended == ENDED, "the transfer after one that a signal has ended is whole");
	/* A mapping keeps its file open, and the file keeps the segment. */
	munmap(from, BYTES);
	munmap(to, BYTES);
}

#define LONG_BYTES (16U << 20)

static struct smile_adapter_dma long_dma;
static atomic_int long_ended; /* 1 + errno; 1 if the transfer was complete */

static void *transfer(void *unused)
{
	(void)unused;
	atomic_store(&long_ended, 1 + (ioctl(file, SMILE_ADAPTER_DMA, &long_dma) ? errno : 0));
	return NULL;
}

static unsigned int pages_with(const volatile uint8_t *at, uint8_t value)
{
	unsigned int count = 0;
	size_t page;

	for (page = 0; page < LONG_BYTES; page += PAGE)
		count += at[page] == value;
	return count;
}

/*
 * Start a transfer and release its connection. Return: 1 if the transfer was still running at the
 * release.
 */
static int release_during(uint8_t *from, const volatile uint8_t *to, uint8_t value)
{
	struct smile_adapter_connect connect = {.id = 1, .node = this_node()};
	struct smile_adapter_handle handle = {0};
	unsigned int moved;
	pthread_t thread;

	check(!ioctl(file, SMILE_ADAPTER_CONNECT, &connect), "connect");
	memset(from, value, LONG_BYTES);
	long_dma.remote = connect.handle;
	long_dma.bytes = LONG_BYTES;
	atomic_store(&long_ended, 0);
	check(!pthread_create(&thread, NULL, transfer, NULL), "a thread transfers");
	while (to[0] != value && !atomic_load(&long_ended))
		sched_yield();
	handle.handle = connect.handle;
	check(!ioctl(file, SMILE_ADAPTER_RELEASE, &handle), "release the connection");
	moved = pages_with(to, value);
	pthread_join(thread, NULL);
	check(pages_with(to, value) == moved, "nothing is moved after that");
	if (atomic_load(&long_ended) == 1)
		return 0;
	check(atomic_load(&long_ended) == 1 + ENOTCONN && moved < LONG_BYTES / PAGE,
	      "the transfer has ended with its connection");
	return 1;
}

static void dma_released(void)
{
	struct smile_adapter_segment own = {.id = 2, .bytes = LONG_BYTES};
	unsigned int handle = available(file, 1, LONG_BYTES), i;
	volatile uint8_t *to;
	uint8_t *from;

	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, &own), "create a segment");
	long_dma.segment = own.handle;
	from = mmap(NULL, LONG_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file,
		    (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_SEGMENT, own.handle));
	to = mmap(NULL, LONG_BYTES, PROT_READ, MAP_SHARED, file,
		  (off_t)SMILE_ADAPTER_MMAP(SMILE_ADAPTER_MMAP_SEGMENT, handle));
	check(from != MAP_FAILED && to != MAP_FAILED, "mmap");
	for (i = 1; i < 100 && !release_during(from, to, (uint8_t)i); i++)
		continue;
	check(i < 100, "a connection is released during a transfer");
	munmap(from, LONG_BYTES);
	munmap((void *)to, LONG_BYTES);
}

/* ---- removal ---- */

static sigjmp_buf back;

static void on_bus_error(int number)
{
	siglongjmp(back, number);
}

static int faults(const volatile uint8_t *at)
{
	if (sigsetjmp(back, 1))
		return 1;
	(void)*at;
	return 0;
}

/* The name of the PCI device to which the driver is bound. */
static void device_name(char *name, size_t bytes)
{
	DIR *directory = opendir(DRIVER);
	struct dirent *entry;

	check(directory != NULL, DRIVER);
	name[0] = 0;
	while ((entry = readdir(directory))) {
		if (strchr(entry->d_name, ':'))
			snprintf(name, bytes, "%s", entry->d_name);
	}
	closedir(directory);
	check(name[0] != 0, "the driver has a device");
}

static void driver_write(const char *attribute, const char *name)
{
	char path[300];
	int fd;

	snprintf(path, sizeof(path), DRIVER "/%s", attribute);
	fd = open(path, O_WRONLY);
	check(fd >= 0 && write(fd, name, strlen(name)) == (ssize_t)strlen(name), attribute);
	close(fd);
}

/* Expect the events after a reset: at least one for the connection, and one for the segment. */
static void expect_lost(unsigned int connection, unsigned int segment)
{
	struct pollfd ready = {.fd = file, .events = POLLIN};
	struct smile_adapter_event event;
	int lost = 0;

	while (lost != 3) {
		check(poll(&ready, 1, WAIT_TRIES * 10) == 1, "an event comes");
		check(read(file, &event, sizeof(event)) == sizeof(event), "it can be read");
		if (event.kind == SMILE_ADAPTER_EVENT_LOST)
			lost |= (event.handle == connection) | (event.handle == segment) << 1;
	}
}

/* Reset the adapter by sysfs: connections are lost, and the adapter can then be used as before. */
static void reset(void)
{
	struct smile_adapter_state state = {.state = SMILE_ADAPTER_AVAILABLE};
	unsigned long long failed;
	char name[300], path[600];
	struct smile_adapter_connect connect;
	volatile uint8_t *remote, *memory, *again;
	int fd;

	device_name(name, sizeof(name));
	snprintf(path, sizeof(path), DRIVER "/%s/reset", name);
	fd = open(path, O_WRONLY);
	if (fd < 0) {
		printf("no reset of this slot\n");
		return;
	}
	connect = connected(&state.handle);
	memory = map(SMILE_ADAPTER_MMAP_SEGMENT, state.handle);
	remote = map(SMILE_ADAPTER_MMAP_REMOTE, connect.handle);
	remote[0] = 7;
	failed = failed_attribute();
	check(write(fd, "1", 1) == 1, "reset");
	close(fd);
	expect_lost(connect.handle, state.handle);
	check(memory[0] == 7, "a segment keeps its memory");
	check(remote[0] == 0xff, "a connection is lost");
	check(failed_attribute() > failed, "failures are counted on");
	check(ioctl(file, SMILE_ADAPTER_CONNECT, &connect) < 0 && errno == ENOENT,
	      "the segment is not available");
	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_STATE, &state), "make it available");
	check(!ioctl(file, SMILE_ADAPTER_CONNECT, &connect), "connect again");
	again = map(SMILE_ADAPTER_MMAP_REMOTE, connect.handle);
	check(again[0] == 7, "it can be read");
	munmap((void *)remote, BYTES);
	munmap((void *)memory, BYTES);
	munmap((void *)again, BYTES);
}

static void removal(void)
{
	const struct sigaction action = {.sa_handler = on_bus_error};
	const struct timespec pause = {0, 10000000};
	struct smile_adapter_info info;
	struct pollfd ready = {.events = POLLIN};
	char name[300];
	unsigned int handle, tries;
	struct smile_adapter_connect connect = connected(&handle);
	uint8_t *used = map(SMILE_ADAPTER_MMAP_REMOTE, connect.handle);
	uint8_t *unused = map(SMILE_ADAPTER_MMAP_SEGMENT, handle);

	sigaction(SIGBUS, &action, NULL);
	check(!faults(used), "a mapping can be read");
	device_name(name, sizeof(name));
	driver_write("unbind", name);
	check(faults(used), "after unbind a read of a mapping is a bus error");
	check(faults(unused), "so is one of a mapping that was never used");
	check(ioctl(file, SMILE_ADAPTER_INFO, &info) < 0 && errno == ENODEV, "a call: ENODEV");
	ready.fd = file;
	check(poll(&ready, 1, 0) == 1 && ready.revents & POLLHUP, "poll: POLLHUP");
	munmap(used, BYTES);
	munmap(unused, BYTES);
	close(file);
	driver_write("bind", name);
	/*
	 * The removed adapter must have released its number, which is the end of the device's name.
	 */
	for (tries = 0; (file = open(DEVICE, O_RDWR)) < 0 && tries < WAIT_TRIES; tries++)
		nanosleep(&pause, NULL);
	check(file >= 0 && !ioctl(file, SMILE_ADAPTER_INFO, &info), "bound again under its number");
}

/* Run each test in a session of its own. */
static void in_session(void (*test)(void))
{
	file = open(DEVICE, O_RDWR);
	check(file >= 0, DEVICE);
	test();
	close(file);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	in_session(failures);
	in_session(guesses);
	in_session(unwritable);
	in_session(read_only);
	in_session(limit_memory);
	in_session(limit_window);
	in_session(limit_objects);
	in_session(dma_signals);
	in_session(dma_released);
	in_session(reset);
	in_session(removal);
	return 0;
}
