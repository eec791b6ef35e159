/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue: the transactions of one processor with frames that are still to come, oldest first.
 *
 * What lives here: a growing array with a gap at its front. May use <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_QUEUE_H
#define EMU_MACHINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What a transaction is, in one word. Where requests come decoded it is BLINK_REQUEST_* instead:
 * the same but for the last field, which is the requester there, and for a line, which is a read.
 */
#define QUEUE_ADDRESS 0x0000ffffffffffffULL /* 47-0: address of the first byte */
#define QUEUE_HOME_SHIFT 48 /* 53-48: node it goes to */
#define QUEUE_HOME 0x3fULL
#define QUEUE_KIND_SHIFT 54 /* 55-54: SMILE_TYPE_*, or QUEUE_LINE */
#define QUEUE_KIND 0x3ULL
#define QUEUE_LAST_SHIFT 56 /* 59-56: offset of the last byte in its block */
#define QUEUE_LINE 0U /* a line of the cache is fetched; no access has type 0 */

/* Items that there is always room for behind the newest: queue_close(). */
#define QUEUE_BEHIND 2U

/**
 * struct queue_item - A transaction waiting.
 * @issue: cycle in which its request appears
 * @what: as above
 */
struct queue_item {
	uint64_t issue;
	uint64_t what;
};

/**
 * struct queue - Transactions waiting; all zero is an empty queue.
 * @items: the array
 * @head: index of the oldest item
 * @tail: one past the index of the newest
 * @capacity: items there is room for
 * @requested: the oldest one's request has come out, its response has not
 * @id: the transaction id that the oldest one has then
 */
struct queue {
	struct queue_item *items;
	size_t head;
	size_t tail;
	size_t capacity;
	bool requested;
	uint8_t id;
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

/* No transaction: behind all in the order, in more bits than cycles have. */
#define QUEUE_NEVER (~0ULL >> 11)

/* Let nothing follow the newest item: a reader of the next ones sees that they never come. */
static inline void queue_close(struct queue *queue)
{
	for (size_t i = 0; i < QUEUE_BEHIND && queue->items; i++)
		queue->items[queue->tail + i].issue = QUEUE_NEVER;
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
