/* SPDX-License-Identifier: MIT */
/*
 * Node adapter: what this machine's SCI adapter says about accesses that the card beside it counts.
 *
 * What lives here: the names of the pages of SCI segments, and accesses that have failed, for a
 * recording. May use: the public API.
 */
#ifndef TOOLS_COMMON_NODE_ADAPTER_H
#define TOOLS_COMMON_NODE_ADAPTER_H

#include <stdint.h>

struct Monitor;

/**
 * struct node_adapter - The adapter at the beginning of a recording.
 * @there: there is one, and its driver says how many accesses have failed
 * @failed: up to then
 */
struct node_adapter {
	int there;
	uint64_t failed;
};

/**
 * node_adapter_begin() - The recording begins.
 */
void node_adapter_begin(struct node_adapter *adapter);

/**
 * node_adapter_end() - The recording ends: add to @mon what is known now.
 *
 * Without an adapter, nothing is known; neither with several, since it is unknown which one shares
 * the card's B-Link. Only root can read the names: for other users, the recording has none.
 *
 * Return: 0; -1 with a message of the library.
 */
int node_adapter_end(const struct node_adapter *adapter, struct Monitor *mon);

#endif /* TOOLS_COMMON_NODE_ADAPTER_H */
