/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A fabric of adapters, for the tests of the adapter.
 *
 * What lives here: up to NODES_MAX adapters that are attached to each other, and the traffic on the
 * B-Link of each. May use cmocka, emu/adapter/adapter.h and include/.
 */
#ifndef TESTS_UNIT_ADAPTER_FIXTURE_H
#define TESTS_UNIT_ADAPTER_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <emu/adapter/adapter.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#define NODES_MAX 4
#define MEMORY_PAGES 16U
#define WINDOW_PAGES 64U
#define FRAMES_MAX 4096U

/**
 * struct passed - A frame that has passed.
 * @payload: the payload, followed by the trailer
 */
struct passed {
	uint64_t bd1;
	uint64_t bd2;
	uint64_t payload[33];
	size_t bytes;
	uint64_t time_ns;
};

/**
 * struct node - An adapter, and the node that contains it.
 * @frames: the first FRAMES_MAX frames on the adapter's B-Link
 * @frame_count: number of all frames on the adapter's B-Link
 * @checked: number of frames that expect_frame() has compared
 * @full: true if the monitor of this B-Link has no room for another frame
 * @level: level of the adapter's interrupt line
 * @rings: number of times that the adapter has notified other nodes
 */
struct node {
	struct adapter adapter;
	struct link_region *region;
	uint8_t *memory;
	uint32_t map[WINDOW_PAGES];
	struct passed frames[FRAMES_MAX];
	size_t frame_count;
	size_t checked;
	bool full;
	bool level;
	unsigned int rings;
};

/**
 * struct fabric - Nodes that share a clock.
 * @incoming: number of entries of each adapter's inbox
 */
struct fabric {
	struct node *node[NODES_MAX];
	_Atomic uint64_t now_ns;
	uint32_t incoming;
};

/*
 * Make nodes 0 to @count - 1, enabled and attached to each other. An inbox has @incoming entries.
 */
struct fabric *fabric_make(unsigned int count, uint32_t incoming);
void fabric_free(struct fabric *fabric);

/* Make a powered-on node that is not attached to any other node. */
struct node *node_make(struct fabric *fabric, unsigned int id);
void node_free(struct node *node);

/* Attach @node and @other to each other. */
void node_attach(struct node *node, struct node *other);

/* Export all pages of @owner, and map them on @node from window page @page. */
void node_map(struct node *node, struct node *owner, uint32_t page, uint32_t flags);

/* Read and write registers of the adapter. expect_error() checks the error register. */
uint32_t get(struct node *node, uint32_t offset);
uint64_t get_64(struct node *node, uint32_t offset);
void put(struct node *node, uint32_t offset, uint32_t value);
void put_refused(struct node *node, uint32_t offset, uint32_t value);
void expect_error(struct node *node, unsigned int of, uint32_t count, uint32_t why);

/* Load or store. The test fails if the adapter does not execute the access immediately. */
uint64_t load(struct node *node, uint64_t offset, uint32_t bytes);
void store(struct node *node, uint64_t offset, uint32_t bytes, uint64_t value);

/* Let the adapter of @node process its inboxes until they are empty. */
void work(struct node *node);

/* Fail unless the next frame on @node's B-Link has these values. Return: the frame. */
const struct passed *expect_frame(struct node *node, unsigned int source, unsigned int target,
				  unsigned int command, uint64_t address, size_t payload_bytes);
void expect_no_frame(struct node *node);

#endif /* TESTS_UNIT_ADAPTER_FIXTURE_H */
