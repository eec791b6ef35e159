/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: its behaviour in a slot.
 *
 * What lives here: the capabilities of a card on a conventional bus and in a slot of PCI Express;
 * the power states; resets by the bus or by configuration space; and states saved on these buses.
 */
#include <err.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/msi.h"
#include "tests/qemu/saved.h"

#define MANY 20000U
#define PCI_CAPABILITIES 0x34
#define CAP_PM 0x01U
#define CAP_MSI 0x05U
#define CAP_EXPRESS 0x10U
#define POWER (SMILE_PCI_PM + 4)
#define D3HOT 3U
#define DEVICE_CONTROL (SMILE_PCI_EXPRESS + 8)
#define DEVICE_RESET 0x8000U
#define PORT_CONTROL 0x3c /* of a bridge; in its upper half */
#define PORT_RESET 0x00400000U

static const struct traffic traffic = {.count = MANY, .step_ns = 100};

static void start(struct driver *driver, bool express, const char *chardev)
{
	if (express)
		qemu_start(&driver->qemu, "q35", "-chardev", chardev, "-device", DRIVER_PORT,
			   "-device", DRIVER_PLUGGED, NULL);
	else
		qemu_start(&driver->qemu, "q35", "-chardev", chardev, "-device", DRIVER_DEVICE,
			   NULL);
	driver_show_space(driver);
	if (express)
		driver_plug(driver);
	driver_probe(driver);
}

/* ---- capabilities ---- */

static uint32_t capability(struct driver *driver, unsigned int at)
{
	return driver_pci_get(driver, at) & 0xffff;
}

/* MSI, then power management: only D0 and D3hot, no events, reset on the return to D0. */
static void expect_common(struct driver *driver, unsigned int after)
{
	expect("first capability", driver_pci_get(driver, PCI_CAPABILITIES) & 0xff, SMILE_PCI_MSI);
	expect("MSI", capability(driver, SMILE_PCI_MSI), SMILE_PCI_PM << 8 | CAP_MSI);
	expect("one message, 64 bits", driver_pci_get(driver, SMILE_PCI_MSI) >> 16, 0x0080);
	expect("power management", driver_pci_get(driver, SMILE_PCI_PM),
	       0x0003U << 16 | after << 8 | CAP_PM);
	expect("power state", driver_pci_get(driver, POWER), 0);
}

void conventional_card_has_its_capabilities(void)
{
	struct driver driver = {.records = {0}};

	start(&driver, false, "null,id=b");
	expect_common(&driver, 0);
	expect("its space", qemu_load(&driver.qemu, driver_space(&driver)),
	       (uint32_t)SMILE_PCI_DEVICE << 16 | SMILE_PCI_VENDOR);
	expect("extended capability",
	       qemu_load(&driver.qemu, driver_space(&driver) + SMILE_PCI_AER), SMILE_REG_ABSENT);
	qemu_end(&driver.qemu);
}

void express_card_has_its_capabilities(void)
{
	struct driver driver = {.records = {0}};
	uint32_t aer;

	start(&driver, true, "null,id=b");
	expect_common(&driver, SMILE_PCI_EXPRESS);
	expect("PCI Express", capability(&driver, SMILE_PCI_EXPRESS), CAP_EXPRESS);
	expect("an endpoint, version 2", driver_pci_get(&driver, SMILE_PCI_EXPRESS) >> 16, 0x0002);
	expect("resets, and reports errors by their role",
	       driver_pci_get(&driver, SMILE_PCI_EXPRESS + 4), 0x10008000);
	aer = driver_space(&driver) + SMILE_PCI_AER;
	expect("error reporting, and nothing after it", qemu_load(&driver.qemu, aer), 0x00020001);
	expect("errors", qemu_load(&driver.qemu, aer + 4), 0);
	qemu_end(&driver.qemu);
}

/* ---- power ---- */

static void sleep_card(struct driver *driver)
{
	driver_pci_put(driver, POWER, D3HOT);
	expect("power state", driver_pci_get(driver, POWER), D3HOT);
}

