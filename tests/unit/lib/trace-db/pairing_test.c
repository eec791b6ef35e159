/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/trace-db/pairing.c, which finds the request of each response. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/trace-db/pairing.h"

static struct frame frame_of(unsigned int source, unsigned int target, unsigned int command,
			     unsigned int id)
{
	return (struct frame){.bd1 = source | (uint64_t)command << 16 | (uint64_t)target << 32 |
				     (uint64_t)id << 48};
}

/* Return: the number of the request; -1 if there is none. */
static int64_t next(struct pairing *pairing, struct frame frame, uint64_t packet)
{
	uint64_t request = 0;
	int got = pairing_next(pairing, &frame, packet, &request);

	/* The packets of the cable are tested in tests/trace-db. */
	assert_in_range(got, PAIRING_NONE, PAIRING_REQUEST);
	return got ? (int64_t)request : -1;
}

static void pairing_of_response_is_the_last_request_with_its_id(void **unused)
{
	struct pairing *pairing = pairing_new();

	assert_non_null(pairing);
	assert_int_equal(next(pairing, frame_of(2, 0, BLINK_READSB, 7), 0), -1);
	assert_int_equal(next(pairing, frame_of(2, 0, BLINK_READSB, 8), 1), -1);
	assert_int_equal(next(pairing, frame_of(65535, 0, BLINK_READSB, 7), 2), -1);
	assert_int_equal(next(pairing, frame_of(2, 1, BLINK_READSB, 7), 3), -1);
	/* The source of this response is not the target of packet 3. */
	assert_int_equal(next(pairing, frame_of(0, 2, BLINK_RESPONSE16, 7), 4), -1);
	assert_int_equal(next(pairing, frame_of(1, 2, BLINK_RESPONSE16, 7), 5), 3);
	assert_int_equal(next(pairing, frame_of(1, 2, BLINK_RESPONSE16, 7), 6), -1);
	assert_int_equal(next(pairing, frame_of(0, 65535, BLINK_RESPONSE16, 7), 7), 2);
	assert_int_equal(next(pairing, frame_of(0, 2, BLINK_RESPONSE00, 8), 8), 1);
	pairing_free(pairing);
}

static void pairing_of_events_and_short_frames_is_none(void **unused)
{
	struct pairing *pairing = pairing_new();
	struct frame shorter = frame_of(0, 2, BLINK_RESPONSE16, 7);

	assert_non_null(pairing);
	shorter.fault = FRAME_SHORT;
	assert_int_equal(next(pairing, frame_of(2, 0, BLINK_EVENT00, 7), 0), -1);
	assert_int_equal(next(pairing, frame_of(0, 2, BLINK_RESPONSE16, 7), 1), -1);
	assert_int_equal(next(pairing, frame_of(2, 0, BLINK_READSB, 7), 2), -1);
	assert_int_equal(next(pairing, shorter, 3), -1);
	assert_int_equal(next(pairing, frame_of(0, 2, BLINK_RESPONSE16, 7), 4), 2);
	pairing_free(pairing);
	pairing_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairing_of_response_is_the_last_request_with_its_id),
		cmocka_unit_test(pairing_of_events_and_short_frames_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
