/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the static counters as a PMU while cards, processors or the module disappear.
 *
 * What lives here: cards that are unbound, asleep or dead, processors that go offline, the module.
 * In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/driver_event.h"
#include "tests/guest/driver_test.h"

/* The events of a removed card are in the error state, and never count later. */
static void unbind_ends_its_events(void **state)
{
	struct perf_event_attr attr = event_attr(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int fds[COUNTERS], fresh;

	for (unsigned int i = 0; i < COUNTERS; i++)
		fds[i] = event_make(CARD_DRAIN, event_words(5, 0, i ? i : TOP, READS));
	assert_errno(ioctl(fds[1], PERF_EVENT_IOC_DISABLE, 0), 0);
	event_send_reads(CARD_DRAIN, 5, 66001);
	assert_int_equal(event_count(fds[0]), 66001);
	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_bind(CARD_DRAIN, false);
		for (unsigned int i = 0; i < COUNTERS - turn; i++) {
			if (i != 1 || turn)
				assert_true(event_ended(fds[i]));
		}
		assert_event_refused(attr, ENODEV);
		for (unsigned int i = 0; i < COUNTERS - turn; i++) {
			assert_errno(ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0), 0);
			assert_errno(ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0), 0);
			assert_true(event_ended(fds[i]));
		}
		driver_bind(CARD_DRAIN, true);
		fresh = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
		event_send_reads(CARD_DRAIN, 5, 11);
		assert_int_equal(event_count(fresh), 11);
		assert_true(event_ended(fds[0]));
		/* To close one of them must affect nothing else. */
		driver_close(fds[COUNTERS - 1 - turn]);
		assert_int_equal(event_count(fresh), 11);
		event_send_reads(CARD_DRAIN, 5, 22);
		assert_int_equal(event_count(fresh), 33);
		driver_close(fresh);
	}
	/* The events in the error state must not prevent a stream of the card. */
	driver_config(driver_open(CARD_DRAIN, 0));
}

static void unbind_while_events_are_counted(void **state)
{
	struct driver_frames mark = event_frames_global(9, 1);

	for (unsigned int turn = 0; turn < driver_less(10); turn++) {
		uint64_t seen = driver_counter(CARD_DRAIN, "packets_seen");
		int fds[COUNTERS];

		for (unsigned int i = 0; i < COUNTERS; i++)
			fds[i] = event_make(CARD_DRAIN, event_words(0, 0, i, READS));
		driver_send_one_page(CARD_DRAIN, 0, 30000);
		assert_soon(driver_counter(CARD_DRAIN, "packets_seen") > seen);
		driver_bind(CARD_DRAIN, false);
		for (unsigned int i = 0; i < COUNTERS; i++)
			assert_true(event_ended(fds[i]));
		driver_bind(CARD_DRAIN, true);
		for (unsigned int i = 0; i < COUNTERS; i++)
			driver_close(fds[i]);
		/* The remaining frames wait until the card runs; the mark is the last. */
		fds[0] = event_make(CARD_DRAIN, GLOBAL(9));
		driver_send_frames(CARD_DRAIN, &mark, 1);
		assert_soon(event_count(fds[0]) == 1);
		driver_close(fds[0]);
	}
}

static void suspend_keeps_counts(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int event = event_make(CARD_DRAIN, GLOBAL(3));
	uint64_t gaps = event_gaps(CARD_DRAIN);
	struct driver_frames marks = event_frames_global(3, 17);

	for (unsigned int turn = 1; turn <= 3; turn++) {
		event_send_reads(CARD_DRAIN, 5, 40000);
		event_send(CARD_DRAIN, &marks, 1);
		assert_int_equal(driver_suspend(), 0);
		assert_int_equal(event_count(fd), turn * 40000);
		assert_int_equal(event_count(event), turn * 17);
		assert_int_equal(event_gaps(CARD_DRAIN), gaps + turn);
	}
	event_send_reads(CARD_DRAIN, 5, 40000);
	assert_int_equal(event_count(fd), 160000);
}

static void cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	driver_write_file(path, online ? "1" : "0");
}

