/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument as a QEMU device.
 *
 *	-device smile-trace,monitor=ID[,memory=BYTES][,line=NAME][,trigger=CHARDEV]
 *
 *	monitor	the smile-monitor on whose B-Link the instrument is. The instrument sees each frame
 *		that passes that card, whether or not the card itself sees it
 *	memory	trace memory, a multiple of 4096; default 2 x 12 MB
 *	line	instruments of this machine with the same name share a trigger line
 *	trigger	character device that connects the trigger line with that of another machine
 *	absent	on: every read gives all ones, and the instrument neither writes nor interrupts, as
 *		if it had been pulled out. It can be set at run time, for tests of drivers
 *
 * What lives here: registers, trace memory, interrupts and the trigger line. Each register access
 * and each frame is passed to the instrument (emu/trace). The device runs under QEMU's global lock.
 * Frames arrive from the bottom half of the monitor card, in which this device is not guarded
 * against its own messages. The device therefore sends interrupts from a bottom half of its own.
 *
 * A message on the trigger line between machines has 16 bytes, little-endian: LINE_MAGIC (4),
 * LINE_VERSION (4), the trigger's time in ns (8). Bytes that are not part of a message are skipped.
 * If the peer does not read, it misses triggers. Skipped bytes and missed triggers are reported
 * once for each peer.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "hw/pci/msi.h"
#include "migration/vmstate.h"

#include "emu/qemu/smile_monitor.h"
#include "emu/trace/instrument.h"

#define TYPE_SMILE_TRACE "smile-trace"
OBJECT_DECLARE_SIMPLE_TYPE(SmileTrace, SMILE_TRACE)

#define LINE_MAGIC 0x4c544d53U /* "SMTL" */
#define LINE_VERSION 1U
#define LINE_BYTES 16U
#define MEMORY_BYTES_MAX 0x40000000U /* The size of a BAR of 1 GB. */

/**
 * struct SmileTrace - The device.
 * @parent_obj: the PCI device
 * @registers: BAR 0
 * @bar_memory: BAR 2: contains @memory
 * @memory: the trace memory
 * @instrument: the instrument itself
 * @monitor: property "monitor"
 * @tap: listener on the monitor's B-Link
 * @memory_bytes: property "memory"
 * @line: property "line"
 * @trigger: property "trigger"
 * @message: message of the trigger line of which only a part has been received
 * @message_bytes: number of bytes of @message received so far
 * @foreign: the present peer has sent bytes that are not a message, and this was reported
 * @unsent: a message could not be sent to the present peer, and this was reported
 * @work: bottom half that sends interrupts
 * @interrupt: level of the instrument's interrupt line
 * @rise: the interrupt line has risen, and no message has been sent yet
 * @absent: property "absent"
 * @next: entry of the list of the machine's instruments
 */
struct SmileTrace {
	PCIDevice parent_obj;
	MemoryRegion registers;
	MemoryRegion bar_memory;
	MemoryRegion memory;
	struct instrument instrument;
	SmileMonitor *monitor;
	struct SmileTap tap;
	uint32_t memory_bytes;
	char *line;
	SmileChardev trigger;
	uint8_t message[LINE_BYTES];
	uint32_t message_bytes;
	bool foreign;
	bool unsent;
	QEMUBH *work;
	bool interrupt;
	bool rise;
	bool absent;
	QLIST_ENTRY(SmileTrace) next;
};

static QLIST_HEAD(, SmileTrace) all_traces = QLIST_HEAD_INITIALIZER(all_traces);

/* ---- interrupts ---- */

static void trace_work(void *opaque)
{
	SmileTrace *trace = opaque;
	PCIDevice *pci = PCI_DEVICE(trace);
	bool rise = trace->rise;

	trace->rise = false;
	if (trace->absent)
		return;
	if (msi_enabled(pci) && rise && trace->interrupt)
		msi_notify(pci, 0);
	pci_set_irq(pci, trace->interrupt && !msi_enabled(pci));
}

