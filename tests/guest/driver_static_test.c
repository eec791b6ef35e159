/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the static array through the driver: its tables and its counts.
 *
 * What lives here: tests of STATIC and STATIC_INFO, and of counts that are known exactly; in the
 * guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <base/field.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define TARGET 3U /* the home node of driver_send()'s packets */

static struct smile_static tables_in_force(int fd)
{
	struct smile_static tables = {.size = sizeof(tables)};

	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &tables), 0);
	return tables;
}

/* Tables in which every valid bit is set. */
static struct smile_static tables_full(void)
{
	struct smile_static tables = {.size = sizeof(tables)};

	for (unsigned int i = 0; i < SMILE_STATIC_PAGES; i++) {
		tables.page[i] = SMILE_STATIC_PAGE_VALID | (SMILE_STATIC_PAGE_NUMBER - i);
		tables.node[i] = 65535 - i;
	}
	for (unsigned int i = 0; i < SMILE_STATIC_EVENTS; i++)
		tables.event[i] = SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ |
				  SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_LOCK |
				  SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_RESPONSE |
				  SMILE_PUT(SMILE_STATIC_EVENT_PAGE, 31 - i) |
				  SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, 1023 - i) |
				  SMILE_STATIC_EVENT_TOP;
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++)
		tables.counter[i] = SMILE_STATIC_COUNTER_COUNT_VALID |
				    SMILE_STATIC_COUNTER_ACTIVATE_VALID |
				    SMILE_STATIC_COUNTER_DEACTIVATE_VALID |
				    SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, i) |
				    SMILE_PUT(SMILE_STATIC_COUNTER_ACTIVATE, 31 - i) |
				    SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE, 16 + i);
	return tables;
}

static void tables_go_round(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0), other = driver_watch(CARD_DRAIN);
	struct smile_static tables = tables_full(), empty = {.size = sizeof(empty)}, got;
	struct smile_config config = driver_config(fd);

	got = tables_in_force(fd);
	assert_memory_equal(&got, &empty, sizeof(got));
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), 0);
	got = tables_in_force(other);
	assert_memory_equal(&got, &tables, sizeof(got));
	/* To configure the card does not change the tables. */
	config.mode ^= SMILE_MODE_STATIC;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	got = tables_in_force(other);
	assert_memory_equal(&got, &tables, sizeof(got));
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &empty), 0);
	got = tables_in_force(fd);
	assert_memory_equal(&got, &empty, sizeof(got));
}

static void impossible_table_einval_and_unchanged(void **state)
{
	static const struct {
		size_t offset;
		uint32_t value;
	} impossible[] = {
		{offsetof(struct smile_static, reserved), 1},
		{offsetof(struct smile_static, page[0]), 0x00100000},
		{offsetof(struct smile_static, page[31]), 0x40000000},
		{offsetof(struct smile_static, node[0]), 65536},
		{offsetof(struct smile_static, node[31]), 0x80000000U},
		{offsetof(struct smile_static, event[0]), 0x40000000},
		{offsetof(struct smile_static, event[3]),
		 SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, 1U)},
		{offsetof(struct smile_static, event[15]),
		 SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, 1023U) |
			 SMILE_PUT(SMILE_STATIC_EVENT_TOP, 1022U)},
		{offsetof(struct smile_static, counter[0]), 0x00000040},
		{offsetof(struct smile_static, counter[7]), 0x00004000},
		{offsetof(struct smile_static, counter[15]), 0x80000000U},
	};
	int fd = driver_open(CARD_DRAIN, 0);
	struct smile_static good = tables_full(), tables, got;

	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &good), 0);
	for (size_t i = 0; i < sizeof(impossible) / sizeof(impossible[0]); i++) {
		tables = good;
		/* Also make a valid change, which would be visible if the driver applied it. */
		tables.node[5] = 55;
		memcpy((char *)&tables + impossible[i].offset, &impossible[i].value,
		       sizeof(uint32_t));
		assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), EINVAL);
		got = tables_in_force(fd);
		assert_memory_equal(&got, &good, sizeof(got));
	}
}

