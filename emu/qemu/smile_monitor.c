/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: its PCI shell.
 *
 * 	-device smile-monitor,blink=CHARDEV,node=N[,pace=drain|realtime][,link=auto|on|off]
 *
 * blink   character device whose input is a pcap stream of B-Link frames; without it, the card has
 * no link node   value of the NODE register after each reset, 0 to 65535; default 0 pace drain
 * (default): a frame is fed as soon as the card can take it. The card's clock follows the time
 * stamps, or, with an adapter on the B-Link, the host's clock. realtime: a frame is fed when
 * virtual time reaches its time stamp, or some tenths of a millisecond later, whether or not the
 * card is ready. The card's clock is virtual time link       auto (default): up while the character
 * device has a peer, and until all frames of the peer have been fed; on: always up; off: always
 * down absent        on: every read of the card, including configuration space, gives all ones,
 * writes have no effect, and the card sends neither records nor interrupts, as if it had been
 * pulled out; its traffic continues. off (default) restores the card unchanged. It can be set at
 * run time, for tests of drivers: qom-set /machine/peripheral/ID absent on
 *
 * What lives here: registers and RAM, interrupts and bus mastering. Every register access is passed
 * to the card (emu/card). slot.c has configuration space, power and resets. The device runs under
 * QEMU's global lock, so the card has one caller at a time.
 *
 * The card writes records and messages to addresses that the guest chooses, which may be registers
 * of this very card. The card is therefore called only where QEMU prevents reentrancy: from its
 * register accesses and from a guarded bottom half. Timers, the character device and resets write
 * nothing; they only wake the bottom half.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "hw/pci/msi.h"
#include "migration/vmstate.h"

#include "emu/qemu/smile_monitor.h"

/* KVM can map the dual-ported RAM only in whole pages. */
QEMU_BUILD_BUG_ON(SMILE_RING_BYTES % 4096);

void smile_monitor_interrupt(SmileMonitor *mon)
{
	PCIDevice *pci = PCI_DEVICE(mon);

	/*
	 * The work does not exist if a record that was written to a wrong address has unplugged the
	 * card.
	 */
	if (!mon->work)
		return;
	pci_set_irq(pci, mon->interrupt && !msi_enabled(pci) && slot_speaks(mon));
}

/*
 * Handle a change of the card's interrupt line. MSI reports the rising edge, and INTx follows the
 * level.
 */
static void monitor_line(void *opaque, bool level)
{
	SmileMonitor *mon = opaque;
	PCIDevice *pci = PCI_DEVICE(mon);
	bool rise = level && !mon->interrupt;

	mon->interrupt = level;
	if (rise && slot_can_send(mon))
		msi_notify(pci, 0);
	smile_monitor_interrupt(mon);
}

static bool monitor_dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	SmileMonitor *mon = opaque;

	/* If the card is not a bus master, QEMU blocks its writes. */
	return slot_speaks(mon) && pci_dma_write(PCI_DEVICE(mon), address, data, bytes) == MEMTX_OK;
}

static const struct card_ops monitor_card_ops = {
	.interrupt = monitor_line,
	.dma_write = monitor_dma_write,
	.latency = pace_latency,
};

/* If the card has written to the RAM since its write pointer was @aux, mark the RAM as dirty. */
static void monitor_dirty(SmileMonitor *mon, uint32_t aux)
{
	/* QEMU does not see the card's writes, but a running migration must send the RAM again. */
	if (mon->card.ring.aux != aux)
		memory_region_set_dirty(&mon->ram, 0, SMILE_RING_BYTES);
}

static void monitor_node(SmileMonitor *mon)
{
	card_mmio_write(&mon->card, SMILE_REG_NODE, mon->node);
}

void smile_monitor_catch_up(SmileMonitor *mon)
{
	if (!mon->reset_due)
		return;
	mon->reset_due = false;
	card_reset(&mon->card);
	monitor_node(mon);
}

/*
 * Pass the frames of all accesses that other nodes have made to this memory. Call this function
 * before each register access, because the register access shows or stops the counts of the card,
 * and a program on this node may have waited for such an access to the memory.
 */
static void monitor_arrivals(SmileMonitor *mon)
{
	mon->arriving = true;
	notifier_list_notify(&mon->arrivals, NULL);
	mon->arriving = false;
}

static uint64_t monitor_read(void *opaque, hwaddr offset, unsigned int bytes)
{
	SmileMonitor *mon = opaque;
	uint32_t aux = mon->card.ring.aux, value;

	if (slot_dark(mon))
		return SMILE_REG_ABSENT;
	smile_monitor_catch_up(mon);
	monitor_arrivals(mon);
	pace_tick(mon);
	value = card_mmio_read(&mon->card, offset);
	monitor_dirty(mon, aux);
	return value;
}

