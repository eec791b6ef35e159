/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test of the driver with another node whose driver breaks all rules.
 *
 * What lives here: the guest has two adapters of one fabric. The driver uses the first adapter. The
 * program unbinds the driver from the second adapter, and uses its registers: it is the peer of the
 * driver. The peer sends wrong answers or none, sends requests without end, or does not read
 * messages. Each test prints its result. May use: <uapi/smile_adapter.h>, <hw/adapter_regs.h>,
 * <hw/adapter_message.h>, POSIX, sysfs, cgroup2.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hw/adapter_message.h>
#include <hw/adapter_regs.h>
#include <uapi/smile_adapter.h>

#define DEVICE "/dev/smile_adapter0"
#define CLASS "/sys/class/smile_adapter/smile_adapter0"
#define PEER "/sys/class/smile_adapter/smile_adapter1/device"
#define DRIVER "/sys/bus/pci/drivers/smile_adapter"
#define TRIES 60000 /* milliseconds to wait for an expected message */
#define PAGE 4096U
/* The messages that the driver queues for a node, besides those that the node has not read. */
#define QUEUED_ASKED 128
#define QUEUED_ANSWERS 256
#define CONNECTIONS 4096

static int file; /* the session of the driver's node */
static volatile uint32_t *regs; /* the peer's */
static uint32_t node, peer;

static void check(int good, const char *what)
{
	if (!good) {
		printf("not ok %s (%s)\n", what, strerror(errno));
		exit(1);
	}
	printf("ok %s\n", what);
}

static void pause_ms(long ms)
{
	const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};

	nanosleep(&pause, NULL);
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	check(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), path);
	close(fd);
}

/* ---- the peer ---- */

static uint32_t reg_read(uint32_t offset)
{
	return regs[offset / 4];
}

static void reg_write(uint32_t offset, uint32_t value)
{
	regs[offset / 4] = value;
}

