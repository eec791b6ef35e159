/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Storing frames and passing them on. May use link.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

/* What comes from now on goes to the current batch. */
static void batch_begin(struct link *link)
{
	link->count = 0;
	if (link->first_request) {
		link->requests = link->first_request + (size_t)link->batch * 2 * MACHINE_REQUESTS;
		link->request_next = link->requests;
		link->request_end = link->requests + MACHINE_REQUESTS;
	} else {
		link->frames = link->first + (size_t)link->batch * MACHINE_BATCH;
	}
}

int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      bool decoded, size_t payload_bytes, unsigned batches)
{
	size_t stride = TRAFFIC_BYTES(payload_bytes);
	size_t requests = (size_t)batches * 2 * MACHINE_REQUESTS;
	size_t count = decoded ? batches : (size_t)batches * MACHINE_BATCH;

	link->ops = ops;
	link->opaque = opaque;
	link->node = node;
	link->limit = MACHINE_BATCH;
	link->batches = batches;
	link->first = calloc(count, sizeof(link->first[0]));
	link->bytes = calloc(count, stride);
	if (decoded)
		link->first_request = calloc(requests, sizeof(link->first_request[0]));
	if (!link->first || !link->bytes || (decoded && !link->first_request))
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		link->first[i].bytes = link->bytes + i * stride;
	batch_begin(link);
	return 0;
}

void link_free(struct link *link)
{
	free(link->first);
	free(link->first_request);
	free(link->bytes);
}

/* The next call has the next batch. */
static void batch_next(struct link *link)
{
	link->batch = link->batch + 1 == link->batches ? 0 : link->batch + 1;
	batch_begin(link);
}

static void requests_flush(struct link *link)
{
	const uint64_t *requests = link->requests;
	size_t count = (size_t)(link->request_next - requests);

	if (count == 0)
		return;
	batch_next(link);
	link->ops->requests(link->opaque, link->node, requests, requests + MACHINE_REQUESTS, count);
}

void link_flush(struct link *link)
{
	const struct machine_frame *frames = link->frames;
	size_t count = link->count;

	if (link->first_request) {
		requests_flush(link);
		return;
	}
	if (count == 0)
		return;
	batch_next(link);
	link->ops->frames(link->opaque, link->node, frames, count);
}

void link_event(struct link *link, uint64_t time_ns, const struct traffic_frame *frame)
{
	struct machine_frame *slot;

	link_flush(link);
	slot = &link->first[link->batch];
	batch_next(link);
	traffic_store((uint8_t *)slot->bytes, frame);
	slot->length = frame->length;
	slot->time_ns = time_ns;
	link->ops->frames(link->opaque, link->node, slot, 1);
}
