/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue: the transactions of one processor whose frames have not all been delivered, oldest first.
 *
 * What lives here: a growing array with a gap at its front. May use <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_QUEUE_H
#define EMU_MACHINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A transaction in one word. If requests are only counted, the word is BLINK_REQUEST_* instead,
 * which differs in two points: the last field is the requester, and the fetch of a line is a read.
 * A line that is written back is a request of the node that had it, not of the processor that
 * waits.
 */
#define QUEUE_ADDRESS 0x0000ffffffffffffULL /* 47-0: address of the first byte */
#define QUEUE_HOME_SHIFT 48 /* 53-48: home node */
#define QUEUE_HOME 0x3fULL
#define QUEUE_KIND_SHIFT 54 /* 55-54: SMILE_TYPE_*, or QUEUE_LINE */
#define QUEUE_KIND 0x3ULL
#define QUEUE_LAST_SHIFT 56 /* 59-56: offset of the last byte in its block */
#define QUEUE_LINE 0U /* a line of the cache is fetched; no access has type 0 */
#define QUEUE_BACK (1ULL << 62) /* a line is written back: a write with the field below */
#define QUEUE_BACK_SHIFT 56 /* 61-56: the node that writes it */
#define QUEUE_BACK_NODE 0x3fULL

/**
 * struct queue_item - A waiting transaction.
 * @issue: cycle in which its request appears
 * @what: the transaction, as above
 */
struct queue_item {
	uint64_t issue;
	uint64_t what;
};

/**
 * struct queue - Waiting transactions; an empty queue is all zero.
 * @items: the array
 * @head: index of the oldest item
 * @tail: one past the index of the newest
 * @capacity: number of items for which @items has room
 * @requested: the request of the oldest transaction was delivered, and its response was not
 * @id: if @requested, the transaction id of the oldest transaction
 */
struct queue {
	struct queue_item *items;
	size_t head;
	size_t tail;
	size_t capacity;
	bool requested;
	uint8_t id;
};

/* Is there no room after the newest item? */
static inline bool queue_full(const struct queue *queue)
{
	return queue->tail == queue->capacity;
}

static inline bool queue_empty(const struct queue *queue)
{
	return queue->head == queue->tail;
}

/**
 * queue_make_room() - Close the gap at the front; grow if more than half is still in use.
 *
 * Return: 0; -ENOMEM, and the queue is unchanged.
 */
int queue_make_room(struct queue *queue);

/**
 * queue_free() - Free the memory; the queue is empty then.
 */
void queue_free(struct queue *queue);

#endif /* EMU_MACHINE_QUEUE_H */
