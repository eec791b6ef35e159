// SPDX-License-Identifier: MIT
/*
 * The network between nodes: see topology_option.h.
 */
#include "tools/common/topology_option.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/tool.h"

/* A whole number, and @end behind it. Return: what follows, or NULL. */
static const char *number(const char *text, char end, unsigned int *out)
{
	char *rest;
	unsigned long value;

	if (*text < '0' || *text > '9')
		return NULL;
	value = strtoul(text, &rest, 10);
	if (value > LOAD_NODES_MAX || *rest != end)
		return NULL;
	*out = (unsigned int)value;
	return rest + (end != 0);
}

int topology_parse(const char *option, const char *text, struct network_config *config)
{
	unsigned int height;
	const char *rest;

	if (!strcmp(text, "ring")) {
		config->topology = NETWORK_RING;
		return TOOL_OK;
	}
	if (!strncmp(text, "ringlets:", 9)) {
		config->topology = NETWORK_RINGLETS;
		if (number(text + 9, 0, &config->width))
			return TOOL_OK;
	}
	if (!strncmp(text, "torus:", 6)) {
		config->topology = NETWORK_TORUS;
		rest = number(text + 6, 'x', &config->width);
		if (rest && number(rest, 0, &height)) {
			config->nodes = config->width * height;
			return TOOL_OK;
		}
	}
	return tool_usage("--%s: \"%s\" is none: ring, ringlets:8, torus:4x2", option, text);
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
