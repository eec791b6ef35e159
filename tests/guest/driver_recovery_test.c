/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver after a bus error.
 *
 * What lives here: errors of each severity, which QEMU lets the card report, and the recovery by
 * the kernel. If the kernel resets the card, the stream must continue and report the reset. In a
 * guest whose cards are in native slots, see driver_monitor.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/klog.h>
#include <unistd.h>

#include <hw/smile_regs.h>

#include "tests/guest/driver_monitor.h"
#include "tests/guest/driver_test.h"

#define PCI_COMMAND_SERR 0x0100
#define CORRECTABLE_STATUS (SMILE_PCI_AER + 0x10)

/* Return and clear the correctable errors that the card has recorded. */
static uint32_t correctable_errors(void)
{
	char address[16], path[64];
	uint32_t errors;
	int fd;

	driver_slot(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", address);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_errno(fd, 0);
	assert_int_equal(pread(fd, &errors, sizeof(errors), CORRECTABLE_STATUS), sizeof(errors));
	assert_int_equal(pwrite(fd, &errors, sizeof(errors), CORRECTABLE_STATUS), sizeof(errors));
	close(fd);
	return errors;
}

static uint64_t port_errors(const char *file)
{
	char address[16], path[128], text[32] = "";
	int fd;

	driver_slot(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/../%s", address, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_errno(fd, 0);
	assert_true(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return strtoull(text, NULL, 10);
}

static void inject_into_card(const char *error)
{
	const char *said = driver_monitor("pcie_aer_inject_error card0 %s", error);

	if (!strstr(said, "OK id: card0"))
		fail_msg("%s: %s", error, said);
}

/* Inject an error, and check that the root port has reported it to the kernel. */
static void inject(const char *error, const char *file)
{
	uint64_t before = port_errors(file);

	/* QEMU 7.2 needs this bit, too. Firmware sets it, but not for a hot-plugged card. */
	driver_pci_command(CARD_DRAIN, 0, PCI_COMMAND_SERR);
	inject_into_card(error);
	assert_soon(port_errors(file) == before + 1);
}

/*
 * QEMU 7.2 does not report correctable errors to the root port, so only the card has recorded the
 * error. Another QEMU may report it; then the kernel may already have cleared the card's record.
 */
static void inject_correctable(const char *error)
{
	static const char file[] = "aer_rootport_total_err_cor";
	uint64_t before = port_errors(file);

	correctable_errors();
	assert_int_equal(correctable_errors(), 0);
	inject_into_card(error);
	assert_soon(correctable_errors() != 0 || port_errors(file) == before + 1);
}

static void inject_nonfatal(const char *error)
{
	inject(error, "aer_rootport_total_err_nonfatal");
}

/* Return: how often the kernel's log contains @said. */
static unsigned int times_logged(const char *said)
{
	static char log[1 << 20];
	int length = klogctl(3 /* read all */, log, sizeof(log) - 1);
	unsigned int count = 0;

	assert_true(length >= 0);
	log[length] = '\0';
	for (const char *at = log; (at = strstr(at, said)); at++)
		count++;
	return count;
}

/* Return: how often the driver has logged that it has reset a card. */
static unsigned int resets_logged(void)
{
	return times_logged("recording continues after a reset");
}

/* Inject a fatal error. Return when the recovery has ended. */
static void inject_fatal(const char *error)
{
	unsigned int before = resets_logged();

	inject(error, "aer_rootport_total_err_fatal");
	assert_soon(resets_logged() == before + 1);
}

/* Configure one counter, a node id and phase marks. None of them has its reset value. */
static struct smile_config configure_own(int fd)
{
	struct smile_config config = driver_config(fd);

	config.entries = 1;
	config.node = 21;
	config.phase_events = 0x8001;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	return driver_info(fd).config;
}

/* Read the records of @count packets, from packet @first on. Each packet has one record. */
static void read_packets(int fd, unsigned int first, unsigned int count)
{
	struct smile_record record;

	for (unsigned int page = first; page < first + count; page++) {
		assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS) & POLLIN, POLLIN);
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_record_is_packet(&record, page);
	}
}

static void assert_record_is_reset(const struct smile_record *record)
{
	assert_int_equal(record_kind(record), SMILE_KIND_EVENT);
	assert_int_equal(record_count(record), SMILE_EVENT_RESET);
	assert_int_equal(record_cause(record), SMILE_RAISED_SOFTWARE);
	assert_int_equal(record_source(record), 21);
}

/* An error that needs no reset must have no effect on users. */
static void stream_goes_on_after(void (*inject_error)(const char *), const char *error)
{
	struct driver_sleeper sleeper = {.fd = driver_open(CARD_DRAIN, 0)};
	struct smile_config config = configure_own(sleeper.fd), found;
	struct smile_statistics statistics;

	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_statistics(sleeper.fd).packets_seen == 100);
	read_packets(sleeper.fd, 0, 100);
	driver_sleeper_start(&sleeper);
	inject_error(error);
	assert_true(driver_sleeper_asleep(&sleeper));
	driver_send(CARD_DRAIN, 100, 1);
	driver_sleeper_join(&sleeper);
	assert_int_equal(sleeper.result, SMILE_RECORD_BYTES);
	assert_record_is_packet(&sleeper.record, 100);
	driver_send(CARD_DRAIN, 101, 99);
	read_packets(sleeper.fd, 101, 99);
	found = driver_info(sleeper.fd).config;
	assert_memory_equal(&found, &config, sizeof(config));
	statistics = driver_statistics(sleeper.fd);
	assert_int_equal(statistics.packets_seen, 200);
	assert_int_equal(statistics.events_delivered, 200);
	assert_int_equal(statistics.events_lost, 0);
	assert_int_equal(statistics.records_written, 200);
}

