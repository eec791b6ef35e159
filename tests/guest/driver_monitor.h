/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine around the guest, for the driver's tests: QEMU's monitor, and hot-plugged cards.
 *
 * What lives here: for a guest whose cards are in slots of PCI Express: run.sh's --monitor, and
 * --root-port slot0, slot1 and so on, with --card bus=slot0,id=card0 and so on. May use:
 * driver_fixture.h.
 */
#ifndef TESTS_GUEST_DRIVER_MONITOR_H
#define TESTS_GUEST_DRIVER_MONITOR_H

#include "tests/guest/driver_fixture.h"

/* One command of QEMU's monitor, done when this returns. Return: what it said. */
const char *driver_monitor(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is there something in the card's slot, as far as the kernel knows? */
bool driver_present(int card);

/* As driver_pci(), also for a slot that is empty. */
void driver_slot(int card, char address[16]);

/*
 * Ask QEMU to take CARD_DRAIN out, and wait until it is gone: no driver uses it any more. Native
 * slots leave some seconds in between; without @patient they are cut short.
 */
void driver_unplug(bool patient);
/* Pull it out of a machine that was not asked: it answers no more. Or put the same one back. */
void driver_pull(bool out);
/* Plug a new one in, and see it work: bound, and its link up. */
void driver_plug(void);

#endif /* TESTS_GUEST_DRIVER_MONITOR_H */
