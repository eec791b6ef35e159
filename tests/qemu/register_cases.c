/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the shell's additions to the card's registers.
 *
 * What lives here: the strapped node id, a message that waits for bus mastering, a card that was
 * removed.
 */
#include <stddef.h>
#include <time.h>

#include <base/field.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

void refused_command_leaves_the_node(void)
{
	struct driver driver = {.records = {0}};

	qemu_start(&driver.qemu, "q35", "-device", "smile-monitor,id=card,addr=4,node=3", NULL);
	driver_probe(&driver);
	expect("strapped node", driver_get(&driver, SMILE_REG_NODE), 3);
	driver_put(&driver, SMILE_REG_NODE, 9);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET | SMILE_COMMAND_SWAP);
	expect("refused", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE,
	       SMILE_STATUS_BAD_WRITE);
	expect("node after a refused command", driver_get(&driver, SMILE_REG_NODE), 9);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect("node after a reset", driver_get(&driver, SMILE_REG_NODE), 3);
	qemu_end(&driver.qemu);
}

void message_of_no_bus_master_is_sent_later(void)
{
	const struct traffic traffic = {.count = 4000, .step_ns = 100};
	struct driver driver = {.records = {0}};

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	msi_enable(&driver);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 & ~DRIVER_PCI_MASTER);
	driver_begin(&driver, &setup_plain);
	driver_await_full(&driver);
	expect("message of no bus master", msi_take(&driver), 0);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 | DRIVER_PCI_MASTER);
	expect("message once it may", msi_take(&driver), MSI_DATA);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 | DRIVER_PCI_MASTER);
	expect("and only once", msi_take(&driver), 0);
	driver_finish(&driver, traffic.count);
	qemu_end(&driver.qemu);
}

static void set_absent(struct driver *driver, bool absent)
{
	qemu_monitor(&driver->qemu,
		     "{'execute': 'qom-set', 'arguments': {'path': "
		     "'/machine/peripheral/card', 'property': 'absent', 'value': %s}}",
		     absent ? "true" : "false");
}

void absent_card_reads_all_ones_and_comes_back(void)
{
	const struct traffic traffic = {.count = 4000, .step_ns = 100};
	struct driver driver = {.records = {0}};
	uint64_t seen;

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	driver_await_full(&driver);
	seen = driver_get_64(&driver, SMILE_REG_COUNT_SEEN);
	set_absent(&driver, true);
	expect("register of a card that is gone", driver_get(&driver, SMILE_REG_ID),
	       SMILE_REG_ABSENT);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	set_absent(&driver, false);
	expect("register of a card that is back", driver_get(&driver, SMILE_REG_ID),
	       SMILE_ID_VALUE);
	expect("what it had seen", driver_get_64(&driver, SMILE_REG_COUNT_SEEN), seen);
	driver_finish(&driver, traffic.count);
	qemu_end(&driver.qemu);
}

/* After a card's removal its memory is freed: nothing may be written to that memory. */
void absent_card_writes_no_records(void)
{
	const struct timespec pause = {0, 1000000};
	struct setup setup = setup_in_host_memory(&setup_plain);
	struct driver driver = {.records = {0}};
	uint32_t write, slot, word;
	int tries;

	setup.time_us = 100;
	qemu_start(&driver.qemu, "q35", "-device",
		   "smile-monitor,id=card,addr=4,node=3,pace=realtime", NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup);
	for (tries = 0; !(driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR);
	     tries++) {
		expect("in time", tries < 100000, true);
		driver_drain(&driver);
		set_absent(&driver, true);
		nanosleep(&pause, NULL);
		set_absent(&driver, false);
	}
	write = driver_get(&driver, SMILE_REG_DMA_WRITE);
	slot = DRIVER_HOST + write % setup.host_records * SMILE_RECORD_BYTES;
	qemu_store(&driver.qemu, slot, 0);
	driver_put(&driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	word = qemu_load(&driver.qemu, slot);
	expect("record that was refused", SMILE_GET(SMILE_RECORD_KIND, word), SMILE_KIND_TIME);
	qemu_end(&driver.qemu);
}
