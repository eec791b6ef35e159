/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The SCI adapter as a QEMU device: its PCI shell.
 *
 * 	-device smile-adapter,fabric=DIR,node=N[,monitor=ID][,window=SIZE][,memory=SIZE]
 * 		[,incoming=COUNT][,timeout-ms=MS][,read-ns=NS][,write-ns=NS][,lock-ns=NS]
 *
 * 	fabric	directory in which the nodes of a fabric meet; without it, the adapter has no cable
 * 	node	this node's id, 0 to 63; no other node of the fabric may have it
 * 	monitor	id of the smile-monitor on the same B-Link; without it, no card counts
 * 	window	size of BAR 2, the window to other nodes' memory: a power of two; default 64M
 * 	memory	size of BAR 4, the memory that this node can export: a power of two; default 64M
 * 	incoming	transactions of each other node that can wait here: a power of two; default
 * 		4096
 * 	timeout-ms	value of the TIMEOUT register after a reset: if a node has stopped for this
 * 		long, an access to it fails; 1 to 60000; default 10000
 * 	read-ns, write-ns, lock-ns	time from request to response of an access to another node's
 * 		memory, for which the processor waits; at most 1000000; default 0, as fast as
 * 		this host can. Must be equal on all nodes
 * 	absent	on: every read gives all ones, and writes have no effect. It can be set at run time,
 * 		for tests of drivers
 *
 * What lives here: registers, window and memory, interrupts, and the B-Link to the monitor. Every
 * access is passed to the adapter (emu/adapter). The device runs under QEMU's global lock.
 *
 * While an access is held back, this guest's processor must be able to read its own monitor,
 * because it may be this monitor that is full. Otherwise two nodes would deadlock. Under TCG, the
 * processor leaves the instruction, handles its interrupts, and restarts the instruction. KVM
 * cannot do this. Under KVM, a monitor therefore does not hold the link. It counts the events for
 * which it has no room as lost.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/cutils.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qemu/timer.h"
#include "qemu/units.h"
#include "hw/core/cpu.h"
#include "hw/pci/msi.h"

#include "emu/qemu/smile_adapter.h"

/* The declaration is from <exec/exec-all.h>, which only target-specific files can include. */
G_NORETURN void cpu_loop_exit_restore(CPUState *cpu, uintptr_t pc);

#define MSI_OFFSET 0x40
#define WINDOW_BYTES_MAX (4 * GiB)

/*
 * After some work, this node polls its inboxes for this long, because sleeping and a wake-up would
 * take longer.
 */
#define REST_NS 50000
#define HELD_US 20
/*
 * While the monitor has no room, this node polls its inboxes at this interval, so that other nodes
 * see that it has not stopped. The interval is far below any sensible TIMEOUT.
 */
#define LOOK_NS 5000000
#define LOOK_ACCESSES 64
/*
 * If a modelled latency is longer than this, the processor sleeps for the rest of it without QEMU's
 * lock. The sleep may exceed the rest by up to this time.
 */
#define SLEEP_NS 100000
#define LATENCY_NS_MAX 1000000

void smile_adapter_kick(SmileAdapter *dev)
{
	if (dev->work)
		qemu_bh_schedule(dev->work);
}

/* ---- callbacks of the adapter ---- */

static bool shell_room(void *opaque)
{
	SmileAdapter *dev = opaque;

	return !dev->monitor || !tcg_enabled() || smile_monitor_room(dev->monitor);
}

static void shell_blink(void *opaque, const void *frame, size_t bytes, uint64_t time_ns)
{
	SmileAdapter *dev = opaque;

	if (dev->monitor)
		smile_monitor_pass(dev->monitor, frame, bytes, time_ns);
}

static void shell_line(void *opaque, bool level)
{
	SmileAdapter *dev = opaque;
	PCIDevice *pci = PCI_DEVICE(dev);

	if (dev->absent || !dev->work)
		return;
	if (msi_enabled(pci)) {
		if (level)
			msi_notify(pci, 0);
		return;
	}
	pci_set_irq(pci, level);
}

/* Get the time. All nodes are processes of one host, so they share this clock. */
static uint64_t shell_now(void *opaque)
{
	return get_clock();
}

static const struct adapter_ops shell_ops = {
	.room = shell_room,
	.blink = shell_blink,
	.interrupt = shell_line,
	.ring = fabric_ring,
	.now = shell_now,
};

/* ---- accesses ---- */