/* Tables in which counter i counts the reads of page @page + i, for @counters counters. */
static struct smile_static tables_for_pages(unsigned int page, unsigned int counters)
{
	struct smile_static tables = {.size = sizeof(tables)};

	for (unsigned int i = 0; i < counters; i++) {
		tables.page[i] = SMILE_STATIC_PAGE_VALID | (page + i);
		tables.node[i] = TARGET;
		tables.event[i] = SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ |
				  SMILE_STATIC_EVENT_REQUEST |
				  SMILE_PUT(SMILE_STATIC_EVENT_PAGE, i) | SMILE_STATIC_EVENT_TOP;
		tables.counter[i] =
			SMILE_STATIC_COUNTER_COUNT_VALID | SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, i);
	}
	return tables;
}

static int counting(uint32_t mode, const struct smile_static *tables)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);

	config.mode |= SMILE_MODE_STATIC | mode;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, tables), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	return fd;
}

static void assert_static(const struct smile_record *record, unsigned int kind, unsigned int index,
			  unsigned int page, unsigned int count)
{
	assert_int_equal(record_kind(record), kind);
	assert_int_equal(record_cause(record),
			 kind == SMILE_KIND_OVERFLOW ? SMILE_CAUSE_OVERFLOW : SMILE_CAUSE_SWAP);
	assert_int_equal(record_type(record), SMILE_TYPE_READ);
	assert_int_equal(record_index(record), index);
	assert_int_equal(record_count(record), count);
	assert_int_equal(record_page(record), page);
	assert_int_equal(record_bytes(record), SMILE_PAGE_BYTES);
	assert_int_equal(record_source(record), NODE_DRAIN);
	assert_int_equal(record_destination(record), TARGET);
}

static void while_running_ebusy_and_stopped_swaps_out_first(void **state)
{
	struct smile_static tables = tables_for_pages(4, 2), other = tables_for_pages(40, 3), got;
	int fd = counting(SMILE_MODE_NO_DYNAMIC, &tables);
	struct smile_record records[4];

	driver_send(CARD_DRAIN, 0, 10);
	assert_soon(driver_statistics(fd).packets_seen == 10);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &other), EBUSY);
	got = tables_in_force(fd);
	assert_memory_equal(&got, &tables, sizeof(got));
	assert_int_equal(driver_statistics(fd).records_written, 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &other), 0);
	/* These records were counted with the old tables. */
	assert_int_equal(read(fd, records, sizeof(records)), 2 * SMILE_RECORD_BYTES);
	assert_static(&records[0], SMILE_KIND_STATIC, 0, 4, 1);
	assert_static(&records[1], SMILE_KIND_STATIC, 1, 5, 1);
	/* The counters are also swapped out before a configuration without a static array. */
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 42, 1);
	assert_soon(driver_statistics(fd).packets_seen == 11);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	struct smile_config config = driver_info(fd).config;

	config.mode = SMILE_MODE_DEFAULT | driver_mode();
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_int_equal(read(fd, records, sizeof(records)), SMILE_RECORD_BYTES);
	assert_static(&records[0], SMILE_KIND_STATIC, 2, 42, 1);
}

static void both_arrays_count_exactly(void **state)
{
	struct smile_static tables = tables_for_pages(7, 4);
	int fd = counting(0, &tables);
	struct smile_record records[64];
	struct smile_statistics statistics;

	/*
	 * Pages 7 to 10 are read once, twice, three times and four times. Pages 0 to 19 are read
	 * once more.
	 */
	for (unsigned int i = 0; i < 4; i++) {
		driver_send(CARD_DRAIN, 7 + i, 4 - i);
		driver_sent();
	}
	driver_send(CARD_DRAIN, 0, 20);
	assert_soon(driver_statistics(fd).packets_seen == 30);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.static_counted, 14);
	assert_int_equal(statistics.static_delivered, 14);
	assert_int_equal(statistics.events_accepted, 30);
	assert_int_equal(statistics.events_delivered, 30);
	assert_int_equal(driver_counter(CARD_DRAIN, "static_counted"), 14);
	assert_int_equal(driver_counter(CARD_DRAIN, "static_delivered"), 14);

	ssize_t got = read(fd, records, sizeof(records)), dynamic = 0;
	unsigned int index = 0;

	for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
		if (record_kind(&records[i]) == SMILE_KIND_DYNAMIC) {
			dynamic += record_count(&records[i]);
			continue;
		}
		assert_static(&records[i], SMILE_KIND_STATIC, index, 7 + index, index + 2);
		index++;
	}
	assert_int_equal(dynamic, 30);
	assert_int_equal(index, 4);
	/* The counters no longer contain the counts that were swapped out. */
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_errno(read(fd, records, sizeof(records)), EAGAIN);
}

