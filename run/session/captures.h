/* SPDX-License-Identifier: MIT */
/*
 * Captures: the B-Link of each node of a machine, in a file of its own.
 */
#ifndef RUN_SESSION_CAPTURES_H
#define RUN_SESSION_CAPTURES_H

#include <stddef.h>
#include <stdint.h>

#define CAPTURES_MAX 64U /* as many as a machine has nodes */

struct Monitor_capture;

/**
 * struct captures - The captures, all zero at first.
 * @node: by node; NULL: none
 * @failed: one of them could not be written; the library has said why
 */
struct captures {
	struct Monitor_capture *node[CAPTURES_MAX];
	int failed;
};

/**
 * captures_create() - Create PREFIX-node0.pcap, PREFIX-node1.pcap and so on.
 * @prefix: "-": standard output, with one node; NULL: none are created
 * @nodes: how many
 * @node: capture this node only; negative: all
 *
 * Return: 0; -errno after a message. captures_close() in any case.
 */
int captures_create(struct captures *captures, const char *prefix, unsigned nodes, int node);

/**
 * captures_write() - Write a frame; nothing if @node has no capture, or one has failed.
 *
 * Return: 0; -errno the first time one cannot be written.
 */
int captures_write(struct captures *captures, unsigned node, const void *frame, size_t bytes,
		   uint64_t time_ns);

/**
 * captures_close() - Complete them.
 *
 * Return: 0; -errno if one could not be completed, after a message.
 */
int captures_close(struct captures *captures);

#endif /* RUN_SESSION_CAPTURES_H */