static uint64_t registers_read(void *opaque, hwaddr offset, unsigned int bytes)
{
	SmileAdapter *dev = opaque;

	return dev->absent ? ADAPTER_ABSENT : adapter_mmio_read(&dev->adapter, offset);
}

static void registers_write(void *opaque, hwaddr offset, uint64_t value, unsigned int bytes)
{
	SmileAdapter *dev = opaque;

	if (dev->absent)
		return;
	adapter_mmio_write(&dev->adapter, offset, value);
	smile_adapter_kick(dev);
}

static const MemoryRegionOps registers_ops = {
	.read = registers_read,
	.write = registers_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = {.min_access_size = 4, .max_access_size = 4},
	.impl = {.min_access_size = 4, .max_access_size = 4},
};

/*
 * Wait without QEMU's lock. Other threads may access this device meanwhile, so disable the
 * reentrancy guard, which would stop them. The guard prevents a device from accessing itself.
 */
static void nap(SmileAdapter *dev, unsigned long us)
{
	MemReentrancyGuard *guard = &DEVICE(dev)->mem_reentrancy_guard;

	guard->engaged_in_io = false;
	bql_unlock();
	g_usleep(us);
	bql_lock();
	guard->engaged_in_io = true;
}

/*
 * Wait for an access that the link holds back. If the function returns, the caller may try the
 * access again. Under TCG, the function does not return. Instead, the processor restarts the
 * instruction.
 */
static void window_wait(SmileAdapter *dev)
{
	CPUState *cpu = current_cpu;
	uintptr_t pc = cpu ? cpu->mem_io_pc : 0;

	nap(dev, HELD_US);
	if (!tcg_enabled() || !pc)
		return;
	/* End the access for the guard here, because the processor does not return to it. */
	DEVICE(dev)->mem_reentrancy_guard.engaged_in_io = false;
	cpu_loop_exit_restore(cpu, pc);
}

/*
 * If a latency is modelled, wait until the time stamp of the response. The access itself has
 * already been made.
 */
static void window_latency(SmileAdapter *dev)
{
	uint64_t done_ns = dev->adapter.done_ns;
	int64_t left;

	while ((left = done_ns - get_clock()) > 0) {
		if (left > SLEEP_NS && current_cpu && dev->work)
			nap(dev, (left - SLEEP_NS) / 1000 + 1);
		else
			cpu_relax();
	}
}

/*
 * Check whether this access may wait. A DMA access of another device may not, because it cannot be
 * restarted. Nor may a record that the monitor writes to a wrong address.
 */
static bool window_patient(SmileAdapter *dev)
{
	return current_cpu && dev->work && !(dev->monitor && smile_monitor_busy(dev->monitor));
}

/*
 * Poll the inboxes also from the thread of the processor that accesses the window. The threads of
 * this process share QEMU's lock. While the processor accesses other nodes' memory on a loaded
 * host, the thread that polls the inboxes may have to wait for the lock for a long time.
 */
static void window_look(SmileAdapter *dev)
{
	if (++dev->accesses % LOOK_ACCESSES == 0 && window_patient(dev))
		adapter_work(&dev->adapter);
}

static uint64_t window_read(void *opaque, hwaddr offset, unsigned int bytes)
{
	SmileAdapter *dev = opaque;
	uint64_t value = UINT64_MAX;

	if (dev->absent)
		return value;
	window_look(dev);
	while (!adapter_load(&dev->adapter, offset, bytes, &value)) {
		if (!window_patient(dev)) {
			adapter_give_up(&dev->adapter, offset);
			return UINT64_MAX;
		}
		adapter_work(&dev->adapter);
		window_wait(dev);
	}
	window_latency(dev);
	return value;
}

static void window_write(void *opaque, hwaddr offset, uint64_t value, unsigned int bytes)
{
	SmileAdapter *dev = opaque;

	if (dev->absent)
		return;
	window_look(dev);
	while (!adapter_store(&dev->adapter, offset, bytes, value)) {
		if (!window_patient(dev)) {
			adapter_give_up(&dev->adapter, offset);
			return;
		}
		adapter_work(&dev->adapter);
		window_wait(dev);
	}
	window_latency(dev);
}

static const MemoryRegionOps window_ops = {
	.read = window_read,
	.write = window_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
	.impl = {.min_access_size = 1, .max_access_size = 8, .unaligned = true},
};

/* ---- work ---- */

