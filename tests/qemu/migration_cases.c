/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: its state, moved from one QEMU to another in a file, or reset to an
 * earlier state by a snapshot.
 *
 * What lives here: a run that is interrupted at its worst moment, while the ring is full, a
 * Swap_All, static counters and a mark wait for room, requests wait for their responses, a latency
 * timer runs, and frames are in the device's buffer. Its records must be those of an uninterrupted
 * run.
 */
#include <err.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/msi.h"
#include "tests/qemu/saved.h"

#define FRAMES 16000U
/*
 * Frames that the first peer sends: they fit the device's buffer, and fill the ring more than
 * twice.
 */
#define BEFORE 5500U

/* The historic table of transactions, and counters that keep their values over the migration. */
static const struct setup historic = {
	.filter = SMILE_FILTER_ALL,
	.mode = SMILE_MODE_DEFAULT | SMILE_MODE_FAITHFUL_TABLE,
	.max_range_bytes = 16,
};

static const struct traffic whole = {.count = FRAMES, .step_ns = 100};
static const struct traffic before = {.count = BEFORE, .step_ns = 100};
static const struct traffic after = {.first = BEFORE, .count = FRAMES - BEFORE, .step_ns = 100};

/* Send the first part. When this returns, QEMU has received all of it. Return: the open socket. */
static int send_before(const char *path)
{
	const struct timespec pause = {0, 1000000};
	int fd = traffic_connect(path), unread = 1;

	traffic_write(fd, &before);
	qemu_waits("QEMU's reading of", path);
	while (unread) {
		if (ioctl(fd, SIOCOUTQ, &unread))
			err(1, "%s", path);
		nanosleep(&pause, NULL);
	}
	return fd;
}

static void start_source(struct driver *driver, const char *path)
{
	qemu_start(&driver->qemu, "q35", "-chardev", saved_chardev(path), "-device", DRIVER_DEVICE,
		   NULL);
	driver_probe(driver);
}

/*
 * When the ring is full for the first time, drain it; at the second time, leave much work waiting.
 */
