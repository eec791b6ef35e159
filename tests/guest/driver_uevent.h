/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The kernel's uevents, for the driver's tests.
 *
 * What lives here: a socket on which they arrive, and waiting for one of them. May use:
 * driver_fixture.h, netlink.
 */
#ifndef TESTS_GUEST_DRIVER_UEVENT_H
#define TESTS_GUEST_DRIVER_UEVENT_H

#include "tests/guest/driver_fixture.h"

/* From here on uevents are queued; closed by driver_teardown(). */
int uevent_open(void);
/* Wait for a change of a card's device file with this variable, NAME=VALUE. */
void uevent_wait(int fd, int card, const char *variable);

#endif /* TESTS_GUEST_DRIVER_UEVENT_H */