static void shell_look(SmileAdapter *dev, int64_t ns)
{
	timer_mod_ns(dev->rest, qemu_clock_get_ns(QEMU_CLOCK_REALTIME) + ns);
}

static void shell_work(void *opaque)
{
	SmileAdapter *dev = opaque;
	uint64_t received = dev->adapter.count.received;

	if (!runstate_is_running())
		return;
	fabric_attach(dev);
	if (adapter_work(&dev->adapter)) {
		smile_adapter_kick(dev);
		return;
	}
	/*
	 * More transactions usually follow a first one. Therefore poll again soon, instead of
	 * waiting for a wake-up for each transaction. If a DMA transfer is held back, also try it
	 * again, because no node reports that it has room.
	 */
	if (dev->adapter.count.received != received || dev->adapter.dma.command)
		shell_look(dev, REST_NS);
	else if (adapter_rest(&dev->adapter))
		return;
	else if (shell_room(dev))
		/*
		 * Handle transactions that arrived before the adapter rested. No node would wake
		 * this node for these transactions again.
		 */
		smile_adapter_kick(dev);
	else
		/* The remaining transactions wait for shell_monitor_room(). */
		shell_look(dev, LOOK_NS);
}

static void shell_rested(void *opaque)
{
	smile_adapter_kick(opaque);
}

static void shell_monitor_room(Notifier *notifier, void *data)
{
	smile_adapter_kick(container_of(notifier, SmileAdapter, room));
}

/*
 * The monitor is about to report the frames that it has seen, so pass all frames that have arrived
 * to it. Do nothing if this device itself is making an access. In this case, a DMA transfer is
 * writing to the monitor's register, and the result does not matter.
 */
static void shell_monitor_arrivals(Notifier *notifier, void *data)
{
	SmileAdapter *dev = container_of(notifier, SmileAdapter, arrivals);
	MemReentrancyGuard *guard = &DEVICE(dev)->mem_reentrancy_guard;

	if (!runstate_is_running() || guard->engaged_in_io)
		return;
	guard->engaged_in_io = true;
	adapter_catch_up(&dev->adapter);
	guard->engaged_in_io = false;
}

static void shell_rung(EventNotifier *bell)
{
	event_notifier_test_and_clear(bell);
	smile_adapter_kick(container_of(bell, SmileAdapter, fabric.bell));
}

static void shell_running(void *opaque, bool running, RunState state)
{
	if (running)
		smile_adapter_kick(opaque);
}

/* ---- life ---- */

/* Read a list of times by node, such as "0:120:240". Missing times are 0. */
static bool far_read(const char *text, const char *name, uint32_t *ns, Error **errp)
{
	for (unsigned int node = 0; text && *text; node++) {
		uint64_t value;
		const char *end;

		if (node == ADAPTER_NODES || qemu_strtou64(text, &end, 10, &value) == -EINVAL ||
		    value > LATENCY_NS_MAX || (*end && *end != ':')) {
			error_setg(errp, "%s: up to %u numbers from 0 to %u, with colons between",
				   name, ADAPTER_NODES, LATENCY_NS_MAX);
			return false;
		}
		ns[node] = value;
		text = end + (*end == ':');
	}
	return true;
}

static bool sizes_valid(SmileAdapter *dev, Error **errp)
{
	if (dev->node >= ADAPTER_NODES) {
		error_setg(errp, "node=%" PRIu32 " is not a node id: choose one from 0 to %u",
			   dev->node, ADAPTER_NODES - 1);
		return false;
	}
	if (!is_power_of_2(dev->window_bytes) || dev->window_bytes < ADAPTER_PAGE_BYTES ||
	    dev->window_bytes > WINDOW_BYTES_MAX) {
		error_setg(errp, "window=%" PRIu64 " is not a power of two from 4K to 4G",
			   dev->window_bytes);
		return false;
	}
	if (dev->memory_bytes % ADAPTER_PAGE_BYTES || dev->memory_bytes > WINDOW_BYTES_MAX ||
	    !link_bytes(dev->memory_bytes / ADAPTER_PAGE_BYTES, LINK_INCOMING_MIN)) {
		error_setg(errp, "memory=%" PRIu64 " is not a power of two from 4K to 4G",
			   dev->memory_bytes);
		return false;
	}
	dev->region_bytes = link_bytes(dev->memory_bytes / ADAPTER_PAGE_BYTES, dev->incoming);
	if (!dev->region_bytes) {
		error_setg(errp, "incoming=%" PRIu32 " is not a power of two from %u to %u",
			   dev->incoming, LINK_INCOMING_MIN, LINK_INCOMING_MAX);
		return false;
	}
	if (!dev->timeout_ms || dev->timeout_ms > ADAPTER_TIMEOUT_MS_MAX) {
		error_setg(errp, "timeout-ms=%" PRIu32 " is not a number from 1 to %u",
			   dev->timeout_ms, ADAPTER_TIMEOUT_MS_MAX);
		return false;
	}
	if (dev->latency.read_ns > LATENCY_NS_MAX || dev->latency.write_ns > LATENCY_NS_MAX ||
	    dev->latency.lock_ns > LATENCY_NS_MAX) {
		error_setg(errp, "read-ns, write-ns and lock-ns must be from 0 to %u",
			   LATENCY_NS_MAX);
		return false;
	}
	return far_read(dev->far_ns, "far-ns", dev->latency.far_ns, errp) &&
	       far_read(dev->far_lock_ns, "far-lock-ns", dev->latency.far_lock_ns, errp);
}

