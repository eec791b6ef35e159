/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: a driver of about a hundred lines that replaces a guest.
 *
 * What lives here: finding the card, setting it up, draining the ring in use. Every failure ends
 * the test. May use tests/qemu/qemu.h and records.h.
 */
#ifndef TESTS_QEMU_DRIVER_H
#define TESTS_QEMU_DRIVER_H

#include <stdbool.h>

#include "tests/qemu/qemu.h"
#include "tests/qemu/records.h"

#define DRIVER_SLOT 4 /* of the first card */
#define DRIVER_DEVICE "smile-monitor,id=card,addr=4,node=3,blink=b"
/* The same card in a slot of PCI Express. The port of the slot precedes it on the command line. */
#define DRIVER_PORT "pcie-root-port,id=slot0,addr=3,chassis=1"
#define DRIVER_PLUGGED "smile-monitor,id=card,bus=slot0,node=3,blink=b"
#define DRIVER_REGS 0xe0000000U
#define DRIVER_RING 0xe0010000U
#define DRIVER_HOST 0x01100000U /* a ring in host memory */
#define DRIVER_APART 0x00100000U /* from one card's addresses to the next one's */

#define DRIVER_PCI_COMMAND 0x04
#define DRIVER_PCI_MASTER 0x0004U /* in it: the card may send messages */
#define DRIVER_PCI_INTERRUPT 0x00080000U /* in its upper half, the status: INTx is active */

/**
 * struct driver - The driver of one card.
 * @qemu: the QEMU that contains the card
 * @card: number of the card among those in adjacent slots
 * @bus: 0: the adjacent slots; otherwise the bus behind a root port: see driver_plug()
 * @setup: the last setup that was written to the card
 * @records: records that were drained so far
 */
struct driver {
	struct qemu qemu;
	unsigned int card;
	unsigned int bus;
	struct setup setup;
	struct records records;
};

/* Return: the arguments of a chardev "b" that plays a capture of @traffic. */
char *driver_capture(const struct traffic *traffic);

/* Access registers by offset and configuration space; return where the ring starts. */
uint32_t driver_get(struct driver *driver, uint32_t offset);
uint64_t driver_get_64(struct driver *driver, uint32_t offset);
void driver_put(struct driver *driver, uint32_t offset, uint32_t value);

/* The same as driver_put(), in the form that setup_write() needs; @opaque is the driver. */
void driver_write(void *opaque, uint32_t offset, uint32_t value);

uint32_t driver_pci_get(struct driver *driver, unsigned int offset);
void driver_pci_put(struct driver *driver, unsigned int offset, uint32_t value);
uint32_t driver_ring(const struct driver *driver);

/* Configure the root port to forward accesses to the card behind it; call before driver_probe(). */
void driver_plug(struct driver *driver);
/* Read and write a register of that root port. */
uint32_t driver_port_get(struct driver *driver, unsigned int offset);
void driver_port_put(struct driver *driver, unsigned int offset, uint32_t value);

/* Make the machine map all of configuration space to memory; return the address of the card's. */
void driver_show_space(struct driver *driver);
uint32_t driver_space(const struct driver *driver);

/*
 * The card in a slot reports an error: the error has a name of QEMU's monitor, and may have a
 * header. A second error is kept until the first one is cleared.
 */
void driver_inject(struct driver *driver, const char *error);

/* Find the card, check its identity, place its BARs. */
void driver_probe(struct driver *driver);

/*
 * driver_set_up() resets the card and writes @setup, with interrupts of all causes but WATERMARK
 * and LATENCY. driver_begin() does the same and then starts counting.
 */
void driver_set_up(struct driver *driver, const struct setup *setup);
void driver_begin(struct driver *driver, const struct setup *setup);

/* The number of records that the ring in use holds; read them and acknowledge the interrupt. */
uint32_t driver_unread(struct driver *driver);
void driver_drain(struct driver *driver);

/*
 * Wait, without draining, until a counter is @count or more, until a register has one of @bits, or
 * until the ring is full.
 */
void driver_await_count(struct driver *driver, uint32_t offset, uint64_t count);
void driver_await(struct driver *driver, uint32_t offset, uint32_t bits);
void driver_await_full(struct driver *driver);

/* Drain until the card has seen @seen packets; then stop, swap out and check the sums. */
void driver_finish(struct driver *driver, uint64_t seen);

/* Return: whether INTx is active. */
bool driver_line(struct driver *driver);

#endif /* TESTS_QEMU_DRIVER_H */
