/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: what the shell adds to the card's registers.
 *
 * What lives here: the strapped node id, a message that waits for bus mastering, a card that is gone.
 */
#include <stddef.h>

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
	driver_begin(&driver, &driver_plain);
	driver_await_full(&driver);
	expect("message of no bus master", msi_take(&driver), 0);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 | DRIVER_PCI_MASTER);
	expect("message once it may", msi_take(&driver), MSI_DATA);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0006 | DRIVER_PCI_MASTER);
	expect("and only once", msi_take(&driver), 0);
	driver_finish(&driver, traffic.count);
	qemu_end(&driver.qemu);
}

void absent_card_reads_all_ones_and_comes_back(void)
{
	const struct traffic traffic = {.count = 4000, .step_ns = 100};
	struct driver driver = {.records = {0}};
	uint64_t seen;

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, &driver_plain);
	driver_await_full(&driver);
	seen = driver_get_64(&driver, SMILE_REG_COUNT_SEEN);
	qemu_tell(&driver.qemu,
		  "{'execute': 'qom-set', 'arguments': {'path': "
		  "'/machine/peripheral/card', 'property': 'absent', 'value': true}}");
	expect("register of a card that is gone", driver_get(&driver, SMILE_REG_ID),
	       SMILE_REG_ABSENT);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	qemu_tell(&driver.qemu,
		  "{'execute': 'qom-set', 'arguments': {'path': "
		  "'/machine/peripheral/card', 'property': 'absent', 'value': false}}");
	expect("register of a card that is back", driver_get(&driver, SMILE_REG_ID),
	       SMILE_ID_VALUE);
	expect("what it had seen", driver_get_64(&driver, SMILE_REG_COUNT_SEEN), seen);
	driver_finish(&driver, traffic.count);
	qemu_end(&driver.qemu);
}
