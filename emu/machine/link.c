/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Link: store frames, and pass them on in batches. May use link.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      size_t payload_bytes)
{
	size_t stride = TRAFFIC_BYTES(payload_bytes);

	link->ops = ops;
	link->opaque = opaque;
	link->node = node;
	link->limit = MACHINE_BATCH;
	link->frames = calloc(MACHINE_BATCH, sizeof(link->frames[0]));
	link->bytes = calloc(MACHINE_BATCH, stride);
	if (!link->frames || !link->bytes)
		return -ENOMEM;
	for (size_t i = 0; i < MACHINE_BATCH; i++)
		link->frames[i].bytes = link->bytes + i * stride;
	return 0;
}

void link_free(struct link *link)
{
	free(link->frames);
	free(link->bytes);
}

void link_flush(struct link *link)
{
	size_t count = link->count;

	if (count == 0)
		return;
	link->count = 0;
	link->ops->frames(link->opaque, link->node, link->frames, count);
}
