/* SPDX-License-Identifier: MIT */
/*
 * Exchange: publishes the readings of a node in memory that other nodes read.
 *
 * What lives here: the format of this memory, and the functions that write and read it. May use:
 * libc. The memory is plain memory, or a segment of an SCI adapter. Each access is one aligned load
 * or store of 8 bytes. A memory has only one writer. Readers do not write to the memory, so the
 * writer never waits for readers.
 *
 * The memory has a head, and a ring of records, one for each interval. The writer stores the
 * interval number of a record last, and each record has a checksum. With these, a reader can detect
 * a record that is incomplete, or that was overwritten while it was read. If a node no longer
 * exists, loads from its memory return all ones, which is not a valid word.
 */
#ifndef LIB_EXCHANGE_EXCHANGE_H
#define LIB_EXCHANGE_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

/* The version of the format. It must be incremented with each change of the format. */
#define EXCHANGE_VERSION 1

/* The largest number of counters that a node can have. */
#define EXCHANGE_COUNTERS_MAX 256

/* The number of records in the ring. */
#define EXCHANGE_RECORDS 1024

/* The largest number of an interval, which has 48 bits. */
#define EXCHANGE_INTERVAL_MAX ((UINT64_C(1) << 48) - 1)

/**
 * struct exchange_head - Properties of a node, written by the node.
 * @node: number of the node
 * @counters: number of counters of the node
 * @agreement: a digest of all properties that must be equal on all nodes
 * @incarnation: a number that is different each time the node starts
 */
struct exchange_head {
	uint64_t node;
	uint64_t counters;
	uint64_t agreement;
	uint64_t incarnation;
};

/*
 * Values of exchange_progress.ended. Both mean that no record will follow. EXCHANGE_LEAVES means,
 * in addition, that the memory will soon be removed.
 */
#define EXCHANGE_ENDED 1
#define EXCHANGE_LEAVES 2

/**
 * struct exchange_progress - The progress of a node.
 * @begun: number of the interval that the node is counting, or 0
 * @newest: number of the last interval whose record was written, or 0
 * @ended: EXCHANGE_ENDED, EXCHANGE_LEAVES, or 0
 */
struct exchange_progress {
	uint64_t begun;
	uint64_t newest;
	int ended;
};

/**
 * struct exchange_record - The readings of an interval.
 * @interval: number of the interval, 1 to EXCHANGE_INTERVAL_MAX
 * @begin_ns: beginning of the interval, by the node's own clock
 * @end_ns: end of the interval, by the node's own clock
 * @count: number of counters that were read
 * @counters: indices of the counters that were read, ascending, shape [@count]
 * @values: numbers of events that the counters in @counters counted, shape [@count]
 */
struct exchange_record {
	uint64_t interval;
	uint64_t begin_ns;
	uint64_t end_ns;
	size_t count;
	uint16_t counters[EXCHANGE_COUNTERS_MAX];
	double values[EXCHANGE_COUNTERS_MAX];
};

/* Get the size, in bytes, of the memory of a node with @counters counters. */
size_t exchange_bytes(size_t counters);

/*
 * Compute the digest of a text or of other bytes. @digest: the digest of the preceding bytes, or 0
 * if no bytes precede.
 */
uint64_t exchange_digest(uint64_t digest, const void *bytes, size_t count);

/* ---- the writer ---- */

/**
 * exchange_create() - Write the head into an empty memory.
 * @words: memory with the size that exchange_bytes() returns
 */
void exchange_create(volatile uint64_t *words, const struct exchange_head *head);

/* Note in the memory that an interval has begun. */
void exchange_begin(volatile uint64_t *words, uint64_t interval);

/**
 * exchange_write() - Write the record of an interval.
 *
 * Return: 0 if the record was written; otherwise an error. Errors: -EINVAL if the record is
 * invalid.
 */
int exchange_write(volatile uint64_t *words, const struct exchange_record *record);

/* Note in the memory that no record will follow. @ended: EXCHANGE_ENDED or EXCHANGE_LEAVES. */
void exchange_end(volatile uint64_t *words, int ended);

/* ---- a reader ---- */

/**
 * exchange_head() - Read the head.
 * @bytes: size of the memory
 *
 * Return: 0 if the head was read; otherwise an error. Errors: -ENXIO if no head was written yet, or
 * if the memory no longer exists; -EPROTONOSUPPORT if the head has another version of the format;
 * -EBADMSG if the head is invalid.
 */
int exchange_head(const volatile uint64_t *words, size_t bytes, struct exchange_head *head);

/**
 * exchange_progress() - Read the progress of the node. The function makes three loads.
 *
 * Return: 0 if the progress was read; otherwise an error. Errors: -ENXIO if the memory no longer
 * exists; -EBADMSG if the words are invalid.
 */
int exchange_progress(const volatile uint64_t *words, struct exchange_progress *progress);

/**
 * exchange_read() - Read the record of an interval.
 * @head: head of the node
 * @interval: number of the interval
 * @record: receives the record; its contents are undefined if the call fails
 *
 * Return: 0 if the record was read; otherwise an error. Errors: -EAGAIN if the record is not
 * written yet, or is being written; -ESTALE if a later record has replaced the record; -EBADMSG if
 * the record is invalid.
 */
int exchange_read(const volatile uint64_t *words, const struct exchange_head *head,
		  uint64_t interval, struct exchange_record *record);

#endif /* LIB_EXCHANGE_EXCHANGE_H */
