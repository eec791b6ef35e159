/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the trigger line between machines.
 *
 * What lives here: two nodes of a fabric, each with an instrument, whose lines are connected by a
 * socket; and a node whose line is connected to this process. The format of the message is defined
 * here a second time.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/smile_trace_regs.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/fabric_node.h"
#include "tests/qemu/traffic.h"

#define MESSAGE_BYTES 16
#define TRIGGER_OFFSET 0x40U /* in the exported memory of node 1 */
#define NS 77000U /* of a trigger that this process sends */

static uint32_t trace_get(struct qemu *node, uint32_t offset)
{
	return qemu_load(node, NODE_TRACE + offset);
}

static void trace_put(struct qemu *node, uint32_t offset, uint32_t value)
{
	qemu_store(node, NODE_TRACE + offset, value);
}

static uint32_t trace_status(struct qemu *node, uint32_t field)
{
	return (uint32_t)SMILE_GET(field, trace_get(node, SMILE_TRACE_REG_STATUS));
}

static void trace_await(struct qemu *node, uint32_t state)
{
	qemu_waits("the state of an instrument", NULL);
	while (trace_status(node, SMILE_TRACE_STATUS_STATE) != state)
		node_pause();
}

static void trace_arm(struct qemu *node, uint32_t mode, uint32_t position)
{
	trace_put(node, SMILE_TRACE_REG_MODE, SMILE_TRACE_MODE_WRAP | mode);
	trace_put(node, SMILE_TRACE_REG_POSITION, position);
	trace_put(node, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_ARM);
	expect("BAD_WRITE", trace_status(node, SMILE_TRACE_STATUS_BAD_WRITE), 0);
	expect("STATE", trace_status(node, SMILE_TRACE_STATUS_STATE), SMILE_TRACE_ARMED);
}

/* Trigger on the first frame with the address TRIGGER_OFFSET of node 1. */
static void trace_level(struct qemu *node)
{
	trace_put(node, SMILE_TRACE_REG_LEVELS, 1);
	trace_put(node, SMILE_TRACE_REG_LEVEL_SET, 1);
	trace_put(node, SMILE_TRACE_REG_LEVEL_ACTION, SMILE_TRACE_STOP);
	trace_put(node, SMILE_TRACE_REG_PATTERN + 16, 0xffffffffU);
	trace_put(node, SMILE_TRACE_REG_PATTERN + 20, 0x0000ffffU);
	trace_put(node, SMILE_TRACE_REG_PATTERN + 24, TRIGGER_OFFSET);
	trace_put(node, SMILE_TRACE_REG_PATTERN + 28, 1);
}

static char *line_path(void)
{
	return qemu_path("line");
}

/* Return: the arguments of the character device at one end. */
static char *line_end(bool server)
{
	char *path = line_path(), *text;

	if (asprintf(&text, "socket,id=line,path=%s%s", path, server ? ",server=on,wait=off" : "") <
	    0)
		err(1, "%s", path);
	free(path);
	return text;
}

/* Two machines whose lines are connected; node 0 triggers on its store to node 1. */
static void pair_begin(struct qemu *a, struct qemu *b)
{
	char *end = line_end(false);

	node_start_traced(b, 1, "drain", end);
	free(end);
	node_await(a, 1, 1);
	node_await(b, 0, 1);
	node_export(b, 1);
	node_map(a, 1, 1);
	trace_level(a);
}

static void stores(struct qemu *a, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++)
		qemu_ask(a, "writeq 0x%x 0x%x", NODE_WINDOW + 0x100 + 16 * (i % 64), i);
}

/* Read the valid bytes of the trace memory, oldest first. */
static size_t trace_memory(struct qemu *node, uint8_t bytes[NODE_TRACE_BYTES])
{
	uint64_t tail = node_count(node, NODE_TRACE + SMILE_TRACE_REG_TAIL);
	size_t count = (size_t)(node_count(node, NODE_TRACE + SMILE_TRACE_REG_HEAD) - tail);
	uint32_t word;

	for (size_t i = 0; i < count; i += sizeof(word)) {
		word = qemu_load(node,
				 NODE_TRACE + 0x10000 + (uint32_t)((tail + i) % NODE_TRACE_BYTES));
		memcpy(bytes + i, &word, sizeof(word));
	}
	return count;
}

