/* SPDX-License-Identifier: MIT */
/*
 * Topology option: the network between nodes, as `smile ring` and `smile run` take it.
 */
#ifndef TOOLS_COMMON_TOPOLOGY_OPTION_H
#define TOOLS_COMMON_TOPOLOGY_OPTION_H

#include "emu/ring/route.h"

/**
 * topology_parse() - "ring", "ringlets:K" or "torus:XxY".
 * @option: its name, for messages
 * @config: receives @topology and @width, and of a torus @nodes
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int topology_parse(const char *option, const char *text, struct network_config *config);

/**
 * topology_settle() - Set @nodes, and check that there is such a network.
 * @text: as it was given
 *
 * Return: TOOL_OK; TOOL_ERROR after a message that says what is not possible.
 */
int topology_settle(const char *option, const char *text, unsigned int nodes,
		    struct network_config *config);

#endif /* TOOLS_COMMON_TOPOLOGY_OPTION_H */
