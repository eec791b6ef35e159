/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: its slot.
 *
 * What lives here: the capabilities in the card's configuration space, power states and resets. In
 * a slot of PCI Express, the card is a PCI Express endpoint; otherwise it is a conventional PCI
 * device. A slot of PCI Express belongs to a root port or a switch. On the root bus itself, QEMU
 * has slots for conventional devices.
 *
 * QEMU does not disable a device in D3hot, so this file does. If a card is in D3hot or absent, it
 * reads as all ones, ignores writes, and sends neither records nor interrupts. The region "dark"
 * then covers its RAM.
 *
 * The guest can direct the card's records to the configuration registers of a bus. All functions
 * may therefore be called while the card is working. A reset of the card is then deferred until its
 * work has finished. Until then, the card sends nothing.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "hw/pci/msi.h"
#include "hw/pci/pcie.h"
#include "hw/pci/pci_bus.h"

#include "emu/qemu/smile_monitor.h"

#define PM_CONTROL (SMILE_PCI_PM + PCI_PM_CTRL)
#define PM_D0 0
#define PM_D3HOT 3

static uint16_t pm_state(const PCIDevice *pci)
{
	return pci_get_word(pci->config + PM_CONTROL) & PCI_PM_CTRL_STATE_MASK;
}

bool slot_asleep(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	/* The device is not realized, so it has no configuration space. */
	if (!mon->work)
		return false;
	return pm_state(pci) == PM_D3HOT;
}

bool slot_dark(SmileMonitor *mon)
{
	return mon->absent || slot_asleep(mon);
}

bool slot_speaks(SmileMonitor *mon)
{
	return !slot_dark(mon) && !mon->reset_due;
}

bool slot_can_send(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	return msi_enabled(pci) && pci_get_word(pci->config + PCI_COMMAND) & PCI_COMMAND_MASTER &&
	       slot_speaks(mon);
}

void slot_settle(SmileMonitor *mon, bool could_send)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	/*
	 * If the line is already active when MSI becomes possible, no message was sent when the
	 * line rose. Send the message now.
	 */
	if (!could_send && slot_can_send(mon) && mon->interrupt)
		msi_notify(pci, 0);
	memory_region_set_enabled(&mon->dark, slot_dark(mon));
	smile_monitor_interrupt(mon);
}

/* ---- configuration space ---- */

static uint32_t slot_config_read(PCIDevice *pci, uint32_t address, int bytes)
{
	if (SMILE_MONITOR(pci)->absent)
		return SMILE_REG_ABSENT >> (32 - 8 * bytes);
	return pci_default_read_config(pci, address, bytes);
}

static void slot_config_write(PCIDevice *pci, uint32_t address, uint32_t value, int bytes)
{
	SmileMonitor *mon = SMILE_MONITOR(pci);
	bool could_send = slot_can_send(mon), slept = slot_asleep(mon);
	uint16_t control = pci_get_word(pci->config + PM_CONTROL);

	if (mon->absent)
		return;
	pci_default_write_config(pci, address, value, bytes);
	/* D1 and D2 are not supported, so a write of these states changes nothing. */
	if (pm_state(pci) != PM_D0 && pm_state(pci) != PM_D3HOT)
		pci_set_word(pci->config + PM_CONTROL, control);
	if (slept && !slot_asleep(mon))
		pci_device_reset(pci);
	if (pci_is_express(pci)) {
		pcie_cap_flr_write_config(pci, address, value, bytes);
		pcie_aer_write_config(pci, address, value, bytes);
	}
	slot_settle(mon, could_send);
}

void slot_class_init(PCIDeviceClass *klass)
{
	klass->config_read = slot_config_read;
	klass->config_write = slot_config_write;
}

void slot_choose(PCIDevice *pci)
{
	PCIBus *bus = pci_get_bus(pci);

	if (pci_bus_is_express(bus) && !pci_bus_is_root(bus))
		pci->cap_present |= QEMU_PCI_CAP_EXPRESS;
}

/* ---- capabilities ---- */

/* One lane, 2.5 GT/s, ASPM L0s. The specification required L0s of every endpoint at that time. */
#define LINK_CAPABILITY                                                                            \
	(PCI_EXP_LNKCAP_ASPMS_0S | QEMU_PCI_EXP_LNKCAP_MLW(QEMU_PCI_EXP_LNK_X1) |                  \
	 QEMU_PCI_EXP_LNKCAP_MLS(QEMU_PCI_EXP_LNK_2_5GT))