static void correctable_error_disturbs_nobody(void **state)
{
	stream_goes_on_after(inject_correctable, "RCVR");
	driver_teardown(state);
	stream_goes_on_after(inject_correctable, "BAD_TLP");
}

static void nonfatal_error_disturbs_nobody(void **state)
{
	stream_goes_on_after(inject_nonfatal, "COMP_TIME");
	driver_teardown(state);
	stream_goes_on_after(inject_nonfatal, "POISON_TLP");
}

/*
 * Some interrupts occur while the driver must not access the card. They must not be lost: the next
 * record must wake a reader. Frames arrive all the time, so that some arrive during each recovery.
 */
static void nonfatal_error_loses_no_interrupt(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_open(CARD_DRAIN, 0)};
	struct smile_config config = configure_own(sleeper.fd);
	struct smile_record records[256];
	uint64_t taken = 0;
	ssize_t got;

	config.watermark_records = 32;
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 1; turn <= driver_less(10); turn++) {
		driver_send(CARD_DRAIN, 0, 5000);
		assert_soon(driver_statistics(sleeper.fd).packets_seen > 5001 * (turn - 1) + 50);
		inject_nonfatal("COMP_TIME");
		while (taken < 5001 * turn - 1) {
			assert_int_equal(driver_poll(sleeper.fd, POLLIN, PATIENCE_MS), POLLIN);
			got = read(sleeper.fd, records, sizeof(records));
			assert_true(got > 0);
			taken += (uint64_t)got / SMILE_RECORD_BYTES;
		}
		driver_sleeper_start(&sleeper);
		driver_send(CARD_DRAIN, 7, 1);
		driver_sleeper_join(&sleeper);
		assert_int_equal(sleeper.result, SMILE_RECORD_BYTES);
		assert_record_is_packet(&sleeper.record, 7);
		taken++;
	}
	assert_int_equal(driver_statistics(sleeper.fd).events_lost, 0);
}

/* The card is reset. A waiting reader is notified of the reset, and continues to wait. */
static void fatal_error_leaves_a_mark_in_the_stream(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_open(CARD_DRAIN, 0)};
	struct smile_config config = configure_own(sleeper.fd), found;
	struct smile_statistics before, after;

	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_send(CARD_DRAIN, 100 * turn, 50);
		assert_soon(driver_statistics(sleeper.fd).records_drained >= 51 * turn + 50);
		read_packets(sleeper.fd, 100 * turn, 50);
		before = driver_statistics(sleeper.fd);
		driver_sleeper_start(&sleeper);
		inject_fatal("MALF_TLP");
		driver_sleeper_join(&sleeper);
		assert_int_equal(sleeper.result, SMILE_RECORD_BYTES);
		assert_record_is_reset(&sleeper.record);
		found = driver_info(sleeper.fd).config;
		assert_memory_equal(&found, &config, sizeof(config));
		assert_int_equal(driver_info(sleeper.fd).status,
				 SMILE_INFO_RUNNING | SMILE_INFO_LINK | SMILE_INFO_OWNED);
		/*
		 * The counters of the card start from zero, and the reset is reported. The counters
		 * of the driver continue.
		 */
		after = driver_statistics(sleeper.fd);
		assert_int_equal(before.packets_seen, 50);
		assert_int_equal(after.packets_seen, 0);
		assert_int_equal(after.events_delivered, 0);
		assert_int_equal(after.records_written, before.records_written + 1);
		assert_int_equal(after.records_drained, before.records_drained + 1);
		assert_int_equal(before.resets, turn);
		assert_int_equal(after.resets, turn + 1);
	}
	driver_send(CARD_DRAIN, 1000, 10);
	read_packets(sleeper.fd, 1000, 10);
	assert_int_equal(driver_statistics(sleeper.fd).packets_seen, 10);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_STOP), 0);
}

