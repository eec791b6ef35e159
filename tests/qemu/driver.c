/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the driver.
 */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/qemu/driver.h"

#define PCI_BAR(n) (0x10 + 4 * (n))
#define PORT_SLOT 3
#define PORT_BUSES 0x18 /* primary, secondary, subordinate */
#define PORT_MEMORY 0x20 /* base and limit */
#define SPACE 0xb0000000U
#define SPACE_REGISTER 0x60 /* of the host bridge */
#define AER_CONTROL (SMILE_PCI_AER + 0x18)
#define AER_MULTIPLE 0x0400U
#define TAKE_MAX 1024U /* records in one answer */
#define PATIENCE 500000 /* times 200 us without progress */

char *driver_capture(const struct traffic *traffic)
{
	char *path = qemu_path("driver.pcap"), *text;

	traffic_create(path, traffic);
	if (asprintf(&text, "pipe,id=b,path=%s", path) < 0)
		err(1, "%s", path);
	return text;
}

uint32_t driver_get(struct driver *driver, uint32_t offset)
{
	return qemu_load(&driver->qemu, DRIVER_REGS + driver->card * DRIVER_APART + offset);
}

uint32_t driver_ring(const struct driver *driver)
{
	return DRIVER_RING + driver->card * DRIVER_APART;
}

/* Bus and slot, in the format of a configuration address. */
static unsigned int place(const struct driver *driver)
{
	return driver->bus ? driver->bus << 5 : DRIVER_SLOT + driver->card;
}

uint32_t driver_pci_get(struct driver *driver, unsigned int offset)
{
	return qemu_pci_get(&driver->qemu, place(driver), offset);
}

void driver_pci_put(struct driver *driver, unsigned int offset, uint32_t value)
{
	qemu_pci_put(&driver->qemu, place(driver), offset, value);
}

uint32_t driver_port_get(struct driver *driver, unsigned int offset)
{
	return qemu_pci_get(&driver->qemu, PORT_SLOT, offset);
}

void driver_port_put(struct driver *driver, unsigned int offset, uint32_t value)
{
	qemu_pci_put(&driver->qemu, PORT_SLOT, offset, value);
}

void driver_plug(struct driver *driver)
{
	driver->bus = 1;
	driver_port_put(driver, PORT_BUSES, driver->bus << 16 | driver->bus << 8);
	driver_port_put(driver, PORT_MEMORY, (DRIVER_REGS & 0xfff00000U) | DRIVER_REGS >> 16);
	driver_port_put(driver, DRIVER_PCI_COMMAND, 0x0006);
}

uint64_t driver_get_64(struct driver *driver, uint32_t offset)
{
	uint64_t low = driver_get(driver, offset);

	return low | (uint64_t)driver_get(driver, offset + 4) << 32;
}

void driver_put(struct driver *driver, uint32_t offset, uint32_t value)
{
	qemu_store(&driver->qemu, DRIVER_REGS + driver->card * DRIVER_APART + offset, value);
}

void driver_show_space(struct driver *driver)
{
	qemu_pci_put(&driver->qemu, 0, SPACE_REGISTER + 4, 0);
	qemu_pci_put(&driver->qemu, 0, SPACE_REGISTER, SPACE | 1);
}

uint32_t driver_space(const struct driver *driver)
{
	return SPACE + (place(driver) << 15);
}

void driver_inject(struct driver *driver, const char *error)
{
	uint32_t at = driver_space(driver) + AER_CONTROL;

	qemu_store(&driver->qemu, at, qemu_load(&driver->qemu, at) | AER_MULTIPLE);
	qemu_monitor(&driver->qemu,
		     "{\"execute\": \"human-monitor-command\", \"arguments\": {\"command-line\": "
		     "\"pcie_aer_inject_error card %s\"}}",
		     error);
}

static void place_bar(struct driver *driver, unsigned int bar, uint32_t bytes, uint32_t address)
{
	expect("BAR after reset", driver_pci_get(driver, PCI_BAR(bar)), 0);
	driver_pci_put(driver, PCI_BAR(bar), 0xffffffffU);
	expect("BAR size", ~driver_pci_get(driver, PCI_BAR(bar)) + 1, bytes);
	driver_pci_put(driver, PCI_BAR(bar), address);
}

