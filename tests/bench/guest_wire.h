/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench: the messages between the program in the guest (guest_bench) and the one beside QEMU
 * (guest_feed) over a virtio-serial port.
 *
 * What lives here: the requests, the answers, and the packets that are sent for a request. May use:
 * fixed-width types.
 *
 * Traffic: @packets reads of one word each, and @events event00 frames. Packet i reads page
 * i % WIRE_PAGES. Frame k has the id k % WIRE_IDS, and a random time within its own part of the
 * run. The time stamps are those of @rate packets a second; with rate 0, packets are sent as fast
 * as possible.
 */
#ifndef TESTS_BENCH_GUEST_WIRE_H
#define TESTS_BENCH_GUEST_WIRE_H

#include <stdint.h>

#define WIRE_PAGES 1024U
#define WIRE_IDS 60000U

/* A request to send traffic to a card; with @packets and @events 0, no traffic is sent. */
struct wire_request {
	uint32_t card;
	uint32_t rate;
	uint64_t packets;
	uint64_t events;
};

/* The processor time that QEMU has used before any traffic is sent. */
struct wire_answer {
	uint64_t processors_ns; /* by the threads that are the guest's processors */
	uint64_t board_ns; /* by all other threads: the cards and the rest of the board */
};

#endif /* TESTS_BENCH_GUEST_WIRE_H */
