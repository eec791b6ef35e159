/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Write a request as a frame of the B-Link. This second implementation uses only
 * include/hw/blink.h; the library and the card must be able to read its frames.
 */
#ifndef TESTS_HARNESS_BLINK_REQUEST_H
#define TESTS_HARNESS_BLINK_REQUEST_H

#include <string.h>

#include <base/field.h>
#include <hw/blink.h>

/*
 * Write a request to @frame. @command: includes the low bits that select bytes; @id: the
 * transaction's id. All other fields are zero.
 */
static inline void blink_request(unsigned char frame[BLINK_BYTES_MAX], unsigned int source,
				 unsigned int target, unsigned int command, unsigned int id,
				 uint64_t address)
{
	const uint64_t word[2] = {
		SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
			SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)target) |
			SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
			SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)id),
		SMILE_PUT(BLINK_BD2_ADDRESS, address) |
			SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)id),
	};

	memset(frame, 0, BLINK_BYTES_MAX);
	for (unsigned int i = 0; i < sizeof(word); i++)
		frame[i] = (unsigned char)(word[i / 8] >> (8 * (i % 8)));
}

#endif /* TESTS_HARNESS_BLINK_REQUEST_H */
