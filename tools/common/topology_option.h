/* SPDX-License-Identifier: MIT */
/*
 * Topology option: the network between nodes, an option of `smile ring` and `smile run`.
 */
#ifndef TOOLS_COMMON_TOPOLOGY_OPTION_H
#define TOOLS_COMMON_TOPOLOGY_OPTION_H

#include "emu/ring/route.h"

/**
 * topology_parse() - Parse "ring", "ringlets:K" or "torus:XxY".
 * @option: name of the option, for messages
 * @config: receives @topology and @width, and for a torus @nodes
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int topology_parse(const char *option, const char *text, struct network_config *config);

/**
 * topology_settle() - Set @nodes, and check that such a network is possible.
 * @text: the user's text
 *
 * Return: TOOL_OK; TOOL_ERROR after a message with the reason why it is not possible.
 */
int topology_settle(const char *option, const char *text, unsigned int nodes,
		    struct network_config *config);

#endif /* TOOLS_COMMON_TOPOLOGY_OPTION_H */
