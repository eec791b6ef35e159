// SPDX-License-Identifier: MIT
/*
 * The option for the network between nodes: see topology_option.h.
 */
#include "tools/common/topology_option.h"

#include "tools/common/tool.h"

int topology_parse(const char *option, const char *text, struct network_config *config)
{
	if (network_topology(text, config) == 0)
		return TOOL_OK;
	return tool_usage("--%s: \"%s\" is no topology: give a topology such as ring, ringlets:8 "
			  "or torus:4x2",
			  option, text);
}

int topology_settle(const char *option, const char *text, unsigned int nodes,
		    struct network_config *config)
{
	if (config->topology == NETWORK_TORUS && config->nodes != nodes)
		return tool_usage("--%s %s has %u nodes, and --nodes says %u", option, text,
				  config->nodes, nodes);
	config->nodes = nodes;
	if (network_rings(config) >= 0)
		return TOOL_OK;
	if (nodes < 2)
		return tool_usage("--%s %s: a network has at least 2 nodes, and --nodes says %u",
				  option, text, nodes);
	if (config->topology == NETWORK_RING)
		return tool_usage("a ring has no more than %u nodes: join several with --%s",
				  RING_NODES_MAX, option);
	if (config->topology == NETWORK_RINGLETS)
		return tool_usage("--%s %s: ringlets of 1 to %u nodes, and 2 to %u ringlets",
				  option, text, RING_NODES_MAX - 1, RING_NODES_MAX);
	return tool_usage("--%s %s: a torus has at least 2 rows of at least 2 nodes, and no more "
			  "than %u of both together",
			  option, text, NETWORK_RINGS_MAX);
}
