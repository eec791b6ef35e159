/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: interrupts that let a reader sleep.
 *
 * What lives here: watermark and latency, of either ring, by message and by line. Each record is
 * the record of one event that the driver raises.
 */
#include <stddef.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"
#include "tests/qemu/msi.h"

#define CAUSES (SMILE_INT_WATERMARK | SMILE_INT_LATENCY)

static const struct setup quiet = {
	.filter = SMILE_FILTER_DEFAULT,
	.mode = SMILE_MODE_DEFAULT,
	.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
	.watermark = 3,
};

/* Did the card interrupt since the last call? If so, acknowledge the interrupt. */
static bool interrupted(struct driver *driver, bool msi, uint32_t cause)
{
	uint32_t causes = driver_get(driver, SMILE_REG_INT_STATUS) & CAUSES;

	if (msi) {
		expect("INTx with MSI", driver_line(driver), false);
		expect("message", msi_take(driver), causes ? MSI_DATA : 0);
	} else {
		expect("INTx", driver_line(driver), !!causes);
	}
	if (!causes)
		return false;
	expect("cause", causes, cause);
	driver_put(driver, SMILE_REG_INT_STATUS, causes);
	expect("INTx, acknowledged", driver_line(driver), false);
	return true;
}

static void raise_event(struct driver *driver, uint32_t unread)
{
	driver_put(driver, SMILE_REG_EVENT, unread);
	expect("unread", driver_unread(driver), unread);
}

static void begin(struct driver *driver, bool host, bool msi)
{
	const struct setup in_host_memory = setup_in_host_memory(&quiet);

	driver_set_up(driver, host ? &in_host_memory : &quiet);
	driver_put(driver, SMILE_REG_INT_STATUS, SMILE_INT_ALL);
	driver_put(driver, SMILE_REG_INT_ENABLE, CAUSES);
	if (msi)
		msi_enable(driver);
	else
		msi_disable(driver);
	msi_take(driver);
}

static void watermark(struct driver *driver, bool msi)
{
	int times;

	for (times = 0; times < 2; times++) {
		raise_event(driver, 1);
		raise_event(driver, 2);
		expect("below", interrupted(driver, msi, 0), false);
		raise_event(driver, 3);
		expect("reached", interrupted(driver, msi, SMILE_INT_WATERMARK), true);
		raise_event(driver, 4);
		expect("above", interrupted(driver, msi, 0), false);
		driver_drain(driver);
	}
	driver_put(driver, SMILE_REG_RING_WATERMARK, 0);
}

/* The longest latency represents a disabled timer: it does not expire during the test. */
static void latency(struct driver *driver, bool msi)
{
	driver_put(driver, SMILE_REG_RING_LATENCY, UINT32_MAX);
	raise_event(driver, 1);
	expect("too early", interrupted(driver, msi, 0), false);
	/* A write of RING_LATENCY restarts the timer, since a record is unread. */
	driver_put(driver, SMILE_REG_RING_LATENCY, 100);
	driver_await(driver, SMILE_REG_INT_STATUS, SMILE_INT_LATENCY);
	expect("run out", interrupted(driver, msi, SMILE_INT_LATENCY), true);
	driver_drain(driver);
	/* A record that is written to the empty ring also restarts it. */
	raise_event(driver, 1);
	driver_await(driver, SMILE_REG_INT_STATUS, SMILE_INT_LATENCY);
	expect("run out again", interrupted(driver, msi, SMILE_INT_LATENCY), true);
	driver_drain(driver);
	expect("nothing unread", interrupted(driver, msi, 0), false);
}

void watermark_and_latency_interrupt(void)
{
	struct driver driver = {.records = {0}};
	int host, msi;

	qemu_start(&driver.qemu, "q35", "-device", "smile-monitor,id=card,addr=4,node=3", NULL);
	driver_probe(&driver);
	for (host = 0; host < 2; host++) {
		for (msi = 0; msi < 2; msi++) {
			begin(&driver, host, msi);
			watermark(&driver, msi);
			latency(&driver, msi);
		}
	}
	qemu_end(&driver.qemu);
}

/* A timer that was started before a reset must not expire after it. */
void reset_stops_the_latency_timer(void)
{
	struct driver driver = {.records = {0}}, other = {.card = 1};

	qemu_start(&driver.qemu, "q35", "-device", "smile-monitor,id=card,addr=4,node=3", "-device",
		   "smile-monitor,addr=5,node=3", NULL);
	other.qemu = driver.qemu;
	driver_probe(&driver);
	driver_probe(&other);
	begin(&driver, false, false);
	begin(&other, false, false);
	/* While the machine is stopped, its clock is stopped. */
	qemu_monitor(&driver.qemu, "{\"execute\": \"stop\"}");
	driver_put(&driver, SMILE_REG_RING_LATENCY, 1);
	raise_event(&driver, 1);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	driver_put(&driver, SMILE_REG_RING_LATENCY, UINT32_MAX);
	raise_event(&driver, 1);
	driver_put(&other, SMILE_REG_RING_LATENCY, 1000);
	raise_event(&other, 1);
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
	driver_await(&other, SMILE_REG_INT_STATUS, SMILE_INT_LATENCY);
	expect("cause", driver_get(&driver, SMILE_REG_INT_STATUS), 0);
	qemu_end(&driver.qemu);
}
