/* SPDX-License-Identifier: MIT */
/*
 * Node adapter: data of this machine's SCI adapter about the accesses that the card counts.
 *
 * What lives here: the names of the pages of SCI segments, and the number of failed accesses, for a
 * recording. May use: the public API.
 */
#ifndef TOOLS_COMMON_NODE_ADAPTER_H
#define TOOLS_COMMON_NODE_ADAPTER_H

#include <stdint.h>

struct Monitor;

/**
 * struct node_adapter - The adapter at the start of a recording.
 * @there: there is one adapter, and its driver reports the number of failed accesses
 * @failed: number of failed accesses up to the start
 */
struct node_adapter {
	int there;
	uint64_t failed;
};

/**
 * node_adapter_begin() - Call at the start of the recording.
 */
void node_adapter_begin(struct node_adapter *adapter);

/**
 * node_adapter_end() - Call at the end of the recording: add names and failed accesses to @mon.
 *
 * Nothing is added without an adapter, or with several adapters, since it is then unknown which of
 * them shares the card's B-Link. Only root can read the names; other users' recordings have no
 * names.
 *
 * Return: 0; -1 with a message of the library.
 */
int node_adapter_end(const struct node_adapter *adapter, struct Monitor *mon);

#endif /* TOOLS_COMMON_NODE_ADAPTER_H */
