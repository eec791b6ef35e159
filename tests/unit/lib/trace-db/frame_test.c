/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/trace-db/frame.c: frames are split into parts, and assembled from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hw/cable.h>

#include "lib/trace-db/frame.h"
#include "tests/cable/cable_sample.h"

#define TRIES 20000
#define BYTES_MAX 400U

static uint64_t state = 1;

static uint64_t chance(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return state >> 16;
}

static void frame_build_of_any_bytes_gives_them_back(void **unused)
{
	uint8_t bytes[BYTES_MAX], built[BYTES_MAX];
	unsigned int faults = 0;
	struct frame frame;

	for (int i = 0; i < TRIES; i++) {
		size_t count = chance() % BYTES_MAX;

		if (i % 2)
			count = count / 8 % 38 * 8;
		for (size_t k = 0; k < count; k++)
			bytes[k] = (uint8_t)chance();
		frame_parse(&frame, bytes, count);
		assert_in_range(frame.fault, FRAME_WHOLE, FRAME_FAULTS - 1);
		faults |= 1U << frame.fault;
		assert_int_equal(frame_build(&frame, NULL, 0), count);
		assert_int_equal(frame_build(&frame, built, sizeof(built)), count);
		assert_memory_equal(built, bytes, count);
	}
	assert_true(faults & 1U << FRAME_SHORT && faults & 1U << FRAME_LENGTH);
}

/* Packets of the cable of all types, intact and damaged; and random bytes. */
static void frame_build_of_any_packet_of_the_cable_gives_it_back(void **unused)
{
	uint8_t bytes[BYTES_MAX], built[BYTES_MAX];
	unsigned int faults = 0;
	struct frame frame;

	for (unsigned int i = 0; i < TRIES; i++) {
		unsigned int damage = (unsigned int)(chance() % 4);
		struct cable_packet packet;
		size_t count;

		cable_sample(&state, 1 + i % CABLE_TYPE_SYNC, &packet);
		count = cable_encode(&packet, bytes);
		if (damage == 1)
			bytes[chance() % count] ^= (uint8_t)(1 << chance() % 8);
		else if (damage == 2)
			count = chance() % count;
		else if (damage == 3)
			for (size_t more = chance() % 40; more; more--)
				bytes[count++] = (uint8_t)chance();
		frame_parse_cable(&frame, bytes, count);
		assert_in_range(frame.fault, FRAME_WHOLE, FRAME_FAULTS - 1);
		assert_true(frame_is_cable(&frame));
		faults |= 1U << frame.fault;
		assert_int_equal(frame_build(&frame, NULL, 0), count);
		assert_int_equal(frame_build(&frame, built, sizeof(built)), count);
		assert_memory_equal(built, bytes, count);
	}
	/* Each fault of the cable must have occurred, but none of the B-Link. */
	assert_int_equal(faults, ((1U << FRAME_FAULTS) - 1) & ~0x3eU);
}

/* Make a whole frame of a command, with all other bits set. */
static size_t frame_fill(uint8_t *bytes, unsigned int command, int extended)
{
	size_t count = 24 + frame_commands[command].payload + (extended ? 16 : 0);

	memset(bytes, 0xff, count);
	bytes[2] = (uint8_t)(command | (extended ? 0x80 : 0));
	return count;
}

static void frame_types_of_all_commands_are_21_to_36(void **unused)
{
	uint8_t bytes[BYTES_MAX];
	uint64_t types = 0;
	struct frame frame;

	for (unsigned int command = 0; command < BLINK_COMMANDS; command++) {
		for (int extended = 0; extended < 2; extended++) {
			frame_parse(&frame, bytes, frame_fill(bytes, command, extended));
			assert_int_equal(frame.fault, frame_commands[command].name ? FRAME_WHOLE
										   : FRAME_UNKNOWN);
			types |= 1ULL << frame.type;
		}
	}
	/*
	 * Only nwrite256 and dmove256 are requests with 256 bytes. All other 16 types must exist.
	 */
	assert_true(types == ((0xffffULL << 21) | 1));
}

