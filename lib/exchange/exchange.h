/* SPDX-License-Identifier: MIT */
/*
 * Exchange: a node's readings in memory that other nodes read.
 *
 * What lives here: the format of that memory, its one writer, and its readers. May use: libc. The
 * memory is plain, or a segment of an SCI adapter: each access is one aligned load or store of 8
 * bytes. Readers do not write, so the writer neither knows them nor waits for them.
 *
 * It has a head, and a ring of records, one an interval. A record's number is stored last, and a
 * check is stored with the rest: a reader takes no record that is half-written, or that was
 * overwritten while it was read. Memory of a node that is gone loads as ones, which is no valid
 * word.
 */
#ifndef LIB_EXCHANGE_EXCHANGE_H
#define LIB_EXCHANGE_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

/* Of the format. Another one has another number. */
#define EXCHANGE_VERSION 1

/* Counters of a node, at most. */
#define EXCHANGE_COUNTERS_MAX 256

/* Intervals that the ring holds. */
#define EXCHANGE_RECORDS 1024

/* The largest number of an interval: 48 bits. */
#define EXCHANGE_INTERVAL_MAX ((UINT64_C(1) << 48) - 1)

/**
 * struct exchange_head - What a node says about itself.
 * @node: its number
 * @counters: that it has
 * @agreement: a digest of all that the nodes must agree on
 * @incarnation: another number each time that it starts
 */
struct exchange_head {
	uint64_t node;
	uint64_t counters;
	uint64_t agreement;
	uint64_t incarnation;
};

/* No record will follow; and the memory will not be there any more, soon. */
#define EXCHANGE_ENDED 1
#define EXCHANGE_LEAVES 2

/**
 * struct exchange_progress - How far a node is.
 * @begun: the interval that it counts now, or 0
 * @newest: the last one whose record is there, or 0
 * @ended: EXCHANGE_ENDED, EXCHANGE_LEAVES, or 0
 */
struct exchange_progress {
	uint64_t begun;
	uint64_t newest;
	int ended;
};

/**
 * struct exchange_record - The readings of an interval.
 * @interval: its number, 1 to EXCHANGE_INTERVAL_MAX
 * @begin_ns: when it began, by the node's own clock
 * @end_ns: when it ended
 * @count: counters that were read
 * @counters: which, ascending, shape [@count]
 * @values: events that they counted, shape [@count]
 */
struct exchange_record {
	uint64_t interval;
	uint64_t begin_ns;
	uint64_t end_ns;
	size_t count;
	uint16_t counters[EXCHANGE_COUNTERS_MAX];
	double values[EXCHANGE_COUNTERS_MAX];
};

/* Size of the memory for this many counters. */
size_t exchange_bytes(size_t counters);

/* A digest of a text or of other bytes; @digest: of the bytes before them, or 0. */
uint64_t exchange_digest(uint64_t digest, const void *bytes, size_t count);

/* ---- the writer ---- */

/**
 * exchange_create() - Write the head; there is no record yet.
 * @words: memory of exchange_bytes()
 */
void exchange_create(volatile uint64_t *words, const struct exchange_head *head);

/* An interval begins. */
void exchange_begin(volatile uint64_t *words, uint64_t interval);

/**
 * exchange_write() - Write the record of an interval.
 *
 * Return: 0.
 * Errors: -EINVAL for a record that cannot be.
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
 * Errors: -ENXIO: there is no head yet, or the memory is gone; -EPROTONOSUPPORT for another version
 * of the format; -EBADMSG for a head that cannot be.
 */
int exchange_head(const volatile uint64_t *words, size_t bytes, struct exchange_head *head);

/**
 * exchange_progress() - Read how far the node is: three loads.
 *
 * Return: 0.
 * Errors: -ENXIO: the memory is gone; -EBADMSG for words that cannot be.
 */
int exchange_progress(const volatile uint64_t *words, struct exchange_progress *progress);

/**
 * exchange_read() - Read the record of an interval.
 * @head: of the node
 * @interval: its number
 * @record: receives it; its contents are undefined if this fails
 *
 * Return: 0.
 * Errors: -EAGAIN: it is not there, or is being written; -ESTALE: a later record has its place;
 * -EBADMSG for a record that cannot be.
 */
int exchange_read(const volatile uint64_t *words, const struct exchange_head *head,
		  uint64_t interval, struct exchange_record *record);

#endif /* LIB_EXCHANGE_EXCHANGE_H */