static void trace_interrupt(void *opaque, bool level)
{
	SmileTrace *trace = opaque;

	trace->rise |= level && !trace->interrupt;
	trace->interrupt = level;
	if (trace->work)
		qemu_bh_schedule(trace->work);
}

/* ---- the trigger line ---- */

static const char *trace_name(SmileTrace *trace)
{
	return DEVICE(trace)->id ? DEVICE(trace)->id : TYPE_SMILE_TRACE;
}

/*
 * Send a trigger to the peer. Do not wait for the peer, because a peer that does not read must not
 * stop this machine.
 */
static void trace_line_send(SmileTrace *trace, uint64_t time_ns)
{
	uint8_t message[LINE_BYTES];

	if (!qemu_chr_fe_backend_connected(&trace->trigger))
		return;
	stl_le_p(message, LINE_MAGIC);
	stl_le_p(message + 4, LINE_VERSION);
	stq_le_p(message + 8, time_ns);
	if (qemu_chr_fe_write(&trace->trigger, message, sizeof(message)) == sizeof(message) ||
	    trace->unsent)
		return;
	trace->unsent = true;
	error_report("%s: the other end of the trigger line is closed or does not read: it misses "
		     "a trigger",
		     trace_name(trace));
}

static void trace_line(void *opaque, uint64_t time_ns)
{
	SmileTrace *trace = opaque, *other;

	if (trace->line) {
		QLIST_FOREACH(other, &all_traces, next)
		if (other != trace && other->line && !strcmp(other->line, trace->line))
			instrument_line(&other->instrument, time_ns);
	}
	trace_line_send(trace, time_ns);
}

static int trace_line_room(void *opaque)
{
	SmileTrace *trace = opaque;

	return LINE_BYTES - trace->message_bytes;
}

/* Check whether the bytes received so far in @message can be the beginning of a message. */
static bool trace_line_begins(const uint8_t *message, uint32_t bytes)
{
	uint8_t head[8];

	stl_le_p(head, LINE_MAGIC);
	stl_le_p(head + 4, LINE_VERSION);
	return !memcmp(message, head, MIN(bytes, sizeof(head)));
}

/* Receive messages. Bytes that are not a message are skipped up to the next message. */
static void trace_line_receive(void *opaque, const uint8_t *data, int bytes)
{
	SmileTrace *trace = opaque;
	uint32_t skip = 0;

	memcpy(trace->message + trace->message_bytes, data, bytes);
	trace->message_bytes += bytes;
	while (!trace_line_begins(trace->message + skip, trace->message_bytes - skip))
		skip++;
	trace->message_bytes -= skip;
	memmove(trace->message, trace->message + skip, trace->message_bytes);
	if (skip && !trace->foreign)
		error_report("%s: the trigger line's character device sends data that is not a "
			     "trigger: connect it with the trigger line of another smile-trace",
			     trace_name(trace));
	trace->foreign |= skip > 0;
	if (trace->message_bytes < LINE_BYTES)
		return;
	trace->message_bytes = 0;
	instrument_line(&trace->instrument, ldq_le_p(trace->message + 8));
}

/* The peer has changed or disconnected: drop the incomplete message of the last peer. */
static void trace_line_event(void *opaque, QEMUChrEvent event)
{
	SmileTrace *trace = opaque;

	if (event != CHR_EVENT_OPENED && event != CHR_EVENT_CLOSED)
		return;
	trace->message_bytes = 0;
	trace->foreign = trace->unsent = false;
}

/* ---- memory, registers, frames ---- */

static bool trace_dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	SmileTrace *trace = opaque;

	return !trace->absent && pci_dma_write(PCI_DEVICE(trace), address, data, bytes) == MEMTX_OK;
}

