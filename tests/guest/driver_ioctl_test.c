/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's ioctls: their structures, sizes, pointers and values.
 *
 * What lives here: tests that need no traffic; in the guest, see driver_fixture.h.
 */
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <sys/mman.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define ROOM 8192 /* more than a page, which is the largest size */

/* Sizes in the first version of the API, which no header defines now. */
#define INFO_V1 72
#define CONFIG_V1 32
#define STATISTICS_V1 128

static void info_of_a_fresh_card_reports_what_it_is(void **state)
{
	int fd = driver_watch(CARD_DRAIN);
	struct smile_info info;

	/* Open the card for writing once. This removes the configuration of earlier tests. */
	driver_close(driver_open(CARD_DRAIN, 0));
	info = driver_info(fd);
	assert_int_equal(info.size, sizeof(info));
	assert_int_equal(info.abi, SMILE_ABI_VERSION);
	assert_int_equal(info.card_version >> 16, 1);
	assert_in_range(info.entries_max, SMILE_ENTRIES_DEFAULT, SMILE_ENTRIES_MAX);
	assert_int_equal(info.card_ring_words, 4096);
	assert_int_equal(info.ring_records & (info.ring_records - 1), 0);
	assert_int_equal(info.page_bytes, 4096);
	assert_int_equal(info.status, SMILE_INFO_LINK);
	assert_int_equal(info.static_counters, SMILE_STATIC_COUNTERS);
	assert_int_equal(info.features, SMILE_FEATURE_HOST_RING | SMILE_FEATURE_TIMER);
	assert_int_equal(info.config.size, sizeof(info.config));
	assert_int_equal(info.config.node, NODE_DRAIN);
	assert_int_equal(info.config.filter, SMILE_FILTER_DEFAULT);
	assert_int_equal(info.config.mode, SMILE_MODE_DEFAULT);
	assert_int_equal(info.config.max_range_bytes, SMILE_MAX_RANGE_DEFAULT);
	assert_int_equal(info.config.entries, SMILE_ENTRIES_DEFAULT);
	assert_int_equal(info.config.phase_events, 0);
	assert_int_equal(info.config.reserved, 0);
	assert_int_equal(info.config.timer_us, 0);
	assert_int_equal(info.config.timer_event, 0);
	assert_int_equal(info.config.time_us, 0);
	assert_int_equal(info.config.watermark_records, 0);
	assert_int_equal(info.config.latency_us, 0);
}

/*
 * Checks for all structures that begin with their size. @least is the size of the first version,
 * @known the size of the version that the driver implements.
 */
static void check_sizes(int fd, unsigned long request, void *structure, uint32_t least,
			uint32_t known, bool fills)
{
	union {
		uint32_t size;
		unsigned char bytes[ROOM];
	} room;

	memset(&room, 0, sizeof(room));
	memcpy(&room, structure, known);
	for (uint32_t size = 0; size < least; size++) {
		room.size = size;
		assert_errno(ioctl(fd, request, &room), EINVAL);
		assert_int_equal(room.size, size);
	}
	/*
	 * All sizes up to the current one are accepted. Nothing is written after the end of the
	 * structure.
	 */
	for (uint32_t size = least; size < known; size++) {
		room.size = size;
		memset(room.bytes + size, fills ? 0xee : 0, known - size);
		assert_errno(ioctl(fd, request, &room), 0);
		assert_int_equal(room.size, size);
		for (uint32_t at = size; at < known && fills; at++)
			assert_int_equal(room.bytes[at], 0xee);
	}
	memset(room.bytes + least, 0, known - least);
	room.size = known + 24;
	assert_errno(ioctl(fd, request, &room), 0);
	assert_int_equal(room.size, fills ? known : known + 24);
	for (uint32_t at = known; at < known + 24; at++)
		assert_int_equal(room.bytes[at], 0);
	/*
	 * A structure of a later version is accepted if all bytes that the driver does not know are
	 * zero.
	 */
	room.size = known + 24;
	assert_errno(ioctl(fd,
			   _IOC(_IOC_DIR(request), SMILE_IOC_MAGIC, _IOC_NR(request), known + 24),
			   &room),
		     0);
	for (uint32_t at = known; at < known + 24; at++) {
		room.size = known + 24;
		room.bytes[at] = 0x80;
		assert_errno(ioctl(fd, request, &room), E2BIG);
		room.bytes[at] = 0;
	}
	/* The driver does not read the bytes after the structure. */
	room.bytes[known + 24] = 1;
	room.size = known + 24;
	assert_errno(ioctl(fd, request, &room), 0);
	room.bytes[known + 24] = 0;
	room.size = UINT32_MAX;
	assert_errno(ioctl(fd, request, &room), E2BIG);
}

