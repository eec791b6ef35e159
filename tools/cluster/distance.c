// SPDX-License-Identifier: MIT
/*
 * smile cluster: the distances between the nodes of --network.
 *
 * What lives here: for each pair of nodes, the latency of a transaction in an idle network. It is
 * computed by the formula of emu/ring (docs/ring.md, section 11), and written as properties of the
 * adapters.
 */
#include <stdio.h>
#include <string.h>

#include <hw/blink.h>

#include "emu/ring/prediction.h"
#include "tools/cluster/cluster.h"

static uint64_t idle_ns(const struct cluster *cluster, uint32_t node, uint32_t other,
			unsigned int command)
{
	return prediction_idle(&cluster->network, node, other, command) * RING_SYMBOL_PS / 1000;
}

/*
 * Get the latency between the nearest nodes in an idle network. If the user has given a latency, it
 * is the latency between the nearest nodes, including the network. The latency between other nodes
 * is higher by the difference that the network causes.
 */
static uint64_t nearest_ns(const struct cluster *cluster, unsigned int command)
{
	const struct cluster_latency *latency = &cluster->latency;
	uint64_t nearest = UINT64_MAX;

	if (!latency->read_ns && !latency->write_ns && !latency->lock_ns)
		return 0;
	for (uint32_t node = 0; node < cluster->nodes; node++)
		for (uint32_t other = 0; other < cluster->nodes; other++) {
			uint64_t ns =
				node == other ? UINT64_MAX : idle_ns(cluster, node, other, command);

			if (ns < nearest)
				nearest = ns;
		}
	return nearest;
}

static void list_write(const struct cluster *cluster, uint32_t node, unsigned int command,
		       const char *name, FILE *out)
{
	uint64_t nearest = nearest_ns(cluster, command);

	fprintf(out, ",%s=", name);
	for (uint32_t other = 0; other < cluster->nodes; other++) {
		uint64_t ns = node == other ? nearest : idle_ns(cluster, node, other, command);

		fprintf(out, "%s%llu", other ? ":" : "", (unsigned long long)(ns - nearest));
	}
}

char *distance_properties(const struct cluster *cluster, uint32_t node)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (cluster->network_name) {
		/*
		 * The list for loads also applies to stores, because the transactions of both have
		 * the same number of symbols.
		 */
		list_write(cluster, node, BLINK_READSB, "far-ns", out);
		list_write(cluster, node, BLINK_LOCKSB, "far-lock-ns", out);
	}
	return fclose(out) ? NULL : text;
}
