/* SPDX-License-Identifier: MIT */
/*
 * Node adapter: read data from this machine's SCI adapter, which explains the accesses that the
 * card counts.
 *
 * What lives here: for a recording, the names of the pages of SCI segments, and the number of
 * failed accesses. May use: the public API.
 */
#ifndef TOOLS_COMMON_NODE_ADAPTER_H
#define TOOLS_COMMON_NODE_ADAPTER_H

#include <stdint.h>

struct Monitor;

/**
 * struct node_adapter - State of the adapter at the start of a recording.
 * @there: the machine has exactly one adapter, and its driver reports the number of failed accesses
 * @failed: number of failed accesses before the start
 */
struct node_adapter {
	int there;
	uint64_t failed;
};

/**
 * node_adapter_begin() - Read the number of failed accesses at the start of the recording.
 */
void node_adapter_begin(struct node_adapter *adapter);

/**
 * node_adapter_end() - At the end of the recording, add the names of pages and the number of failed
 * accesses to @mon.
 *
 * If the machine has no adapter or several adapters, nothing is added. If there are several
 * adapters, it is not known which of them shares the B-Link with the card. Only root can read the
 * names of pages, so the recordings of other users have no names.
 *
 * Return: 0; -1 with an error message of the library.
 */
int node_adapter_end(const struct node_adapter *adapter, struct Monitor *mon);

#endif /* TOOLS_COMMON_NODE_ADAPTER_H */