static void info_size_short_einval_long_zero_ok(void **state)
{
	struct smile_info info = {.size = sizeof(info)};

	check_sizes(driver_open(CARD_DRAIN, 0), SMILE_IOC_INFO, &info, INFO_V1, sizeof(info), true);
}

static void statistics_size_short_einval_long_zero_ok(void **state)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};

	check_sizes(driver_open(CARD_DRAIN, 0), SMILE_IOC_STATISTICS, &statistics, STATISTICS_V1,
		    sizeof(statistics), true);
}

static void configure_size_short_einval_long_zero_ok(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_info(fd).config;

	check_sizes(fd, SMILE_IOC_CONFIGURE, &config, CONFIG_V1, sizeof(config), false);
}

static void static_size_short_einval_long_zero_ok(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_static tables = {.size = sizeof(tables)};

	check_sizes(fd, SMILE_IOC_STATIC, &tables, sizeof(tables), sizeof(tables), false);
	check_sizes(fd, SMILE_IOC_STATIC_INFO, &tables, sizeof(tables), sizeof(tables), true);
}

/*
 * A program that was built for the first version passes structures with the size of that version.
 */
static void first_versions_structures_go_round(void **state)
{
	struct {
		uint32_t size, abi, card_version, entries_max, static_counters, card_ring_words;
		uint32_t ring_records, page_bytes, status, reserved;
		struct {
			uint32_t size, node, filter, mode, max_range_bytes, entries, phase_events;
			uint32_t reserved;
		} config;
		uint32_t behind[16];
	} info = {.size = INFO_V1};
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_info(fd).config;

	config.timer_us = 1000;
	config.timer_event = 5;
	config.time_us = 2000;
	config.watermark_records = 17;
	config.latency_us = 99;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	memset(info.behind, 0xee, sizeof(info.behind));
	assert_errno(ioctl(fd, _IOWR(SMILE_IOC_MAGIC, 0x40, char[INFO_V1]), &info), 0);
	assert_int_equal(info.size, INFO_V1);
	assert_int_equal(info.config.node, NODE_DRAIN);
	/* Otherwise, the program would pass back more bytes than its structure has. */
	assert_int_equal(info.config.size, CONFIG_V1);
	assert_int_equal(info.behind[0], 0xeeeeeeee);
	info.config.node = 1234;
	assert_errno(ioctl(fd, _IOW(SMILE_IOC_MAGIC, 0x41, char[CONFIG_V1]), &info.config), 0);
	config = driver_info(fd).config;
	assert_int_equal(config.size, sizeof(config));
	assert_int_equal(config.node, 1234);
	/* Fields that the program does not know have their reset values. */
	assert_int_equal(config.timer_us, 0);
	assert_int_equal(config.timer_event, 0);
	assert_int_equal(config.time_us, 0);
	assert_int_equal(config.watermark_records, 0);
	assert_int_equal(config.latency_us, 0);
}

