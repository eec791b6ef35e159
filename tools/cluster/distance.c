// SPDX-License-Identifier: MIT
/*
 * smile cluster: the distances between the nodes of --network.
 *
 * What lives here: the latency of a transaction in an idle network, for each pair, by the formula
 * of emu/ring (docs/ring.md, section 11), in the form of the adapters' properties.
 */
#include <stdio.h>
#include <string.h>

#include <hw/blink.h>

#include "emu/ring/predict.h"
#include "tools/cluster/cluster.h"

static uint64_t idle_ns(const struct cluster *cluster, uint32_t node, uint32_t other,
			unsigned int command)
{
	return predict_idle(&cluster->network, node, other, command) * RING_SYMBOL_PS / 1000;
}

/*
 * A latency that was given is that of the nearest nodes, and includes the network between them. The
 * latency of other nodes is then longer by the difference.
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
		/* A store has as many symbols as a load. */
		list_write(cluster, node, BLINK_READSB, "far-ns", out);
		list_write(cluster, node, BLINK_LOCKSB, "far-lock-ns", out);
	}
	return fclose(out) ? NULL : text;
}
