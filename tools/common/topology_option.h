/* SPDX-License-Identifier: MIT */
/*
 * Topology option: the option of `smile ring` and `smile run` for the network between nodes.
 */
#ifndef TOOLS_COMMON_TOPOLOGY_OPTION_H
#define TOOLS_COMMON_TOPOLOGY_OPTION_H

#include "emu/ring/route.h"

/**
 * topology_parse() - Parse "ring", "ringlets:K" or "torus:XxY".
 * @option: name of the option, for messages
 * @config: receives @topology and @width; for a torus also @nodes
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int topology_parse(const char *option, const char *text, struct network_config *config);

/**
 * topology_settle() - Set the number of nodes, and check that such a network is possible.
 * @text: the argument of the option, for messages
 *
 * Return: TOOL_OK; TOOL_ERROR after a message with the reason why the network is not possible.
 */
int topology_settle(const char *option, const char *text, unsigned int nodes,
		    struct network_config *config);

#endif /* TOOLS_COMMON_TOPOLOGY_OPTION_H */
