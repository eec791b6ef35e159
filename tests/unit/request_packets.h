/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Requests as packets, for a card in the test's process.
 *
 * What lives here: one function. A file that includes it has included what cmocka needs.
 */
#ifndef TESTS_UNIT_REQUEST_PACKETS_H
#define TESTS_UNIT_REQUEST_PACKETS_H

#include <cmocka.h>
#include <endian.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>
#include <smile/monitor.h>

/* Requests of node @source to a page of node @home. @command: BLINK_READSB, WRITESB or LOCKSB */
static inline void request_packets(struct Monitor *mon, unsigned int count, unsigned int source,
				   unsigned int home, unsigned int command, uint64_t page)
{
	const uint64_t words[BLINK_WORDS_MIN] = {
		htole64(SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
			SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)home) |
			SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)(command + 3))),
		htole64(SMILE_PUT(BLINK_BD2_ADDRESS, page * SMILE_PAGE_BYTES)),
	};
	const size_t length = (command == BLINK_READSB ? 3 : 5) * BLINK_WORD_BYTES;
	unsigned char bytes[BLINK_BYTES_MAX] = {0};

	memcpy(bytes, words, sizeof(words));
	while (count--)
		assert_int_equal(Monitor_packet(mon, bytes, length, 0), 0);
}

#endif /* TESTS_UNIT_REQUEST_PACKETS_H */
