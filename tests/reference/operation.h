/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The operations on a card from outside, one step at a time.
 *
 * What lives here: the steps that generators and fuzzers create, and that a pair of cards
 * executes. May use include/ and the C library.
 */
#ifndef TESTS_REFERENCE_OPERATION_H
#define TESTS_REFERENCE_OPERATION_H

#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>

/* Longer than any frame, so that tests can make frames that are too long. */
#define OPERATION_FRAME_BYTES (BLINK_BYTES_MAX + 24U)
#define OPERATION_TEXT_BYTES 160U

enum operation_kind {
	OPERATION_WRITE, /* @value to register @offset */
	OPERATION_READ, /* register @offset */
	OPERATION_FRAME, /* @frame, @repeat times */
	OPERATION_QUEUE, /* @frame must pass @value ns after the frame queued before it */
	OPERATION_SEND, /* the queued frames pass in one call, as many as there is room for */
	OPERATION_TICK, /* the clock advances by @value ns */
	OPERATION_ADVANCE, /* the same, as far as there is room */
	OPERATION_MACHINE, /* @value microseconds of the board's own time pass */
	OPERATION_EXPIRE, /* a signal of the latency timer arrives after the timer was stopped */
	OPERATION_LINK, /* the B-Link's clock starts or stops */
	OPERATION_BUS, /* the bus accepts @value more records; UINT64_MAX: all */
	OPERATION_DRAIN, /* the host reads up to @value records of the ring in use */
	OPERATION_COPY, /* the card continues elsewhere, with its range table's @value-th search */
	OPERATION_COMPARE, /* everything visible of the card is compared */
};

struct operation {
	enum operation_kind kind;
	uint32_t offset;
	uint64_t value;
	uint32_t repeat;
	uint32_t bytes;
	uint8_t frame[OPERATION_FRAME_BYTES];
};

/* Print an operation as one line, without the newline. */
void operation_print(const struct operation *operation, char text[OPERATION_TEXT_BYTES]);

/* Construct a frame of BD1, BD2 and a trailer. */
void operation_frame(struct operation *operation, uint32_t command, uint32_t source,
		     uint32_t target, uint32_t id, uint64_t bd2);

#endif /* TESTS_REFERENCE_OPERATION_H */