static uint64_t raw_ns(void)
{
	struct timespec now;

	assert_errno(clock_gettime(CLOCK_MONOTONIC_RAW, &now), 0);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void time_size_short_einval_long_zero_ok(void **state)
{
	struct smile_time time = {.size = sizeof(time)};

	check_sizes(driver_watch(CARD_DRAIN), SMILE_IOC_TIME, &time, sizeof(time), sizeof(time),
		    true);
}

/* The call reads both clocks at the same time, and returns the uncertainty. */
static void time_reads_both_clocks_together(void **state)
{
	int fd = driver_watch(CARD_REALTIME);

	for (int turn = 0; turn < 100; turn++) {
		struct smile_time time = {.size = sizeof(time)};
		uint64_t clock_before = driver_statistics(fd).clock_ns, before = raw_ns(), after;

		assert_errno(ioctl(fd, SMILE_IOC_TIME, &time), 0);
		after = raw_ns();
		assert_int_equal(time.size, sizeof(time));
		assert_int_equal(time.reserved, 0);
		assert_in_range(time.monotonic_raw_ns, before, after);
		assert_true(time.uncertainty_ns <= after - before);
		assert_in_range(time.clock_ns, clock_before, driver_statistics(fd).clock_ns);
	}
}

static void ioctl_unknown_command_enotty(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	unsigned long unknown[] = {
		_IO(SMILE_IOC_MAGIC, 0x09),
		_IO(SMILE_IOC_MAGIC, 0xff),
		_IO(SMILE_IOC_MAGIC, 0x47), /* STATIC without a direction */
		_IOW(SMILE_IOC_MAGIC, 0x48, struct smile_static), /* of the wrong direction */
		_IO(SMILE_IOC_MAGIC, 0x40), /* INFO without a direction */
		_IOR(SMILE_IOC_MAGIC, 0x41, struct smile_config), /* of the wrong direction */
		_IO('S', 0x42), /* START of another magic */
		_IOW(SMILE_IOC_MAGIC, 0x45, uint64_t), /* an event id of the wrong size */
		0,
		UINT32_MAX,
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_errno(ioctl(fd, unknown[i], 0), ENOTTY);
}

static void ioctl_bad_pointer_efault(void **state)
{
	static const unsigned long requests[] = {
		SMILE_IOC_INFO,	       SMILE_IOC_CONFIGURE,  SMILE_IOC_EVENT,
		SMILE_IOC_STATIC_SWAP, SMILE_IOC_STATISTICS, SMILE_IOC_STATIC,
		SMILE_IOC_STATIC_INFO,
	};
	int fd = driver_open(CARD_DRAIN, 0);

	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		assert_errno(ioctl(fd, requests[i], NULL), EFAULT);
		assert_errno(ioctl(fd, requests[i], (void *)8), EFAULT);
		assert_errno(ioctl(fd, requests[i], (void *)UINTPTR_MAX), EFAULT);
		assert_errno(ioctl(fd, requests[i], (void *)0xffff888000000000UL), EFAULT);
	}
}

/*
 * Only the first or the last bytes of a structure are mapped, or the structure cannot be written.
 */
static void ioctl_pointer_into_nothing_efault(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = driver_info(fd).config;
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *at;

	assert_errno(pages, 0);
	assert_errno(mprotect(pages + 4096, 4096, PROT_NONE), 0);
	at = (uint32_t *)(pages + 4096 - 16);
	*at = sizeof(struct smile_info);
	assert_errno(ioctl(fd, SMILE_IOC_INFO, at), EFAULT);
	*at = sizeof(struct smile_statistics);
	assert_errno(ioctl(fd, SMILE_IOC_STATISTICS, at), EFAULT);
	*at = sizeof(struct smile_config);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, at), EFAULT);
	*at = sizeof(struct smile_static);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, at), EFAULT);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, at), EFAULT);
	/* All bytes are mapped except the last bytes of the structure. */
	at = (uint32_t *)(pages + 4096 - sizeof(config));
	config.size = sizeof(config) + 8;
	memcpy(at, &config, sizeof(config));
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, at), EFAULT);
	*(uint32_t *)pages = sizeof(struct smile_info);
	assert_errno(mprotect(pages, 4096, PROT_READ), 0);
	assert_errno(ioctl(fd, SMILE_IOC_INFO, pages), EFAULT);
	munmap(pages, 8192);
}

static void check_refused(int fd, const struct smile_config *config)
{
	struct smile_info before = driver_info(fd), after;

	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, config), EINVAL);
	after = driver_info(fd);
	assert_memory_equal(&before, &after, sizeof(before));
}