static bool blocker_add(SmileAdapter *dev, Error **errp)
{
	error_setg(&dev->blocker, "the state of a machine with a smile-adapter cannot be saved: "
				  "the other nodes of its fabric are not part of it");
	return smile_blocker_add(&dev->blocker, errp);
}

static void monitor_leave(SmileAdapter *dev)
{
	if (!dev->monitor)
		return;
	notifier_remove(&dev->room);
	notifier_remove(&dev->arrivals);
}

static void adapter_realize(PCIDevice *pci, Error **errp)
{
	SmileAdapter *dev = SMILE_ADAPTER(pci);
	struct adapter_setup setup;
	uint32_t pages;

	if (!sizes_valid(dev, errp) || !blocker_add(dev, errp))
		return;
	if (!fabric_memory(dev, errp) || msi_init(pci, MSI_OFFSET, 1, true, false, errp) < 0) {
		fabric_leave(dev);
		smile_blocker_remove(&dev->blocker);
		return;
	}
	pci_config_set_interrupt_pin(pci->config, 1);
	pages = dev->window_bytes / ADAPTER_PAGE_BYTES;
	dev->map = g_new0(uint32_t, pages);
	setup = (struct adapter_setup){
		.node = dev->node,
		.region = dev->region,
		.memory = memory_region_get_ram_ptr(&dev->memory),
		.map = dev->map,
		.window_pages = pages,
		.timeout_ms = dev->timeout_ms,
		.latency = dev->latency,
		.ops = &shell_ops,
		.opaque = dev,
	};
	adapter_init(&dev->adapter, &setup);
	memory_region_init_io(&dev->registers, OBJECT(dev), &registers_ops, dev,
			      "smile-adapter.registers", ADAPTER_REGS_BYTES);
	memory_region_init_io(&dev->window, OBJECT(dev), &window_ops, dev, "smile-adapter.window",
			      dev->window_bytes);
	pci_register_bar(pci, ADAPTER_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY, &dev->registers);
	pci_register_bar(pci, ADAPTER_BAR_WINDOW,
			 PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH,
			 &dev->window);
	pci_register_bar(pci, ADAPTER_BAR_MEMORY,
			 PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH,
			 &dev->memory);
	dev->rest = timer_new_ns(QEMU_CLOCK_REALTIME, shell_rested, dev);
	dev->work = qemu_bh_new_guarded(shell_work, dev, &DEVICE(dev)->mem_reentrancy_guard);
	event_notifier_set_handler(&dev->fabric.bell, shell_rung);
	dev->running = qemu_add_vm_change_state_handler(shell_running, dev);
	dev->room.notify = shell_monitor_room;
	dev->arrivals.notify = shell_monitor_arrivals;
	if (dev->monitor) {
		notifier_list_add(&dev->monitor->room, &dev->room);
		notifier_list_add(&dev->monitor->arrivals, &dev->arrivals);
	}
	if (fabric_join(dev, errp)) {
		if (dev->monitor && !dev->monitor->pace.realtime && !tcg_enabled())
			warn_report("%s: a monitor can hold the link only under TCG: here it "
				    "counts frames for which it has no room as lost; use -accel "
				    "tcg for exact counts",
				    DEVICE(dev)->id ? DEVICE(dev)->id : TYPE_SMILE_ADAPTER);
		smile_adapter_kick(dev);
		return;
	}
	monitor_leave(dev);
	qemu_del_vm_change_state_handler(dev->running);
	fabric_leave(dev);
	qemu_bh_delete(dev->work);
	dev->work = NULL;
	timer_free(dev->rest);
	g_free(dev->map);
	msi_uninit(pci);
	smile_blocker_remove(&dev->blocker);
}