/* Unbind the driver from the second adapter, and map the adapter's registers. */
static void peer_take(void)
{
	char link[256], path[600];
	ssize_t length = readlink(PEER, link, sizeof(link) - 1);
	const char *name;
	int fd;

	check(length > 0, "a second adapter");
	link[length] = 0;
	name = strrchr(link, '/') + 1;
	write_file(DRIVER "/unbind", name);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/enable", name);
	write_file(path, "1");
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/resource0", name);
	fd = open(path, O_RDWR);
	check(fd >= 0, path);
	regs = mmap(NULL, ADAPTER_REGS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	check(regs != MAP_FAILED && reg_read(ADAPTER_REG_ID) == ADAPTER_ID_VALUE,
	      "its registers can be read");
	close(fd);
	peer = reg_read(ADAPTER_REG_NODE);
}

static int reachable(void)
{
	struct smile_adapter_info info;

	if (ioctl(file, SMILE_ADAPTER_INFO, &info))
		check(0, "info");
	node = info.node;
	return info.reachable >> peer & 1;
}

static void peer_enable(int on)
{
	int tries;

	reg_write(ADAPTER_REG_CONTROL, on ? ADAPTER_CONTROL_ENABLE : 0);
	for (tries = 0; tries < TRIES && reachable() != on; tries++)
		pause_ms(1);
	if (tries == TRIES)
		check(0, on ? "the peer is there" : "the peer is gone");
}

/* Reset the peer, which is then a new peer for the driver. */
static void peer_start(void)
{
	peer_enable(0);
	reg_write(ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	peer_enable(1);
	reg_write(node < 32 ? ADAPTER_REG_LOST_LOW : ADAPTER_REG_LOST_HIGH, 1U << node % 32);
}

/* Return: 1 if the message was sent; 0 if the driver has not read the previous message. */
static int peer_try(const struct adapter_message *message, uint32_t bytes)
{
	uint32_t i, status, word;

	for (i = 0; i < bytes; i += 4) {
		memcpy(&word, (const uint8_t *)message + i, sizeof(word));
		reg_write(ADAPTER_REG_SEND_DATA + i, word);
	}
	reg_write(ADAPTER_REG_SEND_NODE, node);
	reg_write(ADAPTER_REG_SEND_BYTES, bytes);
	reg_write(ADAPTER_REG_SEND_COMMAND, 1);
	status = reg_read(ADAPTER_REG_SEND_STATUS);
	if (status != ADAPTER_ERROR_NONE && status != ADAPTER_ERROR_BUSY) {
		printf("not ok the peer sends: error %u\n", status);
		exit(1);
	}
	return status == ADAPTER_ERROR_NONE;
}

static void peer_send_bytes(struct adapter_message message, uint32_t bytes)
{
	int tries;

	for (tries = 0; !peer_try(&message, bytes); tries++) {
		if (tries == TRIES)
			check(0, "the driver reads its messages");
		pause_ms(1);
	}
}

static void peer_send(struct adapter_message message)
{
	message.version = ADAPTER_MESSAGE_VERSION;
	peer_send_bytes(message, offsetof(struct adapter_message, data));
}

/* Return: 1 if there was a message. */
static int peer_receive(struct adapter_message *message)
{
	uint32_t bytes, i, word;

	if (reg_read(ADAPTER_REG_RECEIVE_NODE) == ADAPTER_ABSENT)
		return 0;
	bytes = reg_read(ADAPTER_REG_RECEIVE_BYTES);
	memset(message, 0, sizeof(*message));
	for (i = 0; i < bytes && i < sizeof(*message); i += 4) {
		word = reg_read(ADAPTER_REG_RECEIVE_DATA + i);
		memcpy((uint8_t *)message + i, &word, sizeof(word));
	}
	reg_write(ADAPTER_REG_RECEIVE_COMMAND, 1);
	return 1;
}

/* Receive the next message, which must be of this kind. */
static struct adapter_message peer_expect(uint32_t kind, const char *what)
{
	struct adapter_message message = {0};
	int tries;

	for (tries = 0; tries < TRIES && !peer_receive(&message); tries++)
		pause_ms(1);
	if (tries == TRIES || message.kind != kind) {
		printf("not ok %s: a message of kind %u\n", what, message.kind);
		exit(1);
	}
	return message;
}

static void peer_answer(struct adapter_message message, int status)
{
	message.kind = ADAPTER_MESSAGE_REPLY;
	message.status = (uint32_t)status;
	peer_send(message);
}

/* ---- calls that wait for the peer ---- */

static struct smile_adapter_connect connecting;
static struct smile_adapter_interrupt_connect lining;
static int call_error;

/* Call a node that has just started; repeat the call if needed. Return: 0 or errno. */
static int call_peer(unsigned long command, void *argument)
{
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		if (!ioctl(file, command, argument))
			return 0;
		if (errno != EHOSTUNREACH)
			break;
		pause_ms(1);
	}
	return errno;
}

static void *connect_call(void *unused)
{
	(void)unused;
	connecting = (struct smile_adapter_connect){.node = peer, .id = 1};
	call_error = call_peer(SMILE_ADAPTER_CONNECT, &connecting);
	return NULL;
}

static void *line_call(void *unused)
{
	(void)unused;
	call_error = call_peer(SMILE_ADAPTER_INTERRUPT_CONNECT, &lining);
	return NULL;
}

static pthread_t call(void *(*function)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, function, NULL))
		check(0, "a thread");
	return thread;
}

/* Connect to an interrupt of the peer. */
static struct smile_adapter_trigger line(void)
{
	pthread_t thread;

	lining = (struct smile_adapter_interrupt_connect){.node = peer, .number = 1};
	thread = call(line_call);
	peer_answer(peer_expect(ADAPTER_MESSAGE_LINE, "the driver asks for an interrupt"), 0);
	pthread_join(thread, NULL);
	check(!call_error, "a line to an interrupt of the peer");
	return (struct smile_adapter_trigger){.handle = lining.handle};
}