static void configure_impossible_value_einval_and_unchanged(void **state)
{
	static const struct {
		size_t offset;
		uint32_t value;
	} impossible[] = {
		{offsetof(struct smile_config, node), 65536},
		{offsetof(struct smile_config, node), UINT32_MAX},
		{offsetof(struct smile_config, filter), SMILE_FILTER_DEFAULT | 0x0008},
		{offsetof(struct smile_config, filter), SMILE_FILTER_DEFAULT | 0x0800},
		{offsetof(struct smile_config, filter), SMILE_FILTER_DEFAULT | 0x80000000U},
		{offsetof(struct smile_config, mode), SMILE_MODE_ALL + 1},
		{offsetof(struct smile_config, mode), 0x80000000U},
		{offsetof(struct smile_config, max_range_bytes), 0},
		{offsetof(struct smile_config, max_range_bytes), 3},
		{offsetof(struct smile_config, max_range_bytes), 6},
		{offsetof(struct smile_config, max_range_bytes), 4095},
		{offsetof(struct smile_config, max_range_bytes), 4100},
		{offsetof(struct smile_config, max_range_bytes), UINT32_MAX},
		{offsetof(struct smile_config, entries), 0},
		{offsetof(struct smile_config, entries), SMILE_ENTRIES_MAX + 1},
		{offsetof(struct smile_config, entries), UINT32_MAX},
		{offsetof(struct smile_config, phase_events), 0x10000},
		{offsetof(struct smile_config, phase_events), UINT32_MAX},
		{offsetof(struct smile_config, reserved), 1},
		{offsetof(struct smile_config, timer_event), SMILE_EVENTS},
		{offsetof(struct smile_config, timer_event), UINT32_MAX},
		{offsetof(struct smile_config, timer_us), 9},
		{offsetof(struct smile_config, time_us), 1},
		{offsetof(struct smile_config, latency_us), 9},
		{offsetof(struct smile_config, watermark_records), (1U << 24) + 1},
		{offsetof(struct smile_config, watermark_records), UINT32_MAX},
		{offsetof(struct smile_config, reserved2[0]), 1},
		{offsetof(struct smile_config, reserved2[1]), 0x80000000U},
		{offsetof(struct smile_config, reserved2[2]), 1},
	};
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config good = driver_info(fd).config, config;

	/* A configuration that the refused calls must not change. */
	good.node = 77;
	good.max_range_bytes = 64;
	good.entries = 5;
	good.phase_events = 0x8001;
	good.mode = SMILE_MODE_ALIGNED;
	good.filter = SMILE_FILTER_READ | SMILE_FILTER_REQUEST | SMILE_FILTER_INCOMING;
	good.timer_us = 4242;
	good.timer_event = 3;
	good.time_us = 777;
	good.watermark_records = 12;
	good.latency_us = 345;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &good), 0);
	config = driver_info(fd).config;
	assert_memory_equal(&config, &good, sizeof(good));
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		config = good;
		/* Also make a valid change, which would be visible if the driver applied it. */
		config.node = 78;
		memcpy((char *)&config + impossible[i].offset, &impossible[i].value,
		       sizeof(uint32_t));
		check_refused(fd, &config);
	}
	config = good;
	config.entries = driver_info(fd).entries_max + 1;
	check_refused(fd, &config);
}

static void configure_extreme_value_taken(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_config config = {
		.size = sizeof(config),
		.node = 65535,
		.filter = SMILE_FILTER_ALL,
		.mode = SMILE_MODE_ALL,
		.max_range_bytes = SMILE_MAX_RANGE_MAX,
		.entries = driver_info(fd).entries_max,
		.phase_events = 0xffff,
		.timer_us = UINT32_MAX,
		.timer_event = SMILE_EVENTS - 1,
		.time_us = UINT32_MAX,
		.watermark_records = 1U << 24,
		.latency_us = UINT32_MAX,
	};
	struct smile_config got;

	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	got = driver_info(fd).config;
	assert_memory_equal(&got, &config, sizeof(config));
	config = (struct smile_config){.size = sizeof(config), .max_range_bytes = 4, .entries = 1};
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	got = driver_info(fd).config;
	assert_memory_equal(&got, &config, sizeof(config));
}

static void event_that_is_the_drivers_or_none_einval(void **state)
{
	static const uint32_t none[] = {SMILE_EVENT_RESET, SMILE_EVENT_ASLEEP, 65536, UINT32_MAX};
	int fd = driver_open(CARD_DRAIN, 0);
	uint32_t event;

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_errno(ioctl(fd, SMILE_IOC_EVENT, &none[i]), EINVAL);
	event = 65533;
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	assert_int_equal(driver_statistics(fd).records_drained, 1);
}

int driver_ioctl_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(info_of_a_fresh_card_reports_what_it_is),
		driver_test(info_size_short_einval_long_zero_ok),
		driver_test(statistics_size_short_einval_long_zero_ok),
		driver_test(configure_size_short_einval_long_zero_ok),
		driver_test(static_size_short_einval_long_zero_ok),
		driver_test(first_versions_structures_go_round),
		driver_test(time_size_short_einval_long_zero_ok),
		driver_test(time_reads_both_clocks_together),
		driver_test(ioctl_unknown_command_enotty),
		driver_test(ioctl_bad_pointer_efault),
		driver_test(ioctl_pointer_into_nothing_efault),
		driver_test(configure_impossible_value_einval_and_unchanged),
		driver_test(configure_extreme_value_taken),
		driver_test(event_that_is_the_drivers_or_none_einval),
	};

	return cmocka_run_group_tests_name("ioctl", tests, NULL, NULL);
}
