/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: a node of a fabric, that is, a QEMU with an adapter and a monitor card.
 *
 * What lives here: starting a node, its addresses, waiting for its registers, and the messages that
 * a foreign process can receive from its socket. Every failure ends the test. May use
 * tests/qemu/qemu.h.
 */
#ifndef TESTS_QEMU_FABRIC_NODE_H
#define TESTS_QEMU_FABRIC_NODE_H

#include <hw/adapter_regs.h>

#include "tests/qemu/qemu.h"

#define NODE_MONITOR 0xe0000000U
#define NODE_REGS 0xe1000000U
#define NODE_WINDOW 0xc0000000U
#define NODE_MEMORY 0xc8000000U
#define NODE_TRACE 0xe2000000U /* an instrument's registers; 64 KB behind them its memory */
#define NODE_TRACE_BYTES 4096U

/* The message that the adapters of a fabric send to each other when they connect. */
#define GREETING_FILES 3
struct node_greeting {
	char bytes[64];
	size_t count;
	int files[GREETING_FILES]; /* region, memory, bell */
};

/*
 * Start node @id of the scratch directory's fabric with a monitor of @pace, and enable both
 * devices.
 */
void node_start(struct qemu *node, unsigned int id, const char *pace);

/* The same with an instrument "trace"; its trigger line is the character device "line": @line. */
void node_start_traced(struct qemu *node, unsigned int id, const char *pace, char *line);

/* Kill the node with SIGKILL. */
void node_kill(struct qemu *node);

/* Access registers of the adapter; read 64-bit counters of the adapter or the monitor. */
uint32_t node_get(struct qemu *node, uint32_t offset);
void node_put(struct qemu *node, uint32_t offset, uint32_t value);
uint64_t node_count(struct qemu *node, uint32_t address);

/*
 * Export the first pages of the memory; map the first pages of the window to the first of node @to.
 */
void node_export(struct qemu *node, uint32_t pages);
void node_map(struct qemu *node, unsigned int to, uint32_t pages);

/* Wait until node @of answers to @node, or until it no longer answers. */
void node_await(struct qemu *node, unsigned int of, int answers);
void node_await_count(struct qemu *node, uint32_t address, uint64_t count);

/* A short pause of a loop that waits. */
void node_pause(void);

/* Connect to a node as a foreign process and receive its greeting. Return: the socket. */
int node_connect(unsigned int id, struct node_greeting *greeting);

#endif /* TESTS_QEMU_FABRIC_NODE_H */
