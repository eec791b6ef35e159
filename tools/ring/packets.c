// SPDX-License-Identifier: MIT
/*
 * Packets: write the packets that leave each node into a capture of the cable.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pcapng/pcapng.h"
#include "tools/common/output_file.h"
#include "tools/common/tool.h"
#include "tools/ring/ring.h"

/**
 * struct ring_packets - The capture, while it is written.
 * @path: path of the file, for messages
 * @network: the network whose packets are written
 * @symbol_ps: duration of a clock in ps
 * @first: for each ringlet, the number of the interface of its first node's link
 * @error: the error at the first packet that could not be written
 */
struct ring_packets {
	struct pcapng *file;
	const char *path;
	const struct network *network;
	uint32_t symbol_ps;
	uint32_t first[NETWORK_RINGS_MAX];
	int error;
};

static int write_error(const struct ring_packets *packets, int err)
{
	if (err == -EBUSY)
		return output_file_failed(packets->path, err);
	return tool_error("%s: %s", packets->path, strerror(-err));
}

static void write_packet(void *context, const struct ring *ring, unsigned int at,
			 const struct ring_packet *packet, bool echo)
{
	struct ring_packets *packets = context;
	struct cable_packet cable;
	uint8_t bytes[CABLE_BYTES_MAX];
	struct pcapng_packet entry = {
		.interface = packets->first[ring - packets->network->rings] + at,
		.time_ns = ring->clock / 1000 * packets->symbol_ps +
			   ring->clock % 1000 * packets->symbol_ps / 1000,
		.frame = bytes,
		.flags = PCAPNG_OUTBOUND,
	};

	if (packets->error)
		return;
	ring_cable(packet, echo, &cable);
	entry.bytes = (uint32_t)cable_encode(&cable, bytes);
	entry.original_bytes = entry.bytes;
	packets->error = pcapng_packet(packets->file, &entry);
}

static int describe(struct ring_packets *packets, struct network *network)
{
	for (unsigned int ring = 0, count = 0; ring < network->ring_count; ring++) {
		packets->first[ring] = count;
		for (unsigned int at = 0; at < network->rings[ring].config.nodes; at++, count++) {
			char name[64];
			int err;

			if (network->node[ring][at] == NETWORK_BRIDGE)
				snprintf(name, sizeof(name), "ringlet %u: port %u", ring, at);
			else
				snprintf(name, sizeof(name), "ringlet %u: node %u", ring,
					 network->node[ring][at]);
			err = pcapng_interface(packets->file, CABLE_LINKTYPE, name, NULL, NULL);
			if (err < 0)
				return err;
		}
	}
	return 0;
}

int ring_packets_open(struct ring_packets **out, const char *path, struct network *network,
		      uint32_t symbol_ps)
{
	struct ring_packets *packets = tool_memory(1, sizeof(*packets));
	int err;

	packets->path = path;
	packets->network = network;
	packets->symbol_ps = symbol_ps;
	err = pcapng_create(&packets->file, path, "smile ring");
	if (!err)
		err = describe(packets, network);
	if (err) {
		write_error(packets, err);
		pcapng_close(packets->file);
		free(packets);
		return TOOL_ERROR;
	}
	for (unsigned int ring = 0; ring < network->ring_count; ring++) {
		struct ring_watch *watch = &network->rings[ring].watch;

		watch->left = write_packet;
		watch->left_context = packets;
	}
	*out = packets;
	return TOOL_OK;
}

int ring_packets_close(struct ring_packets *packets)
{
	int err, status = TOOL_OK;

	if (!packets)
		return TOOL_OK;
	err = pcapng_close(packets->file);
	if (packets->error || err)
		status = write_error(packets, packets->error ? packets->error : err);
	free(packets);
	return status;
}