static void overflow_loses_nothing(void **state)
{
	const unsigned int sent = 2 * SMILE_COUNT_MAX + 1234;
	struct smile_static tables = tables_for_pages(7, 1);
	int fd = counting(SMILE_MODE_NO_DYNAMIC, &tables);
	struct smile_record records[8];
	struct smile_statistics statistics;

	driver_send_one_page(CARD_DRAIN, 7, sent);
	assert_soon(driver_statistics(fd).packets_seen == sent);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.static_counted, sent);
	assert_int_equal(statistics.static_delivered, sent);
	assert_int_equal(statistics.events_accepted, 0);
	assert_int_equal(statistics.packets_filtered, sent);
	assert_int_equal(read(fd, records, sizeof(records)), 3 * SMILE_RECORD_BYTES);
	assert_static(&records[0], SMILE_KIND_OVERFLOW, 0, 7, SMILE_COUNT_MAX);
	assert_static(&records[1], SMILE_KIND_OVERFLOW, 0, 7, SMILE_COUNT_MAX);
	assert_static(&records[2], SMILE_KIND_STATIC, 0, 7, 1234);
}

/*
 * A counter is active between two events that the owner raises. These two events are counted, too.
 */
static void events_of_the_owner_switch_a_counter(void **state)
{
	struct smile_static tables = tables_for_pages(7, 1);
	struct smile_record records[16];
	uint32_t event;
	ssize_t got;
	int fd;

	tables.counter[0] |= SMILE_STATIC_COUNTER_ACTIVATE_VALID |
			     SMILE_PUT(SMILE_STATIC_COUNTER_ACTIVATE, SMILE_STATIC_GLOBAL + 1) |
			     SMILE_STATIC_COUNTER_DEACTIVATE_VALID |
			     SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE, SMILE_STATIC_GLOBAL + 2);
	tables.counter[1] = SMILE_STATIC_COUNTER_COUNT_VALID |
			    SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, SMILE_STATIC_GLOBAL + 2);
	fd = counting(SMILE_MODE_NO_DYNAMIC, &tables);
	for (unsigned int step = 0; step < 3; step++) {
		driver_send_one_page(CARD_DRAIN, 7, 10 + step);
		driver_sent();
		assert_soon(driver_statistics(fd).packets_seen == 10 + 11 * step + (step == 2));
		event = 1 + step;
		assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
	}
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	got = read(fd, records, sizeof(records));
	/* Three events, two counters. */
	assert_int_equal(got, 5 * SMILE_RECORD_BYTES);
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(record_kind(&records[i]), SMILE_KIND_EVENT);
	assert_static(&records[3], SMILE_KIND_STATIC, 0, 7, 11);
	assert_int_equal(record_kind(&records[4]), SMILE_KIND_STATIC);
	assert_int_equal(record_type(&records[4]), SMILE_TYPE_EVENT);
	assert_int_equal(record_count(&records[4]), 1);
	assert_int_equal(record_index(&records[4]), 1);
	assert_int_equal(record_clock(&records[4]) & 0xffff, 2); /* word 2: the event's id */
}

int driver_static_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(tables_go_round),
		driver_test(impossible_table_einval_and_unchanged),
		driver_test(while_running_ebusy_and_stopped_swaps_out_first),
		driver_test(both_arrays_count_exactly),
		driver_test(overflow_loses_nothing),
		driver_test(events_of_the_owner_switch_a_counter),
	};

	return cmocka_run_group_tests_name("static", tests, NULL, NULL);
}