static const struct instrument_ops trace_ops = {
	.interrupt = trace_interrupt,
	.line = trace_line,
	.dma_write = trace_dma_write,
};

/*
 * Pass the frames of accesses that other nodes have made to memory before this register access.
 * These frames must be in the trace before the register access.
 */
static void trace_arrivals(SmileTrace *trace)
{
	if (trace->monitor)
		smile_monitor_arrivals(trace->monitor);
}

static uint64_t trace_read(void *opaque, hwaddr offset, unsigned int bytes)
{
	SmileTrace *trace = opaque;

	if (trace->absent)
		return SMILE_REG_ABSENT;
	trace_arrivals(trace);
	return instrument_mmio_read(&trace->instrument, offset);
}

static void trace_write(void *opaque, hwaddr offset, uint64_t value, unsigned int bytes)
{
	SmileTrace *trace = opaque;

	if (trace->absent)
		return;
	trace_arrivals(trace);
	instrument_mmio_write(&trace->instrument, offset, value);
}

static const MemoryRegionOps trace_registers = {
	.read = trace_read,
	.write = trace_write,
	.endianness = DEVICE_LITTLE_ENDIAN,
	.valid = {.min_access_size = 4, .max_access_size = 4},
	.impl = {.min_access_size = 4, .max_access_size = 4},
};

static void trace_frame(void *opaque, const void *data, size_t bytes, uint64_t time_ns)
{
	SmileTrace *trace = opaque;

	instrument_frame(&trace->instrument, data, bytes, time_ns);
}

static void trace_reset(DeviceState *dev)
{
	instrument_reset(&SMILE_TRACE(dev)->instrument);
}

/* ---- the device ---- */

static bool trace_check(SmileTrace *trace, Error **errp)
{
	if (!trace->monitor) {
		error_setg(errp, "monitor=ID is missing: the smile-monitor whose B-Link is traced");
		return false;
	}
	if (!trace->memory_bytes || trace->memory_bytes % SMILE_TRACE_MEMORY_ALIGN ||
	    trace->memory_bytes > MEMORY_BYTES_MAX) {
		error_setg(errp,
			   "memory=%" PRIu32
			   " is not a size of a trace memory: choose a multiple of %u up to %u",
			   trace->memory_bytes, SMILE_TRACE_MEMORY_ALIGN, MEMORY_BYTES_MAX);
		return false;
	}
	return true;
}

static void trace_realize(PCIDevice *pci, Error **errp)
{
	SmileTrace *trace = SMILE_TRACE(pci);
	Error *err = NULL;

	if (!trace_check(trace, errp))
		return;
	pci_config_set_interrupt_pin(pci->config, 1);
	memory_region_init_rom(&trace->memory, OBJECT(trace), "smile-trace.memory",
			       trace->memory_bytes, &err);
	if (err) {
		error_propagate(errp, err);
		return;
	}
	if (msi_init(pci, SMILE_TRACE_PCI_MSI, 1, true, false, &err) < 0) {
		/* The machine's interrupt controller does not support messages: use INTx. */
		error_free(err);
	}
	memory_region_init_io(&trace->registers, OBJECT(trace), &trace_registers, trace,
			      "smile-trace.registers", SMILE_TRACE_REGS_BYTES);
	memory_region_init(&trace->bar_memory, OBJECT(trace), "smile-trace.bar",
			   pow2ceil(trace->memory_bytes));
	memory_region_add_subregion(&trace->bar_memory, 0, &trace->memory);
	pci_register_bar(pci, SMILE_TRACE_BAR_REGS, PCI_BASE_ADDRESS_SPACE_MEMORY,
			 &trace->registers);
	pci_register_bar(pci, SMILE_TRACE_BAR_MEMORY, PCI_BASE_ADDRESS_SPACE_MEMORY,
			 &trace->bar_memory);
	instrument_init(&trace->instrument, memory_region_get_ram_ptr(&trace->memory),
			trace->memory_bytes, &trace_ops, trace);
	trace->work = qemu_bh_new_guarded(trace_work, trace, &DEVICE(trace)->mem_reentrancy_guard);
	qemu_chr_fe_set_handlers(&trace->trigger, trace_line_room, trace_line_receive,
				 trace_line_event, NULL, trace, NULL, true);
	QLIST_INSERT_HEAD(&all_traces, trace, next);
	trace->tap.frame = trace_frame;
	trace->tap.opaque = trace;
	QLIST_INSERT_HEAD(&trace->monitor->feed.taps, &trace->tap, next);
}