/*
 * Records that the card had not delivered are lost. Records in the ring, or in the mapping, are
 * not.
 */
static void fatal_error_takes_what_was_not_delivered(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_config(fd);
	struct smile_statistics statistics;
	struct driver_ring ring;
	struct smile_record record;

	/* Sixteen counters. None of them is swapped out without a request. */
	config.node = 21;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	ring = driver_map_ring(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send_one_page(CARD_DRAIN, 3, 7);
	assert_soon(driver_statistics(fd).packets_seen == 7);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_ring_head(&ring), 1);
	driver_send_one_page(CARD_DRAIN, 4, 5);
	assert_soon(driver_statistics(fd).packets_seen == 12);
	inject_fatal("DLP");
	assert_soon(driver_ring_head(&ring) == 2);
	driver_send_one_page(CARD_DRAIN, 5, 3);
	assert_soon(driver_statistics(fd).packets_seen == 3);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_ring_head(&ring), 3);
	assert_true(driver_ring_take(&ring, &record));
	assert_int_equal(record_page(&record), 3);
	assert_int_equal(record_count(&record), 7);
	assert_true(driver_ring_take(&ring, &record));
	assert_record_is_reset(&record);
	assert_true(driver_ring_take(&ring, &record));
	assert_int_equal(record_page(&record), 5);
	assert_int_equal(record_count(&record), 3);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, 3);
	assert_int_equal(statistics.events_delivered, 3);
	assert_int_equal(statistics.records_written, 3);
}

static void fatal_error_while_stopped_leaves_no_mark(void **state)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = configure_own(fd), found;
	struct smile_record record;

	inject_fatal("RX_OVER");
	found = driver_info(fd).config;
	assert_memory_equal(&found, &config, sizeof(config));
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 5);
	read_packets(fd, 0, 5);
}

static void fatal_error_with_nobody_there(void **state)
{
	int fd;

	inject_fatal("FCP");
	fd = driver_open(CARD_DRAIN, 0);
	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 5);
	read_packets(fd, 0, 5);
}

static struct {
	int fd;
	int error;
	bool end;
	unsigned int done;
	pthread_t thread;
} asker;