static bool express_realize(PCIDevice *pci, Error **errp)
{
	if (pcie_endpoint_cap_init(pci, SMILE_PCI_EXPRESS) < 0)
		return false;
	/*
	 * Clear the bit for tags of 8 bits, which QEMU 10 sets for every endpoint, because the card
	 * does not support them.
	 */
	pci_long_test_and_clear_mask(pci->config + SMILE_PCI_EXPRESS + PCI_EXP_DEVCAP,
				     PCI_EXP_DEVCAP_EXT_TAG);
	/*
	 * Do not compare this register when a state is loaded. QEMU 7.2 clears it when an
	 * uncorrectable error is injected, and slot_reset() restores it.
	 */
	pci_set_word(pci->cmask + SMILE_PCI_EXPRESS + PCI_EXP_LNKCAP, 0);
	pcie_cap_deverr_init(pci);
	pcie_cap_flr_init(pci);
	pci->exp.aer_log.log_max = PCIE_AER_LOG_MAX_DEFAULT;
	if (pcie_aer_init(pci, PCI_ERR_VER, SMILE_PCI_AER, PCI_ERR_SIZEOF, errp) < 0)
		return false;
	/* Do not compare the first error and its header either, because QEMU does not save them. */
	memset(pci->cmask + SMILE_PCI_AER + PCI_ERR_CAP, 0, PCI_ERR_SIZEOF - PCI_ERR_CAP);
	return true;
}

static uint64_t dark_read(void *opaque, hwaddr offset, unsigned int bytes)
{
	return UINT64_MAX;
}

static void dark_write(void *opaque, hwaddr offset, uint64_t value, unsigned int bytes)
{
}

static const MemoryRegionOps dark_ops = {
	.read = dark_read,
	.write = dark_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
};

static void bar_ring_realize(SmileMonitor *mon)
{
	/*
	 * If a BAR had no region, QEMU would read zeros instead of ones, so the region "dark"
	 * covers the RAM.
	 */
	memory_region_init(&mon->bar_ring, OBJECT(mon), "smile-monitor.bar", SMILE_RING_BYTES);
	memory_region_init_io(&mon->dark, OBJECT(mon), &dark_ops, mon, "smile-monitor.dark",
			      SMILE_RING_BYTES);
	memory_region_set_enabled(&mon->dark, false);
	memory_region_add_subregion(&mon->bar_ring, 0, &mon->ram);
	memory_region_add_subregion_overlap(&mon->bar_ring, 0, &mon->dark, 1);
	pci_register_bar(PCI_DEVICE(mon), SMILE_BAR_RING, PCI_BASE_ADDRESS_SPACE_MEMORY,
			 &mon->bar_ring);
}

bool slot_realize(SmileMonitor *mon, Error **errp)
{
	PCIDevice *pci = PCI_DEVICE(mon);
	Error *err = NULL;

	/* QEMU inserts each capability at the beginning of the list. */
	if (pci_is_express(pci) && !express_realize(pci, errp))
		return false;
	if (pci_add_capability(pci, PCI_CAP_ID_PM, SMILE_PCI_PM, PCI_PM_SIZEOF, errp) < 0)
		return false;
	pci_set_word(pci->config + SMILE_PCI_PM + PCI_PM_PMC, PCI_PM_CAP_VER_1_2);
	pci_set_word(pci->wmask + PM_CONTROL, PCI_PM_CTRL_STATE_MASK);
	if (msi_init(pci, SMILE_PCI_MSI, 1, true, false, &err) < 0) {
		/* The machine's interrupt controller does not support messages, so use INTx. */
		error_free(err);
	}
	bar_ring_realize(mon);
	return true;
}

void slot_unrealize(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	/*
	 * Remove the subregions, because each of them holds a reference to the device that contains
	 * it.
	 */
	memory_region_del_subregion(&mon->bar_ring, &mon->dark);
	memory_region_del_subregion(&mon->bar_ring, &mon->ram);
	msi_uninit(pci);
	if (pci_is_express(pci)) {
		pcie_aer_exit(pci);
		pcie_cap_exit(pci);
	}
}

/* ---- resets ---- */

void slot_reset(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	pci_set_word(pci->config + PM_CONTROL, PM_D0);
	if (pci_is_express(pci)) {
		pcie_cap_deverr_reset(pci);
		pci_set_word(pci->config + SMILE_PCI_EXPRESS + PCI_EXP_DEVSTA, 0);
		pci_set_word(pci->config + SMILE_PCI_EXPRESS + PCI_EXP_LNKCAP, LINK_CAPABILITY);
		pci_set_word(pci->config + SMILE_PCI_EXPRESS + PCI_EXP_DEVCTL2, 0);
	}
	memory_region_set_enabled(&mon->dark, slot_dark(mon));
}

/* ---- saved states ---- */

/* Check that each pending error report has exactly one error bit, as QEMU assumes. */
static bool errors_valid(const PCIEAERLog *errors)
{
	uint16_t i;

	for (i = 0; i < errors->log_num; i++) {
		if (!is_power_of_2(errors->log[i].status) ||
		    !(errors->log[i].status & PCI_ERR_UNC_SUPPORTED))
			return false;
	}
	return true;
}

/*
 * The read-only bits need no check, because QEMU has already compared them with the card's own
 * configuration space.
 */
bool slot_load(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	return (pm_state(pci) == PM_D0 || pm_state(pci) == PM_D3HOT) &&
	       (!pci_is_express(pci) || errors_valid(&pci->exp.aer_log));
}
