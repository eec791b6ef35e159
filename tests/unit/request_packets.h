/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A function that sends requests as packets to a card in the test's process.
 *
 * What lives here: this function. A file must include cmocka's headers before this header.
 */
#ifndef TESTS_UNIT_REQUEST_PACKETS_H
#define TESTS_UNIT_REQUEST_PACKETS_H

#include <cmocka.h>

#include <smile/monitor.h>

#include "tests/harness/blink_request.h"

/*
 * Send requests of node @source to a page of node @home. @command: BLINK_READSB, WRITESB or LOCKSB
 */
static inline void request_packets(struct Monitor *mon, unsigned int count, unsigned int source,
				   unsigned int home, unsigned int command, uint64_t page)
{
	const size_t length = (command == BLINK_READSB ? 3 : 5) * BLINK_WORD_BYTES;
	unsigned char bytes[BLINK_BYTES_MAX];

	blink_request(bytes, source, home, command + 3, 0, page * SMILE_PAGE_BYTES);
	while (count--)
		assert_int_equal(Monitor_packet(mon, bytes, length, 0), 0);
}

#endif /* TESTS_UNIT_REQUEST_PACKETS_H */
