/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Queue: the transactions of one processor whose frames were not all delivered yet, from the oldest
 * to the newest.
 *
 * What lives here: a growing array whose first items may be unused, because the oldest items are
 * removed without moving the other items. May use <stdlib.h> and <string.h>.
 */
#ifndef EMU_MACHINE_QUEUE_H
#define EMU_MACHINE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A transaction is one word with the fields below. If requests are only counted, the word has the
 * fields BLINK_REQUEST_* instead. The form BLINK_REQUEST_* differs in two points: it has the
 * requester instead of QUEUE_LAST, and the fetch of a line has the type of a read. If a line is
 * written back, the requester is the node that had the line, and not the node of the processor that
 * waits.
 */
#define QUEUE_ADDRESS 0x0000ffffffffffffULL /* 47-0: address of the first byte */
#define QUEUE_HOME_SHIFT 48 /* 53-48: home node */
#define QUEUE_HOME 0x3fULL
#define QUEUE_KIND_SHIFT 54 /* 55-54: SMILE_TYPE_*, or QUEUE_LINE */
#define QUEUE_KIND 0x3ULL
#define QUEUE_LAST_SHIFT 56 /* 59-56: offset of the last byte in its block */
#define QUEUE_LINE 0U /* the cache fetches a line; no access has type 0 */
#define QUEUE_BACK (1ULL << 62) /* a line is written back; QUEUE_BACK_NODE is then used */
#define QUEUE_BACK_SHIFT 56 /* 61-56: the node that writes the line back */
#define QUEUE_BACK_NODE 0x3fULL

/**
 * struct queue_item - A waiting transaction.
 * @issue: cycle in which the request appears
 * @what: the transaction, in one word as described above
 */
struct queue_item {
	uint64_t issue;
	uint64_t what;
};

/**
 * struct queue - The waiting transactions of one processor; all members of an empty queue are zero.
 * @items: the transactions
 * @head: index of the oldest item
 * @tail: index of the newest item, plus one
 * @capacity: number of items for which @items has room
 * @requested: the request of the oldest transaction was delivered, but the response was not
 * @id: transaction id of the oldest transaction, if @requested
 */
struct queue {
	struct queue_item *items;
	size_t head;
	size_t tail;
	size_t capacity;
	bool requested;
	uint8_t id;
};

/* Check whether the array has no room after the newest item. */
static inline bool queue_full(const struct queue *queue)
{
	return queue->tail == queue->capacity;
}

static inline bool queue_empty(const struct queue *queue)
{
	return queue->head == queue->tail;
}

/*
 * Get the address of the item at index @at. An unused queue has no array, and C does not allow to
 * add an index to NULL, even if the index is 0.
 */
static inline struct queue_item *queue_at(const struct queue *queue, size_t at)
{
	return queue->items ? queue->items + at : NULL;
}

/**
 * queue_make_room() - Move the items to the start of the array. If the items use more than half of
 * the array, allocate a larger array.
 *
 * Return: 0; -ENOMEM, and then the queue is unchanged.
 */
int queue_make_room(struct queue *queue);

/**
 * queue_free() - Free the memory of a queue. The queue is then empty and can be used again.
 */
void queue_free(struct queue *queue);

#endif /* EMU_MACHINE_QUEUE_H */
