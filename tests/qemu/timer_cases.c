/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: the card's timer with pace=realtime.
 *
 * What lives here: timer events and TIME records of a card that receives no traffic, and whose
 * registers are not read until it raises an interrupt.
 */
#include <err.h>
#include <stddef.h>
#include <time.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

#define PERIOD_NS 1000ULL
#define PATIENCE 500000 /* times 200 us */

/* No register is read here: the card must act by itself. The message stays in memory. */
static void await_message(struct driver *driver)
{
	const struct timespec pause = {0, 200000};
	int tries;

	for (tries = 0; tries < PATIENCE; tries++) {
		if (qemu_load(&driver->qemu, MSI_ADDRESS) == MSI_DATA)
			return;
		nanosleep(&pause, NULL);
	}
	errx(1, "no message comes");
}

static void run(bool host)
{
	struct setup setup = {
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		/* Nothing reads the ring: a ring in host memory has room for nine seconds. */
		.timer_us = 60000,
		.timer_event = 5,
		.time_us = 90000,
		.tables = &setup_tables,
		.watermark = 8,
	};
	struct driver driver = {.records = {0}};
	struct records expected;
	uint64_t period_ns;

	qemu_start(&driver.qemu, "q35", "-device",
		   "smile-monitor,id=card,addr=4,node=3,pace=realtime", NULL);
	driver_probe(&driver);
	if (host)
		setup = setup_in_host_memory(&setup);
	driver_set_up(&driver, &setup);
	driver_put(&driver, SMILE_REG_INT_ENABLE, SMILE_INT_WATERMARK);
	msi_enable(&driver);
	msi_take(&driver);
	driver_put(&driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	await_message(&driver);
	driver_put(&driver, SMILE_REG_CONTROL, 0);
	driver_drain(&driver);
	if (driver.records.count < setup.watermark)
		errx(1, "the message came after %zu records", driver.records.count);

	/* The first record contains the time at which the clock took its first step. */
	period_ns = setup.timer_us * PERIOD_NS;
	records_expect_quiet(&expected, &setup, records_clock(&driver.records, 0) - period_ns,
			     records_clock(&driver.records, driver.records.count - 1));
	records_compare("records", &driver.records, &expected);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
	driver.records.count = 0;
	driver_drain(&driver);
	expect("timer events counted", records_static(&driver.records),
	       records_of(&expected, SMILE_KIND_EVENT));
	qemu_end(&driver.qemu);
}

void timer_of_realtime_needs_no_traffic(void)
{
	run(false);
	run(true);
}

/*
 * The card keeps its periods, and reports the events that found no room. The machine still has time
 * for other work: it answers.
 */
void shortest_period_leaves_the_machine_alive(void)
{
	struct setup setup = {
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.timer_us = 1,
		.time_us = 1,
	};
	struct driver driver = {.records = {0}};
	uint64_t first = 0;
	size_t i;

	qemu_start(&driver.qemu, "q35", "-device",
		   "smile-monitor,id=card,addr=4,node=3,pace=realtime", NULL);
	driver_probe(&driver);
	setup = setup_in_host_memory(&setup);
	driver_begin(&driver, &setup);
	driver_await_count(&driver, SMILE_REG_COUNT_MARKS_LOST, 100000);
	driver_finish(&driver, 0);
	for (i = 0; i < driver.records.count; i++) {
		if (records_kind(&driver.records, i) == SMILE_KIND_LOST)
			continue;
		first = first ? first : records_clock(&driver.records, i);
		expect("time since the first one",
		       (records_clock(&driver.records, i) - first) % PERIOD_NS, 0);
	}
	qemu_end(&driver.qemu);
}
