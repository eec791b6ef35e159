/* SPDX-License-Identifier: MIT */
/*
 * Captures: one file for the B-Link of each node of a machine.
 */
#ifndef RUN_SESSION_CAPTURES_H
#define RUN_SESSION_CAPTURES_H

#include <stddef.h>
#include <stdint.h>

#define CAPTURES_MAX 64U /* the largest number of nodes of a machine */

struct Monitor_capture;

/**
 * struct captures - The captures, all zero at first.
 * @node: the capture of each node; NULL: the node has no capture
 * @failed: one of them could not be written; the library has reported the error
 */
struct captures {
	struct Monitor_capture *node[CAPTURES_MAX];
	int failed;
};

/**
 * captures_create() - Create PREFIX-node0.pcap, PREFIX-node1.pcap and so on.
 * @prefix: the first part of the file names; "-": standard output, with one node; NULL: no captures
 *          are created
 * @nodes: the number of nodes
 * @node: capture this node only; negative: all
 *
 * Return: 0; -errno after a message. Call captures_close() in any case.
 */
int captures_create(struct captures *captures, const char *prefix, unsigned nodes, int node);

/**
 * captures_write() - Write a frame; do nothing if @node has no capture, or if a capture has failed.
 *
 * Return: 0; -errno the first time that a frame cannot be written.
 */
int captures_write(struct captures *captures, unsigned node, const void *frame, size_t bytes,
		   uint64_t time_ns);

/**
 * captures_close() - Complete the captures.
 *
 * Return: 0; -errno if a capture could not be completed, after a message.
 */
int captures_close(struct captures *captures);

#endif /* RUN_SESSION_CAPTURES_H */
