/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * adapter_capture FILE: writes the frames of an SCI adapter on its B-Link, as a capture.
 *
 * What lives here: two adapters; loads, stores and locks of every size at every offset in a block,
 * transfers in both directions, messages. May use tests/unit/adapter/adapter_fixture.h and the
 * public API.
 */
#include "tests/unit/adapter/adapter_fixture.h"

#include <stdio.h>

#include <smile/monitor.h>

static void accesses(struct node *node, uint32_t page)
{
	for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
		for (uint32_t at = 0; at < 64; at += bytes) {
			store(node, page * ADAPTER_PAGE_BYTES + at, bytes, 0x0102030405060708 * at);
			load(node, page * ADAPTER_PAGE_BYTES + at, bytes);
		}
	}
}

static void transfer(struct node *node, struct node *other, uint32_t remote, uint32_t command)
{
	put(node, ADAPTER_REG_DMA_LOCAL, 5);
	put(node, ADAPTER_REG_DMA_NODE, 1);
	put(node, ADAPTER_REG_DMA_REMOTE, remote);
	put(node, ADAPTER_REG_DMA_BYTES, 900);
	put(node, ADAPTER_REG_DMA_COMMAND, command);
	work(node);
	work(other);
}

static void message(struct node *node, struct node *other, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes; i += 4)
		put(node, ADAPTER_REG_SEND_DATA + i, 0x61626364 + i);
	put(node, ADAPTER_REG_SEND_NODE, 1);
	put(node, ADAPTER_REG_SEND_BYTES, bytes);
	put(node, ADAPTER_REG_SEND_COMMAND, 1);
	work(other);
}

static int capture_write(const char *path, const struct node *node)
{
	struct Monitor_capture *capture;
	int error = Monitor_capture_create(&capture, path);

	if (error)
		return error;
	for (size_t i = 0; i < node->frame_count && !error; i++)
		error = Monitor_capture_write(capture, &node->frames[i], node->frames[i].bytes,
					      node->frames[i].time_ns);
	return Monitor_capture_close(capture) ? -1 : error;
}

int main(int argc, char **argv)
{
	struct fabric *fabric = fabric_make(2, 256);
	struct node *a = fabric->node[0], *b = fabric->node[1];

	if (argc != 2) {
		fprintf(stderr, "usage: adapter_capture FILE\n");
		return 2;
	}
	node_map(a, b, 0, 0);
	node_map(a, b, MEMORY_PAGES, ADAPTER_MAP_LOCK);
	accesses(a, 2);
	work(b);
	accesses(a, MEMORY_PAGES + 3);
	work(b);
	for (uint32_t remote = 4000; remote < 4200; remote += 37) {
		transfer(a, b, remote, ADAPTER_DMA_WRITE);
		transfer(a, b, remote, ADAPTER_DMA_READ);
	}
	message(a, b, 4);
	message(a, b, 64);
	message(a, b, ADAPTER_MESSAGE_BYTES);
	if (a->frame_count > FRAMES_MAX || b->frame_count != a->frame_count ||
	    capture_write(argv[1], b) < 0) {
		fprintf(stderr, "adapter_capture: %s: not written\n", argv[1]);
		return 1;
	}
	fabric_free(fabric);
	return 0;
}