void driver_probe(struct driver *driver)
{
	expect("vendor and device", driver_pci_get(driver, 0x00),
	       (uint32_t)SMILE_PCI_DEVICE << 16 | SMILE_PCI_VENDOR);
	expect("class and revision", driver_pci_get(driver, 0x08),
	       (uint32_t)SMILE_PCI_CLASS << 16 | SMILE_PCI_REVISION);
	expect("subsystem", driver_pci_get(driver, 0x2c),
	       (uint32_t)SMILE_PCI_SUBDEVICE << 16 | SMILE_PCI_SUBVENDOR);
	place_bar(driver, SMILE_BAR_REGS, SMILE_REGS_BYTES,
		  DRIVER_REGS + driver->card * DRIVER_APART);
	place_bar(driver, SMILE_BAR_RING, SMILE_RING_BYTES, driver_ring(driver));
	driver_pci_put(driver, DRIVER_PCI_COMMAND, 0x0006); /* memory, bus master */
	expect("ID", driver_get(driver, SMILE_REG_ID), SMILE_ID_VALUE);
	expect("VERSION", driver_get(driver, SMILE_REG_VERSION), SMILE_VERSION_VALUE);
	expect("NODE", driver_get(driver, SMILE_REG_NODE), NODE);
}

void driver_write(void *opaque, uint32_t offset, uint32_t value)
{
	driver_put(opaque, offset, value);
}

