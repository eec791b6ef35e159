/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link frames that are made in the guest: the form of the packets, and functions that empty the
 * links.
 *
 * What lives here: the functions of driver_traffic.c that only the fixture calls.
 */
#ifndef TESTS_GUEST_DRIVER_TRAFFIC_H
#define TESTS_GUEST_DRIVER_TRAFFIC_H

/* Packet number n is a read of page n by one of three nodes. */
#define TRAFFIC_SOURCE(page) (10U + (page) % 3)
#define TRAFFIC_TARGET 3U

/*
 * Prepare the link for a new card: the card needs a capture from its beginning, and no earlier
 * packet may be pending.
 */
void traffic_begin(int card);

/*
 * Let each card receive all packets that were sent to it, so that the next test finds empty links.
 */
void traffic_swallow(void);

#endif /* TESTS_GUEST_DRIVER_TRAFFIC_H */