/* Trigger until the driver's queue is full. Return: the number of queued triggers. */
static unsigned int fill(struct smile_adapter_trigger *trigger, unsigned int most)
{
	unsigned int count = 0;

	while (count < most && !ioctl(file, SMILE_ADAPTER_TRIGGER, trigger))
		count++;
	if (count < most && errno != EAGAIN)
		check(0, "a full queue is EAGAIN");
	return count;
}

/* ---- invalid answers ---- */

static void answers_wrong(void)
{
	static const struct {
		const char *what;
		uint32_t page, pages, cookie;
		uint64_t bytes;
		int status;
	} wrong[] = {
		{"pages beyond the largest memory", ADAPTER_PAGES_MAX - 1, 2, 0, 1, 0},
		{"pages whose end overflows", UINT32_MAX, 2, 0, 1, 0},
		{"more pages than there can be", 0, ADAPTER_PAGES_MAX + 1, 0, 1, 0},
		{"no pages", 0, 0, 0, 0, 0},
		{"another connection's cookie", 0, 1, 1, 1, 0},
		{"more bytes than its pages have", 0, 1, 0, PAGE + 1, 0},
		{"a positive status", 0, 1, 0, 1, 1},
		{"a status that is no error", 0, 1, 0, 1, -100000},
	};
	struct smile_adapter_handle handle = {0};
	struct adapter_message message;
	pthread_t thread;
	size_t i;

	for (i = 0; i <= sizeof(wrong) / sizeof(wrong[0]); i++) {
		int good = i == sizeof(wrong) / sizeof(wrong[0]);
		uint32_t cookie;

		thread = call(connect_call);
		message = peer_expect(ADAPTER_MESSAGE_CONNECT, "the driver connects");
		cookie = message.cookie;
		message.page = good ? 0 : wrong[i].page;
		message.pages = good ? 1 : wrong[i].pages;
		message.bytes = good ? PAGE : wrong[i].bytes;
		message.cookie += good ? 0 : wrong[i].cookie;
		peer_answer(message, good ? 0 : wrong[i].status);
		pthread_join(thread, NULL);
		check(call_error == (good ? 0 : EPROTO), good ? "a good answer" : wrong[i].what);
		if (good) {
			handle.handle = connecting.handle;
			check(!ioctl(file, SMILE_ADAPTER_RELEASE, &handle), "release it");
		}
		/* If the connection was refused, there is none to end. */
		if (good || !wrong[i].status) {
			message = peer_expect(ADAPTER_MESSAGE_DISCONNECT, "the driver disconnects");
			check(message.cookie == cookie, "that connection");
		}
	}
}

/* A driver of another version is refused with a message. Its answer must not count as success. */
static void versions_differ(void)
{
	static const uint32_t asked[] = {ADAPTER_MESSAGE_CONNECT, ADAPTER_MESSAGE_LINE,
					 ADAPTER_MESSAGE_TRIGGER};
	struct adapter_message other = {0};
	pthread_t thread;
	size_t i;

	for (i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		other = (struct adapter_message){.version = ADAPTER_MESSAGE_VERSION + 1,
						 .kind = asked[i],
						 .request = 70 + (uint32_t)i};
		/* One is longer and one is shorter than the messages of this version. */
		peer_send_bytes(other,
				i == 1 ? ADAPTER_MESSAGE_COMMON_BYTES : ADAPTER_MESSAGE_BYTES - 16);
		other = peer_expect(ADAPTER_MESSAGE_REPLY, "another version is answered");
		check(other.version == ADAPTER_MESSAGE_VERSION && other.request == 70 + i &&
			      (int)other.status == -EPROTONOSUPPORT,
		      "another version is refused");
	}
	/* A driver of another version answers the LINE message of this version's driver. */
	lining = (struct smile_adapter_interrupt_connect){.node = peer, .number = 1};
	thread = call(line_call);
	other = peer_expect(ADAPTER_MESSAGE_LINE, "the driver asks another version");
	other.version = ADAPTER_MESSAGE_VERSION - 1;
	other.kind = ADAPTER_MESSAGE_REPLY;
	other.status = 0;
	peer_send_bytes(other, offsetof(struct adapter_message, data));
	pthread_join(thread, NULL);
	check(call_error == EPROTONOSUPPORT, "a call to a node of another version fails");
}

