// SPDX-License-Identifier: MIT
/* run/session: describes the network in the summary. See network.h. */
#include "run/session/network.h"
#include "run/session/session_inside.h"

#include <hw/blink.h>

/*
 * A row of the table has the name of a command. If the row is for several commands, it has the name
 * of the first of them.
 */
#define NAME_ROW(first, count, name, class, type, payload, mark) [first] = name,

static const char *const names[BLINK_COMMANDS] = {BLINK_COMMAND_TABLE(NAME_ROW)};

/* Get the number of a node as JSON. The ports of a switch have no node number. */
static json_t *node_json(uint32_t node)
{
	return node == NETWORK_BRIDGE ? json_null() : json_integer(node);
}

/* Get the traffic of a link by pairs of nodes, the pair with the most traffic first. */
static json_t *crossing_json(const struct run *run, unsigned link)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < run->config.nodes * run->config.nodes; i++) {
		unsigned source = i / run->config.nodes, target = i % run->config.nodes;
		double share = source == target
				       ? 0
				       : run_network_share(run->network, link, source, target);
		size_t at = 0;

		if (share <= 0)
			continue;
		while (at < json_array_size(list) &&
		       json_real_value(json_object_get(json_array_get(list, at), "share")) >= share)
			at++;
		json_array_insert_new(list, at,
				      json_pack("{s:i, s:i, s:f}", "source", (int)source, "target",
						(int)target, "share", share));
	}
	return list;
}

static json_t *link_json(const struct run *run, unsigned link)
{
	struct run_network_link is;

	run_network_link(run->network, link, &is);
	return json_pack("{s:i, s:o, s:o, s:f, s:f}", "ringlet", (int)is.at.ringlet, "from",
			 node_json(is.at.from), "to", node_json(is.at.to), "load", is.load, "full",
			 is.full);
}

/*
 * Get the requests that accesses cause in the network. A prediction of waits needs these requests,
 * because they determine the lengths of the packets.
 */
static json_t *requests_json(const struct run *run)
{
	return json_pack("{s:s, s:s, s:s}", "read",
			 names[run_network_command(run->network, SMILE_TYPE_READ)], "write",
			 names[run_network_command(run->network, SMILE_TYPE_WRITE)], "lock",
			 names[run_network_command(run->network, SMILE_TYPE_LOCK)]);
}

json_t *run_network_json(const struct run *run)
{
	json_t *links = json_array(), *waited = json_array(), *busiest;
	unsigned link;

	for (link = 0; link < run_network_links(run->network); link++)
		json_array_append_new(links, link_json(run, link));
	for (unsigned node = 0; node < run->config.nodes; node++)
		json_array_append_new(
			waited, json_integer((json_int_t)run_network_waited(run->network, node)));
	link = run_network_busiest(run->network);
	busiest = link_json(run, link);
	json_object_set_new(busiest, "crossed_by", crossing_json(run, link));
	return json_pack("{s:s, s:I, s:i, s:o, s:o, s:o, s:o}", "topology",
			 run->config.network_name, "link_bytes_per_s",
			 (json_int_t)RING_LINK_MB * 1000000, "epoch_ns", RUN_NETWORK_EPOCH_NS,
			 "requests", requests_json(run), "wait_cycles", waited, "busiest", busiest,
			 "links", links);
}