void driver_set_up(struct driver *driver, const struct setup *setup)
{
	uint32_t word = qemu_load(&driver->qemu, driver_ring(driver));

	driver_put(driver, SMILE_REG_NODE, 1);
	driver_put(driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect("NODE after reset", driver_get(driver, SMILE_REG_NODE), NODE);
	qemu_store(&driver->qemu, driver_ring(driver), ~word);
	expect("ring RAM after a write", qemu_load(&driver->qemu, driver_ring(driver)), word);
	setup_write(setup, DRIVER_HOST, driver_write, driver);
	driver_put(driver, SMILE_REG_INT_ENABLE,
		   SMILE_INT_ALL & ~(SMILE_INT_WATERMARK | SMILE_INT_LATENCY | SMILE_INT_LINK));
	expect("refused writes", driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
	driver->setup = *setup;
	driver->records.count = 0;
}

void driver_begin(struct driver *driver, const struct setup *setup)
{
	driver_set_up(driver, setup);
	driver_put(driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

static uint8_t hex_byte(const char *hex)
{
	const char digits[3] = {hex[0], hex[1], 0};

	return (uint8_t)strtoul(digits, NULL, 16);
}

/* Append the @count records at @address. */
static void take(struct driver *driver, uint32_t address, uint32_t count)
{
	uint8_t bytes[SMILE_RECORD_BYTES];
	struct smile_record record;
	const char *hex;
	uint32_t i;

	hex = qemu_ask(&driver->qemu, "read 0x%x 0x%x", address, count * SMILE_RECORD_BYTES) + 2;
	for (i = 0; i < count * SMILE_RECORD_BYTES; i++) {
		bytes[i % sizeof(bytes)] = hex_byte(hex + (size_t)2 * i);
		if (i % sizeof(bytes) < sizeof(bytes) - 1)
			continue;
		memcpy(&record, bytes, sizeof(record));
		records_append(&driver->records, &record);
	}
}

uint32_t driver_unread(struct driver *driver)
{
	if (driver->setup.host_records)
		return driver_get(driver, SMILE_REG_DMA_WRITE) -
		       driver_get(driver, SMILE_REG_DMA_READ);
	return ((driver_get(driver, SMILE_REG_RING_WRITE) -
		 driver_get(driver, SMILE_REG_RING_READ)) &
		SMILE_RING_POINTER) /
	       SMILE_RECORD_WORDS;
}

/* The pointers of a ring in host memory count records; those of the card's RAM count words. */
void driver_drain(struct driver *driver)
{
	bool host = driver->setup.host_records;
	uint32_t size = host ? driver->setup.host_records : SMILE_RING_WORDS / SMILE_RECORD_WORDS;
	uint32_t start = host ? DRIVER_HOST : driver_ring(driver);
	uint32_t reg = host ? SMILE_REG_DMA_READ : SMILE_REG_RING_READ;
	uint32_t unit = host ? 1 : SMILE_RECORD_WORDS;
	uint32_t read = driver_get(driver, reg) / unit, unread = driver_unread(driver), run;

	driver_put(driver, SMILE_REG_INT_STATUS, driver_get(driver, SMILE_REG_INT_STATUS));
	for (; unread; read += run, unread -= run) {
		run = size - read % size;
		if (run > unread)
			run = unread;
		if (run > TAKE_MAX)
			run = TAKE_MAX;
		take(driver, start + read % size * SMILE_RECORD_BYTES, run);
	}
	driver_put(driver, reg, host ? read : read * unit & SMILE_RING_POINTER);
}

void driver_await_count(struct driver *driver, uint32_t offset, uint64_t count)
{
	const struct timespec pause = {0, 200000};
	uint64_t now = 0, last;
	int quiet;

	for (quiet = 0; quiet < PATIENCE; quiet = now == last ? quiet + 1 : 0) {
		last = now;
		now = driver_get_64(driver, offset);
		if (now >= count)
			return;
		nanosleep(&pause, NULL);
	}
	expect("counter", now, count);
}

void driver_await(struct driver *driver, uint32_t offset, uint32_t bits)
{
	const struct timespec pause = {0, 200000};
	int tries;

	for (tries = 0; tries < PATIENCE; tries++) {
		if (driver_get(driver, offset) & bits)
			return;
		nanosleep(&pause, NULL);
	}
	errx(1,
	     "register 0x%" PRIx32 " is 0x%" PRIx32 ", without 0x%" PRIx32 ", after %" PRIu64
	     " packets",
	     offset, driver_get(driver, offset), bits, driver_get_64(driver, SMILE_REG_COUNT_SEEN));
}

void driver_await_full(struct driver *driver)
{
	driver_await(driver, SMILE_REG_STATUS, SMILE_STATUS_FULL);
}

void driver_finish(struct driver *driver, uint64_t seen)
{
	const struct timespec pause = {0, 200000};
	uint64_t now = 0, last;
	int quiet = 0;

	while (now < seen && quiet < PATIENCE) {
		driver_drain(driver);
		last = now;
		now = driver_get_64(driver, SMILE_REG_COUNT_SEEN);
		quiet = now == last ? quiet + 1 : 0;
		if (quiet)
			nanosleep(&pause, NULL);
	}
	expect("packets seen", now, seen);
	driver_drain(driver);
	driver_put(driver, SMILE_REG_CONTROL, 0);
	driver_put(driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	while (driver_get(driver, SMILE_REG_STATUS) &
	       (SMILE_STATUS_OCCUPIED | SMILE_STATUS_SWAPPING))
		driver_drain(driver);
	driver_drain(driver);
	expect("records", driver->records.count, driver_get_64(driver, SMILE_REG_COUNT_RECORDS));
	expect("counts delivered", records_counted(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_DELIVERED));
	expect("static counts delivered", records_static(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_STATIC_DELIVERED));
	expect("events reported lost", records_lost(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_LOST));
	expect("EVENT records reported lost", records_marks_lost(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_MARKS_LOST));
	expect("delivered + lost",
	       records_counted(&driver->records) + records_lost(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_ACCEPTED));
	expect("static counts", records_static(&driver->records),
	       driver_get_64(driver, SMILE_REG_COUNT_STATIC));
	expect("malformed", driver_get_64(driver, SMILE_REG_COUNT_MALFORMED), 0);
}

bool driver_line(struct driver *driver)
{
	return driver_pci_get(driver, DRIVER_PCI_COMMAND) & DRIVER_PCI_INTERRUPT;
}