/* Messages that no driver sends are ignored, and the driver continues. */
static void messages_wrong(void)
{
	struct adapter_message message = {.version = ADAPTER_MESSAGE_VERSION};

	peer_send_bytes(message, 0);
	peer_send_bytes(message, 8);
	message.kind = ADAPTER_MESSAGE_TRIGGER;
	message.bytes = SMILE_ADAPTER_DATA_BYTES + 1;
	peer_send_bytes(message, ADAPTER_MESSAGE_BYTES - 16);
	message.bytes = 8;
	peer_send_bytes(message, offsetof(struct adapter_message, data));
	message.bytes = UINT64_MAX;
	peer_send_bytes(message, offsetof(struct adapter_message, data));
	message.bytes = 0;
	for (message.kind = 0; message.kind < 20; message.kind++) {
		if (message.kind != ADAPTER_MESSAGE_CONNECT &&
		    message.kind != ADAPTER_MESSAGE_LINE && message.kind != ADAPTER_MESSAGE_TRIGGER)
			peer_send(message);
	}
	/* Messages keep their order, so the first answer is the answer to this message. */
	message.kind = ADAPTER_MESSAGE_LINE;
	message.request = 77;
	peer_send(message);
	message = peer_expect(ADAPTER_MESSAGE_REPLY, "the next message is answered");
	check(message.request == 77 && (int)message.status == -ENOENT,
	      "messages that cannot be are ignored");
}

/* ---- a peer that does not read ---- */

/* Send a trigger as soon as the queue has room for it. Return: the number of answers before it. */
static unsigned int answers_before(struct smile_adapter_trigger *trigger)
{
	struct adapter_message message = {0};
	unsigned int count = 0;
	int sent = 0, tries;

	for (tries = 0; tries < TRIES; tries++) {
		sent = sent || !ioctl(file, SMILE_ADAPTER_TRIGGER, trigger);
		if (!peer_receive(&message)) {
			pause_ms(1);
			continue;
		}
		if (message.kind == ADAPTER_MESSAGE_TRIGGER)
			return count;
		count += message.kind == ADAPTER_MESSAGE_REPLY;
	}
	check(0, "the last trigger arrives");
	return 0;
}

/* Read until no more messages arrive. Return: the number of messages of @kind. */
static unsigned int peer_drain(uint32_t kind)
{
	struct adapter_message message;
	unsigned int count = 0, empty;

	for (empty = 0; empty < 20; empty++) {
		while (peer_receive(&message)) {
			count += message.kind == kind;
			empty = 0;
		}
		pause_ms(10);
	}
	return count;
}

/* Start a child that makes a request if the queue has room, and waits for the answer. */
static pid_t asks(void)
{
	pid_t child = fork();

	check(child >= 0, "a child");
	if (!child) {
		connect_call(NULL);
		_exit(call_error);
	}
	/* If the child needs longer, its request finds no room, and the caller repeats the test. */
	pause_ms(100);
	return child;
}

