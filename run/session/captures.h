/* SPDX-License-Identifier: MIT */
/*
 * run/session: writes captures of the B-Links.
 *
 * What lives here: functions that create and write a capture file for the B-Link of each node.
 */
#ifndef RUN_SESSION_CAPTURES_H
#define RUN_SESSION_CAPTURES_H

#include <stddef.h>
#include <stdint.h>

#define CAPTURES_MAX 64U /* maximum number of nodes of a machine */

struct Monitor_capture;

/**
 * struct captures - The captures of a run; all zero at first.
 * @node: the capture of each node; NULL: the node has no capture
 * @failed: a capture could not be written; the library has set the error message
 */
struct captures {
	struct Monitor_capture *node[CAPTURES_MAX];
	int failed;
};

/**
 * captures_check() - Check that all captures can be created, before any older capture is emptied.
 * Parameters as for captures_create().
 *
 * Return: 0 or -errno after a message.
 */
int captures_check(const char *prefix, unsigned nodes, int node);

/**
 * captures_create() - Create PREFIX-node0.pcap, PREFIX-node1.pcap and so on.
 * @prefix: the first part of the file names; "-": write the capture of a single node to standard
 *          output; NULL: create no captures
 * @nodes: the number of nodes
 * @node: the only node to capture; negative: capture all nodes
 *
 * Return: 0 or -errno after a message. The caller must call captures_close() even after an error.
 */
int captures_create(struct captures *captures, const char *prefix, unsigned nodes, int node);

/**
 * captures_write() - Write a frame. If @node has no capture, or if writing has already failed, the
 * function does nothing.
 *
 * Return: 0; -errno if the frame cannot be written. After an error, later calls write nothing and
 * return 0.
 */
int captures_write(struct captures *captures, unsigned node, const void *frame, size_t bytes,
		   uint64_t time_ns);

/**
 * captures_close() - Complete the captures.
 *
 * Return: 0; -errno after a message if a capture could not be completed.
 */
int captures_close(struct captures *captures);

#endif /* RUN_SESSION_CAPTURES_H */
