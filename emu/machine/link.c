/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Storing frames and passing them on. May use link.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      bool decoded, size_t payload_bytes)
{
	size_t stride = TRAFFIC_BYTES(payload_bytes);
	size_t count = decoded ? 1 : MACHINE_BATCH;

	link->ops = ops;
	link->opaque = opaque;
	link->node = node;
	link->limit = MACHINE_BATCH;
	link->frames = calloc(count, sizeof(link->frames[0]));
	link->bytes = calloc(count, stride);
	if (decoded)
		link->requests = calloc(2 * (size_t)MACHINE_REQUESTS, sizeof(link->requests[0]));
	if (!link->frames || !link->bytes || (decoded && !link->requests))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		link->frames[i].bytes = link->bytes + i * stride;
	if (decoded) {
		link->request_next = link->requests;
		link->request_end = link->requests + MACHINE_REQUESTS;
	}
	return 0;
}

void link_free(struct link *link)
{
	free(link->frames);
	free(link->requests);
	free(link->bytes);
}

static void requests_flush(struct link *link)
{
	const uint64_t *requests = link->requests;
	size_t count = (size_t)(link->request_next - requests);

	if (count == 0)
		return;
	link->request_next = link->requests;
	link->ops->requests(link->opaque, link->node, requests, requests + MACHINE_REQUESTS, count);
}

void link_flush(struct link *link)
{
	size_t count = link->count;

	if (link->requests) {
		requests_flush(link);
		return;
	}
	if (count == 0)
		return;
	link->count = 0;
	link->ops->frames(link->opaque, link->node, link->frames, count);
}

void link_event(struct link *link, uint64_t time_ns, const struct traffic_frame *frame)
{
	struct machine_frame *slot = link->frames;

	link_flush(link);
	traffic_store((uint8_t *)slot->bytes, frame);
	slot->length = frame->length;
	slot->time_ns = time_ns;
	link->ops->frames(link->opaque, link->node, slot, 1);
}
