/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * mkcapture FILE KIND: writes small captures in which every frame is known, for the suites.
 *
 *	small      three reads, two writes and a lock, of which two are answered; a phase mark; a
 *	           write to another node; an event that marks no phase
 *	straddle   four reads, two of which are at a border of 64-byte sections
 *	malformed  frames of one word, and of a command that does not exist
 *	empty      no frame
 *	far        one read by node 65535
 *	sweep      node 0's B-Link: eight accesses to page 5 by nodes 1 and 2, two to page 7, one
 *	           access of node 0 to page 6 of node 1, and a response
 *	foreign    two reads between four nodes
 *	same       two nodes read with one transaction id at a time, and are answered
 *
 * Uses only the public API and the frame format.
 */
#include <stdio.h>
#include <string.h>

#include <smile/monitor.h>

#include "tests/harness/blink_request.h"

static struct Monitor_capture *capture;
static uint64_t now_ns;
static int failed;

static void put(unsigned int source, unsigned int target, unsigned int command, unsigned int id,
		uint64_t address, unsigned int words)
{
	unsigned char frame[BLINK_BYTES_MAX];

	blink_request(frame, source, target, command, id, address);
	now_ns += 1000;
	if (Monitor_capture_write(capture, frame, words * BLINK_WORD_BYTES, now_ns) < 0)
		failed = 1;
}

/*
 * A request of 4 bytes. The low nibble of the address is the offset of the last byte in 16 bytes.
 */
static void request(unsigned int source, unsigned int target, unsigned int command, unsigned int id,
		    uint64_t address)
{
	put(source, target, command + ((address & 12) | 3), id, address,
	    command == BLINK_READSB ? 3 : 5);
}

static void small(void)
{
	request(2, 0, BLINK_READSB, 0, 163840);
	put(0, 2, BLINK_RESPONSE16, 0, 0, 5);
	request(2, 0, BLINK_READSB, 1, 163840);
	put(0, 2, BLINK_RESPONSE16, 1, 0, 5);
	request(2, 0, BLINK_READSB, 2, 163840);
	request(1, 0, BLINK_WRITESB, 0, 163844);
	request(1, 0, BLINK_WRITESB, 1, 163844);
	request(3, 0, BLINK_LOCKSB, 0, 8192);
	put(1, 1, BLINK_EVENT00, 2, 0, 3);
	request(0, 1, BLINK_WRITESB, 0, 4096);
	put(2, 2, BLINK_EVENT00, 3, 5, 3);
}

static void straddle(void)
{
	request(1, 0, BLINK_READSB, 0, 4096 + 256);
	request(1, 0, BLINK_READSB, 1, 4096 + 60);
	request(1, 0, BLINK_READSB, 2, 4096 + 64);
	request(1, 0, BLINK_READSB, 3, 4096 + 512);
}

static void malformed(void)
{
	put(1, 0, BLINK_READSB, 0, 4096, 1);
	put(1, 0, 0x3f, 0, 4096, 3);
}

static void sweep(void)
{
	const uint64_t page = 5 * 4096;

	request(1, 0, BLINK_READSB, 0, page);
	put(0, 1, BLINK_RESPONSE16, 0, 0, 5);
	request(1, 0, BLINK_READSB, 1, page + 4);
	request(2, 0, BLINK_WRITESB, 0, page);
	request(1, 0, BLINK_READSB, 2, page);
	request(1, 0, BLINK_READSB, 3, page + 12);
	request(0, 1, BLINK_WRITESB, 0, 6 * 4096);
	request(2, 0, BLINK_WRITESB, 1, page);
	request(1, 0, BLINK_WRITESB, 4, page + 4);
	request(1, 0, BLINK_READSB, 5, page + 256);
	request(1, 0, BLINK_READSB, 6, 7 * 4096 + 4);
	request(1, 0, BLINK_READSB, 7, 7 * 4096 + 8);
}

static void foreign(void)
{
	request(1, 2, BLINK_READSB, 0, 4096);
	request(3, 4, BLINK_READSB, 0, 4096);
}

static void same(void)
{
	request(1, 0, BLINK_READSB, 0, 4096);
	request(2, 0, BLINK_READSB, 0, 8192);
	put(0, 1, BLINK_RESPONSE16, 0, 0, 5);
	put(0, 2, BLINK_RESPONSE16, 0, 0, 5);
}

int main(int argc, char **argv)
{
	if (argc != 3 || Monitor_capture_create(&capture, argv[1]) < 0)
		return 2;
	if (!strcmp(argv[2], "small"))
		small();
	else if (!strcmp(argv[2], "straddle"))
		straddle();
	else if (!strcmp(argv[2], "malformed"))
		malformed();
	else if (!strcmp(argv[2], "sweep"))
		sweep();
	else if (!strcmp(argv[2], "foreign"))
		foreign();
	else if (!strcmp(argv[2], "same"))
		same();
	else if (!strcmp(argv[2], "far"))
		request(65535, 0, BLINK_READSB, 0, 4096);
	else if (strcmp(argv[2], "empty"))
		failed = 1;
	if (Monitor_capture_close(capture) < 0)
		failed = 1;
	return failed;
}