/* The processor of the events goes offline while frames arrive. No frame may be missed. */
static void processor_that_goes_costs_no_count(void **state)
{
	const unsigned int sent = 200000;
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 0, sent);
	const int card = CARD_REALTIME;
	int cpu = event_cpu(card), fd, event;
	uint64_t gaps;

	/* The cards are spread over the processors. The first processor cannot go offline. */
	assert_int_equal(cpu, 1);
	fd = event_make(card, event_words(5, 0, TOP, READS));
	event = event_make(card, event_words(5, 1, TOP, READS));
	gaps = event_gaps(card);
	driver_send_frames(card, &kind, 1);
	assert_soon(event_count(fd) > 0);
	cpu_set_online(cpu, false);
	assert_int_equal(event_cpu(card), 0);
	assert_soon(!driver_sending());
	assert_soon(driver_counter(card, "packets_seen") == sent);
	assert_int_equal(event_count(fd), sent);
	assert_int_equal(event_count(event), 0);
	assert_int_equal(event_gaps(card), gaps);
	cpu_set_online(cpu, true);
	assert_int_equal(event_cpu(card), 0);
	event_send_reads(card, 5, 9);
	assert_int_equal(event_count(fd), sent + 9);
	/* New events work as well. */
	assert_int_equal(event_count(event_make(card, event_words(5, 0, TOP, READS))), 0);
}

static void unload_under_events_refused(void **state)
{
	const char *const modprobe[] = {"modprobe", "smile_monitor", NULL};
	char output[256];
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));

	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), EWOULDBLOCK);
	driver_bind(CARD_DRAIN, false);
	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), EWOULDBLOCK);
	driver_close(fd);
	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), 0);
	assert_int_equal(access(PMU_DEVICES "smile_monitor0", F_OK), -1);
	assert_int_equal(driver_run(0, modprobe, output, sizeof(output)), 0);
	fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 5, 6);
	assert_int_equal(event_count(fd), 6);
}

/*
 * Unload the module while perf's multiplexing timer may still run. An administrator can start this
 * timer.
 */
static void unload_under_the_multiplexing_timer(void **state)
{
	const char *const modprobe[] = {"modprobe", "smile_monitor", NULL};
	char output[256], path[96];

	snprintf(path, sizeof(path), PMU_DEVICES "smile_monitor0/perf_event_mux_interval_ms");
	for (unsigned int turn = 0; turn < 5; turn++) {
		int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));

		/* Values in milliseconds: one is soon, the other is in weeks. */
		driver_write_file(path, turn % 2 ? "50" : "2000000000");
		driver_bind(CARD_DRAIN, false);
		driver_close(fd);
		assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), 0);
		assert_int_equal(driver_run(0, modprobe, output, sizeof(output)), 0);
	}
}

/*
 * The registers do not respond for some time. The driver must not invent counts, and must continue
 * later. Meanwhile the card counts and interrupts; the kernel must not disable a shared INTx line
 * because of these interrupts.
 */
static void card_that_answers_no_more_is_survived(void **state)
{
	struct driver_frames unseen = event_frames(BLINK_READSB, 5, 0, 200);
	/* During these frames the counter overflows, and the card interrupts for the record. */
	const uint64_t sent = 2 * 65536 - 100;
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	struct perf_event_attr attr = event_attr(CARD_DRAIN, GLOBAL(1));
	uint64_t gaps = event_gaps(CARD_DRAIN);
	uint16_t command;

	driver_write_file(RESET_WAIT, "10");
	event_send_reads(CARD_DRAIN, 5, (unsigned int)sent);
	assert_int_equal(event_count(fd), sent);
	command = driver_pci_command(CARD_DRAIN, PCI_COMMAND_ALL, 0);
	assert_int_equal(event_count(fd), sent);
	assert_int_equal(event_count(fd), sent);
	assert_event_refused(attr, EAGAIN);
	driver_send_frames(CARD_DRAIN, &unseen, 1);
	assert_soon(!driver_sending());
	assert_int_equal(event_count(fd), sent);
	driver_pci_command(CARD_DRAIN, 0, command);
	assert_soon(event_gaps(CARD_DRAIN) == gaps + 1);
	/* The call returns when the recovery has ended. */
	driver_info(driver_watch(CARD_DRAIN));
	event_send_reads(CARD_DRAIN, 5, 7);
	assert_int_equal(event_count(fd), sent + 7);
}

static int wait_as_ever(void **state)
{
	driver_write_file(RESET_WAIT, "90");
	return driver_teardown(state);
}

int driver_pmu_life_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(unbind_ends_its_events),
		driver_test(unbind_while_events_are_counted),
		driver_test(suspend_keeps_counts),
		driver_test(processor_that_goes_costs_no_count),
		driver_test(unload_under_events_refused),
		driver_test(unload_under_the_multiplexing_timer),
		cmocka_unit_test_teardown(card_that_answers_no_more_is_survived, wait_as_ever),
	};

	return cmocka_run_group_tests_name("pmu_life", tests, NULL, NULL);
}
