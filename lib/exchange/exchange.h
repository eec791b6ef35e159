/* SPDX-License-Identifier: MIT */
/*
 * Exchange: a node's readings in memory that other nodes read.
 *
 * What lives here: the format of that memory, its only writer, and its readers. May use: libc. The
 * memory is plain memory, or a segment of an SCI adapter: each access is one aligned load or store
 * of 8 bytes. Readers do not write, so the writer neither detects them nor waits for them.
 *
 * The memory has a head, and a ring of records, one for each interval. A record's number is stored
 * last, and a check is stored with the other words. So a reader rejects a record that is
 * incomplete, or that was overwritten while it was read. Loads from memory of a node that is gone
 * return all ones, which is not a valid word.
 */
#ifndef LIB_EXCHANGE_EXCHANGE_H
#define LIB_EXCHANGE_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

/* The version of the format, which changes with the format. */
#define EXCHANGE_VERSION 1

/* The largest number of counters of a node. */
#define EXCHANGE_COUNTERS_MAX 256

/* The number of intervals that the ring holds. */
#define EXCHANGE_RECORDS 1024

/* The largest number of an interval: 48 bits. */
#define EXCHANGE_INTERVAL_MAX ((UINT64_C(1) << 48) - 1)

/**
 * struct exchange_head - Properties of a node, written by the node.
 * @node: number of the node
 * @counters: number of its counters
 * @agreement: a digest of all properties that must be equal on all nodes
 * @incarnation: a number that differs each time that the node starts
 */
struct exchange_head {
	uint64_t node;
	uint64_t counters;
	uint64_t agreement;
	uint64_t incarnation;
};

/* Values of @ended: no record will follow; and, in addition, the memory will soon be removed. */
#define EXCHANGE_ENDED 1
#define EXCHANGE_LEAVES 2

/**
 * struct exchange_progress - The progress of a node.
 * @begun: the interval that the node counts now, or 0
 * @newest: the last interval whose record is written, or 0
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
 * @end_ns: end of the interval, by the same clock
 * @count: number of counters that were read
 * @counters: indices of these counters, ascending, shape [@count]
 * @values: events that these counters counted, shape [@count]
 */
struct exchange_record {
	uint64_t interval;
	uint64_t begin_ns;
	uint64_t end_ns;
	size_t count;
	uint16_t counters[EXCHANGE_COUNTERS_MAX];
	double values[EXCHANGE_COUNTERS_MAX];
};

/* Size of the memory for a number of counters. */
size_t exchange_bytes(size_t counters);

/* The digest of a text or of other bytes; @digest: digest of the preceding bytes, or 0. */
uint64_t exchange_digest(uint64_t digest, const void *bytes, size_t count);

/* ---- the writer ---- */

/**
 * exchange_create() - Write the head of an empty memory.
 * @words: memory of exchange_bytes()
 */
void exchange_create(volatile uint64_t *words, const struct exchange_head *head);

/* An interval begins. */
void exchange_begin(volatile uint64_t *words, uint64_t interval);

/**
 * exchange_write() - Write the record of an interval.
 *
 * Return: 0.
 * Errors: -EINVAL for an impossible record.
 */
int exchange_write(volatile uint64_t *words, const struct exchange_record *record);

/* No record will follow. @ended: EXCHANGE_ENDED or EXCHANGE_LEAVES */
void exchange_end(volatile uint64_t *words, int ended);

/* ---- a reader ---- */

/**
 * exchange_head() - Read the head.
 * @bytes: size of the memory
 *
 * Return: 0.
 * Errors: -ENXIO: no head is written yet, or the memory is gone; -EPROTONOSUPPORT for another
 * version of the format; -EBADMSG for an impossible head.
 */
int exchange_head(const volatile uint64_t *words, size_t bytes, struct exchange_head *head);

/**
 * exchange_progress() - Read the progress of the node, by three loads.
 *
 * Return: 0.
 * Errors: -ENXIO: the memory is gone; -EBADMSG for impossible words.
 */
int exchange_progress(const volatile uint64_t *words, struct exchange_progress *progress);

/**
 * exchange_read() - Read the record of an interval.
 * @head: head of the node
 * @interval: number of the interval
 * @record: receives the record; its contents are undefined if the call fails
 *
 * Return: 0.
 * Errors: -EAGAIN: the record is not written yet, or is being written; -ESTALE: a later record has
 * replaced it; -EBADMSG for an impossible record.
 */
int exchange_read(const volatile uint64_t *words, const struct exchange_head *head,
		  uint64_t interval, struct exchange_record *record);

#endif /* LIB_EXCHANGE_EXCHANGE_H */
