/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Unit tests of include/base/blink_frame.h: frames of each command and of each length, compared
 * with the decoder of the card.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <base/blink_frame.h>

#include "emu/card/blink_decoder.h"

#define BYTES (BLINK_BYTES_MAX + 2 * BLINK_WORD_BYTES)

static enum blink_frame_class decoded(const uint8_t *frame, size_t bytes, unsigned int *type)
{
	static const enum blink_frame_class classes[] = {
		[BLINK_CLASS_MALFORMED] = BLINK_FRAME_MALFORMED,
		[BLINK_CLASS_REQUEST] = BLINK_FRAME_REQUEST,
		[BLINK_CLASS_RESPONSE] = BLINK_FRAME_RESPONSE,
		[BLINK_CLASS_EVENT] = BLINK_FRAME_EVENT,
	};
	static struct transaction_table table;
	struct blink_event event;

	blink_decode(&table, frame, bytes, false, &event);
	*type = event.type;
	return classes[event.class];
}

static void each_frame_is_treated_as_by_the_card(void **state)
{
	for (unsigned int command = 0; command < BLINK_COMMANDS; command++)
		for (size_t bytes = 0; bytes <= BYTES; bytes++) {
			uint8_t frame[BYTES] = {0xff, 0xff, (uint8_t)(0x80 | command), 0xff};
			unsigned int type, expected;
			enum blink_frame_class class = decoded(frame, bytes, &expected);

			assert_int_equal(class, blink_frame_class(frame, bytes, &type));
			assert_int_equal(expected, type);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_frame_is_treated_as_by_the_card),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