/* Query the card during the recovery. The query returns after the recovery. */
static void *asker_main(void *unused)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_info info = {.size = sizeof(info)};

	while (!__atomic_load_n(&asker.end, __ATOMIC_RELAXED)) {
		if (ioctl(asker.fd, SMILE_IOC_INFO, &info) ||
		    ioctl(asker.fd, SMILE_IOC_STATISTICS, &statistics) ||
		    ioctl(asker.fd, SMILE_IOC_SWAP)) {
			asker.error = errno;
			return NULL;
		}
		__atomic_add_fetch(&asker.done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/*
 * Whether a counter was read while the card disappeared or returned. In this case, one half of the
 * counter is all ones.
 */
static bool torn(const struct smile_statistics *statistics)
{
	const uint64_t ones = UINT32_MAX;

	for (const __u64 *count = &statistics->packets_seen; count <= &statistics->resets; count++)
		if (*count >> 32 == ones || (*count & ones) == ones)
			return true;
	return false;
}

/* Query the card on a file that can only query. Each result must be valid. */
static void *watcher_main(void *unused)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};

	while (!__atomic_load_n(&asker.end, __ATOMIC_RELAXED)) {
		if (ioctl(asker.fd, SMILE_IOC_STATISTICS, &statistics)) {
			asker.error = errno;
			return NULL;
		}
		if (torn(&statistics)) {
			asker.error = ERANGE;
			return NULL;
		}
		__atomic_add_fetch(&asker.done, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static void asker_start(int fd, void *(*function)(void *unused))
{
	asker.fd = fd;
	asker.error = 0;
	asker.end = false;
	asker.done = 0;
	assert_int_equal(pthread_create(&asker.thread, NULL, function, NULL), 0);
}

/* Each query of the thread must have returned a result. */
static void asker_end(void)
{
	__atomic_store_n(&asker.end, true, __ATOMIC_RELAXED);
	pthread_join(asker.thread, NULL);
	assert_int_equal(asker.error, 0);
}

static void fatal_errors_under_ioctls_end_none(void **state)
{
	struct smile_record records[64];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	unsigned int resets = 0, done;
	ssize_t got;

	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	asker_start(fd, asker_main);
	for (unsigned int turn = 0; turn < 5; turn++) {
		done = __atomic_load_n(&asker.done, __ATOMIC_RELAXED);
		assert_soon(__atomic_load_n(&asker.done, __ATOMIC_RELAXED) > done + 3);
		inject_fatal("MALF_TLP");
		assert_soon((got = read(fd, records, sizeof(records))) > 0);
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
			assert_record_is_reset(&records[i]);
			resets++;
		}
	}
	asker_end();
	assert_int_equal(resets, 5);
}

static int wake(void **state)
{
	driver_power(CARD_DRAIN, "control", "on");
	return driver_teardown(state);
}

/* Read the mark of the reset, and the records after it. */
static void read_reset_and_packets(int fd)
{
	struct smile_record record;

	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	assert_record_is_reset(&record);
	driver_send(CARD_DRAIN, 0, 30);
	read_packets(fd, 0, 30);
}

/* When the card woke up, the kernel used its copy of the configuration space. */
static void fatal_error_after_sleep(void **state)
{
	struct smile_record record;
	int fd = driver_open(CARD_DRAIN, 0);

	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	assert_int_equal(driver_suspend(), 0);
	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	assert_int_equal(record_count(&record), SMILE_EVENT_ASLEEP);
	inject_fatal("MALF_TLP");
	read_reset_and_packets(fd);
	driver_close(fd);

	driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
	driver_power(CARD_DRAIN, "control", "auto");
	assert_soon(driver_asleep(CARD_DRAIN));
	/* In the first turn, the card is suspended; in the second turn, it is awake. */
	for (unsigned int turn = 0; turn < 2; turn++) {
		inject_fatal("MALF_TLP");
		fd = driver_open(CARD_DRAIN, 0);
		configure_own(fd);
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		inject_fatal("MALF_TLP");
		read_reset_and_packets(fd);
		driver_close(fd);
		assert_soon(driver_asleep(CARD_DRAIN));
	}
}

/*
 * An administrator resets the card. Wherever the pointers of the card were, no record may be
 * delivered twice.
 */
static void reset_by_others_leaves_a_mark(void **state)
{
	static const unsigned int sent[] = {0, 1, 700, 700, 1024, 1500};
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = configure_own(fd), found;
	char address[16], path[128];

	driver_pci(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/reset", address);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (size_t i = 0; i < sizeof(sent) / sizeof(sent[0]); i++) {
		driver_send(CARD_DRAIN, 0, sent[i]);
		read_packets(fd, 0, sent[i]);
		driver_write_file(path, "1");
		read_reset_and_packets(fd);
		found = driver_info(fd).config;
		assert_memory_equal(&found, &config, sizeof(config));
	}
	assert_int_equal(driver_poll(fd, POLLIN | POLLERR, 0), 0);
}

static int wait_as_ever(void **state)
{
	driver_pull(false);
	driver_power(CARD_DRAIN, "control", "on");
	driver_write_file(RESET_WAIT, "90");
	return driver_teardown(state);
}

/* Return: how often the driver has logged that a card reads as all ones. */
static unsigned int suspicions(void)
{
	return times_logged("the card does not answer");
}

/*
 * Simulate downstream port containment. The link is down, and the driver reads all ones; then the
 * link is up; only then does the kernel report the error. The card must respond when the error is
 * reported.
 */
static void all_ones_before_the_error_is_reported(void **state)
{
	static const char recovered[] = "device recovery successful";
	struct driver_sleeper sleeper = {.fd = driver_open(CARD_DRAIN, 0)};
	int other = driver_watch(CARD_DRAIN);
	unsigned int before = suspicions(), first = resets_logged(), resets;
	unsigned int recoveries = times_logged(recovered);
	struct smile_record record;

	configure_own(sleeper.fd);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	driver_sleeper_start(&sleeper);
	/* The thread queries all the time, so it is the first to detect the error. */
	asker_start(other, watcher_main);
	assert_soon(__atomic_load_n(&asker.done, __ATOMIC_RELAXED) > 3);
	driver_pull(true);
	assert_soon(suspicions() == before + 1);
	driver_pull(false);
	inject("MALF_TLP", "aer_rootport_total_err_fatal");
	/* The driver logs its reset before the kernel logs the end of the recovery. */
	assert_soon(times_logged(recovered) == recoveries + 1);
	/*
	 * The driver checks the card a second time after one second. In a slow guest, this is
	 * before the error is reported, and the error then causes a second reset.
	 */
	resets = resets_logged() - first;
	assert_in_range(resets, 1, 2);
	driver_sleeper_join(&sleeper);
	assert_int_equal(sleeper.result, SMILE_RECORD_BYTES);
	assert_record_is_reset(&sleeper.record);
	if (resets == 2) {
		assert_int_equal(read(sleeper.fd, &record, sizeof(record)), sizeof(record));
		assert_record_is_reset(&record);
	}
	asker_end();
	driver_send(CARD_DRAIN, 0, 10);
	read_packets(sleeper.fd, 0, 10);
	assert_int_equal(driver_statistics(other).resets, resets);
}

/* If no error is reported, the driver checks the card long before the time-out, and finds it. */
static void all_ones_for_a_moment_goes_on_before_the_time_out(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	unsigned int before = suspicions();
	struct smile_record record;

	driver_write_file(RESET_WAIT, "3600");
	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	asker_start(driver_watch(CARD_DRAIN), watcher_main);
	assert_soon(__atomic_load_n(&asker.done, __ATOMIC_RELAXED) > 3);
	driver_pull(true);
	assert_soon(suspicions() == before + 1);
	driver_pull(false);
	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	assert_record_is_reset(&record);
	asker_end();
	driver_send(CARD_DRAIN, 0, 10);
	read_packets(fd, 0, 10);
}

/*
 * The card may be suspended while the driver waits for its recovery. The driver then wakes it for
 * the check.
 */
static void all_ones_for_a_moment_on_an_idle_card(void **state)
{
	unsigned int before = suspicions();
	char text[512], device[64], path[160];
	int fd;

	driver_write_file(RESET_WAIT, "3");
	driver_path(CARD_DRAIN, device);
	snprintf(path, sizeof(path), "/sys/class/smile_monitor/%s/link_up",
		 device + strlen("/dev/"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_errno(fd, 0);
	driver_keep(fd);
	driver_power(CARD_DRAIN, "autosuspend_delay_ms", "0");
	/* Keep the card awake until the query. */
	driver_power(CARD_DRAIN, "control", "on");
	driver_pull(true);
	assert_errno(pread(fd, text, sizeof(text), 0), EAGAIN);
	assert_soon(suspicions() == before + 1);
	driver_pull(false);
	driver_power(CARD_DRAIN, "control", "auto");
	assert_soon(driver_asleep(CARD_DRAIN));
	/* The call waits for the recovery. */
	fd = driver_open(CARD_DRAIN, 0);
	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 5);
	read_packets(fd, 0, 5);
}

/*
 * The driver detects the error when it suspends the card. The stream must continue after the
 * recovery.
 */
static void all_ones_at_suspend_keep_the_stream(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	unsigned int before = suspicions();
	struct smile_record record;

	driver_write_file(RESET_WAIT, "3600");
	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_pull(true);
	assert_int_equal(driver_suspend(), 0);
	assert_soon(suspicions() == before + 1);
	driver_pull(false);
	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	assert_record_is_reset(&record);
	driver_send(CARD_DRAIN, 0, 10);
	read_packets(fd, 0, 10);
}

/* If a stream ends while the card cannot be stopped, the next stream must not be affected. */
static void close_while_frozen_leaves_nothing_behind(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_record zero = {{0}};
	unsigned int before = suspicions();
	struct driver_ring ring;

	driver_write_file(RESET_WAIT, "3600");
	configure_own(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 50);
	assert_soon(driver_statistics(fd).records_drained == 50);
	driver_pull(true);
	/* The first call that accesses the card detects the error, and waits. */
	asker_start(driver_watch(CARD_DRAIN), watcher_main);
	assert_soon(suspicions() == before + 1);
	driver_close(fd);
	driver_pull(false);
	/* The call waits for the recovery. */
	fd = driver_open(CARD_DRAIN, 0);
	asker_end();
	ring = driver_map_ring(fd);
	assert_int_equal(driver_ring_head(&ring), 0);
	for (unsigned int i = 0; i < 60; i++)
		assert_memory_equal(&ring.data[i], &zero, sizeof(zero));
	assert_int_equal(driver_statistics(fd).packets_seen, 0);
	assert_int_equal(driver_info(fd).config.node, NODE_DRAIN);
}

/*
 * The link of a slot does not come up, as in QEMU's slots that ACPI unplugs. The kernel gives up,
 * and notifies no driver. An unbind ends all waiting calls. If @by_itself, there is no unbind, and
 * the driver must end them.
 */
static void failed_recovery_ends(bool by_itself)
{
	static const char over[] = "device recovery failed";
	struct driver_sleeper sleeper = {.fd = driver_open(CARD_DRAIN, 0)};
	struct driver_sleeper poller = {.fd = sleeper.fd, .polls = true};
	unsigned int before = times_logged(over);
	char address[16], path[64];

	configure_own(sleeper.fd);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	driver_sleeper_start(&sleeper);
	if (by_itself)
		driver_sleeper_start(&poller);
	inject("MALF_TLP", "aer_rootport_total_err_fatal");
	assert_soon(times_logged(over) == before + 1);
	if (!by_itself)
		driver_sleeper_start(&poller);
	if (!by_itself)
		driver_bind(CARD_DRAIN, false);
	driver_sleeper_join(&sleeper);
	driver_sleeper_join(&poller);
	assert_int_equal(sleeper.result, -1);
	assert_int_equal(sleeper.error, ENODEV);
	assert_int_equal(poller.revents, POLLHUP);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_SWAP), ENODEV);
	assert_int_equal(driver_bound(CARD_DRAIN), by_itself);
	driver_close(sleeper.fd);

	/* When the card is found, it works like a new one. */
	driver_slot(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", address);
	driver_write_file(path, "1");
	driver_write_file("/sys/bus/pci/rescan", "1");
	sleeper.fd = driver_open(CARD_DRAIN, 0);
	configure_own(sleeper.fd);
	assert_errno(ioctl(sleeper.fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 5);
	read_packets(sleeper.fd, 0, 5);
}

static void failed_recovery_ends_with_an_unbind(void **state)
{
	failed_recovery_ends(false);
}

static void failed_recovery_ends_by_itself(void **state)
{
	driver_write_file(RESET_WAIT, "1");
	failed_recovery_ends(true);
}

int driver_unrecovered_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(failed_recovery_ends_with_an_unbind),
		cmocka_unit_test_teardown(failed_recovery_ends_by_itself, wait_as_ever),
	};

	return cmocka_run_group_tests_name("unrecovered", tests, NULL, NULL);
}

int driver_recovery_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(correctable_error_disturbs_nobody),
		driver_test(nonfatal_error_disturbs_nobody),
		driver_test(nonfatal_error_loses_no_interrupt),
		driver_test(fatal_error_leaves_a_mark_in_the_stream),
		cmocka_unit_test_teardown(fatal_error_after_sleep, wake),
		driver_test(reset_by_others_leaves_a_mark),
		driver_test(fatal_error_takes_what_was_not_delivered),
		driver_test(fatal_error_while_stopped_leaves_no_mark),
		driver_test(fatal_error_with_nobody_there),
		driver_test(fatal_errors_under_ioctls_end_none),
		cmocka_unit_test_teardown(all_ones_before_the_error_is_reported, wait_as_ever),
		cmocka_unit_test_teardown(all_ones_for_a_moment_goes_on_before_the_time_out,
					  wait_as_ever),
		cmocka_unit_test_teardown(all_ones_for_a_moment_on_an_idle_card, wait_as_ever),
		cmocka_unit_test_teardown(all_ones_at_suspend_keep_the_stream, wait_as_ever),
		cmocka_unit_test_teardown(close_while_frozen_leaves_nothing_behind, wait_as_ever),
	};

	return cmocka_run_group_tests_name("recovery", tests, NULL, NULL);
}