static void given_up(struct smile_adapter_trigger *trigger)
{
	struct adapter_message message;
	unsigned int tries, placed;
	pid_t child;
	int status;

	for (tries = 0; tries < 100; tries++) {
		/* Make room for two messages: the child's request, and one of this process. */
		fill(trigger, 2 * QUEUED_ASKED);
		peer_receive(&message);
		peer_receive(&message);
		pause_ms(50);
		child = asks();
		placed = fill(trigger, 2 * QUEUED_ASKED);
		if (placed == 1 && !waitpid(child, &status, WNOHANG))
			break;
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
	}
	check(tries < 100, "a request waits in a full queue");
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	check(fill(trigger, 2 * QUEUED_ASKED) == 1, "a caller that is killed leaves its place");
	check(!peer_drain(ADAPTER_MESSAGE_CONNECT), "and its request is never sent");
}

static void queue(void)
{
	struct smile_adapter_trigger trigger = line();
	struct smile_adapter_trigger data = trigger;

	data.bytes = 1;
	check(ioctl(file, SMILE_ADAPTER_TRIGGER, &data) < 0 && errno == EINVAL,
	      "an interrupt without data carries none");
	check(fill(&trigger, 10000) == ADAPTER_MESSAGES + QUEUED_ASKED,
	      "a node that does not read gets 16 messages, 128 wait, others are EAGAIN");
	given_up(&trigger);
}

/* ---- memory of messages ---- */

#define CGROUPS "/tmp/cgroups"
#define GROUP CGROUPS "/charged"

static long long charged(void)
{
	FILE *stat = fopen(GROUP "/memory.stat", "r");
	long long value = -1;
	char name[64];

	check(stat != NULL, "memory.stat");
	while (fscanf(stat, "%63s %lld", name, &value) == 2 && strcmp(name, "slab_unreclaimable"))
		value = -1;
	fclose(stat);
	return value;
}

static void charge(void)
{
	struct smile_adapter_trigger trigger = line();
	long long before, after = 0;
	int tries;

	mkdir(CGROUPS, 0700);
	if (mount("cgroup2", CGROUPS, "cgroup2", 0, NULL) || access(CGROUPS "/memory.stat", F_OK)) {
		printf("this kernel has no memory controller\n");
		return;
	}
	write_file(CGROUPS "/cgroup.subtree_control", "+memory");
	check(!mkdir(GROUP, 0700), GROUP);
	write_file(GROUP "/cgroup.procs", "0");
	before = charged();
	check(before >= 0, "the group has kernel memory");
	fill(&trigger, 10000);
	/* The kernel updates these numbers late. */
	for (tries = 0; tries < TRIES / 10; tries++) {
		after = charged();
		if (after - before >= (long long)(QUEUED_ASKED * sizeof(struct adapter_message)))
			break;
		pause_ms(10);
	}
	printf("%lld bytes for %d messages\n", after - before, QUEUED_ASKED);
	check(tries < TRIES / 10, "queued messages are charged to who sends them");
	write_file(CGROUPS "/cgroup.procs", "0");
	peer_drain(0);
}

/* ---- a peer that sends requests without end ---- */

static struct smile_adapter_interrupt interrupt(void)
{
	struct smile_adapter_interrupt made = {0};

	check(!ioctl(file, SMILE_ADAPTER_INTERRUPT_CREATE, &made), "an interrupt");
	return made;
}

/* Read events until the sum of the interrupt events' counts is @count. */
static void expect_triggers(unsigned int count)
{
	struct smile_adapter_event event;

	while (count) {
		if (read(file, &event, sizeof(event)) != sizeof(event))
			check(0, "an event");
		if (event.kind != SMILE_ADAPTER_EVENT_INTERRUPT)
			continue;
		if (event.count > count)
			check(0, "no trigger counts twice");
		count -= event.count;
	}
	check(1, "all triggers are counted");
}

#define ASKED 1000

