/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver when its card is unplugged, pulled out, and plugged in.
 *
 * What lives here: PCI Express hot-plug while the card is in use. In a guest whose cards are in
 * slots, see driver_monitor.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/driver_monitor.h"
#include "tests/guest/driver_test.h"
#include "tests/guest/driver_uevent.h"

static void assert_gone(int fd)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_record record;

	assert_errno(ioctl(fd, SMILE_IOC_INFO, &info), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_START), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), ENODEV);
	assert_errno(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), ENODEV);
	assert_errno(read(fd, &record, sizeof(record)), ENODEV);
	assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, 0), POLLHUP);
}

/* The card must behave like a new card, and count exactly the packets that are sent to it. */
static void assert_works(unsigned int first)
{
	struct smile_record records[16];
	int fd = driver_tracing(0);

	assert_int_equal(driver_statistics(fd).packets_seen, 0);
	driver_send(CARD_DRAIN, first, 10);
	assert_soon(driver_statistics(fd).records_drained == 10);
	assert_int_equal(read(fd, records, sizeof(records)), 10 * SMILE_RECORD_BYTES);
	for (unsigned int i = 0; i < 10; i++)
		assert_record_is_packet(&records[i], first + i);
	driver_close(fd);
}

/* Plug the card in. So even after a failure, the next test finds a card. */
static int plug_and_teardown(void **state)
{
	driver_write_file(RESET_WAIT, "90");
	if (!driver_present(CARD_DRAIN))
		driver_plug();
	return driver_teardown(state);
}

static void unplug_wakes_a_blocked_reader_with_enodev(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_tracing(0)};

	driver_sleeper_start(&sleeper);
	driver_unplug(true);
	driver_sleeper_join(&sleeper);
	assert_int_equal(sleeper.result, -1);
	assert_int_equal(sleeper.error, ENODEV);
	assert_gone(sleeper.fd);
	driver_plug();
	assert_gone(sleeper.fd);
	assert_works(100);
}

static void unplug_wakes_a_poller_with_pollhup(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_tracing(0), .polls = true};
	struct driver_sleeper other = {.fd = driver_watch(CARD_DRAIN), .polls = true};

	driver_sleeper_start(&sleeper);
	driver_sleeper_start(&other);
	driver_unplug(false);
	driver_sleeper_join(&sleeper);
	driver_sleeper_join(&other);
	assert_int_equal(sleeper.result, 1);
	assert_int_equal(sleeper.revents, POLLHUP);
	assert_int_equal(other.result, 1);
	assert_int_equal(other.revents, POLLHUP);
	driver_plug();
	assert_works(200);
}

