/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine around the guest, for the driver's tests: QEMU's monitor, and hot-plugged cards.
 *
 * What lives here: functions for a guest whose cards are in slots of PCI Express. Such a guest is
 * started by run.sh with --monitor, --root-port slot0, slot1 and so on, and --card
 * bus=slot0,id=card0 and so on. May use: driver_fixture.h.
 */
#ifndef TESTS_GUEST_DRIVER_MONITOR_H
#define TESTS_GUEST_DRIVER_MONITOR_H

#include "tests/guest/driver_fixture.h"

/* Execute one command of QEMU's monitor, and wait until it is done. Return: its output. */
const char *driver_monitor(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether the kernel has found a device in the card's slot. */
bool driver_present(int card);

/* Like driver_pci(), but also for an empty slot. */
void driver_slot(int card, char address[16]);

/*
 * Request QEMU to unplug CARD_DRAIN. Wait until the card is removed and no driver uses it. Native
 * slots wait some seconds before the removal, unless @patient is false.
 */
void driver_unplug(bool patient);
/*
 * Pull the card out without a request to the machine, so that it no longer responds; or put the
 * same card back.
 */
void driver_pull(bool out);
/* Plug a new card in. Wait until the driver is bound and the link is up. */
void driver_plug(void);

#endif /* TESTS_GUEST_DRIVER_MONITOR_H */
