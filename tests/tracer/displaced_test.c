/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/tracer/displaced.c: addresses of several processes in the stream. Each test leaves
 * places occupied, so the order of the tests matters.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "run/tracer/channel.h"
#include "run/tracer/displaced.h"

#define PART(number) ((uint64_t)(number) << STREAM_PART_SHIFT)
#define MASK (STREAM_PART_BYTES - 1)

static struct stream_header header;
struct stream_header *stream = &header;
struct process process;

static uint64_t place_of(uint64_t address)
{
	return (displaced_in(1, address) - STREAM_PROGRAM_AT(1)) >> STREAM_PART_SHIFT;
}

static void places_free(void)
{
	for (size_t i = 0; i < DISPLACED_PARTS; i++)
		displaced_parts[i] = 0;
	displaced_taken = 0;
	header.notes = 0;
}

static void the_first_process_has_its_own_addresses(void **state)
{
	const uint64_t addresses[] = {0, 0x400000, 0x555555554000, 0x7fffffffffff};

	for (size_t i = 0; i < 4; i++)
		assert_int_equal(displaced_in(0, addresses[i]), addresses[i]);
	process.number = 0;
	assert_int_equal(displaced(0x7fffffffffff), 0x7fffffffffff);
}

static void windows_follow_one_another_in_the_upper_half(void **state)
{
	uint64_t end = STREAM_PROGRAMS_AT + STREAM_PARTS * STREAM_PART_BYTES;

	for (unsigned int n = 1; n < STREAM_PROGRAMS; n++, end += STREAM_PARTS * STREAM_PART_BYTES)
		assert_int_equal(STREAM_PROGRAM_AT(n), end);
	assert_int_equal(end, STREAM_ADDRESS + 1);
}

/* The places do not depend on which part is first. */
static void parts_where_qemu_maps_have_fixed_places(void **state)
{
	assert_int_equal(place_of(0x2aaaaaabe123), 3);
	assert_int_equal(place_of(0x555555554000), 2);
	assert_int_equal(place_of(0x4000801000), 1);
	assert_int_equal(place_of(0x400000), 0);
	assert_int_equal(displaced_in(3, 0x2aaaaaabe123),
			 STREAM_PROGRAM_AT(3) + PART(3) + (0x2aaaaaabe123 & MASK));
}

static void other_parts_take_the_next_place_and_keep_it(void **state)
{
	assert_int_equal(place_of(PART(24) + 5), 4);
	assert_int_equal(place_of(PART(512) + 7), 5);
	assert_int_equal(place_of(PART(24) + 9), 4);
	process.number = 2;
	assert_int_equal(displaced(PART(512) + 7), STREAM_PROGRAM_AT(2) + PART(5) + 7);
	assert_int_equal(place_of(PART(700)), 6);
	assert_int_equal(place_of(PART(800)), 7);
	assert_int_equal(header.notes, 0);
}

static void a_mapping_stays_in_one_piece(void **state)
{
	/*
	 * A mapping such as a Java heap, from the place of QEMU 7.2's base over the place of later
	 * ones.
	 */
	places_free();
	displaced_adjoin(0x4000801000, 0x4000801000 + 2 * STREAM_PART_BYTES);
	assert_int_equal(place_of(0x4000801000), 1);
	assert_int_equal(place_of(0x4000801000 + STREAM_PART_BYTES), 2);
	assert_int_equal(displaced_in(1, 0x4000801000 + 2 * STREAM_PART_BYTES - 1),
			 displaced_in(1, 0x4000801000) + 2 * STREAM_PART_BYTES - 1);
	/* These parts are known and already adjacent. */
	displaced_adjoin(0x4000801000, 0x4000801000 + 2 * STREAM_PART_BYTES);
	displaced_adjoin(PART(900) + 1, PART(900) + 2);
	assert_int_equal(header.notes, 0);
}

static void a_mapping_without_room_is_noted(void **state)
{
	places_free();
	assert_int_equal(place_of(0x4000801000), 1);
	assert_int_equal(place_of(0x555555554000), 2);
	displaced_adjoin(0x4000801000, 0x4000801000 + STREAM_PART_BYTES);
	assert_int_equal(header.notes, STREAM_NOTE_BEYOND);
	places_free();
	displaced_adjoin(0, 9 * STREAM_PART_BYTES);
	assert_int_equal(header.notes, STREAM_NOTE_BEYOND);
}

static void more_parts_than_places_are_noted(void **state)
{
	assert_true(place_of(PART(900)) < STREAM_PARTS);
	assert_int_equal(header.notes, STREAM_NOTE_BEYOND);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_process_has_its_own_addresses),
		cmocka_unit_test(windows_follow_one_another_in_the_upper_half),
		cmocka_unit_test(parts_where_qemu_maps_have_fixed_places),
		cmocka_unit_test(other_parts_take_the_next_place_and_keep_it),
		cmocka_unit_test(more_parts_than_places_are_noted),
		cmocka_unit_test(a_mapping_stays_in_one_piece),
		cmocka_unit_test(a_mapping_without_room_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
