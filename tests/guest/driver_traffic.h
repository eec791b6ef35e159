/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link traffic made in the guest: the form of the packets, and the end of a test without traffic.
 *
 * What lives here: the fixture's own side of driver_traffic.c.
 */
#ifndef TESTS_GUEST_DRIVER_TRAFFIC_H
#define TESTS_GUEST_DRIVER_TRAFFIC_H

/* Packet number n is a read of page n by one of three nodes. */
#define TRAFFIC_SOURCE(page) (10U + (page) % 3)
#define TRAFFIC_TARGET 3U

/*
 * A new card is connected to this link: it needs a capture from its beginning, and no earlier
 * packet is pending.
 */
void traffic_begin(int card);

/*
 * Make each card receive all packets that were sent to it, so that the next test finds idle links.
 */
void traffic_swallow(void);

#endif /* TESTS_GUEST_DRIVER_TRAFFIC_H */
