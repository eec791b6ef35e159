/* SPDX-License-Identifier: MIT */
/*
 * Backlog: stores records that a source has read from its card but has not delivered yet.
 *
 * What lives here: a queue that the sources "emu:" and "pci:" use. These sources read the records
 * from the card's ring even while the caller reads no records. May use <base/array.h> and the
 * definition of a record.
 */
#ifndef LIB_SOURCE_BACKLOG_H
#define LIB_SOURCE_BACKLOG_H

#include <string.h>

#include <base/array.h>
#include <uapi/smile_monitor.h>

/**
 * struct backlog - The records, the oldest first. If all members are 0, the queue is empty.
 * @records: [@size]
 * @first: index of the next record to deliver
 * @count: number of records
 */
struct backlog {
	struct smile_record *records;
	size_t size;
	size_t first;
	size_t count;
};

/*
 * Allocate memory for @more records. The caller writes them after the existing records, and adds
 * their number to @count. Return: address of the first new record; NULL if memory is missing.
 */
static inline struct smile_record *backlog_room(struct backlog *backlog, size_t more)
{
	if (backlog->first)
		memmove(backlog->records, backlog->records + backlog->first,
			backlog->count * sizeof(*backlog->records));
	backlog->first = 0;
	if (array_reserve(&backlog->records, &backlog->size, backlog->count + more,
			  sizeof(*backlog->records)) < 0)
		return NULL;
	return backlog->records + backlog->count;
}

/*
 * Move the oldest records from the queue to @records, at most @capacity. Return: the number of
 * records.
 */
static inline size_t backlog_take(struct backlog *backlog, struct smile_record *records,
				  size_t capacity)
{
	size_t count = backlog->count < capacity ? backlog->count : capacity;

	if (count)
		memcpy(records, backlog->records + backlog->first, count * sizeof(*records));
	backlog->first += count;
	backlog->count -= count;
	return count;
}

#endif /* LIB_SOURCE_BACKLOG_H */
