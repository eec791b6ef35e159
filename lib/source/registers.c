/* SPDX-License-Identifier: MIT */
/*
 * Registers: drives a card directly through its registers, without the driver. Uses registers.h and
 * lib/base/.
 */
#include <base/field.h>

#include "lib/source/registers.h"

#include <string.h>

#include "lib/base/error.h"

static uint32_t get(const struct smile_registers *registers, uint32_t offset)
{
	return registers->read(registers->opaque, offset);
}

static void set(const struct smile_registers *registers, uint32_t offset, uint32_t value)
{
	registers->write(registers->opaque, offset, value);
}

/* Read a 64-bit counter. Reading the low half latches the high half for the next read. */
static uint64_t get_count(const struct smile_registers *registers, uint32_t offset)
{
	uint64_t low = get(registers, offset);

	return low | (uint64_t)get(registers, offset + 4) << 32;
}

void smile_registers_info(const struct smile_registers *registers, struct smile_info *info)
{
	uint32_t capability = get(registers, SMILE_REG_CAPABILITY);

	*info = (struct smile_info){
		.size = sizeof(*info),
		.abi = SMILE_ABI_VERSION,
		.card_version = get(registers, SMILE_REG_VERSION),
		.entries_max = SMILE_GET(SMILE_CAPABILITY_ENTRIES, capability),
		.static_counters = SMILE_GET(SMILE_CAPABILITY_STATIC, capability),
		.card_ring_words = 1U << SMILE_GET(SMILE_CAPABILITY_RING, capability),
		.status = SMILE_INFO_OWNED,
		.config.size = sizeof(info->config),
		.config.node = get(registers, SMILE_REG_NODE),
		.config.filter = get(registers, SMILE_REG_FILTER),
		.config.mode = get(registers, SMILE_REG_MODE),
		.config.max_range_bytes = get(registers, SMILE_REG_MAX_RANGE),
		.config.entries = get(registers, SMILE_REG_ENTRIES),
		.config.phase_events = get(registers, SMILE_REG_PHASE_EVENTS),
		.config.timer_us = get(registers, SMILE_REG_TIMER_PERIOD),
		.config.timer_event = get(registers, SMILE_REG_TIMER_EVENT),
		.config.time_us = get(registers, SMILE_REG_TIME_PERIOD),
		.config.watermark_records = get(registers, SMILE_REG_RING_WATERMARK),
		.config.latency_us = get(registers, SMILE_REG_RING_LATENCY),
	};
	if (capability & SMILE_CAPABILITY_DMA)
		info->features |= SMILE_FEATURE_HOST_RING;
	if (capability & SMILE_CAPABILITY_TIMER)
		info->features |= SMILE_FEATURE_TIMER;
	if (get(registers, SMILE_REG_CONTROL) & SMILE_CONTROL_ENABLE)
		info->status |= SMILE_INFO_RUNNING;
	if (get(registers, SMILE_REG_STATUS) & SMILE_STATUS_LINK)
		info->status |= SMILE_INFO_LINK;
}

void smile_registers_configure(const struct smile_registers *registers,
			       const struct smile_config *config)
{
	set(registers, SMILE_REG_NODE, config->node);
	set(registers, SMILE_REG_FILTER, config->filter);
	set(registers, SMILE_REG_MODE, config->mode & ~SMILE_MODE_HOST_RING);
	set(registers, SMILE_REG_MAX_RANGE, config->max_range_bytes);
	set(registers, SMILE_REG_ENTRIES, config->entries);
	set(registers, SMILE_REG_PHASE_EVENTS, config->phase_events);
	set(registers, SMILE_REG_TIMER_PERIOD, config->timer_us);
	set(registers, SMILE_REG_TIMER_EVENT, config->timer_event);
	set(registers, SMILE_REG_TIME_PERIOD, config->time_us);
	set(registers, SMILE_REG_RING_WATERMARK, config->watermark_records);
	set(registers, SMILE_REG_RING_LATENCY, config->latency_us);
}

void smile_registers_static_set(const struct smile_registers *registers,
				const struct smile_static *tables)
{
	for (uint32_t i = 0; i < SMILE_STATIC_PAGES; i++) {
		set(registers, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE,
		    tables->page[i]);
		set(registers, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE,
		    tables->node[i]);
	}
	for (uint32_t i = 0; i < SMILE_STATIC_EVENTS; i++)
		set(registers, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT,
		    tables->event[i]);
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		set(registers, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
		    tables->counter[i]);
}

void smile_registers_static_info(const struct smile_registers *registers,
				 struct smile_static *tables)
{
	Monitor_static_default(tables);
	for (uint32_t i = 0; i < SMILE_STATIC_PAGES; i++) {
		tables->page[i] =
			get(registers, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE);
		tables->node[i] =
			get(registers, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE);
	}
	for (uint32_t i = 0; i < SMILE_STATIC_EVENTS; i++)
		tables->event[i] =
			get(registers, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT);
	for (uint32_t i = 0; i < SMILE_STATIC_COUNTERS; i++)
		tables->counter[i] =
			get(registers, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER);
}

void smile_registers_statistics(const struct smile_registers *registers, uint32_t status,
				struct smile_statistics *statistics)
{
	*statistics = (struct smile_statistics){
		.size = sizeof(*statistics),
		.status = status,
		.packets_seen = get_count(registers, SMILE_REG_COUNT_SEEN),
		.packets_malformed = get_count(registers, SMILE_REG_COUNT_MALFORMED),
		.packets_unmatched = get_count(registers, SMILE_REG_COUNT_UNMATCHED),
		.packets_filtered = get_count(registers, SMILE_REG_COUNT_FILTERED),
		.packets_event = get_count(registers, SMILE_REG_COUNT_EVENT),
		.events_accepted = get_count(registers, SMILE_REG_COUNT_ACCEPTED),
		.events_lost = get_count(registers, SMILE_REG_COUNT_LOST),
		.events_delivered = get_count(registers, SMILE_REG_COUNT_DELIVERED),
		.marks_lost = get_count(registers, SMILE_REG_COUNT_MARKS_LOST),
		.extensions = get_count(registers, SMILE_REG_COUNT_EXTENSIONS),
		.records_written = get_count(registers, SMILE_REG_COUNT_RECORDS),
		.clock_ns = get_count(registers, SMILE_REG_CLOCK),
		.static_counted = get_count(registers, SMILE_REG_COUNT_STATIC),
		.static_delivered = get_count(registers, SMILE_REG_COUNT_STATIC_DELIVERED),
	};
}

int smile_registers_refused(const struct smile_registers *registers)
{
	if (get(registers, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE)
		return smile_error(EIO, "the card refused a configuration that was checked");
	return 0;
}
