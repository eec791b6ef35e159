/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: effects of the bus.
 *
 * What lives here: message signalled interrupts, which write to guest memory; a system reset and an
 * unplug while frames are in transit.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

#define MANY 20000U
#define PCI_CAPABILITIES 0x34
#define PCI_MSI_ID 5
#define PCI_MSI_ENABLE 0x00010000U /* in the upper half of the capability's first word */
#define PCI_HOTPLUG_EJECT 0xae08

/* ---- messages ---- */

static unsigned int msi_capability(struct driver *driver)
{
	unsigned int at = driver_pci_get(driver, PCI_CAPABILITIES) & 0xfc;
	uint32_t word;

	while (at) {
		word = driver_pci_get(driver, at);
		if ((word & 0xff) == PCI_MSI_ID)
			return at;
		at = word >> 8 & 0xfc;
	}
	errx(1, "the card has no MSI capability");
}

void msi_enable(struct driver *driver)
{
	unsigned int at = msi_capability(driver);
	uint32_t word = driver_pci_get(driver, at);

	driver_pci_put(driver, at + 4, MSI_ADDRESS);
	driver_pci_put(driver, at + 8, 0);
	driver_pci_put(driver, at + 12, MSI_DATA);
	driver_pci_put(driver, at, word | PCI_MSI_ENABLE);
}

void msi_disable(struct driver *driver)
{
	unsigned int at = msi_capability(driver);
	uint32_t word = driver_pci_get(driver, at);

	driver_pci_put(driver, at, word & ~PCI_MSI_ENABLE);
}

uint32_t msi_take(struct driver *driver)
{
	uint32_t data = qemu_load(&driver->qemu, MSI_ADDRESS);

	qemu_store(&driver->qemu, MSI_ADDRESS, 0);
	return data;
}

void msi_reports_of_each_full_ring(void)
{
	const struct traffic traffic = {.count = MANY, .step_ns = 100};
	struct driver driver = {.records = {0}};
	struct records expected;
	int times;

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	msi_enable(&driver);
	expect("message before any", msi_take(&driver), 0);
	driver_begin(&driver, &setup_plain);
	for (times = 0; times < 3; times++) {
		driver_await_full(&driver);
		expect("message", msi_take(&driver), MSI_DATA);
		expect("INTx with MSI", driver_line(&driver), false);
		driver_drain(&driver);
	}
	driver_await_full(&driver);
	expect("message", msi_take(&driver), MSI_DATA);
	/* The line is active now. The driver switches from MSI back to INTx. */
	msi_disable(&driver);
	expect("INTx without MSI", driver_line(&driver), true);
	msi_enable(&driver);
	expect("INTx with MSI again", driver_line(&driver), false);
	expect("message for the active line", msi_take(&driver), MSI_DATA);
	/* A card without bus mastering sends no messages. */
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 & ~DRIVER_PCI_MASTER);
	driver_drain(&driver);
	driver_await_full(&driver);
	expect("message of no bus master", msi_take(&driver), 0);
	driver_finish(&driver, traffic.count);
	records_expect(&expected, &setup_plain, &traffic);
	records_compare("records", &driver.records, &expected);
	qemu_end(&driver.qemu);
}

/* ---- reset ---- */

void reset_in_the_middle_leaves_the_rest(void)
{
	const struct traffic traffic = {.count = MANY, .step_ns = 100};
	struct driver driver = {.records = {0}};
	struct records expected;
	struct traffic rest;

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	driver_await_full(&driver);
	expect("INTx", driver_line(&driver), true);
	rest = traffic;
	rest.first = (uint32_t)driver_get_64(&driver, SMILE_REG_COUNT_SEEN);
	rest.count -= rest.first;
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP); /* waits for room in vain */

	qemu_monitor(&driver.qemu, "{\"execute\": \"system_reset\"}");
	qemu_await(&driver.qemu, "\"RESET\"");
	expect("command register", driver_pci_get(&driver, DRIVER_PCI_COMMAND) & 7, 0);
	expect("INTx after reset", driver_line(&driver), false);
	driver_probe(&driver);
	expect("STATUS after reset", driver_get(&driver, SMILE_REG_STATUS), SMILE_STATUS_LINK);
	expect("CONTROL after reset", driver_get(&driver, SMILE_REG_CONTROL), 0);
	expect("seen after reset", driver_get_64(&driver, SMILE_REG_COUNT_SEEN), 0);
	expect("ring after reset", driver_get(&driver, SMILE_REG_RING_WRITE), 0);

	/* The card accepted no frame while it was disabled, and no frame was lost. */
	driver_begin(&driver, &setup_plain);
	driver_finish(&driver, rest.count);
	records_expect(&expected, &setup_plain, &rest);
	records_compare("records after reset", &driver.records, &expected);
	qemu_end(&driver.qemu);
}

/* ---- unplug ---- */

void unplug_with_data_in_flight_and_plug_again(void)
{
	const struct traffic traffic = {.count = MANY, .step_ns = 100};
	char *path = qemu_path("unplug"), *chardev;
	struct driver driver = {.records = {0}};
	struct setup host = setup_in_host_memory(&setup_plain);
	struct records expected;
	pid_t sender;

	if (asprintf(&chardev, "socket,id=b,path=%s,server=on,wait=off", path) < 0)
		err(1, "%s", path);
	qemu_start(&driver.qemu, "pc", "-chardev", chardev, "-device", DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	sender = traffic_send(traffic_connect(path), &traffic);
	host.latency_us = 1000;
	driver_begin(&driver, &host);
	driver_await_full(&driver);
	expect("INTx", driver_line(&driver), true);

	/*
	 * A guest would be asked to release the card; its answer is a write to the eject register.
	 */
	qemu_monitor(&driver.qemu,
		     "{\"execute\": \"device_del\", \"arguments\": {\"id\": \"card\"}}");
	qemu_ask(&driver.qemu, "outl 0x%x 0x%x", PCI_HOTPLUG_EJECT, 1U << DRIVER_SLOT);
	qemu_await(&driver.qemu, "\"DEVICE_DELETED\"");
	expect("configuration space of an empty slot", driver_pci_get(&driver, 0),
	       SMILE_REG_ABSENT);
	qemu_load(&driver.qemu, DRIVER_REGS);

	/* The frames that the card received before the unplug are not repeated. */
	qemu_monitor(&driver.qemu, "{\"execute\": \"stop\"}");
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");

	/* A sender ends when its card is removed; the next sender connects to the new card. */
	kill(sender, SIGKILL);
	waitpid(sender, NULL, 0);
	qemu_monitor(&driver.qemu,
		     "{\"execute\": \"device_add\", \"arguments\": {\"driver\": \"smile-monitor\", "
		     "\"id\": \"card\", \"addr\": \"4\", \"node\": %u, \"blink\": \"b\"}}",
		     NODE);
	driver_probe(&driver);
	traffic_send(traffic_connect(path), &traffic);
	driver_begin(&driver, &setup_plain);
	driver_finish(&driver, traffic.count);
	records_expect(&expected, &setup_plain, &traffic);
	records_compare("records of the new card", &driver.records, &expected);
	qemu_end(&driver.qemu);
}
