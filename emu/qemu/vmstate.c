/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: what a migration or a snapshot contains.
 *
 * What lives here: a description of every field of struct card, except its callbacks, the pointer
 * to its RAM (QEMU saves the RAM itself) and derived fields. The description also covers frames
 * that were received but not fed, the latency timer, and the errors of a PCI Express slot. The
 * power state is part of configuration space, which QEMU saves. A new field of the card needs a
 * line here and a new version. If the line is missing, the compiler reports it. A received state is
 * checked like any other input (state_check.c, slot.c).
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "hw/pci/pci.h"
#include "hw/pci/pcie.h"
#include "migration/vmstate.h"

#include "emu/card/card_inside.h"
#include "emu/qemu/smile_monitor.h"

#define VERSION 2

static const VMStateDescription state_config = {
	.name = "smile-monitor/config",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT32(size, struct smile_config),
			VMSTATE_UINT32(node, struct smile_config),
			VMSTATE_UINT32(filter, struct smile_config),
			VMSTATE_UINT32(mode, struct smile_config),
			VMSTATE_UINT32(max_range_bytes, struct smile_config),
			VMSTATE_UINT32(entries, struct smile_config),
			VMSTATE_UINT32(phase_events, struct smile_config),
			VMSTATE_UINT32(reserved, struct smile_config),
			VMSTATE_UINT32(timer_us, struct smile_config),
			VMSTATE_UINT32(timer_event, struct smile_config),
			VMSTATE_UINT32(time_us, struct smile_config),
			VMSTATE_UINT32(watermark_records, struct smile_config),
			VMSTATE_UINT32(latency_us, struct smile_config),
			VMSTATE_UINT32_ARRAY(reserved2, struct smile_config, 3),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_counts = {
	.name = "smile-monitor/counts",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(seen, struct card_counts),
			VMSTATE_UINT64(malformed, struct card_counts),
			VMSTATE_UINT64(unmatched, struct card_counts),
			VMSTATE_UINT64(filtered, struct card_counts),
			VMSTATE_UINT64(event, struct card_counts),
			VMSTATE_UINT64(accepted, struct card_counts),
			VMSTATE_UINT64(lost, struct card_counts),
			VMSTATE_UINT64(delivered, struct card_counts),
			VMSTATE_UINT64(marks_lost, struct card_counts),
			VMSTATE_UINT64(extensions, struct card_counts),
			VMSTATE_UINT64(records, struct card_counts),
			VMSTATE_UINT64(clock_ns, struct card_counts),
			VMSTATE_UINT64(static_counted, struct card_counts),
			VMSTATE_UINT64(static_delivered, struct card_counts),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_slot = {
	.name = "smile-monitor/slot",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(address, struct transaction_slot),
			VMSTATE_UINT16(source, struct transaction_slot),
			VMSTATE_UINT8(type, struct transaction_slot),
			VMSTATE_UINT8(valid, struct transaction_slot),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_entry = {
	.name = "smile-monitor/entry",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(used, struct dynamic_entry),
			VMSTATE_UINT64(page, struct dynamic_entry),
			VMSTATE_UINT16(first, struct dynamic_entry),
			VMSTATE_UINT16(last, struct dynamic_entry),
			VMSTATE_UINT16(source, struct dynamic_entry),
			VMSTATE_UINT16(destination, struct dynamic_entry),
			VMSTATE_UINT16(count, struct dynamic_entry),
			VMSTATE_UINT8(type, struct dynamic_entry),
			VMSTATE_UINT8(response, struct dynamic_entry),
			VMSTATE_UINT8(valid, struct dynamic_entry),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_tables = {
	.name = "smile-monitor/tables",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT32(size, struct smile_static),
			VMSTATE_UINT32(reserved, struct smile_static),
			VMSTATE_UINT32_ARRAY(page, struct smile_static, SMILE_STATIC_PAGES),
			VMSTATE_UINT32_ARRAY(node, struct smile_static, SMILE_STATIC_PAGES),
			VMSTATE_UINT32_ARRAY(event, struct smile_static, SMILE_STATIC_EVENTS),
			VMSTATE_UINT32_ARRAY(counter, struct smile_static, SMILE_STATIC_COUNTERS),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_counter = {
	.name = "smile-monitor/counter",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(owed, struct static_counter),
			VMSTATE_UINT64(taken_owed, struct static_counter),
			VMSTATE_UINT16(count, struct static_counter),
			VMSTATE_UINT16(taken, struct static_counter),
			VMSTATE_UINT8(active, struct static_counter),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_host_ring = {
	.name = "smile-monitor/host-ring",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(base, struct host_ring),
			VMSTATE_UINT32(size, struct host_ring),
			VMSTATE_UINT32(read, struct host_ring),
			VMSTATE_UINT32(write, struct host_ring),
			VMSTATE_UINT32(stalled, struct host_ring),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_timer = {
	.name = "smile-monitor/timer",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(deadline, struct card_timer),
			VMSTATE_UINT64(timer_next, struct card_timer),
			VMSTATE_UINT64(time_next, struct card_timer),
			VMSTATE_UINT64(time_ns, struct card_timer),
			VMSTATE_UINT32(time_waiting, struct card_timer),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_mark = {
	.name = "smile-monitor/mark",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(time_ns, struct card_mark),
			VMSTATE_UINT16(event, struct card_mark),
			VMSTATE_UINT16(node, struct card_mark),
			VMSTATE_UINT8(raised, struct card_mark),
			VMSTATE_UINT8(phase, struct card_mark),
			VMSTATE_UINT8(valid, struct card_mark),
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_card = {
	.name = "smile-monitor/card",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT32(control, struct card),
			VMSTATE_UINT32(bad_write, struct card),
			VMSTATE_UINT32(link, struct card),
			VMSTATE_STRUCT(config, struct card, VERSION, state_config,
				       struct smile_config),
			VMSTATE_UINT32(int_status, struct card),
			VMSTATE_UINT32(int_enable, struct card),
			VMSTATE_UINT32(int_level, struct card),
			VMSTATE_UINT32(latch, struct card),
			VMSTATE_STRUCT(count, struct card, VERSION, state_counts,
				       struct card_counts),
			VMSTATE_STRUCT_ARRAY(transactions.keyed, struct card, BLINK_SLOTS, VERSION,
					     state_slot, struct transaction_slot),
			VMSTATE_UINT32_ARRAY(transactions.faithful, struct card,
					     BLINK_TRANSACTIONS),
			VMSTATE_STRUCT_ARRAY(dynamic.entry, struct card, SMILE_ENTRIES_MAX, VERSION,
					     state_entry, struct dynamic_entry),
			VMSTATE_UINT64(dynamic.clock, struct card),
			VMSTATE_UINT32(dynamic.occupied, struct card),
			VMSTATE_STRUCT(statics.tables, struct card, VERSION, state_tables,
				       struct smile_static),
			VMSTATE_STRUCT_ARRAY(statics.counter, struct card, SMILE_STATIC_COUNTERS,
					     VERSION, state_counter, struct static_counter),
			VMSTATE_UINT32(statics.owing, struct card),
			VMSTATE_UINT32(statics.waiting, struct card),
			VMSTATE_UINT32(ring.read, struct card),
			VMSTATE_UINT32(ring.write, struct card),
			VMSTATE_UINT32(ring.aux, struct card),
			VMSTATE_STRUCT(host_ring, struct card, VERSION, state_host_ring,
				       struct host_ring),
			VMSTATE_UINT32(latency, struct card),
			VMSTATE_STRUCT(timer, struct card, VERSION, state_timer, struct card_timer),
			VMSTATE_UINT32(swapping, struct card),
			VMSTATE_UINT32(static_later, struct card),
			VMSTATE_STRUCT(mark, struct card, VERSION, state_mark, struct card_mark),
			VMSTATE_UINT64(lost_unsaid, struct card),
			VMSTATE_UINT64(lost_later, struct card),
			VMSTATE_UINT64(marks_unsaid, struct card),
			VMSTATE_UINT64(marks_later, struct card),
			VMSTATE_END_OF_LIST(),
		},
};

/*
 * Each structure above, with a value for every field. If a structure gets a new field, its
 * initialiser becomes incomplete, and the build fails, even if the field fills a hole. In this
 * case, describe the field above, raise VERSION, and add the field below. A comparison of sizes and
 * offsets would not detect a new field, because holes hide small fields. The index of the range
 * table is not described, because dynamic_restore() rebuilds it.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
static const struct smile_config every_config G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0,
							       0, 0, 0, 0, 0, 0, {0}};
static const struct card_counts every_count G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0,
							     0, 0, 0, 0, 0, 0, 0};
static const struct transaction_slot every_slot G_GNUC_UNUSED = {0, 0, 0, 0};
static const struct transaction_table every_table G_GNUC_UNUSED = {{{0}}, {0}};
static const struct dynamic_entry every_entry G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const struct dynamic_array every_array G_GNUC_UNUSED = {{{0}}, 0, 0, {0}};
static const struct smile_static every_tables G_GNUC_UNUSED = {0, 0, {0}, {0}, {0}, {0}};
static const struct static_counter every_counter G_GNUC_UNUSED = {0, 0, 0, 0, 0};
static const struct static_array every_static_array G_GNUC_UNUSED = {{0}, {{0}}, 0, 0};
static const struct swap_ring every_pointer G_GNUC_UNUSED = {NULL, 0, 0, 0};
static const struct host_ring every_host_ring G_GNUC_UNUSED = {0, 0, 0, 0, 0};
static const struct card_timer every_timer G_GNUC_UNUSED = {0, 0, 0, 0, 0};
static const struct card_mark every_mark G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0};
static const struct pcap_stream every_stream G_GNUC_UNUSED = {false, false, false, 0, NULL};
/* clang-format off */
static const struct card every_field G_GNUC_UNUSED = {
	NULL, NULL, 0, 0, 0, {0}, 0, 0, 0, 0, {0}, {{{0}}, {0}}, {{{0}}, 0, 0, {0}},
	{{0}, {{0}}, 0, 0}, {0}, {0}, 0, {0}, 0, 0, {0}, 0, 0, 0, 0,
};
/* clang-format on */
#pragma GCC diagnostic pop

static bool express_needed(void *opaque)
{
	return pci_is_express(PCI_DEVICE(opaque));
}

/* The error log, which only a card in a slot of PCI Express has. */
static const VMStateDescription state_express = {
	.name = TYPE_SMILE_MONITOR "/express",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.needed = express_needed,
	.fields =
		(VMStateField[]){
			VMSTATE_STRUCT(parent_obj.exp.aer_log, SmileMonitor, 0,
				       vmstate_pcie_aer_log, PCIEAERLog),
			VMSTATE_END_OF_LIST(),
		},
};

static int state_pre_save(void *opaque)
{
	smile_monitor_catch_up(opaque);
	return 0;
}

static int state_pre_load(void *opaque)
{
	SmileMonitor *mon = opaque;

	mon->loading = true;
	return 0;
}

static int state_post_load(void *opaque, int version)
{
	SmileMonitor *mon = opaque;
	struct SmileFeed *feed = &mon->feed;

	mon->reset_due = false;
	if (!slot_load(mon) || !loaded_card_valid(&mon->card) || !pace_load(mon) ||
	    feed->start > feed->end || feed->end > FEED_BUFFER_BYTES) {
		error_report(TYPE_SMILE_MONITOR ": the saved state is damaged: it describes an "
						"impossible card; save it again");
		/*
		 * Set the card to its state at power-on, because the machine may still be marked as
		 * running after a snapshot that failed to load.
		 */
		smile_monitor_power_on(mon);
		return -EINVAL;
	}
	dynamic_restore(&mon->card.dynamic);
	mon->loading = false;
	/*
	 * End the stream of the previous peer, because its state or its refusal must not affect a
	 * new peer.
	 */
	if (feed->refused || feed->stream.started || feed->end != feed->start)
		feed->ending = true;
	mon->interrupt = mon->card.int_level;
	/* Send no messages, because they were sent before the state was saved. */
	slot_settle(mon, true);
	smile_monitor_kick(mon);
	return 0;
}

const VMStateDescription smile_monitor_vmstate = {
	.name = TYPE_SMILE_MONITOR,
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.pre_save = state_pre_save,
	.pre_load = state_pre_load,
	.post_load = state_post_load,
	.fields =
		(VMStateField[]){
			VMSTATE_PCI_DEVICE(parent_obj, SmileMonitor),
			VMSTATE_STRUCT(card, SmileMonitor, VERSION, state_card, struct card),
			VMSTATE_UINT64(pace.latency_ns, SmileMonitor),
			VMSTATE_BOOL(feed.ending, SmileMonitor),
			VMSTATE_BOOL(feed.refused, SmileMonitor),
			VMSTATE_UINT64(feed.frames, SmileMonitor),
			VMSTATE_BOOL(feed.stream.started, SmileMonitor),
			VMSTATE_BOOL(feed.stream.swapped, SmileMonitor),
			VMSTATE_BOOL(feed.stream.nanoseconds, SmileMonitor),
			VMSTATE_UINT32(feed.stream.frame_bytes, SmileMonitor),
			VMSTATE_UINT64(feed.started_ns, SmileMonitor),
			VMSTATE_UINT64(feed.first_ns, SmileMonitor),
			VMSTATE_BOOL(feed.timed, SmileMonitor),
			VMSTATE_UINT32(feed.start, SmileMonitor),
			VMSTATE_UINT32(feed.end, SmileMonitor),
			VMSTATE_BUFFER(feed.buffer, SmileMonitor),
			VMSTATE_END_OF_LIST(),
		},
	.subsections = (const VMStateDescription *[]){&state_express, NULL},
};