static void frame_fields_cover_each_bit_of_a_frame_once(void **unused)
{
	static const unsigned int commands[] = {BLINK_READSB, BLINK_RESPONSE16};
	uint8_t bytes[BYTES_MAX], seen[BYTES_MAX * 8];
	struct frame frame;

	for (size_t i = 0; i < 2; i++) {
		size_t count = frame_fill(bytes, commands[i], 1);
		size_t payload = frame_commands[commands[i]].payload;

		memset(seen, 0, sizeof(seen));
		frame_parse(&frame, bytes, count);
		for (size_t k = 0; k < frame_field_count; k++) {
			const struct frame_field *field = &frame_fields[k];
			size_t at = frame_field_byte(&frame, field) * 8 + field->shift;
			uint64_t value;

			if (!frame_field_get(&frame, field, &value))
				continue;
			for (unsigned int bit = 0; bit < field->bits; bit++)
				seen[at + bit]++;
		}
		for (size_t bit = 0; bit < count * 8; bit++)
			assert_int_equal(seen[bit],
					 bit < 32 * 8 || bit >= (32 + payload) * 8 ? 1 : 0);
	}
}

static void frame_field_get_of_short_frame_has_none(void **unused)
{
	uint8_t bytes[15] = {0};
	struct frame frame;
	uint64_t value = 7;

	frame_parse(&frame, bytes, sizeof(bytes));
	for (size_t i = 0; i < frame_field_count; i++)
		assert_int_equal(frame_field_get(&frame, &frame_fields[i], &value), 0);
	assert_int_equal(value, 7);
	assert_int_equal(frame_class_of(&frame), FRAME_NONE);
}

/*
 * Check four types from @first. Their texts contain the sizes of data in the order of the headers.
 */
static void sizes_named(unsigned int first, const char *begin)
{
	static const unsigned int payloads[] = {0, 16, 64, 256};
	char text[80];

	for (unsigned int i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "%s, %u bytes", begin, payloads[i]);
		assert_string_equal(frame_type_text(first + i), text);
	}
}

static void frame_type_text_of_all_types_is_as_in_headers(void **unused)
{
	sizes_named(CABLE_TYPE_REQUEST_EXTENDED, "request-send, extended header");
	sizes_named(CABLE_TYPE_REQUEST, "request-send");
	assert_string_equal(frame_type_text(CABLE_TYPE_REQUEST_ECHO), "request-echo");
	sizes_named(CABLE_TYPE_RESPONSE_EXTENDED, "response-send, extended header");
	sizes_named(CABLE_TYPE_RESPONSE, "response-send");
	assert_string_equal(frame_type_text(CABLE_TYPE_RESPONSE_ECHO), "response-echo");
	assert_string_equal(frame_type_text(CABLE_TYPE_IDLES), "idle symbols");
	assert_string_equal(frame_type_text(CABLE_TYPE_SYNC), "sync");
	sizes_named(BLINK_TYPE_REQUEST_EXTENDED, "B-Link request-send, extended header");
	sizes_named(BLINK_TYPE_REQUEST, "B-Link request-send");
	sizes_named(BLINK_TYPE_RESPONSE_EXTENDED, "B-Link response-send, extended header");
	sizes_named(BLINK_TYPE_RESPONSE, "B-Link response-send");
	assert_null(frame_type_text(BLINK_TYPE_MAX + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frame_type_text_of_all_types_is_as_in_headers),
		cmocka_unit_test(frame_build_of_any_bytes_gives_them_back),
		cmocka_unit_test(frame_build_of_any_packet_of_the_cable_gives_it_back),
		cmocka_unit_test(frame_types_of_all_commands_are_21_to_36),
		cmocka_unit_test(frame_fields_cover_each_bit_of_a_frame_once),
		cmocka_unit_test(frame_field_get_of_short_frame_has_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