static void asks_only(void)
{
	struct adapter_message ask = {.kind = ADAPTER_MESSAGE_LINE, .id = 999};
	struct smile_adapter_interrupt made = interrupt();
	struct adapter_message trigger = {.kind = ADAPTER_MESSAGE_TRIGGER, .id = made.number};
	struct smile_adapter_trigger last = line();
	unsigned int count;

	for (ask.request = 1; ask.request <= ASKED; ask.request++)
		peer_send(ask);
	peer_send(trigger);
	expect_triggers(1);
	count = answers_before(&last);
	printf("%u answers to %u requests\n", count, ASKED);
	check(count == ADAPTER_MESSAGES + QUEUED_ANSWERS,
	      "a node that only asks loses its answers, and fills no memory");
}

static unsigned long long memory_free(void)
{
	struct smile_adapter_info info;

	if (ioctl(file, SMILE_ADAPTER_INFO, &info))
		check(0, "info");
	return info.memory_free;
}

static void connects_only(void)
{
	struct smile_adapter_segment made = {.id = 3, .bytes = PAGE};
	struct smile_adapter_state state = {.state = SMILE_ADAPTER_AVAILABLE};
	struct smile_adapter_handle handle = {0};
	struct adapter_message ask = {.kind = ADAPTER_MESSAGE_CONNECT, .id = 3}, message;
	unsigned long long before = memory_free();
	unsigned int refused = 0, lost;
	int tries;

	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, &made), "a segment");
	state.handle = made.handle;
	handle.handle = made.handle;
	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_STATE, &state), "make it available");
	for (ask.cookie = 1; ask.cookie <= CONNECTIONS + 1; ask.cookie++) {
		peer_send(ask);
		message = peer_expect(ADAPTER_MESSAGE_REPLY, "an answer");
		refused += (int)message.status == -ENOSPC;
		if (message.status && ask.cookie <= CONNECTIONS)
			check(0, "a connection within the limit");
	}
	check(refused == 1, "a node has 4096 connections to another, and no more");
	check(!ioctl(file, SMILE_ADAPTER_SEGMENT_REMOVE, &handle), "remove the segment");
	for (lost = 0; lost < CONNECTIONS; lost++) {
		message = peer_expect(ADAPTER_MESSAGE_LOST, "each connection's end is sent");
		message.kind = ADAPTER_MESSAGE_KNOWN;
		if (lost)
			peer_send(message);
	}
	versions_differ();
	messages_wrong();
	check(memory_free() < before, "a node that does not confirm keeps the pages reserved");
	reg_write(ADAPTER_REG_CONTROL, 0);
	for (tries = 0; tries < TRIES && memory_free() != before; tries++)
		pause_ms(1);
	check(tries < TRIES, "until it is gone");
	peer_start();
}

static atomic_uint flooded;
static atomic_int flooding;
static struct adapter_message flood_message;

static void *flood_thread(void *unused)
{
	(void)unused;
	while (atomic_load(&flooding)) {
		if (peer_try(&flood_message, offsetof(struct adapter_message, data)))
			atomic_fetch_add(&flooded, 1);
	}
	return NULL;
}

static void flood(void)
{
	struct smile_adapter_interrupt made = interrupt();
	struct smile_adapter_segment segment = {.flags = SMILE_ADAPTER_SEGMENT_AUTO_ID,
						.bytes = PAGE};
	struct smile_adapter_handle handle = {0};
	unsigned int calls, before = 0;
	pthread_t thread;

	flood_message = (struct adapter_message){.version = ADAPTER_MESSAGE_VERSION,
						 .kind = ADAPTER_MESSAGE_TRIGGER,
						 .id = made.number};
	atomic_store(&flooding, 1);
	thread = call(flood_thread);
	for (calls = 0; calls < 200; calls++) {
		if (ioctl(file, SMILE_ADAPTER_SEGMENT_CREATE, &segment))
			check(0, "a segment during a flood");
		handle.handle = segment.handle;
		if (ioctl(file, SMILE_ADAPTER_SEGMENT_REMOVE, &handle))
			check(0, "its end");
		/* The flood continues meanwhile. */
		while (atomic_load(&flooded) == before)
			pause_ms(1);
		before = atomic_load(&flooded);
	}
	check(1, "calls end while a node floods");
	atomic_store(&flooding, 0);
	pthread_join(thread, NULL);
	printf("%u messages during %u calls\n", atomic_load(&flooded), calls);
	expect_triggers(atomic_load(&flooded));
}

