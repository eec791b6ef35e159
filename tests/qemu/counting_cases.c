/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: all records of the card for a capture.
 *
 * What lives here: the static array, timer events, TIME records and narrow widths, in either ring.
 * The records are compared with those of a card in this process; they must contain the records that
 * the case tests.
 */
#include <err.h>
#include <stddef.h>

#include <base/field.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"

static void run(const struct setup *setup, const struct traffic *traffic, struct records *expected)
{
	struct driver driver = {.records = {0}};

	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, setup);
	driver_finish(&driver, traffic->count);
	records_expect(expected, setup, traffic);
	records_compare("records", &driver.records, expected);
	qemu_end(&driver.qemu);
}

static void expect_some(const struct records *records, const char *what, uint32_t kind)
{
	if (!records_of(records, kind))
		errx(1, "%s: none among %zu records", what, records->count);
}

/* Only one page is counted, so that its counters overflow. */
void static_counters_overflow_and_are_swapped_out(void)
{
	const struct traffic traffic = {.count = 200000, .step_ns = 100, .pages = 1};
	const struct setup setup = {
		.filter = SMILE_FILTER_ALL,
		.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.phase_events = 0x0001,
		.tables = &setup_tables,
	};
	const struct setup host = setup_in_host_memory(&setup);
	struct setup no_phases = setup;
	struct records expected;

	run(&setup, &traffic, &expected);
	expect_some(&expected, "STATIC", SMILE_KIND_STATIC);
	run(&host, &traffic, &expected);
	expect_some(&expected, "STATIC", SMILE_KIND_STATIC);
	expect("DYNAMIC", records_of(&expected, SMILE_KIND_DYNAMIC), 0);
	no_phases.phase_events = 0;
	run(&no_phases, &traffic, &expected);
	expect_some(&expected, "OVERFLOW", SMILE_KIND_OVERFLOW);
}

/*
 * Periods that are no multiple of the distance between frames; gaps with more events than a ring
 * holds.
 */
void timer_follows_the_capture(void)
{
	const struct traffic close = {.count = 9000, .step_ns = 700};
	const struct traffic apart = {.count = 9, .step_ns = 5000000};
	struct setup rich = setup_rich, host;
	struct records expected;

	rich.swap_when_full = 0;
	host = setup_in_host_memory(&rich);
	run(&rich, &close, &expected);
	expect_some(&expected, "TIME", SMILE_KIND_TIME);
	run(&host, &close, &expected);
	run(&rich, &apart, &expected);
	run(&host, &apart, &expected);
	expect_some(&expected, "EVENT", SMILE_KIND_EVENT);
	expect("LOST", records_of(&expected, SMILE_KIND_LOST), 0);

	/* A phase mark that is due at the time of a frame must be complete before the frame. */
	rich.timer_us = 7;
	rich.timer_event = 4;
	host = setup_in_host_memory(&rich);
	run(&host, &close, &expected);
	expect("LOST", records_of(&expected, SMILE_KIND_LOST), 0);
}

/* The ring has room for more records than the device writes in one step. */
void long_gap_is_crossed_in_parts(void)
{
	const struct traffic traffic = {.count = 2, .step_ns = 210000000};
	struct setup setup = setup_plain;
	struct records expected;
	struct driver driver = {.records = {0}};

	setup.timer_us = 1;
	setup.timer_event = 3;
	qemu_start(&driver.qemu, "q35", "-chardev", driver_capture(&traffic), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	records_expect(&expected, &setup, &traffic);
	setup.host_records = 1U << 17;
	driver_begin(&driver, &setup);
	driver_await_full(&driver);
	driver_finish(&driver, traffic.count);
	records_compare("records", &driver.records, &expected);
	expect("EVENT", records_of(&expected, SMILE_KIND_EVENT), 210000);
	qemu_end(&driver.qemu);
}

void narrow_card_sees_narrow_frames(void)
{
	const struct traffic wide = {.count = 4000, .step_ns = 100, .wide = true};
	struct traffic narrow = wide;
	struct setup setup = setup_rich;
	struct records whole, cut, plain;
	size_t i;

	setup.swap_when_full = 0;
	run(&setup, &wide, &whole);
	setup.mode |= SMILE_MODE_NARROW;
	run(&setup, &wide, &cut);
	narrow.wide = false;
	run(&setup, &narrow, &plain);
	records_compare("what is left of wide frames", &cut, &plain);
	for (i = 0; i < whole.count; i++) {
		if (SMILE_GET(SMILE_RECORD_KIND, records_word(&whole, i, 0)) ==
			    SMILE_KIND_DYNAMIC &&
		    SMILE_GET(SMILE_RECORD_SOURCE, records_word(&whole, i, 1)) >
			    SMILE_NARROW_NODE &&
		    SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, records_word(&whole, i, 3)))
			return;
	}
	errx(1, "the frames are not wide");
}