/* Decode the next entry. Return: its length. The words: time, lengths and flags, BD1, BD2. */
static size_t entry(const uint8_t *bytes, uint64_t words[4])
{
	memcpy(words, bytes, 4 * sizeof(*words));
	return SMILE_TRACE_ENTRY_HEAD_BYTES +
	       (SMILE_GET(SMILE_TRACE_ENTRY_BYTES, words[1]) + 7) / 8 * 8;
}

/*
 * Every frame that both machines have kept must have the same stamp in both. There are fewer than
 * 64 stores, so each frame is different. Return: the number of such frames.
 */
static unsigned int same_stamps(struct qemu *a, struct qemu *b)
{
	static uint8_t of_a[NODE_TRACE_BYTES], of_b[NODE_TRACE_BYTES];
	size_t a_bytes = trace_memory(a, of_a), b_bytes = trace_memory(b, of_b);
	unsigned int same = 0;
	uint64_t one[4], other[4];

	for (size_t i = 0; i < a_bytes; i += entry(of_a + i, one)) {
		entry(of_a + i, one);
		for (size_t j = 0; j < b_bytes; j += entry(of_b + j, other)) {
			entry(of_b + j, other);
			if (one[2] != other[2] || one[3] != other[3])
				continue;
			expect("the stamp of a frame in both machines", other[0], one[0]);
			same++;
		}
	}
	return same;
}

void trigger_line_stops_another_machine(void)
{
	char *end = line_end(true);
	struct qemu a, b;

	node_start_traced(&a, 0, "drain", end);
	free(end);
	pair_begin(&a, &b);
	trace_arm(&a, SMILE_TRACE_MODE_LINE_OUT, 90);
	trace_arm(&b, SMILE_TRACE_MODE_LINE_IN, 50);
	stores(&a, 20);
	expect("armed", trace_status(&b, SMILE_TRACE_STATUS_STATE), SMILE_TRACE_ARMED);
	qemu_ask(&a, "writeq 0x%x 1", NODE_WINDOW + TRIGGER_OFFSET);
	trace_await(&b, SMILE_TRACE_TRIGGERED);
	expect("by", trace_status(&a, SMILE_TRACE_STATUS_TRIGGER_BY), SMILE_TRACE_BY_FRAME);
	expect("by", trace_status(&b, SMILE_TRACE_STATUS_TRIGGER_BY), SMILE_TRACE_BY_LINE);
	expect("the time of both triggers",
	       node_count(&b, NODE_TRACE + SMILE_TRACE_REG_TRIGGER_TIME),
	       node_count(&a, NODE_TRACE + SMILE_TRACE_REG_TRIGGER_TIME));
	/* After the trigger, exactly half of the memory is filled. */
	stores(&a, 40);
	trace_await(&a, SMILE_TRACE_DONE);
	trace_await(&b, SMILE_TRACE_DONE);
	if (same_stamps(&a, &b) < 20)
		errx(1, "both machines have kept hardly a frame in common");
	expect("done by itself", node_count(&b, NODE_TRACE + SMILE_TRACE_REG_COUNT_SEEN) < 2 * 61,
	       1);
	qemu_end(&b);
	qemu_end(&a);
}

void trigger_line_outlives_a_killed_machine(void)
{
	char *end = line_end(true);
	struct qemu a, b;

	node_start_traced(&a, 0, "drain", end);
	free(end);
	for (int round = 0; round < 2; round++) {
		pair_begin(&a, &b);
		trace_arm(&b, SMILE_TRACE_MODE_LINE_IN, 100);
		trace_arm(&a, SMILE_TRACE_MODE_LINE_OUT, 100);
		qemu_ask(&a, "writeq 0x%x 1", NODE_WINDOW + TRIGGER_OFFSET);
		trace_await(&b, SMILE_TRACE_DONE);
		expect("by", trace_status(&b, SMILE_TRACE_STATUS_TRIGGER_BY), SMILE_TRACE_BY_LINE);
		trace_arm(&a, SMILE_TRACE_MODE_LINE_OUT | SMILE_TRACE_MODE_LINE_IN, 100);
		node_kill(&b);
		node_await(&a, 1, 0);
		expect("not triggered by a death", trace_status(&a, SMILE_TRACE_STATUS_STATE),
		       SMILE_TRACE_ARMED);
		trace_put(&a, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_TRIGGER);
		expect("triggers alone", trace_status(&a, SMILE_TRACE_STATUS_STATE),
		       SMILE_TRACE_DONE);
	}
	qemu_end(&a);
}

