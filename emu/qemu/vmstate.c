/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device: what a migration or a snapshot carries.
 *
 * What lives here: a description of every field of struct card but its call-backs and the pointer
 * to its RAM (QEMU carries the RAM itself), and of the frames received and not yet fed. A new field
 * in the card needs a line here and a new version; the compiler says so. What arrives is checked
 * like any other input.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "migration/vmstate.h"

#include "emu/qemu/smile_monitor.h"

#define VERSION 1

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
			VMSTATE_END_OF_LIST(),
		},
};

static const VMStateDescription state_slot = {
	.name = "smile-monitor/slot",
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.fields =
		(VMStateField[]){
			VMSTATE_UINT64(address, struct blink_slot),
			VMSTATE_UINT16(source, struct blink_slot),
			VMSTATE_UINT8(type, struct blink_slot),
			VMSTATE_UINT8(valid, struct blink_slot),
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
			VMSTATE_STRUCT_ARRAY(decoder.keyed, struct card, BLINK_SLOTS, VERSION,
					     state_slot, struct blink_slot),
			VMSTATE_UINT32_ARRAY(decoder.faithful, struct card, BLINK_TRANSACTIONS),
			VMSTATE_STRUCT_ARRAY(dynamic.entry, struct card, SMILE_ENTRIES_MAX, VERSION,
					     state_entry, struct dynamic_entry),
			VMSTATE_UINT64(dynamic.clock, struct card),
			VMSTATE_UINT32(dynamic.occupied, struct card),
			VMSTATE_UINT32(ring.read, struct card),
			VMSTATE_UINT32(ring.write, struct card),
			VMSTATE_UINT32(ring.aux, struct card),
			VMSTATE_UINT32(swapping, struct card),
			VMSTATE_STRUCT(mark, struct card, VERSION, state_mark, struct card_mark),
			VMSTATE_UINT64(lost_unsaid, struct card),
			VMSTATE_UINT64(lost_later, struct card),
			VMSTATE_UINT64(marks_unsaid, struct card),
			VMSTATE_END_OF_LIST(),
		},
};

/*
 * Each structure above, with a value for every field in turn. A field that is new anywhere, in a
 * hole too, makes one of these fall short, and the build stops here: describe the field above, raise
 * VERSION, and add it below. Sizes and offsets could not tell: holes swallow small fields.
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
static const struct smile_config every_config G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0, 0};
static const struct card_counts every_count G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const struct blink_slot every_slot G_GNUC_UNUSED = {0, 0, 0, 0};
static const struct blink_decoder every_table G_GNUC_UNUSED = {{{0}}, {0}};
static const struct dynamic_entry every_entry G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static const struct dynamic_array every_array G_GNUC_UNUSED = {{{0}}, 0, 0};
static const struct swap_ring every_pointer G_GNUC_UNUSED = {NULL, 0, 0, 0};
static const struct card_mark every_mark G_GNUC_UNUSED = {0, 0, 0, 0, 0, 0};
static const struct pcap_stream every_stream G_GNUC_UNUSED = {false, false, false, NULL};
static const struct card every_field G_GNUC_UNUSED = {
	NULL,	      NULL,	     0,	  0, 0,	  {0}, 0, 0, 0, 0, {0},
	{{{0}}, {0}}, {{{0}}, 0, 0}, {0}, 0, {0}, 0,   0, 0,
};
#pragma GCC diagnostic pop

static bool state_entry_valid(const struct dynamic_entry *entry, uint64_t clock)
{
	return entry->valid == 1 && entry->first <= entry->last &&
	       entry->last < SMILE_PAGE_BYTES / SMILE_WORD_BYTES && entry->count &&
	       entry->type < SMILE_TYPE_COUNT && entry->response <= 1 && entry->used <= clock;
}

static bool state_array_valid(const struct card *card)
{
	const struct dynamic_array *array = &card->dynamic;
	uint32_t i, valid = 0;

	for (i = 0; i < SMILE_ENTRIES_MAX; i++) {
		if (!array->entry[i].valid)
			continue;
		valid++;
		if (i >= card->config.entries || !state_entry_valid(&array->entry[i], array->clock))
			return false;
	}
	return valid == array->occupied;
}

static bool state_decoder_valid(const struct blink_decoder *decoder)
{
	uint32_t i;

	for (i = 0; i < BLINK_SLOTS; i++) {
		if (decoder->keyed[i].type >= SMILE_TYPE_COUNT || decoder->keyed[i].valid > 1)
			return false;
	}
	return true;
}

static uint32_t state_unread(const struct swap_ring *ring)
{
	return (ring->aux - ring->read) & SMILE_RING_POINTER;
}

static bool state_ring_valid(const struct swap_ring *ring)
{
	return ring->read <= SMILE_RING_POINTER && ring->aux <= SMILE_RING_POINTER &&
	       ring->write == ring->aux && ring->read % SMILE_RECORD_WORDS == 0 &&
	       ring->aux % SMILE_RECORD_WORDS == 0 && state_unread(ring) <= SMILE_RING_WORDS;
}

/* Work waits only while the ring is full: a card with room would never come back to it. */
static bool state_waiting_valid(const struct card *card)
{
	const struct card_mark *mark = &card->mark;
	bool waiting = card->swapping || mark->valid || card->lost_unsaid || card->marks_unsaid ||
		       card->lost_later || card->dynamic.occupied >= card->config.entries;

	return card->swapping <= 1 && mark->valid <= 1 && mark->phase <= 1 &&
	       mark->raised <= SMILE_RAISED_BLINK &&
	       (!waiting || state_unread(&card->ring) == SMILE_RING_WORDS);
}