/*
 * If a node disappears, a connection to its interrupt is invalid, and stays invalid when the node
 * returns.
 */
static void gone(void)
{
	struct smile_adapter_trigger trigger = line();

	peer_start();
	check(call_peer(SMILE_ADAPTER_TRIGGER, &trigger) == ENOENT,
	      "a line to a node that was gone leads nowhere");
}

/* ---- a peer that answers and disappears immediately ---- */

static struct smile_adapter_trigger triggering;

static void *trigger_call(void *unused)
{
	(void)unused;
	call_error = ioctl(file, SMILE_ADAPTER_TRIGGER, &triggering) ? errno : 0;
	return NULL;
}

static void answered(void)
{
	struct adapter_message message;
	pthread_t thread;
	int i;

	for (i = 0; i < 20; i++) {
		lining = (struct smile_adapter_interrupt_connect){
			.node = peer, .number = 1, .flags = SMILE_ADAPTER_INTERRUPT_DATA};
		thread = call(line_call);
		peer_answer(peer_expect(ADAPTER_MESSAGE_LINE, "an interrupt is asked for"), 0);
		pthread_join(thread, NULL);
		triggering = (struct smile_adapter_trigger){.handle = lining.handle, .bytes = 8};
		thread = call(trigger_call);
		message = peer_expect(ADAPTER_MESSAGE_TRIGGER, "a message comes");
		message.bytes = 0;
		peer_answer(message, 0);
		reg_write(ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
		pthread_join(thread, NULL);
		if (call_error) {
			printf("not ok round %d: what has arrived is error %d\n", i, call_error);
			exit(1);
		}
		peer_start();
	}
	check(1, "a message that has arrived is no error, though its node has gone");
}

/* ---- the driver's node disappears ---- */

#define UNREAD 40 /* more than the adapter holds */

static char driver_name[256];

static void *unbind_call(void *unused)
{
	(void)unused;
	write_file(DRIVER "/unbind", driver_name);
	return NULL;
}

static void leaves(void)
{
	struct adapter_message ask = {.kind = ADAPTER_MESSAGE_LINE, .id = 999};
	struct smile_adapter_interrupt made = interrupt();
	struct adapter_message last = {.kind = ADAPTER_MESSAGE_TRIGGER, .id = made.number};
	char link[256] = {0};
	unsigned int count;
	pthread_t thread;

	check(readlink(CLASS "/device", link, sizeof(link) - 1) > 0, "the driver's adapter");
	snprintf(driver_name, sizeof(driver_name), "%s", strrchr(link, '/') + 1);
	for (ask.request = 1; ask.request <= UNREAD; ask.request++)
		peer_send(ask);
	peer_send(last);
	expect_triggers(1);
	close(file);
	file = -1;
	thread = call(unbind_call);
	/* From here on, the removal waits for the peer. */
	while (!access(CLASS, F_OK))
		pause_ms(1);
	count = peer_drain(ADAPTER_MESSAGE_REPLY);
	pthread_join(thread, NULL);
	printf("%u answers\n", count);
	check(count == UNREAD, "a node that goes sends its answers before");
}

static void in_session(void (*test)(void))
{
	file = open(DEVICE, O_RDWR);
	check(file >= 0, DEVICE);
	peer_start();
	test();
	close(file);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	peer_take();
	in_session(answers_wrong);
	in_session(messages_wrong);
	in_session(queue);
	in_session(charge);
	in_session(asks_only);
	in_session(connects_only);
	in_session(flood);
	in_session(gone);
	in_session(answered);
	in_session(leaves);
	return 0;
}