/* ---- this process is the other end ---- */

static void message_make(uint8_t bytes[MESSAGE_BYTES], uint64_t time_ns)
{
	static const uint8_t head[] = {'S', 'M', 'T', 'L', 1, 0, 0, 0};

	memcpy(bytes, head, sizeof(head));
	for (int i = 0; i < 8; i++)
		bytes[8 + i] = (uint8_t)(time_ns >> 8 * i);
}

static void send_bytes(int peer, const void *bytes, size_t count)
{
	if (send(peer, bytes, count, MSG_NOSIGNAL) != (ssize_t)count)
		err(1, "the trigger line");
}

/* Connect, and wait until QEMU has seen the connection. */
static int line_connect(struct qemu *node)
{
	char *path = line_path();
	int peer = traffic_connect(path);

	free(path);
	qemu_waits("the trigger line's connection", NULL);
	while (strstr(qemu_monitor(node, "{\"execute\": \"query-chardev\"}"), "disconnected:"))
		node_pause();
	return peer;
}

static void line_close(struct qemu *node, int peer)
{
	close(peer);
	qemu_waits("the end of the trigger line's connection", NULL);
	while (!strstr(qemu_monitor(node, "{\"execute\": \"query-chardev\"}"), "disconnected:"))
		node_pause();
}

/* A message that follows @bytes must trigger, at the time that it contains. */
static void expect_trigger_after(struct qemu *node, int peer, const void *bytes, size_t count)
{
	uint8_t message[MESSAGE_BYTES];

	trace_arm(node, SMILE_TRACE_MODE_LINE_IN, 100);
	send_bytes(peer, bytes, count);
	message_make(message, NS);
	send_bytes(peer, message, sizeof(message));
	trace_await(node, SMILE_TRACE_DONE);
	expect("the trigger's time", node_count(node, NODE_TRACE + SMILE_TRACE_REG_TRIGGER_TIME),
	       NS);
}

void trigger_line_skips_what_is_no_trigger(void)
{
	/* The start of a message, too long a message, a message of another version. */
	static const char *const garbage[] = {
		"S", "SMTSMTL", "nothing that has to do with triggers", "SMTL\2\0\0\0........"};
	static const size_t bytes[] = {1, 7, 36, 16};
	uint8_t message[MESSAGE_BYTES];
	char *end = line_end(true);
	struct qemu a;
	int peer;

	node_start_traced(&a, 0, "drain", end);
	free(end);
	message_make(message, 1);
	for (size_t i = 0; i < MESSAGE_BYTES; i++) {
		/* The peer sends a part of a message and ends. */
		peer = line_connect(&a);
		send_bytes(peer, message, i);
		line_close(&a, peer);
		peer = line_connect(&a);
		expect_trigger_after(&a, peer, garbage[i % 4], bytes[i % 4]);
		line_close(&a, peer);
	}
	qemu_end(&a);
}

void trigger_line_waits_for_no_reader(void)
{
	uint8_t message[MESSAGE_BYTES], found[MESSAGE_BYTES];
	char *end = line_end(true);
	struct qemu a;
	int peer;

	node_start_traced(&a, 0, "drain", end);
	free(end);
	peer = line_connect(&a);
	trace_put(&a, SMILE_TRACE_REG_MODE, SMILE_TRACE_MODE_LINE_OUT);
	trace_put(&a, SMILE_TRACE_REG_POSITION, 100);
	/* Far more messages than a socket holds. */
	for (int i = 0; i < 2000; i++) {
		trace_put(&a, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_ARM);
		trace_put(&a, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_TRIGGER);
	}
	line_close(&a, peer);
	peer = line_connect(&a);
	trace_arm(&a, SMILE_TRACE_MODE_LINE_OUT, 100);
	trace_put(&a, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_TRIGGER);
	message_make(message, 0);
	qemu_waits("a trigger for a peer that reads", NULL);
	expect("bytes of a message", (uint64_t)recv(peer, found, sizeof(found), MSG_WAITALL),
	       sizeof(found));
	expect("a message", (uint64_t)memcmp(found, message, sizeof(found)), 0);
	close(peer);
	qemu_end(&a);
}
