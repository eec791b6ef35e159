/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the ring in host memory.
 *
 * What lives here: records by DMA into guest memory, a bus that refuses them, and a ring whose
 * address the guest has set to the card's own registers, to unmapped addresses, or to another card.
 */
#include <err.h>
#include <stddef.h>

#include <base/field.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

#define MANY 20000U
#define CANARY 0xca9a217dU
#define BELOW (DRIVER_HOST - 4)
#define ABOVE (DRIVER_HOST + SMILE_DMA_RECORDS_MIN * SMILE_RECORD_BYTES)
#define COMMAND_MEMORY 0x0002U

static const struct traffic traffic = {.count = MANY, .step_ns = 100};

static void start(struct driver *driver)
{
	qemu_start(&driver->qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(driver);
}

/* Compare the records with those of a card whose ring is in its own RAM. */
static void compare(struct driver *driver, const struct setup *setup)
{
	struct records expected;

	records_expect(&expected, setup, &traffic);
	records_compare("records", &driver->records, &expected);
}

void host_ring_holds_the_same_records(void)
{
	struct driver driver = {.records = {0}};
	struct setup rich = setup_rich, host;
	int times;

	/* The records that are swapped out while the ring is full depend on its size. */
	rich.swap_when_full = 0;
	host = setup_in_host_memory(&rich);
	start(&driver);
	qemu_store(&driver.qemu, BELOW, CANARY);
	qemu_store(&driver.qemu, ABOVE, CANARY);
	driver_begin(&driver, &host);
	for (times = 0; times < 5; times++) {
		driver_await_full(&driver);
		expect("records in a full ring", driver_unread(&driver), host.host_records);
		expect("INTx", driver_line(&driver), true);
		driver_drain(&driver);
	}
	driver_finish(&driver, traffic.count);
	expect("below the ring", qemu_load(&driver.qemu, BELOW), CANARY);
	expect("above the ring", qemu_load(&driver.qemu, ABOVE), CANARY);
	expect("records in the RAM", driver_get(&driver, SMILE_REG_RING_WRITE), 0);
	compare(&driver, &rich);
	qemu_end(&driver.qemu);
}

/* One card uses one ring after the other: unread records stay in the first one. */
void rings_in_turn_keep_what_is_unread(void)
{
	struct driver driver = {.records = {0}};
	struct setup host = setup_in_host_memory(&setup_plain);

	start(&driver);
	driver_set_up(&driver, &setup_plain);
	driver_put(&driver, SMILE_REG_EVENT, 1);
	setup_write(&host, DRIVER_HOST, driver_write, &driver);
	driver.setup = host;
	driver_put(&driver, SMILE_REG_EVENT, 2);
	driver_drain(&driver);
	driver_put(&driver, SMILE_REG_MODE, host.mode);
	driver.setup = setup_plain;
	driver_drain(&driver);
	expect("records", driver.records.count, 2);
	expect("event in host memory",
	       SMILE_GET(SMILE_RECORD_COUNT, records_word(&driver.records, 0, 0)), 2);
	expect("event in the RAM",
	       SMILE_GET(SMILE_RECORD_COUNT, records_word(&driver.records, 1, 0)), 1);
	qemu_end(&driver.qemu);
}

/* ---- a bus that refuses ---- */

void no_bus_master_stalls_and_loses_nothing(void)
{
	struct driver driver = {.records = {0}};
	struct setup host = setup_in_host_memory(&setup_plain);
	uint32_t write;

	start(&driver);
	driver_begin(&driver, &host);
	driver_await_full(&driver);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, COMMAND_MEMORY);
	driver_drain(&driver);
	driver_await(&driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	expect("cause", driver_get(&driver, SMILE_REG_INT_STATUS), SMILE_INT_DMA_ERROR);
	expect("INTx", driver_line(&driver), true);
	write = driver_get(&driver, SMILE_REG_DMA_WRITE);

	/* The card retries when the driver clears DMA_ERROR, and only then. */
	driver_put(&driver, SMILE_REG_INT_STATUS, SMILE_INT_DMA_ERROR);
	driver_put(&driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	expect("refused again", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR,
	       SMILE_STATUS_DMA_ERROR);
	expect("cause", driver_get(&driver, SMILE_REG_INT_STATUS), SMILE_INT_DMA_ERROR);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, COMMAND_MEMORY | DRIVER_PCI_MASTER);
	expect("still stalled", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR,
	       SMILE_STATUS_DMA_ERROR);
	expect("nothing written", driver_get(&driver, SMILE_REG_DMA_WRITE), write);
	driver_put(&driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	expect("going on", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR, 0);

	driver_finish(&driver, traffic.count);
	expect("events lost", driver_get_64(&driver, SMILE_REG_COUNT_LOST), 0);
	compare(&driver, &setup_plain);
	qemu_end(&driver.qemu);
}

/* ---- a ring at an impossible address ---- */

static void set_base(struct driver *driver, const struct setup *host, uint64_t base)
{
	driver_set_up(driver, &setup_plain);
	setup_write(host, base, driver_write, driver);
	expect("refused writes", driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

static const uint32_t watched[] = {
	SMILE_REG_CONTROL,	SMILE_REG_NODE,	      SMILE_REG_FILTER,	  SMILE_REG_MODE,
	SMILE_REG_MAX_RANGE,	SMILE_REG_ENTRIES,    SMILE_REG_DMA_SIZE, SMILE_REG_DMA_READ,
	SMILE_REG_TIMER_PERIOD, SMILE_REG_INT_ENABLE,
};

/*
 * A register access causes one record, and the bottom half causes another; both would be written to
 * the card itself. Return: the number of frames that the card saw until it was stalled.
 */
static uint32_t expect_harmless(struct driver *driver, uint64_t base)
{
	const size_t count = sizeof(watched) / sizeof(watched[0]);
	struct setup host = setup_in_host_memory(&setup_plain);
	uint32_t before[sizeof(watched) / sizeof(watched[0])], ring;
	size_t i;

	set_base(driver, &host, base);
	ring = qemu_load(&driver->qemu, driver_ring(driver));
	for (i = 0; i < count; i++)
		before[i] = driver_get(driver, watched[i]);
	driver_put(driver, SMILE_REG_EVENT, 1);
	expect("refused", driver_get(driver, SMILE_REG_STATUS) & ~SMILE_STATUS_LINK,
	       SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
	for (i = 0; i < count; i++)
		expect("register", driver_get(driver, watched[i]), before[i]);

	set_base(driver, &host, base);
	driver_put(driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	driver_await(driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	for (i = 0; i < count; i++) {
		if (watched[i] != SMILE_REG_CONTROL)
			expect("register", driver_get(driver, watched[i]), before[i]);
	}
	expect("records", driver_get_64(driver, SMILE_REG_COUNT_RECORDS), 0);
	expect("ring RAM", qemu_load(&driver->qemu, driver_ring(driver)), ring);
	return driver_get(driver, SMILE_REG_COUNT_SEEN);
}

void host_ring_over_no_memory_is_harmless(void)
{
	const uint64_t bases[] = {
		DRIVER_REGS,	DRIVER_RING,
		0xd0000000ULL, /* nothing at all */
		0x100000000ULL, 0xfffffffffffff000ULL - SMILE_DMA_RECORDS_MIN * 16,
	};
	struct driver driver = {.records = {0}};
	struct records expected;
	struct traffic rest = traffic;
	size_t i;

	start(&driver);
	for (i = 0; i < sizeof(bases) / sizeof(bases[0]); i++)
		rest.first += expect_harmless(&driver, bases[i]);

	/* The card works as after a reset. */
	rest.count -= rest.first;
	driver_begin(&driver, &setup_plain);
	driver_finish(&driver, rest.count);
	records_expect(&expected, &setup_plain, &rest);
	records_compare("records", &driver.records, &expected);
	qemu_end(&driver.qemu);
}

/*
 * The rings of two cards lie over each other's registers: the record of the first card raises an
 * event on the second card. The record of that event would be written to the first card, which is
 * still busy.
 */
void host_rings_over_each_other_are_harmless(void)
{
	struct driver first = {.records = {0}}, second = {.card = 1};
	struct setup host = setup_in_host_memory(&setup_plain);

	qemu_start(&first.qemu, "q35", "-device", "smile-monitor,id=card,addr=4,node=3", "-device",
		   "smile-monitor,addr=5,node=3", NULL);
	second.qemu = first.qemu;
	driver_probe(&first);
	driver_probe(&second);
	/* The second record of a ring lies over CONTROL, STATUS, COMMAND and EVENT. */
	host.host_first = SMILE_REG_CONTROL / SMILE_RECORD_BYTES;
	set_base(&first, &host, DRIVER_REGS + DRIVER_APART);
	set_base(&second, &host, DRIVER_REGS);
	driver_put(&first, SMILE_REG_EVENT, 5);
	expect("first card", driver_get(&first, SMILE_REG_STATUS), 0);
	expect("its record", driver_get(&first, SMILE_REG_DMA_WRITE), host.host_first + 1);
	expect("second card", driver_get(&second, SMILE_REG_STATUS),
	       SMILE_STATUS_BAD_WRITE | SMILE_STATUS_DMA_ERROR | SMILE_STATUS_SWAPPING);
	expect("its record", driver_get(&second, SMILE_REG_DMA_WRITE), host.host_first);
	qemu_end(&first.qemu);
}
