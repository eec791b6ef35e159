/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: messages instead of an interrupt line.
 *
 * What lives here: the MSI capability, programmed so that a message is written to guest memory,
 * where a test finds it. Defined in bus_cases.c.
 */
#ifndef TESTS_QEMU_MSI_H
#define TESTS_QEMU_MSI_H

#include "tests/qemu/driver.h"

#define MSI_ADDRESS 0x01000000U
#define MSI_DATA 0x5a17U

void msi_enable(struct driver *driver);
void msi_disable(struct driver *driver);

/* Return: the message that has arrived since the last call; 0 if none has. */
uint32_t msi_take(struct driver *driver);

#endif /* TESTS_QEMU_MSI_H */