static void adapter_exit(PCIDevice *pci)
{
	SmileAdapter *dev = SMILE_ADAPTER(pci);

	dev->absent = true;
	monitor_leave(dev);
	qemu_del_vm_change_state_handler(dev->running);
	qemu_bh_delete(dev->work);
	dev->work = NULL;
	timer_free(dev->rest);
	fabric_leave(dev);
	g_free(dev->map);
	msi_uninit(pci);
	smile_blocker_remove(&dev->blocker);
}

static void adapter_device_reset(DeviceState *qdev)
{
	SmileAdapter *dev = SMILE_ADAPTER(qdev);

	adapter_reset(&dev->adapter);
	msi_reset(PCI_DEVICE(dev));
	smile_adapter_kick(dev);
}

static SmileProperty adapter_properties[] = {
	DEFINE_PROP_STRING("fabric", SmileAdapter, fabric.directory),
	DEFINE_PROP_UINT32("node", SmileAdapter, node, 0),
	DEFINE_PROP_LINK("monitor", SmileAdapter, monitor, TYPE_SMILE_MONITOR, SmileMonitor *),
	DEFINE_PROP_SIZE("window", SmileAdapter, window_bytes, 64 * MiB),
	DEFINE_PROP_SIZE("memory", SmileAdapter, memory_bytes, 64 * MiB),
	DEFINE_PROP_UINT32("incoming", SmileAdapter, incoming, 4096),
	DEFINE_PROP_UINT32("timeout-ms", SmileAdapter, timeout_ms, ADAPTER_TIMEOUT_MS),
	DEFINE_PROP_UINT32("read-ns", SmileAdapter, latency.read_ns, 0),
	DEFINE_PROP_UINT32("write-ns", SmileAdapter, latency.write_ns, 0),
	DEFINE_PROP_UINT32("lock-ns", SmileAdapter, latency.lock_ns, 0),
	DEFINE_PROP_STRING("far-ns", SmileAdapter, far_ns),
	DEFINE_PROP_STRING("far-lock-ns", SmileAdapter, far_lock_ns),
	SMILE_PROPERTIES_END};

static bool adapter_get_absent(Object *obj, Error **errp)
{
	return SMILE_ADAPTER(obj)->absent;
}

static void adapter_set_absent(Object *obj, bool value, Error **errp)
{
	SMILE_ADAPTER(obj)->absent = value;
}

static void adapter_class_init(ObjectClass *klass, SmileClassData *data)
{
	DeviceClass *dev = DEVICE_CLASS(klass);
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(klass);

	pci->realize = adapter_realize;
	pci->exit = adapter_exit;
	pci->vendor_id = ADAPTER_PCI_VENDOR;
	pci->device_id = ADAPTER_PCI_DEVICE;
	pci->subsystem_vendor_id = ADAPTER_PCI_SUBVENDOR;
	pci->subsystem_id = ADAPTER_PCI_SUBDEVICE;
	pci->class_id = ADAPTER_PCI_CLASS;
	pci->revision = ADAPTER_PCI_REVISION;
	smile_class_reset(dev, adapter_device_reset);
	/*
	 * There is no vmsd, because blocker_add() refuses a migration with a message that gives the
	 * reason.
	 */
	dev->desc = "SCI adapter: other nodes' memory in a window";
	device_class_set_props(dev, adapter_properties);
	object_class_property_add_bool(klass, "absent", adapter_get_absent, adapter_set_absent);
	object_class_property_set_description(klass, "absent", "every read gives all ones");
	set_bit(DEVICE_CATEGORY_NETWORK, dev->categories);
}

static const TypeInfo adapter_type = {
	.name = TYPE_SMILE_ADAPTER,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(SmileAdapter),
	.class_init = adapter_class_init,
	.interfaces = (InterfaceInfo[]){{INTERFACE_CONVENTIONAL_PCI_DEVICE}, {}},
};

void smile_adapter_register(void)
{
	type_register_static(&adapter_type);
}

/* In a plug-in, plugin.c registers the type after it has checked that QEMU matches. */
#ifndef SMILE_QEMU_PLUGIN
type_init(smile_adapter_register)
#endif
