/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's interrupt. DRIVER_INTERRUPT in the environment is its kind, as in
 * /proc/interrupts.
 *
 * What lives here: checks that the interrupt has this kind, that the card raises it, and that
 * records arrive because of it; in the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define MANY 30000

/* The number of a card's interrupts on all processors, by the kernel's count. */
static uint64_t kernel_count(const char *device, char *kind, size_t size)
{
	FILE *file = fopen("/proc/interrupts", "re");
	char line[512], *at;
	uint64_t sum = 0;

	assert_non_null(file);
	*kind = '\0';
	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		at = strstr(line, device);
		if (!at || strcmp(at, device))
			continue;
		at = strchr(line, ':') + 1;
		for (char *end; at += strspn(at, " "), *at >= '0' && *at <= '9'; at = end)
			sum += strtoull(at, &end, 10);
		snprintf(kind, size, "%s", at);
	}
	fclose(file);
	return sum;
}

static void interrupts_are_of_the_kind_and_come(void **state)
{
	const char *expected = getenv("DRIVER_INTERRUPT");
	struct smile_record records[512];
	struct smile_statistics statistics;
	char kind[256], path[64];
	unsigned int page = 0;
	uint64_t before;
	int fd;

	assert_non_null(expected);
	driver_path(CARD_DRAIN, path);
	before = kernel_count(path + 5, kind, sizeof(kind));
	print_message("%s: %s\n", path, kind);
	assert_non_null(strstr(kind, expected));
	fd = driver_open(CARD_DRAIN, 0);
	driver_configure_trace(fd);
	assert_int_equal(driver_statistics(fd).interrupts, 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, MANY);
	while (page < MANY) {
		ssize_t got = read(fd, records, sizeof(records));

		assert_true(got > 0);
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++)
			assert_record_is_packet(&records[i], page++);
	}
	statistics = driver_statistics(fd);
	print_message("%d records, %llu interrupts\n", MANY,
		      (unsigned long long)statistics.interrupts);
	assert_true(statistics.interrupts > 0);
	/* An interrupt may occur between the two readings. */
	assert_soon(kernel_count(path + 5, kind, sizeof(kind)) - before ==
		    driver_statistics(fd).interrupts);
	assert_int_equal(statistics.events_lost, 0);
}

/* A change of the link must cause exactly one interrupt. */
static void interrupts_do_not_storm(void **state)
{
	struct smile_statistics before, after;
	int fd = driver_open(CARD_LINK, 0);

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	for (int up = 1; up >= 0; up--) {
		driver_info(fd);
		driver_link(up);
		assert_int_equal(driver_poll(fd, POLLPRI, PATIENCE_MS), POLLPRI);
	}
	driver_sleep_ms(200);
	before = driver_statistics(fd);
	assert_in_range(before.interrupts, 2, 4);
	driver_sleep_ms(200);
	after = driver_statistics(fd);
	assert_int_equal(after.interrupts, before.interrupts);
}

int driver_interrupt_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(interrupts_are_of_the_kind_and_come),
		driver_test(interrupts_do_not_storm),
	};

	return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
