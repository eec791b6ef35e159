/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Decoded records as text, so that a failed test can print them:
 *
 * 	dynamic read capacity [3] x17 2>0 0x28000+16
 * 	dynamic write-response swap [0] x1 1>0 0x1000+4
 * 	static any swap [2] x5 7>0 0x28000+64
 * 	static event swap [2] x5 node 7 id 3
 * 	overflow lock overflow [15] x65535 7>0 0x28000+4
 * 	event 5 phase blink node 2 at 1000
 * 	time 1000
 * 	lost 3 marks 0
 *
 * What lives here: a separate decoder, which has the bit positions of the datasheet as numbers. May
 * use cmocka and include/.
 */
#ifndef TESTS_UNIT_CARD_DECODED_RECORD_H
#define TESTS_UNIT_CARD_DECODED_RECORD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <hw/smile_regs.h>

#define DECODED_RECORD_TEXT_BYTES 128

/**
 * struct decoded_record - A decoded record. The members that are not used for its kind are zero.
 */
struct decoded_record {
	uint64_t address;
	uint64_t time_ns;
	uint64_t lost;
	uint32_t marks_lost;
	uint32_t kind;
	uint32_t type;
	uint32_t response;
	uint32_t cause;
	uint32_t index;
	uint32_t count;
	uint32_t source;
	uint32_t destination;
	uint32_t length;
	uint32_t phase;
	uint32_t dirty; /* a bit that must be zero is set */
};

/**
 * struct stream - An ordered list of records that grows.
 */
struct stream {
	struct decoded_record *records;
	size_t count;
	size_t capacity;
};

void decoded_record_read(struct decoded_record *record, const uint32_t words[SMILE_RECORD_WORDS]);
void decoded_record_print(const struct decoded_record *record,
			  char text[DECODED_RECORD_TEXT_BYTES]);
void stream_add(struct stream *stream, const struct decoded_record *record);
void stream_free(struct stream *stream);

#endif /* TESTS_UNIT_CARD_DECODED_RECORD_H */
