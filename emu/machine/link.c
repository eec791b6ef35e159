/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How frames are kept and handed over. It may use what link.h names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

int link_init(struct link *link, const struct machine_ops *ops, void *opaque, unsigned node,
	      size_t payload_bytes, unsigned batches)
{
	size_t stride = TRAFFIC_BYTES(payload_bytes);
	size_t count = (size_t)batches * MACHINE_BATCH;

	link->ops = ops;
	link->opaque = opaque;
	link->node = node;
	link->limit = ops->frames ? MACHINE_BATCH : 1;
	link->batches = batches;
	link->first = calloc(count, sizeof(link->first[0]));
	link->bytes = calloc(count, stride);
	if (!link->first || !link->bytes)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		link->first[i].bytes = link->bytes + i * stride;
	link->frames = link->first;
	return 0;
}

void link_free(struct link *link)
{
	free(link->first);
	free(link->bytes);
}

void link_flush(struct link *link)
{
	const struct machine_frame *frames = link->frames;
	size_t count = link->count;

	if (count == 0)
		return;
	link->count = 0;
	link->batch = link->batch + 1 == link->batches ? 0 : link->batch + 1;
	link->frames = link->first + (size_t)link->batch * MACHINE_BATCH;
	if (link->ops->frames)
		link->ops->frames(link->opaque, link->node, frames, count);
	else
		link->ops->frame(link->opaque, link->node, frames->time_ns, frames->bytes,
				 frames->length);
}
