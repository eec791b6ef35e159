/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the setup of a card.
 *
 * What lives here: a driver's settings of a card, and the register writes for these settings. They
 * are the same for a card in QEMU and for a card in this process. May use <hw/smile_regs.h>.
 */
#ifndef TESTS_QEMU_SETUP_H
#define TESTS_QEMU_SETUP_H

#include <stdint.h>

#include <hw/smile_regs.h>

/* The node of the card, as on QEMU's command line and in the frames. */
#define NODE 3

/**
 * struct setup - The driver's settings of the card. Zero: no setting, or the reset value.
 * @filter: FILTER
 * @mode: MODE; HOST_RING is set by @host_records
 * @max_range_bytes: MAX_RANGE
 * @phase_events: PHASE_EVENTS
 * @swap_when_full: at the nth time that the ring is full, SWAP_OUT and raise event 9
 * @timer_us: TIMER_PERIOD
 * @timer_event: TIMER_EVENT
 * @time_us: TIME_PERIOD
 * @tables: the static array's tables
 * @host_records: size of the ring in host memory
 * @host_first: number of the first record in it
 * @watermark: RING_WATERMARK
 * @latency_us: RING_LATENCY
 */
struct setup {
	uint32_t filter;
	uint32_t mode;
	uint32_t max_range_bytes;
	uint32_t phase_events;
	uint32_t swap_when_full;
	uint32_t timer_us;
	uint32_t timer_event;
	uint32_t time_us;
	const struct smile_static *tables;
	uint32_t host_records;
	uint32_t host_first;
	uint32_t watermark;
	uint32_t latency_us;
};

/* The card's reset values. */
extern const struct setup setup_plain;

/*
 * Both arrays, all kinds of records, a timer that expires between any two frames of some captures,
 * and phase marks.
 */
extern const struct setup setup_rich;

/* Tables whose counters are switched on and off, overflow, and count global events. */
extern const struct smile_static setup_tables;

/* A copy of @setup with a ring in host memory, where both the ring and its pointers wrap. */
struct setup setup_in_host_memory(const struct setup *setup);

/*
 * Write all of @setup, except CONTROL, with @put; the card must be disabled. The ring in host
 * memory starts at @base.
 */
void setup_write(const struct setup *setup, uint64_t base,
		 void (*put)(void *opaque, uint32_t offset, uint32_t value), void *opaque);

#endif /* TESTS_QEMU_SETUP_H */