static void monitor_write(void *opaque, hwaddr offset, uint64_t value, unsigned int bytes)
{
	SmileMonitor *mon = opaque;
	uint32_t aux = mon->card.ring.aux;

	if (slot_dark(mon))
		return;
	smile_monitor_catch_up(mon);
	mon->stopping = offset == SMILE_REG_CONTROL && !(value & SMILE_CONTROL_ENABLE);
	monitor_arrivals(mon);
	mon->stopping = false;
	pace_tick(mon);
	card_mmio_write(&mon->card, offset, value);
	/* The node id is set by straps on the board, so a reset by the driver also restores it. */
	if (offset == SMILE_REG_COMMAND && value == SMILE_COMMAND_RESET)
		monitor_node(mon);
	monitor_dirty(mon, aux);
	smile_monitor_kick(mon);
}

static const MemoryRegionOps monitor_registers = {
	.read = monitor_read,
	.write = monitor_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = {.min_access_size = 4, .max_access_size = 4},
	.impl = {.min_access_size = 4, .max_access_size = 4},
};

/*
 * Handle a reset by the machine, by the bus above, by the function itself, or by a change from
 * D3hot to D0.
 */
static void monitor_reset(DeviceState *dev)
{
	SmileMonitor *mon = SMILE_MONITOR(dev);

	slot_reset(mon);
	mon->reset_due = true;
	if (!dev->mem_reentrancy_guard.engaged_in_io)
		smile_monitor_catch_up(mon);
	smile_monitor_kick(mon);
}

void smile_monitor_power_on(SmileMonitor *mon)
{
	pace_latency(mon, 0);
	card_init(&mon->card, memory_region_get_ram_ptr(&mon->ram), &monitor_card_ops, mon);
	monitor_node(mon);
	mon->interrupt = false;
	mon->loading = false;
	mon->reset_due = false;
	slot_settle(mon, false);
	feed_forget(mon);
}

/* Do all work of the card outside of register accesses. */
static void monitor_work(void *opaque)
{
	SmileMonitor *mon = opaque;
	uint32_t aux = mon->card.ring.aux;

	if (!runstate_is_running())
		return;
	smile_monitor_catch_up(mon);
	if (!slot_asleep(mon))
		pace_run(mon);
	feed_run(mon);
	monitor_dirty(mon, aux);
	notifier_list_notify(&mon->room, NULL);
	if (!slot_asleep(mon))
		pace_arm(mon);
}

void smile_monitor_kick(SmileMonitor *mon)
{
	/*
	 * Check that the work exists: a register write may have waited for the lock while the card
	 * was unplugged.
	 */
	if (mon->work)
		qemu_bh_schedule(mon->work);
}

/* ---- an adapter on the same B-Link ---- */

bool smile_monitor_busy(SmileMonitor *mon)
{
	return DEVICE(mon)->mem_reentrancy_guard.engaged_in_io && !mon->arriving;
}

void smile_monitor_arrivals(SmileMonitor *mon)
{
	if (!smile_monitor_busy(mon))
		monitor_arrivals(mon);
}

/* Check whether the card sees frames. A card that is unplugged or in D3hot sees no frames. */
static bool monitor_sees(SmileMonitor *mon)
{
	return mon->work && !mon->absent && !slot_asleep(mon);
}

bool smile_monitor_room(SmileMonitor *mon)
{
	if (!monitor_sees(mon))
		return true;
	if (smile_monitor_busy(mon))
		return false;
	smile_monitor_catch_up(mon);
	return mon->pace.realtime || mon->stopping || !(mon->card.control & SMILE_CONTROL_ENABLE) ||
	       !(mon->card.config.mode & SMILE_MODE_HOLD) || card_ready(&mon->card);
}

void smile_monitor_pass(SmileMonitor *mon, const void *frame, size_t bytes, uint64_t time_ns)
{
	MemReentrancyGuard *guard = &DEVICE(mon)->mem_reentrancy_guard;
	bool engaged = guard->engaged_in_io, arriving = mon->arriving;
	uint32_t aux = mon->card.ring.aux;

	feed_tap(mon, frame, bytes, time_ns);
	if (!monitor_sees(mon) || smile_monitor_busy(mon))
		return;
	/*
	 * Engage the guard, because a record written to a wrong address must not reenter this card.
	 */
	guard->engaged_in_io = true;
	mon->arriving = false;
	smile_monitor_catch_up(mon);
	/*
	 * Do not advance the clock to @time_ns, because a response may be stamped with a time that
	 * is still in the future.
	 */
	pace_tick(mon);
	card_blink_packet(&mon->card, frame, bytes);
	monitor_dirty(mon, aux);
	mon->arriving = arriving;
	guard->engaged_in_io = engaged;
}

static void monitor_running(void *opaque, bool running, RunState state)
{
	SmileMonitor *mon = opaque;

	if (!running)
		return;
	/*
	 * If @loading is still set, the load of a saved state was aborted, and the machine runs
	 * nevertheless.
	 */
	if (mon->loading)
		smile_monitor_power_on(mon);
	smile_monitor_kick(mon);
}