static void wake_card(struct driver *driver)
{
	driver_pci_put(driver, POWER, 0);
	expect("power state", driver_pci_get(driver, POWER), 0);
}

/* The card has its state after power on and must be probed again. */
static void expect_reset(struct driver *driver)
{
	expect("command register", driver_pci_get(driver, DRIVER_PCI_COMMAND) & 0xffff, 0);
	expect("INTx", driver_line(driver), false);
	expect("MSI", driver_pci_get(driver, SMILE_PCI_MSI) >> 16 & 1, 0);
	driver_probe(driver);
	expect("STATUS", driver_get(driver, SMILE_REG_STATUS) & ~SMILE_STATUS_LINK, 0);
	expect("CONTROL", driver_get(driver, SMILE_REG_CONTROL), 0);
	expect("MODE", driver_get(driver, SMILE_REG_MODE), SMILE_MODE_DEFAULT);
	expect("INT_STATUS", driver_get(driver, SMILE_REG_INT_STATUS), 0);
	expect("seen", driver_get_64(driver, SMILE_REG_COUNT_SEEN), 0);
	expect("records", driver_get_64(driver, SMILE_REG_COUNT_RECORDS), 0);
}

/* The frames that the card has not yet seen are the remaining ones. */
static void expect_rest(struct driver *driver, uint64_t seen)
{
	struct records expected;
	struct traffic rest = traffic;

	rest.first = (uint32_t)seen;
	rest.count -= rest.first;
	driver_begin(driver, &setup_plain);
	driver_finish(driver, rest.count);
	records_expect(&expected, &setup_plain, &rest);
	records_compare("records", &driver->records, &expected);
}

static void expect_dark(struct driver *driver)
{
	uint32_t offset;

	for (offset = 0; offset <= SMILE_REG_CLOCK_STEP; offset += 4)
		expect("register", driver_get(driver, offset), SMILE_REG_ABSENT);
	for (offset = 0; offset < SMILE_RING_BYTES; offset += 4)
		expect("ring RAM", qemu_load(&driver->qemu, driver_ring(driver) + offset),
		       SMILE_REG_ABSENT);
}

