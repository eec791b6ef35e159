/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Messages of the kernel about devices (uevents), for the driver's tests.
 *
 * What lives here: a socket that receives the messages, and a function that waits for one of them.
 * May use: driver_fixture.h, netlink.
 */
#ifndef TESTS_GUEST_DRIVER_UEVENT_H
#define TESTS_GUEST_DRIVER_UEVENT_H

#include "tests/guest/driver_fixture.h"

/* Open a socket that queues the uevents from now on. driver_teardown() closes it. */
int uevent_open(void);
/*
 * Wait until the kernel reports a change of the card's device file, with this variable, NAME=VALUE.
 */
void uevent_wait(int fd, int card, const char *variable);

#endif /* TESTS_GUEST_DRIVER_UEVENT_H */