static void unplug_leaves_a_mapping_readable(void **state)
{
	int fd = driver_tracing(0);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;

	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_ring_head(&ring) == 100);
	driver_unplug(false);
	for (unsigned int page = 0; page < 50; page++) {
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
	driver_plug();
	assert_works(300);
	driver_close(fd);
	assert_int_equal(driver_ring_head(&ring), 100);
	for (unsigned int page = 50; page < 100; page++) {
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
}

static struct {
	int fd;
	int error;
	unsigned int done;
} swapper;

/* Swaps and queries the card until a call fails. */
static void *swapper_main(void *unused)
{
	struct smile_info info = {.size = sizeof(info)};

	while (!ioctl(swapper.fd, SMILE_IOC_SWAP) && !ioctl(swapper.fd, SMILE_IOC_INFO, &info))
		__atomic_add_fetch(&swapper.done, 1, __ATOMIC_RELAXED);
	swapper.error = errno;
	return NULL;
}

static void swapper_start(pthread_t *thread)
{
	swapper.fd = driver_tracing(0);
	swapper.done = 0;
	assert_int_equal(pthread_create(thread, NULL, swapper_main, NULL), 0);
	assert_soon(__atomic_load_n(&swapper.done, __ATOMIC_RELAXED) > 10);
}

static void unplug_ends_an_ioctl_with_enodev(void **state)
{
	pthread_t thread;

	swapper_start(&thread);
	driver_unplug(false);
	pthread_join(thread, NULL);
	assert_int_equal(swapper.error, ENODEV);
	assert_gone(swapper.fd);
	driver_plug();
	assert_works(400);
}

static void unplug_and_plug_with_nobody_there(void **state)
{
	for (unsigned int cycle = 0; cycle < 4; cycle++) {
		/* An idle card may be suspended; the kernel wakes it up for remove(). */
		if (cycle % 2) {
			driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
			driver_power(CARD_DRAIN, "control", "auto");
			assert_soon(driver_asleep(CARD_DRAIN));
		}
		driver_unplug(false);
		driver_plug();
		assert_works(500 + cycle);
	}
}

/*
 * The card is pulled out without a request, so all reads return all ones. The card does not return;
 * after the time-out, all callers get ENODEV. Then the card is unplugged, as a slot that detects
 * the removal would do.
 */
static void pulled_card_ends_all_calls_after_the_time_out(void **state)
{
	struct driver_sleeper reader = {.fd = driver_tracing(0)};
	struct driver_sleeper poller = {.fd = driver_watch(CARD_DRAIN), .polls = true};
	int uevents;
	struct smile_info info = {.size = sizeof(info)};

	driver_write_file(RESET_WAIT, "1");
	driver_send(CARD_DRAIN, 0, 1);
	assert_soon(driver_statistics(reader.fd).records_drained == 1);
	assert_int_equal(read(reader.fd, &reader.record, SMILE_RECORD_BYTES), SMILE_RECORD_BYTES);
	driver_sleeper_start(&reader);
	driver_sleeper_start(&poller);
	uevents = uevent_open();
	driver_pull(true);
	/* The call waits for a recovery, which never happens. */
	assert_soon(ioctl(poller.fd, SMILE_IOC_INFO, &info) < 0);
	assert_errno(ioctl(poller.fd, SMILE_IOC_INFO, &info), ENODEV);
	driver_sleeper_join(&reader);
	driver_sleeper_join(&poller);
	assert_int_equal(reader.result, -1);
	assert_int_equal(reader.error, ENODEV);
	assert_int_equal(poller.result, 1);
	assert_int_equal(poller.revents, POLLHUP);
	uevent_wait(uevents, CARD_DRAIN, "DEAD=1");
	assert_gone(reader.fd);
	driver_unplug(false);
	driver_plug();
	assert_works(600);
}

/*
 * Pull the card while it is used. An interrupt, a drain or an ioctl may be the first to detect
 * this.
 */
static void pulled_card_ends_ioctls_and_traffic(void **state)
{
	pthread_t thread;

	driver_write_file(RESET_WAIT, "1");
	swapper_start(&thread);
	driver_send(CARD_DRAIN, 0, 500);
	assert_soon(driver_statistics(swapper.fd).packets_seen > 10);
	driver_pull(true);
	pthread_join(thread, NULL);
	assert_int_equal(swapper.error, ENODEV);
	driver_unplug(false);
	driver_sent();
	driver_plug();
	assert_works(700);
}

/* After the time-out, the driver uses the card only when it is bound anew. */
static void pulled_card_that_comes_back_late_is_bound_anew(void **state)
{
	struct smile_info info = {.size = sizeof(info)};
	int fd = driver_tracing(0);
	char path[64];

	driver_write_file(RESET_WAIT, "1");
	driver_pull(true);
	assert_soon(ioctl(fd, SMILE_IOC_INFO, &info) < 0);
	driver_pull(false);
	assert_gone(fd);
	driver_close(fd);
	driver_path(CARD_DRAIN, path);
	assert_errno(open(path, O_RDWR | O_CLOEXEC), ENODEV);
	driver_bind(CARD_DRAIN, false);
	driver_bind(CARD_DRAIN, true);
	assert_works(800);
}

static void sysfs_write(const char *path)
{
	driver_write_file(path, "1");
}

static void remove_and_rescan_finds_the_card(void **state)
{
	struct driver_sleeper sleeper;
	char address[16], path[64];

	driver_slot(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", address);
	for (unsigned int cycle = 0; cycle < 3; cycle++) {
		sleeper = (struct driver_sleeper){.fd = driver_tracing(0), .polls = cycle & 1};
		driver_sleeper_start(&sleeper);
		sysfs_write(path);
		assert_false(driver_present(CARD_DRAIN));
		driver_sleeper_join(&sleeper);
		if (sleeper.polls)
			assert_int_equal(sleeper.revents, POLLHUP);
		else
			assert_int_equal(sleeper.error, ENODEV);
		assert_gone(sleeper.fd);
		sysfs_write("/sys/bus/pci/rescan");
		assert_true(driver_bound(CARD_DRAIN));
		assert_works(900 + cycle);
		driver_close(sleeper.fd);
	}
}

#define hotplug_test(name) cmocka_unit_test_teardown(name, plug_and_teardown)

int driver_hotplug_tests(void)
{
	const struct CMUnitTest tests[] = {
		hotplug_test(unplug_wakes_a_blocked_reader_with_enodev),
		hotplug_test(unplug_wakes_a_poller_with_pollhup),
		hotplug_test(unplug_leaves_a_mapping_readable),
		hotplug_test(unplug_ends_an_ioctl_with_enodev),
		hotplug_test(unplug_and_plug_with_nobody_there),
		hotplug_test(pulled_card_ends_all_calls_after_the_time_out),
		hotplug_test(pulled_card_ends_ioctls_and_traffic),
		hotplug_test(pulled_card_that_comes_back_late_is_bound_anew),
		hotplug_test(remove_and_rescan_finds_the_card),
	};

	return cmocka_run_group_tests_name("hotplug", tests, NULL, NULL);
}