static void trace_exit(PCIDevice *pci)
{
	SmileTrace *trace = SMILE_TRACE(pci);

	trace->absent = true;
	QLIST_REMOVE(&trace->tap, next);
	QLIST_REMOVE(trace, next);
	qemu_chr_fe_set_handlers(&trace->trigger, NULL, NULL, NULL, NULL, NULL, NULL, false);
	qemu_bh_delete(trace->work);
	trace->work = NULL;
	memory_region_del_subregion(&trace->bar_memory, &trace->memory);
	msi_uninit(pci);
}

static SmileProperty trace_properties[] = {
	DEFINE_PROP_LINK("monitor", SmileTrace, monitor, TYPE_SMILE_MONITOR, SmileMonitor *),
	DEFINE_PROP_UINT32("memory", SmileTrace, memory_bytes, SMILE_TRACE_MEMORY_HISTORIC),
	DEFINE_PROP_STRING("line", SmileTrace, line),
	DEFINE_PROP_CHR("trigger", SmileTrace, trigger), SMILE_PROPERTIES_END};

static bool trace_get_absent(Object *obj, Error **errp)
{
	return SMILE_TRACE(obj)->absent;
}

static void trace_set_absent(Object *obj, bool value, Error **errp)
{
	SMILE_TRACE(obj)->absent = value;
}

/* The state is not saved, because it would have to include the trace memory. */
static const VMStateDescription trace_vmstate = {
	.name = TYPE_SMILE_TRACE,
	.unmigratable = 1,
};

static void trace_class_init(ObjectClass *klass, SmileClassData *data)
{
	DeviceClass *dev = DEVICE_CLASS(klass);
	PCIDeviceClass *pci = PCI_DEVICE_CLASS(klass);

	pci->realize = trace_realize;
	pci->exit = trace_exit;
	pci->vendor_id = SMILE_TRACE_PCI_VENDOR;
	pci->device_id = SMILE_TRACE_PCI_DEVICE;
	pci->subsystem_vendor_id = SMILE_TRACE_PCI_SUBVENDOR;
	pci->subsystem_id = SMILE_TRACE_PCI_SUBDEVICE;
	pci->class_id = SMILE_TRACE_PCI_CLASS;
	pci->revision = SMILE_TRACE_PCI_REVISION;
	smile_class_reset(dev, trace_reset);
	dev->vmsd = &trace_vmstate;
	dev->desc = "SMiLE deep trace instrument: keeps packets between two triggers";
	device_class_set_props(dev, trace_properties);
	object_class_property_add_bool(klass, "absent", trace_get_absent, trace_set_absent);
	object_class_property_set_description(klass, "absent", "every read gives all ones");
	set_bit(DEVICE_CATEGORY_MISC, dev->categories);
}

static const TypeInfo trace_type = {
	.name = TYPE_SMILE_TRACE,
	.parent = TYPE_PCI_DEVICE,
	.instance_size = sizeof(SmileTrace),
	.class_init = trace_class_init,
	.interfaces = (InterfaceInfo[]){{INTERFACE_CONVENTIONAL_PCI_DEVICE}, {}},
};

void smile_trace_register(void)
{
	type_register_static(&trace_type);
}

#ifndef SMILE_QEMU_PLUGIN
type_init(smile_trace_register)
#endif