static void sleep_and_wake(bool express)
{
	struct driver driver = {.records = {0}};
	uint32_t word;
	uint64_t seen;

	start(&driver, express, driver_capture(&traffic));
	driver_begin(&driver, &setup_plain);
	driver_await_full(&driver);
	expect("INTx", driver_line(&driver), true);
	seen = driver_get_64(&driver, SMILE_REG_COUNT_SEEN);
	word = qemu_load(&driver.qemu, driver_ring(&driver));
	/* The card has no other power states. */
	driver_pci_put(&driver, POWER, 1);
	expect("D1", driver_pci_get(&driver, POWER), 0);
	driver_pci_put(&driver, POWER, 2);
	expect("D2", driver_pci_get(&driver, POWER), 0);
	expect("seen", driver_get_64(&driver, SMILE_REG_COUNT_SEEN), seen);
	expect("ring RAM", qemu_load(&driver.qemu, driver_ring(&driver)), word);

	sleep_card(&driver);
	expect_dark(&driver);
	expect("INTx in D3hot", driver_line(&driver), false);
	driver_pci_put(&driver, POWER, 1);
	expect("D1 from D3hot", driver_pci_get(&driver, POWER), D3HOT);
	/* If these writes had an effect, the card would be reset and would count again. */
	driver_put(&driver, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	driver_put(&driver, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	expect_dark(&driver);

	wake_card(&driver);
	expect_reset(&driver);
	expect("ring RAM, which keeps its contents", qemu_load(&driver.qemu, driver_ring(&driver)),
	       word);
	expect_rest(&driver, seen);
	qemu_end(&driver.qemu);
}

void card_in_d3_is_dark_and_wakes_up_reset(void)
{
	sleep_and_wake(false);
}

void express_card_in_d3_is_dark_and_wakes_up_reset(void)
{
	sleep_and_wake(true);
}

#define PATTERN 0xa5U

/* Fill the ring in host memory, and check later that it was not written. */
static void paint(struct driver *driver)
{
	qemu_ask(&driver->qemu, "memset 0x%x 0x%x 0x%x", DRIVER_HOST,
		 SMILE_DMA_RECORDS_MIN * SMILE_RECORD_BYTES, PATTERN);
}

static void expect_painted(struct driver *driver)
{
	const uint32_t bytes = SMILE_DMA_RECORDS_MIN * SMILE_RECORD_BYTES;
	const char *hex = qemu_ask(&driver->qemu, "read 0x%x 0x%x", DRIVER_HOST, bytes);
	uint32_t i;

	for (i = 0; i < bytes; i++) {
		if (strncmp(hex + 2 + (size_t)2 * i, "a5", 2))
			errx(1, "byte %u of the ring was written", i);
	}
}

/* Timers write records and interrupt without end: a reset must stop them immediately. */
static void begin_busy(struct driver *driver)
{
	struct setup busy = setup_in_host_memory(&setup_plain);

	busy.time_us = 1000;
	busy.watermark = 1;
	driver_begin(driver, &busy);
	driver_put(driver, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	driver_await_count(driver, SMILE_REG_COUNT_RECORDS, 3);
}

/* Wait long enough for the card's timers, while the machine's other timers run. */
static void await_time(void)
{
	const struct timespec pause = {0, 50000000};

	nanosleep(&pause, NULL);
}

void card_in_d3_gets_nothing_out(void)
{
	struct driver driver = {.records = {0}};
	int msi, express;

	for (express = 0; express < 2; express++) {
		driver.bus = 0;
		if (express)
			qemu_start(&driver.qemu, "q35", "-chardev", "null,id=b", "-device",
				   DRIVER_PORT, "-device", DRIVER_PLUGGED ",pace=realtime", NULL);
		else
			qemu_start(&driver.qemu, "q35", "-chardev", "null,id=b", "-device",
				   DRIVER_DEVICE ",pace=realtime", NULL);
		if (express)
			driver_plug(&driver);
		for (msi = 0; msi < 2; msi++) {
			driver_probe(&driver);
			if (msi)
				msi_enable(&driver);
			begin_busy(&driver);
			expect("message", !!msi_take(&driver), msi);
			expect("INTx", driver_line(&driver), !msi);
			sleep_card(&driver);
			paint(&driver);
			msi_take(&driver);
			await_time();
			expect("INTx in D3hot", driver_line(&driver), false);
			wake_card(&driver);
			expect_painted(&driver);
			expect("message", msi_take(&driver), 0);
			expect_reset(&driver);
			/*
			 * After the return, the timers and interrupts enabled before stay disabled.
			 */
			await_time();
			expect_painted(&driver);
			for (unsigned int bar = 0; bar < 6; bar++)
				driver_pci_put(&driver, 0x10 + 4 * bar, 0);
		}
		qemu_end(&driver.qemu);
	}
}

static void await_read(int fd)
{
	const struct timespec pause = {0, 1000000};
	int unread = 1;

	qemu_waits("QEMU's reading of the link", NULL);
	while (unread) {
		if (ioctl(fd, SIOCOUTQ, &unread))
			err(1, "socket");
		nanosleep(&pause, NULL);
	}
}

/* A link that does not wait: the card does not see frames that arrive in D3hot. */
void frames_pass_a_card_in_d3_by(void)
{
	const struct traffic before = {.count = 500}, none = {.count = 0};
	const struct traffic after = {.first = 500, .count = 300};
	char *path = qemu_path("link"), *chardev = saved_chardev(path);
	struct driver driver = {.records = {0}};
	int fd;

	qemu_start(&driver.qemu, "q35", "-chardev", chardev, "-device",
		   DRIVER_DEVICE ",pace=realtime", NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	sleep_card(&driver);
	fd = traffic_connect(path);
	traffic_write(fd, &before);
	close(fd);
	/* QEMU reads nothing of the next peer until all frames of the first one have passed. */
	fd = traffic_connect(path);
	traffic_write(fd, &none);
	await_read(fd);
	close(fd);
	wake_card(&driver);
	expect_reset(&driver);
	driver_begin(&driver, &setup_plain);
	fd = traffic_connect(path);
	traffic_write(fd, &after);
	driver_finish(&driver, after.count);
	qemu_end(&driver.qemu);
	close(fd);
}

/* A link that waits for the card: the card sees frames that arrive in D3hot after its return. */
void frames_wait_for_a_card_in_d3(void)
{
	const struct traffic some = {.count = 500, .step_ns = 100};
	char *path = qemu_path("link");
	struct driver driver = {.records = {0}};
	struct records expected;
	int fd;

	start(&driver, false, saved_chardev(path));
	driver_begin(&driver, &setup_plain);
	sleep_card(&driver);
	fd = traffic_connect(path);
	traffic_write(fd, &some);
	await_read(fd);
	close(fd);
	await_time();
	wake_card(&driver);
	expect_reset(&driver);
	driver_begin(&driver, &setup_plain);
	driver_finish(&driver, some.count);
	records_expect(&expected, &setup_plain, &some);
	records_compare("records", &driver.records, &expected);
	qemu_end(&driver.qemu);
}

/* ---- resets ---- */

/* With frames in transit and the ring in host memory: nothing may be written after @reset. */
static void stop_by(void (*reset)(struct driver *driver))
{
	struct setup host = setup_in_host_memory(&setup_plain);
	struct driver driver = {.records = {0}};
	uint64_t seen;

	start(&driver, true, driver_capture(&traffic));
	driver_begin(&driver, &host);
	driver_await_full(&driver);
	seen = driver_get_64(&driver, SMILE_REG_COUNT_SEEN);
	expect("INTx", driver_line(&driver), true);
	reset(&driver);
	paint(&driver);
	expect_reset(&driver);
	await_time();
	expect_painted(&driver);
	expect_rest(&driver, seen);
	expect_painted(&driver);
	qemu_end(&driver.qemu);
}

static void reset_bus(struct driver *driver)
{
	uint32_t control = driver_port_get(driver, PORT_CONTROL);

	driver_port_put(driver, PORT_CONTROL, control | PORT_RESET);
	driver_port_put(driver, PORT_CONTROL, control);
}

void reset_of_the_bus_stops_the_card(void)
{
	stop_by(reset_bus);
}

static void reset_function(struct driver *driver)
{
	driver_pci_put(driver, DEVICE_CONTROL, DEVICE_RESET | 0xf);
	expect("DEVICE_CONTROL", driver_pci_get(driver, DEVICE_CONTROL), 0);
}

void reset_of_the_function_stops_the_card(void)
{
	stop_by(reset_function);
}

/*
 * A ring over the card's own configuration space. The first words of the records are written to
 * COMMAND and the BARs, which do not change. The sixth record sets the power state. The clock in
 * the seventh record sooner or later resets the function while the card is writing this record.
 */
static void write_over(struct driver *driver, uint32_t node)
{
	struct setup host = setup_in_host_memory(&setup_plain);
	int i;

	host.host_first = 0;
	driver_set_up(driver, &setup_plain);
	driver_put(driver, SMILE_REG_NODE, node);
	setup_write(&host, driver_space(driver), driver_write, driver);
	expect("refused writes", driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
	for (i = 0; i < 7; i++)
		driver_put(driver, SMILE_REG_EVENT, DRIVER_REGS >> 16);
}

void records_over_its_own_configuration_are_harmless(void)
{
	struct driver driver = {.records = {0}};
	int tries;

	qemu_start(&driver.qemu, "q35", "-chardev", "null,id=b", "-device", DRIVER_PORT, "-device",
		   DRIVER_PLUGGED ",pace=realtime", NULL);
	driver_show_space(&driver);
	driver_plug(&driver);
	driver_probe(&driver);
	/* The card enters D3hot: the remaining writes are refused, like all other accesses. */
	write_over(&driver, 7);
	expect("power state", driver_pci_get(&driver, POWER), D3HOT);
	expect("ID", driver_get(&driver, SMILE_REG_ID), SMILE_REG_ABSENT);
	wake_card(&driver);
	expect_reset(&driver);
	for (tries = 0; driver_get(&driver, SMILE_REG_ID) == SMILE_ID_VALUE; tries++) {
		expect("a reset by chance, in time", tries < 200, true);
		write_over(&driver, 6);
	}
	expect_reset(&driver);
	driver_begin(&driver, &setup_plain);
	driver_put(&driver, SMILE_REG_EVENT, 1);
	driver_finish(&driver, 0);
	expect("records", driver.records.count, 1);
	qemu_end(&driver.qemu);
}

/* ---- saved states ---- */

static uint32_t first_error(struct driver *driver)
{
	return qemu_load(&driver->qemu, driver_space(driver) + SMILE_PCI_AER + 0x18) & 0x1f;
}

void migration_of_an_express_card_changes_nothing(void)
{
	static struct image here, there;
	char *path = qemu_path("here"), *next = qemu_path("there"), *state = qemu_path("state");
	uint32_t aer[SMILE_PCI_AER / 4], i;
	struct driver driver = {.records = {0}};
	int asleep;

	for (asleep = 0; asleep < 2; asleep++) {
		unlink(path);
		unlink(next);
		driver.bus = 0;
		start(&driver, true, saved_chardev(path));
		msi_enable(&driver);
		driver_pci_put(&driver, DEVICE_CONTROL, 0xf);
		driver_inject(&driver, "POISON_TLP");
		driver_inject(&driver, "COMP_TIME");
		expect("errors", qemu_load(&driver.qemu, driver_space(&driver) + SMILE_PCI_AER + 4),
		       0x00005000);
		driver_begin(&driver, &setup_plain);
		driver_put(&driver, SMILE_REG_EVENT, 5);
		if (asleep)
			sleep_card(&driver);
		saved_whole(&driver, state);
		image_take(&driver, &here);
		for (i = 0; i < SMILE_PCI_AER / 4; i++)
			aer[i] = qemu_load(&driver.qemu,
					   driver_space(&driver) + SMILE_PCI_AER + i * 4);
		qemu_end(&driver.qemu);

		saved_load(&driver, DRIVER_PLUGGED, state, next);
		image_take(&driver, &there);
		image_compare(&there, &here);
		for (i = 0; i < SMILE_PCI_AER / 4; i++)
			expect("error reporting",
			       qemu_load(&driver.qemu,
					 driver_space(&driver) + SMILE_PCI_AER + i * 4),
			       aer[i]);
		qemu_monitor(&driver.qemu, "{\"execute\": \"cont\"}");
		if (asleep) {
			expect_dark(&driver);
			wake_card(&driver);
			expect_reset(&driver);
		} else {
			driver_finish(&driver, 0);
			expect("records", driver.records.count, 1);
			/* Once the first error is cleared, the other one becomes the first. */
			expect("first error", first_error(&driver), 12);
			qemu_store(&driver.qemu, driver_space(&driver) + SMILE_PCI_AER + 4, 0x1000);
			expect("second error", first_error(&driver), 14);
		}
		qemu_end(&driver.qemu);
	}
}

/* The same slot, an earlier state: the state decides whether the card sleeps. */
void snapshot_of_a_sleeping_card_sleeps(void)
{
	char *disk = qemu_path("disk");
	struct driver driver = {.records = {0}};

	unlink(disk);
	start(&driver, true, "null,id=b");
	saved_disk(&driver, disk);
	sleep_card(&driver);
	saved_snapshot(&driver, "save");
	wake_card(&driver);
	expect_reset(&driver);
	saved_snapshot(&driver, "load");
	expect("power state", driver_pci_get(&driver, POWER), D3HOT);
	expect_dark(&driver);
	wake_card(&driver);
	expect_reset(&driver);
	qemu_end(&driver.qemu);
}
