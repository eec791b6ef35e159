/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue: the transactions of one node whose frames have not come out yet, oldest first.
 *
 * What lives here: a growing array with a hole at its front. It may use <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_QUEUE_H
#define EMU_MACHINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct queue_item - A transaction waiting.
 * @issue: cycle in which its request appears
 * @address: address of the first byte
 * @latency: cycles until its response
 * @home: node it goes to
 * @bytes: bytes accessed
 * @type: SMILE_TYPE_*
 * @id: transaction id
 */
struct queue_item {
	uint64_t issue;
	uint64_t address;
	uint32_t latency;
	uint8_t home;
	uint8_t bytes : 5;
	uint8_t type : 3;
	uint8_t id;
};

/**
 * struct queue - Transactions waiting; all zero is an empty queue.
 * @items: the array
 * @head: index of the oldest item
 * @tail: one past the index of the newest
 * @capacity: items there is room for
 * @requested: the oldest one's request has come out, its response has not
 */
struct queue {
	struct queue_item *items;
	size_t head;
	size_t tail;
	size_t capacity;
	bool requested;
};

/* Is there no room behind the newest item? */
static inline bool queue_full(const struct queue *queue)
{
	return queue->tail == queue->capacity;
}

static inline bool queue_empty(const struct queue *queue)
{
	return queue->head == queue->tail;
}

/**
 * queue_make_room() - Close the hole at the front; grow if more than half is still in use.
 *
 * Return: 0; -ENOMEM, and the queue is as before.
 */
int queue_make_room(struct queue *queue);

/**
 * queue_free() - Give back the memory; the queue is then empty.
 */
void queue_free(struct queue *queue);

#endif /* EMU_MACHINE_QUEUE_H */