static void monitor_realize(PCIDevice *pci, Error **errp)
{
	SmileMonitor *mon = SMILE_MONITOR(pci);
	Error *err = NULL;

	if (mon->node > SMILE_NODE_ID) {
		error_setg(errp, "node=%" PRIu32 " is not a node id: choose one from 0 to %u",
			   mon->node, SMILE_NODE_ID);
		return;
	}
	if (!pace_realize(mon, errp))
		return;
	pci_config_set_interrupt_pin(pci->config, 1);
	memory_region_init_io(&mon->registers, OBJECT(mon), &monitor_registers, mon,
			      "smile-monitor.registers", SMILE_REGS_BYTES);
	memory_region_init_rom(&mon->ram, OBJECT(mon), "smile-monitor.ring", SMILE_RING_BYTES,
			       &err);
	if (err) {
		pace_unrealize(mon);
		error_propagate(errp, err);
		return;
	}
	if (!slot_realize(mon, errp)) {
		pace_unrealize(mon);
		return;
	}
	pci_register_bar(pci, SMILE_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY, &mon->registers);
	smile_monitor_power_on(mon);
	notifier_list_init(&mon->room);
	notifier_list_init(&mon->arrivals);
	mon->work = qemu_bh_new_guarded(monitor_work, mon, &DEVICE(mon)->mem_reentrancy_guard);
	mon->running = qemu_add_vm_change_state_handler(monitor_running, mon);
	feed_realize(mon);
}

static void monitor_exit(PCIDevice *pci)
{
	SmileMonitor *mon = SMILE_MONITOR(pci);

	/*
	 * Mark the card as absent. A register access may still be in progress, and parts of the PCI
	 * device are freed before it ends.
	 */
	mon->absent = true;
	feed_unrealize(mon);
	pace_unrealize(mon);
	qemu_del_vm_change_state_handler(mon->running);
	mon->interrupt = false;
	smile_monitor_interrupt(mon);
	qemu_bh_delete(mon->work);
	mon->work = NULL;
	slot_unrealize(mon);
}

/* The function that monitor_device_realize() replaces in the class, and calls. */
static DeviceRealize monitor_parent_realize;

static void monitor_device_realize(DeviceState *dev, Error **errp)
{
	slot_choose(PCI_DEVICE(dev));
	monitor_parent_realize(dev, errp);
}

static SmileProperty monitor_properties[] = {
	DEFINE_PROP_CHR("blink", SmileMonitor, feed.blink),
	DEFINE_PROP_UINT32("node", SmileMonitor, node, 0),
	DEFINE_PROP_STRING("pace", SmileMonitor, pace.name),
	DEFINE_PROP_ON_OFF_AUTO("link", SmileMonitor, link, ON_OFF_AUTO_AUTO),
	SMILE_PROPERTIES_END};

static bool monitor_get_absent(Object *obj, Error **errp)
{
	return SMILE_MONITOR(obj)->absent;
}

static void monitor_set_absent(Object *obj, bool value, Error **errp)
{
	SmileMonitor *mon = SMILE_MONITOR(obj);
	bool could_send = slot_can_send(mon);

	mon->absent = value;
	if (DEVICE(mon)->realized)
		slot_settle(mon, could_send);
}

static void monitor_class_init(ObjectClass *klass, SmileClassData *data)
{
	DeviceClass *dev = DEVICE_CLASS(klass);
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(klass);

	pci->realize = monitor_realize;
	pci->exit = monitor_exit;
	slot_class_init(pci);
	pci->vendor_id = SMILE_PCI_VENDOR;
	pci->device_id = SMILE_PCI_DEVICE;
	pci->subsystem_vendor_id = SMILE_PCI_SUBVENDOR;
	pci->subsystem_id = SMILE_PCI_SUBDEVICE;
	pci->class_id = SMILE_PCI_CLASS;
	pci->revision = SMILE_PCI_REVISION;
	device_class_set_parent_realize(dev, monitor_device_realize, &monitor_parent_realize);
	smile_class_reset(dev, monitor_reset);
	dev->vmsd = &smile_monitor_vmstate;
	dev->desc = "SMiLE Monitor: counts remote memory transactions";
	device_class_set_props(dev, monitor_properties);
	/*
	 * Use a class property, because device properties cannot change after the device is
	 * realized.
	 */
	object_class_property_add_bool(klass, "absent", monitor_get_absent, monitor_set_absent);
	object_class_property_set_description(klass, "absent", "every read gives all ones");
	set_bit(DEVICE_CATEGORY_MISC, dev->categories);
}

static const TypeInfo monitor_type = {
	.name = TYPE_SMILE_MONITOR,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(SmileMonitor),
	.class_init = monitor_class_init,
	.interfaces =
		(InterfaceInfo[]){
			{INTERFACE_CONVENTIONAL_PCI_DEVICE},
			{INTERFACE_PCIE_DEVICE},
			{},
		},
};

void smile_monitor_register(void)
{
	type_register_static(&monitor_type);
}

/* In a plug-in, plugin.c registers the type after it has checked that QEMU matches. */
#ifndef SMILE_QEMU_PLUGIN
type_init(smile_monitor_register)
#endif