static bool state_config_valid(const struct smile_config *config)
{
	return config->size == sizeof(*config) && !config->reserved &&
	       config->entries >= SMILE_ENTRIES_MIN && config->entries <= SMILE_ENTRIES_MAX &&
	       config->max_range_bytes >= SMILE_MAX_RANGE_MIN &&
	       config->max_range_bytes <= SMILE_MAX_RANGE_MAX &&
	       config->max_range_bytes % SMILE_WORD_BYTES == 0 && config->node <= SMILE_NODE_ID &&
	       !(config->filter & ~SMILE_FILTER_ALL) && !(config->mode & ~SMILE_MODE_ALL) &&
	       !(config->phase_events & ~SMILE_PHASE_EVENTS_MASK);
}

static bool state_registers_valid(const struct card *card)
{
	return !(card->control & ~SMILE_CONTROL_ENABLE) && card->bad_write <= 1 &&
	       card->link <= 1 && !(card->int_status & ~SMILE_INT_ALL) &&
	       !(card->int_enable & ~SMILE_INT_ALL) &&
	       card->int_level == !!(card->int_status & card->int_enable);
}

/* In this order: what comes later relies on what comes first. */
static bool state_card_valid(const struct card *card)
{
	return state_config_valid(&card->config) && state_registers_valid(card) &&
	       state_ring_valid(&card->ring) && state_array_valid(card) &&
	       state_waiting_valid(card) && state_decoder_valid(&card->decoder);
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

	if (!state_card_valid(&mon->card) || feed->start > feed->end ||
	    feed->end > FEED_BUFFER_BYTES) {
		error_report(TYPE_SMILE_MONITOR ": the saved state is damaged: it describes a card "
						"that cannot be; save it again");
		/* After a snapshot that failed to load, the machine may still be told to run. */
		smile_monitor_power_on(mon);
		return -EINVAL;
	}
	mon->loading = false;
	/* What is left of the peer there, or of its refusal, must not meet a new peer here. */
	if (feed->refused || feed->stream.started || feed->end != feed->start)
		feed->ending = true;
	mon->interrupt = mon->card.int_level;
	smile_monitor_interrupt(mon);
	feed_kick(mon);
	return 0;
}

const VMStateDescription smile_monitor_vmstate = {
	.name = TYPE_SMILE_MONITOR,
	.version_id = VERSION,
	.minimum_version_id = VERSION,
	.pre_load = state_pre_load,
	.post_load = state_post_load,
	.fields =
		(VMStateField[]){
			VMSTATE_PCI_DEVICE(parent_obj, SmileMonitor),
			VMSTATE_STRUCT(card, SmileMonitor, VERSION, state_card, struct card),
			VMSTATE_BOOL(feed.ending, SmileMonitor),
			VMSTATE_BOOL(feed.refused, SmileMonitor),
			VMSTATE_UINT64(feed.frames, SmileMonitor),
			VMSTATE_BOOL(feed.stream.started, SmileMonitor),
			VMSTATE_BOOL(feed.stream.swapped, SmileMonitor),
			VMSTATE_BOOL(feed.stream.nanoseconds, SmileMonitor),
			VMSTATE_UINT64(feed.started_ns, SmileMonitor),
			VMSTATE_UINT64(feed.first_ns, SmileMonitor),
			VMSTATE_BOOL(feed.timed, SmileMonitor),
			VMSTATE_UINT32(feed.start, SmileMonitor),
			VMSTATE_UINT32(feed.end, SmileMonitor),
			VMSTATE_BUFFER(feed.buffer, SmileMonitor),
			VMSTATE_END_OF_LIST(),
		},
};