static void reach_the_worst(struct driver *driver)
{
	driver_drain(driver);
	driver_await_full(driver);
	driver_put(driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
	driver_put(driver, SMILE_REG_EVENT, 9);
	expect("waiting", driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_SWAPPING,
	       SMILE_STATUS_SWAPPING);
	expect("INTx", driver_line(driver), true);
	if (driver_get_64(driver, SMILE_REG_COUNT_SEEN) >= BEFORE)
		errx(1, "no frame is left in the buffer");
}

static void cut(const struct setup *setup)
{
	static struct image here, there;
	char *path = qemu_path("migration-1"), *next = qemu_path("migration-2");
	char *state = qemu_path("state");
	struct driver driver = {.records = {0}};
	struct records expected;
	int peer;

	unlink(path);
	unlink(next);
	start_source(&driver, path);
	driver_begin(&driver, setup);
	peer = send_before(path);
	driver_await_full(&driver);
	saved_start(&driver, state);
	/* The ring's memory changes while it is being saved. */
	reach_the_worst(&driver);
	saved_finish(&driver, state);
	image_take(&driver, &here);
	qemu_end(&driver.qemu);
	close(peer);

	saved_load(&driver, DRIVER_DEVICE, state, next);
	image_take(&driver, &there);
	image_compare(&there, &here);
	traffic_send(traffic_connect(next), &after);
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
	expect("INTx there", driver_line(&driver), true);
	driver_put(&driver, SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	expect("INTx there, acknowledged", driver_line(&driver), false);
	driver_finish(&driver, FRAMES);
	expect("events lost", driver_get_64(&driver, SMILE_REG_COUNT_LOST), 0);
	qemu_end(&driver.qemu);

	records_expect(&expected, setup, &whole);
	records_compare("records", &driver.records, &expected);
}

void migration_in_the_middle_changes_nothing(void)
{
	struct setup setup = setup_rich;

	setup.latency_us = UINT32_MAX;
	cut(&setup);
}

void migration_of_a_host_ring_changes_nothing(void)
{
	struct setup setup = setup_in_host_memory(&setup_rich);

	setup.latency_us = UINT32_MAX;
	cut(&setup);
}

/* With MSI, no signal on the bus shows that the line is active: the device must store it. */
void migration_with_msi_keeps_the_line(void)
{
	char *path = qemu_path("msi-1"), *next = qemu_path("msi-2"),
	     *state = qemu_path("msi-state");
	struct driver driver = {.records = {0}};
	struct records expected;
	int peer;

	start_source(&driver, path);
	msi_enable(&driver);
	driver_begin(&driver, &historic);
	peer = send_before(path);
	driver_await_full(&driver);
	expect("message", msi_take(&driver), MSI_DATA);
	saved_start(&driver, state);
	saved_finish(&driver, state);
	qemu_end(&driver.qemu);
	close(peer);

	saved_load(&driver, DRIVER_DEVICE, state, next);
	expect("message by loading", msi_take(&driver), 0);
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
	expect("message by continuing", msi_take(&driver), 0);
	msi_disable(&driver);
	expect("INTx without MSI", driver_line(&driver), true);
	msi_enable(&driver);
	expect("INTx with MSI again", driver_line(&driver), false);
	expect("message for the active line", msi_take(&driver), MSI_DATA);
	/* The line falls and rises again. */
	traffic_send(traffic_connect(next), &after);
	driver_drain(&driver);
	driver_await_full(&driver);
	expect("next message", msi_take(&driver), MSI_DATA);
	driver_finish(&driver, FRAMES);
	qemu_end(&driver.qemu);

	records_expect(&expected, &historic, &whole);
	records_compare("records", &driver.records, &expected);
}

/* A running latency timer continues; while the machine is stopped, its clock is stopped. */
void migration_keeps_the_latency_timer(void)
{
	char *path = qemu_path("latency-1"), *next = qemu_path("latency-2");
	char *state = qemu_path("latency-state");
	struct driver driver = {.records = {0}};
	const struct setup host = setup_in_host_memory(&setup_plain);

	start_source(&driver, path);
	driver_set_up(&driver, &host);
	driver_put(&driver, SMILE_REG_INT_ENABLE, SMILE_INT_LATENCY);
	qemu_monitor(&driver.qemu, "{\"execute\": \"stop\"}");
	driver_put(&driver, SMILE_REG_RING_LATENCY, 1000);
	driver_put(&driver, SMILE_REG_EVENT, 3);
	expect("unread", driver_unread(&driver), 1);
	saved_whole(&driver, state);
	expect("INTx here", driver_line(&driver), false);
	qemu_end(&driver.qemu);

	saved_load(&driver, DRIVER_DEVICE, state, next);
	expect("INTx there", driver_line(&driver), false);
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
	driver_await(&driver, SMILE_REG_INT_STATUS, SMILE_INT_LATENCY);
	expect("INTx there, later", driver_line(&driver), true);
	driver_drain(&driver);
	expect("records", driver.records.count, 1);
	qemu_end(&driver.qemu);
}

/*
 * The bus has refused a ring while the timer continues: OVERFLOW records are pending, a TIME record
 * and a mark wait, and SWAP_STATIC has been commanded. If the mark is a phase mark, the counters
 * must be swapped out after it; otherwise they are swapped out already.
 */
static void cut_stalled(bool phase)
{
	static const char device[] = DRIVER_DEVICE ",pace=realtime";
	static struct image here, there;
	struct setup setup = setup_in_host_memory(&setup_rich);
	char *path = qemu_path("stalled-1"), *next = qemu_path("stalled-2");
	char *state = qemu_path("stalled-state");
	struct driver driver = {.records = {0}};
	uint64_t last_ns;
	size_t i;

	unlink(path);
	unlink(next);
	setup.timer_us = 1;
	setup.timer_event = 5;
	setup.phase_events = 0x0001;
	setup.time_us = 1;
	qemu_start(&driver.qemu, "q35", "-chardev", saved_chardev(path), "-device", device, NULL);
	driver_probe(&driver);
	driver_set_up(&driver, &setup);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0002);
	driver_put(&driver, SMILE_REG_EVENT, phase ? 0 : 1);
	driver_put(&driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	driver_await_count(&driver, SMILE_REG_COUNT_STATIC, 70000);
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
	driver_await_count(&driver, SMILE_REG_COUNT_STATIC, 200000);
	/* The timer is disabled, so that no new event hides a state that the migration loses. */
	last_ns = driver_get_64(&driver, SMILE_REG_CLOCK);
	driver_put(&driver, SMILE_REG_CONTROL, 0);
	saved_whole(&driver, state);
	image_take(&driver, &here);
	qemu_end(&driver.qemu);

	saved_load(&driver, device, state, next);
	image_take(&driver, &there);
	image_compare(&there, &here);
	qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
	expect("stalled", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_DMA_ERROR,
	       SMILE_STATUS_DMA_ERROR);
	driver_pci_put(&driver, DRIVER_PCI_COMMAND, 0x0002 | DRIVER_PCI_MASTER);
	driver_put(&driver, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	driver_drain(&driver);
	expect("swapped out after the phase mark",
	       !(driver_get(&driver, SMILE_REG_STATIC_VALUE + 5 * SMILE_STRIDE_STATIC_VALUE) &
		 SMILE_VALUE_COUNT),
	       phase);
	driver_finish(&driver, 0);
	for (i = 0; records_kind(&driver.records, i) != SMILE_KIND_TIME; i++)
		expect("TIME, still to come", i + 1 < driver.records.count, true);
	if (records_clock(&driver.records, i) + setup.time_us * 1000ULL <= last_ns)
		errx(1, "the TIME record is not the last one");
	expect("EVENT", records_of(&driver.records, SMILE_KIND_EVENT), 1);
	if (!records_of(&driver.records, SMILE_KIND_OVERFLOW))
		errx(1, "no counter has overflowed");
	qemu_end(&driver.qemu);
}

void migration_of_a_stalled_card_keeps_its_debts(void)
{
	cut_stalled(false);
	cut_stalled(true);
}

/* ---- snapshots ---- */

/*
 * Save a snapshot, run to the end, load the snapshot, and run to the end again. Both times the
 * records must be those of an uninterrupted run. The second run starts while another latency timer
 * is running.
 */
static void go_back(const struct setup *setup)
{
	char *path = qemu_path("snapshot"), *disk = qemu_path("disk");
	struct driver driver = {.records = {0}};
	struct records expected;
	size_t records;

	unlink(path);
	unlink(disk);
	start_source(&driver, path);
	saved_disk(&driver, disk);
	driver_begin(&driver, setup);
	close(send_before(path));
	driver_await_full(&driver);
	reach_the_worst(&driver);
	records = driver.records.count;
	saved_snapshot(&driver, "save");
	records_expect(&expected, setup, &before);
	driver_finish(&driver, BEFORE);
	records_compare("records", &driver.records, &expected);

	driver_put(&driver, SMILE_REG_RING_LATENCY, 50);
	driver_put(&driver, SMILE_REG_EVENT, 1);
	saved_snapshot(&driver, "load");
	driver.records.count = records;
	driver_finish(&driver, BEFORE);
	expect("cause", driver_get(&driver, SMILE_REG_INT_STATUS) & SMILE_INT_LATENCY, 0);
	records_compare("records after going back", &driver.records, &expected);
	qemu_end(&driver.qemu);
}

void snapshot_brings_everything_back(void)
{
	struct setup setup = setup_rich, host;

	setup.latency_us = UINT32_MAX;
	host = setup_in_host_memory(&setup);
	go_back(&setup);
	go_back(&host);
}
