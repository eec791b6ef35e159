/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Making room in a queue. May use queue.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "queue.h"

#define QUEUE_CAPACITY_MIN 256U

int queue_make_room(struct queue *queue)
{
	size_t used = queue->tail - queue->head;
	struct queue_item *items;
	size_t capacity;

	if (queue->head != 0) {
		memmove(queue->items, queue->items + queue->head, used * sizeof(*queue->items));
		queue->head = 0;
		queue->tail = used;
	}
	if (queue->capacity != 0 && used <= queue->capacity / 2)
		return 0;

	capacity = queue->capacity == 0 ? QUEUE_CAPACITY_MIN : queue->capacity * 2;
	if (capacity > SIZE_MAX / sizeof(*items))
		return queue_full(queue) ? -ENOMEM : 0;
	items = realloc(queue->items, capacity * sizeof(*items));
	if (!items)
		return queue_full(queue) ? -ENOMEM : 0;
	queue->items = items;
	queue->capacity = capacity;
	return 0;
}

void queue_free(struct queue *queue)
{
	free(queue->items);
	memset(queue, 0, sizeof(*queue));
}
