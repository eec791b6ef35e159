/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The static counters as a PMU: perf_event_open() itself; perf_test.sh has the same with the tool.
 *
 * What lives here: what can be counted and what not, groups, exact counts in spite of others who come
 * and go, and cards, processors and modules that go away. In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hw/blink.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define PMU_DEVICES "/sys/bus/event_source/devices/"
#define COUNTERS ((unsigned int)SMILE_STATIC_COUNTERS)
#define TOP 1023ULL
#define READS 1ULL
#define WRITES 2ULL
#define LOCKS 4ULL
#define ANY 7ULL
#define RESPONSES (1ULL << 43)
#define GLOBAL(id) ((16ULL + (id)) << 44)
#define HOME 3U /* home node of all pages, if not said otherwise */

/* What PERF_FORMAT_TOTAL_TIME_* gives. */
struct reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

static void pmu_read_file(int card, const char *name, char *text, size_t size)
{
	char device[64], path[192];
	ssize_t got;
	int fd;

	driver_path(card, device);
	snprintf(path, sizeof(path), PMU_DEVICES "%s/%s", device + strlen("/dev/"), name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_errno(fd, 0);
	got = read(fd, text, size - 1);
	close(fd);
	assert_true(got > 1);
	text[got] = '\0';
	text[strcspn(text, "\n")] = '\0';
}

static uint64_t pmu_number(int card, const char *name)
{
	char text[64];

	pmu_read_file(card, name, text, sizeof(text));
	assert_int_equal(strspn(text, "0123456789"), strlen(text));
	return strtoull(text, NULL, 10);
}

static int pmu_cpu(int card)
{
	return (int)pmu_number(card, "cpumask");
}

static uint64_t pmu_gaps(int card)
{
	return pmu_number(card, "gaps");
}

static uint64_t words(uint64_t page, uint64_t bottom, uint64_t top, uint64_t types)
{
	return page | bottom << 20 | top << 30 | types << 40;
}

static struct perf_event_attr attr_make(int card, uint64_t config)
{
	return (struct perf_event_attr){
		.type = (uint32_t)pmu_number(card, "type"),
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.config1 = config >> 44 ? 0 : HOME,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

static long event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

static void assert_refused(struct perf_event_attr attr, int error)
{
	assert_errno(event_open(&attr, -1, 0, -1), error);
}

/* An event that counts at once, on any processor: the PMU knows which. */
static int event_join(int card, uint64_t config, int group)
{
	struct perf_event_attr attr = attr_make(card, config);
	int fd = (int)event_open(&attr, -1, 0, group);

	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

static int event_make(int card, uint64_t config)
{
	return event_join(card, config, -1);
}

static int event_make_node(int card, uint64_t config, uint64_t node)
{
	struct perf_event_attr attr = attr_make(card, config);
	int fd;

	attr.config1 = node;
	fd = (int)event_open(&attr, -1, 0, -1);
	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

static struct reading event_read(int fd)
{
	struct reading reading;

	assert_int_equal(read(fd, &reading, sizeof(reading)), sizeof(reading));
	return reading;
}

static uint64_t event_count(int fd)
{
	return event_read(fd).value;
}

/* Frames to one page of HOME. */
static struct driver_frames frames(uint32_t command, uint64_t page, uint64_t word,
				   unsigned int count)
{
	return (struct driver_frames){
		.command = command,
		.source = 7,
		.target = HOME,
		.address = page * SMILE_PAGE_BYTES + word * SMILE_WORD_BYTES,
		.count = count,
	};
}

static struct driver_frames frames_event(uint64_t id, unsigned int count)
{
	return (struct driver_frames){
		.command = BLINK_EVENT00, .target = HOME, .address = id, .count = count};
}

/* Send, and wait until the card has seen all of it. */
static void send_all(int card, const struct driver_frames *kinds, size_t count)
{
	uint64_t goal = driver_attribute(card, "packets_seen");

	for (size_t i = 0; i < count; i++)
		goal += kinds[i].answered ? 2 * kinds[i].count : kinds[i].count;
	driver_send_frames(card, kinds, count);
	driver_sent();
	assert_soon(driver_attribute(card, "packets_seen") >= goal);
	assert_int_equal(driver_attribute(card, "packets_seen"), goal);
}

static void send_reads(int card, uint64_t page, unsigned int count)
{
	struct driver_frames kind = frames(BLINK_READSB, page, 0, count);

	send_all(card, &kind, 1);
}

static void pmu_shows_its_format_and_events(void **state)
{
	static const char *const files[][2] = {
		{"format/page", "config:0-19"},
		{"format/bottom", "config:20-29"},
		{"format/top", "config:30-39"},
		{"format/type", "config:40-42"},
		{"format/read", "config:40"},
		{"format/write", "config:41"},
		{"format/lock", "config:42"},
		{"format/response", "config:43"},
		{"format/event", "config:44-48"},
		{"format/node", "config1:0-15"},
		{"events/page-reads", "page=?,node=?,bottom=0,top=1023,type=1"},
		{"events/page-writes", "page=?,node=?,bottom=0,top=1023,type=2"},
		{"events/page-locks", "page=?,node=?,bottom=0,top=1023,type=4"},
		{"events/page-accesses", "page=?,node=?,bottom=0,top=1023,type=7"},
	};
	char text[128];

	for (int card = 0; card < CARDS; card++) {
		for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
			pmu_read_file(card, files[i][0], text, sizeof(text));
			assert_string_equal(text, files[i][1]);
		}
		assert_true(pmu_cpu(card) < sysconf(_SC_NPROCESSORS_ONLN));
		pmu_gaps(card);
	}
}

static void open_of_what_no_card_counts_einval(void **state)
{
	const uint64_t good = words(5, 0, TOP, READS);
	const uint64_t bad[] = {
		0, /* no type */
		words(5, 0, TOP, 0),
		words(5, 1, 0, READS), /* top below bottom */
		words(5, TOP, TOP - 1, ANY),
		1ULL << 44, /* no global event is so low */
		15ULL << 44,
		GLOBAL(0) | 1, /* which has no page */
		GLOBAL(15) | words(0, 0, 1, 0),
		GLOBAL(1) | words(0, 0, 0, WRITES),
		GLOBAL(2) | RESPONSES,
	};
	struct perf_event_attr attr;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		attr = attr_make(CARD_DRAIN, bad[i]);
		attr.config1 = 0;
		assert_refused(attr, EINVAL);
	}
	for (int bit = 49; bit < 64; bit++)
		assert_refused(attr_make(CARD_DRAIN, good | 1ULL << bit), EINVAL);
	for (int bit = 16; bit < 64; bit++) {
		attr = attr_make(CARD_DRAIN, good);
		attr.config1 |= 1ULL << bit;
		assert_refused(attr, EINVAL);
	}
	attr = attr_make(CARD_DRAIN, good);
	attr.config2 = 1;
	assert_refused(attr, EINVAL);
	attr = attr_make(CARD_DRAIN, GLOBAL(3));
	attr.config1 = HOME;
	assert_refused(attr, EINVAL);
	/* And the borders of what it does. */
	event_make(CARD_DRAIN, words(0xfffff, TOP, TOP, ANY) | RESPONSES);
	event_make(CARD_DRAIN, words(0, 0, 0, LOCKS));
	event_make(CARD_DRAIN, GLOBAL(15));
	event_make_node(CARD_DRAIN, good, 0xffff);
}

static void open_as_no_uncore_pmu_has_it_refused(void **state)
{
	const uint64_t good = words(5, 0, TOP, READS);
	struct perf_event_attr attr = attr_make(CARD_DRAIN, good);

	attr.sample_period = 1000;
	assert_refused(attr, EOPNOTSUPP);
	attr = attr_make(CARD_DRAIN, good);
	attr.exclude_user = 1;
	assert_refused(attr, EINVAL);
	attr = attr_make(CARD_DRAIN, good);
	attr.exclude_guest = 1;
	assert_refused(attr, EINVAL);
	/* The B-Link does not say which task it works for. */
	attr = attr_make(CARD_DRAIN, good);
	assert_errno(event_open(&attr, 0, -1, -1), EINVAL);
	assert_errno(event_open(&attr, 0, 0, -1), EINVAL);
	assert_errno(event_open(&attr, getpid(), 0, -1), EINVAL);
	/* Nothing of all that has taken the card. */
	driver_config(driver_open(CARD_DRAIN, 0));
	driver_teardown(state);
	/* inherit means nothing here, and the tool sets it. */
	attr.inherit = 1;
	driver_keep((int)event_open(&attr, -1, 0, -1));
	send_reads(CARD_DRAIN, 5, 1);
}

/* Each of them is counted by what watches it, and by nothing else. */
static void counts_by_type_range_node_and_event(void **state)
{
	struct driver_frames kinds[] = {
		frames(BLINK_READSB, 5, 0, 10),
		frames(BLINK_READSB, 5, 1023, 21),
		frames(BLINK_WRITESB, 5, 100, 32),
		frames(BLINK_LOCKSB, 5, 101, 43),
		frames(BLINK_NREAD64, 6, 4, 54),
		frames(BLINK_NREAD64, 5, 7, 65), /* of another node, see below */
		frames(BLINK_NREAD64, 9, 8, 76), /* answered, see below */
		frames_event(4, 87),
		frames_event(5, 98),
		frames_event(16, 5), /* which no counter can count */
		frames(BLINK_READSB, 0xfffff, 1, 11),
	};
	struct {
		uint64_t config, node, expected;
		int fd;
	} events[] = {
		{words(5, 0, TOP, READS), HOME, 10 + 21, 0},
		{words(5, 0, TOP, WRITES), HOME, 32, 0},
		{words(5, 0, TOP, LOCKS), HOME, 43, 0},
		{words(5, 0, TOP, ANY), HOME, 10 + 21 + 32 + 43, 0},
		{words(5, 0, 0, ANY), HOME, 10, 0},
		{words(5, 100, 101, ANY), HOME, 32 + 43, 0},
		{words(5, 1023, TOP, READS | LOCKS), HOME, 21, 0},
		{words(6, 0, TOP, READS), HOME, 54, 0},
		{words(5, 0, TOP, READS), 21, 65, 0},
		{words(9, 8, 8, READS), HOME, 76, 0},
		{words(9, 8, 8, READS) | RESPONSES, HOME, 76, 0},
		{words(5, 0, TOP, ANY) | RESPONSES, HOME, 0, 0},
		{GLOBAL(4), 0, 87, 0},
		{GLOBAL(5), 0, 98, 0},
		{GLOBAL(0), 0, 0, 0},
		{words(0xfffff, 0, TOP, ANY), HOME, 11, 0},
	};

	assert_int_equal(sizeof(events) / sizeof(events[0]), COUNTERS);
	kinds[5].target = 21;
	kinds[6].answered = true;
	for (unsigned int i = 0; i < COUNTERS; i++)
		events[i].fd = event_make_node(CARD_DRAIN, events[i].config, events[i].node);
	for (unsigned int turn = 1; turn <= 3; turn++) {
		send_all(CARD_DRAIN, kinds, sizeof(kinds) / sizeof(kinds[0]));
		for (unsigned int i = 0; i < COUNTERS; i++) {
			struct reading reading = event_read(events[i].fd);

			if (reading.value != turn * events[i].expected)
				fail_msg("event %u: %llu instead of %llu", i,
					 (unsigned long long)reading.value,
					 (unsigned long long)(turn * events[i].expected));
			/* It had its counter all the time. */
			assert_int_equal(reading.running, reading.enabled);
			assert_true(reading.enabled > 0);
		}
	}
}

/* A counter has 16 bits, the count 64. */
static void counts_over_many_overflows_exact(void **state)
{
	const unsigned int sent = 5 * 65535 + 1234;
	struct driver_frames kind = frames(BLINK_READSB, 5, 3, sent);
	int page = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	int word = event_make(CARD_DRAIN, words(5, 3, 3, ANY));
	int other = event_make(CARD_DRAIN, words(5, 4, TOP, ANY));
	uint64_t before = 0, count;

	driver_send_frames(CARD_DRAIN, &kind, 1);
	/* While they come, no count is ever lower than one before. */
	while (driver_sending()) {
		count = event_count(page);
		assert_true(count >= before && count <= sent);
		before = count;
	}
	assert_soon(driver_attribute(CARD_DRAIN, "packets_seen") == sent);
	assert_int_equal(event_count(page), sent);
	assert_int_equal(event_count(word), sent);
	assert_int_equal(event_count(other), 0);
	assert_int_equal(driver_attribute(CARD_DRAIN, "static_counted"), 2 * sent);
	send_reads(CARD_DRAIN, 5, 65535);
	assert_int_equal(event_count(page), sent + 65535);
	assert_int_equal(event_count(word), sent);
}

/* Each global event is a record, which nobody wants: the ring is emptied all the same. */
static void counts_while_the_ring_is_flooded_exact(void **state)
{
	struct driver_frames kinds[] = {
		frames_event(7, 30000),
		frames(BLINK_WRITESB, 5, 0, 70000),
		frames_event(8, 20000),
	};
	int seven = event_make(CARD_DRAIN, GLOBAL(7));
	int eight = event_make(CARD_DRAIN, GLOBAL(8));
	int page = event_make(CARD_DRAIN, words(5, 0, TOP, WRITES));

	send_all(CARD_DRAIN, kinds, 3);
	assert_int_equal(event_count(seven), 30000);
	assert_int_equal(event_count(eight), 20000);
	assert_int_equal(event_count(page), 70000);
	assert_true(driver_attribute(CARD_DRAIN, "records_written") >= 50000);
	assert_true(driver_attribute(CARD_DRAIN, "interrupts") > 0);
}

static void group_is_read_as_one(void **state)
{
	struct perf_event_attr attr = attr_make(CARD_DRAIN, words(5, 0, TOP, READS));
	struct {
		uint64_t count, enabled, running;
		uint64_t value[COUNTERS];
	} group;
	int leader;

	attr.read_format |= PERF_FORMAT_GROUP;
	attr.disabled = 1;
	leader = (int)event_open(&attr, -1, 0, -1);
	assert_errno(leader, 0);
	driver_keep(leader);
	for (unsigned int i = 1; i < COUNTERS; i++)
		event_join(CARD_DRAIN, words(5, 0, TOP, READS), leader);
	/* Not yet. */
	assert_errno(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	send_reads(CARD_DRAIN, 5, 66000);
	assert_int_equal(read(leader, &group, sizeof(group)), sizeof(group));
	assert_int_equal(group.count, COUNTERS);
	assert_true(group.enabled > 0);
	assert_int_equal(group.running, group.enabled);
	for (unsigned int i = 0; i < COUNTERS; i++)
		assert_int_equal(group.value[i], 66000);
}

static void group_that_cannot_be_counted_einval(void **state)
{
	struct perf_event_attr attr = attr_make(CARD_DRAIN, GLOBAL(1));
	struct perf_event_attr other = attr_make(CARD_REALTIME, GLOBAL(1));
	struct perf_event_attr software = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(software),
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int leader = event_make(CARD_DRAIN, GLOBAL(0)), fd;

	for (unsigned int i = 1; i < COUNTERS; i++)
		event_join(CARD_DRAIN, GLOBAL(i), leader);
	assert_errno(event_open(&attr, -1, pmu_cpu(CARD_DRAIN), leader), EINVAL);
	/* Another card's is another PMU, and counts somewhere else. */
	leader = event_make(CARD_DRAIN, GLOBAL(0));
	assert_errno(event_open(&other, -1, pmu_cpu(CARD_DRAIN), leader), EINVAL);
	/* The kernel's own may take part, and lead. */
	fd = (int)event_open(&software, -1, pmu_cpu(CARD_DRAIN), leader);
	assert_errno(fd, 0);
	driver_keep(fd);
	leader = (int)event_open(&software, -1, pmu_cpu(CARD_DRAIN), -1);
	assert_errno(leader, 0);
	driver_keep(leader);
	for (unsigned int i = 0; i < COUNTERS; i++)
		event_join(CARD_DRAIN, GLOBAL(i), leader);
	assert_errno(event_open(&attr, -1, pmu_cpu(CARD_DRAIN), leader), EINVAL);
}

static void disable_enable_and_reset_do_so(void **state)
{
	int fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	int all = event_make(CARD_DRAIN, words(5, 0, TOP, ANY));

	send_reads(CARD_DRAIN, 5, 100);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	send_reads(CARD_DRAIN, 5, 20);
	assert_int_equal(event_count(fd), 100);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	send_reads(CARD_DRAIN, 5, 3);
	assert_int_equal(event_count(fd), 103);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_RESET, 0), 0);
	assert_int_equal(event_count(fd), 0);
	send_reads(CARD_DRAIN, 5, 70000);
	assert_int_equal(event_count(fd), 70000);
	assert_int_equal(event_count(all), 70123);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_PERIOD, &(uint64_t){1}), EINVAL);
}

/* What is counted already is not disturbed by an event that wants nothing new of the card. */
static void others_who_come_and_go_cost_no_count(void **state)
{
	const unsigned int sent = 150000;
	struct driver_frames kind = frames(BLINK_READSB, 5, 0, sent);
	int fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	int same = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	uint64_t gaps = pmu_gaps(CARD_DRAIN);
	unsigned int turns = 0;

	driver_send_frames(CARD_DRAIN, &kind, 1);
	do {
		assert_errno(ioctl(same, PERF_EVENT_IOC_DISABLE, 0), 0);
		assert_errno(ioctl(same, PERF_EVENT_IOC_ENABLE, 0), 0);
		driver_close(same);
		same = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
		turns++;
	} while (driver_sending());
	assert_true(turns > 1);
	assert_soon(driver_attribute(CARD_DRAIN, "packets_seen") == sent);
	assert_int_equal(event_count(fd), sent);
	assert_int_equal(pmu_gaps(CARD_DRAIN), gaps);
	/* One who does is told of. */
	event_make(CARD_DRAIN, words(6, 0, TOP, READS));
	assert_int_equal(pmu_gaps(CARD_DRAIN), gaps + 1);
	send_reads(CARD_DRAIN, 5, 5);
	assert_int_equal(event_count(fd), sent + 5);
}

/* More events than counters: all get their turn, and say how long it was. */
static void more_events_than_counters_take_turns(void **state)
{
	const unsigned int events = 20;
	uint64_t running = 0, enabled = 0, gaps = pmu_gaps(CARD_DRAIN);
	unsigned int zero;
	struct driver_frames kind = frames(BLINK_READSB, 5, 0, 20000);
	int fds[20];

	for (unsigned int i = 0; i < events; i++)
		fds[i] = event_make(CARD_DRAIN, words(5, 0, TOP - i, READS));
	do {
		driver_send_frames(CARD_DRAIN, &kind, 1);
		driver_sent();
		zero = 0;
		for (unsigned int i = 0; i < events; i++)
			zero += !event_count(fds[i]);
	} while (zero);
	for (unsigned int i = 0; i < events; i++)
		assert_errno(ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0), 0);
	for (unsigned int i = 0; i < events; i++) {
		struct reading reading = event_read(fds[i]);

		assert_true(reading.running > 0);
		assert_true(reading.running <= reading.enabled);
		running += reading.running;
		enabled = reading.enabled > enabled ? reading.enabled : enabled;
	}
	/* No more than 16 at a time, and no counter idle for long. */
	assert_true(running <= COUNTERS * enabled);
	assert_true(running > enabled);
	assert_true(pmu_gaps(CARD_DRAIN) > gaps);
	/* With fewer it is exact again. */
	for (unsigned int i = 1; i < events; i++)
		driver_close(fds[i]);
	assert_soon(driver_attribute(CARD_DRAIN, "packets_seen") % 20000 == 0);
	assert_errno(ioctl(fds[0], PERF_EVENT_IOC_RESET, 0), 0);
	assert_errno(ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0), 0);
	send_reads(CARD_DRAIN, 5, 777);
	assert_int_equal(event_count(fds[0]), 777);
}

static void device_file_and_perf_exclude_each_other(void **state)
{
	struct smile_static tables = {.size = sizeof(tables)};
	struct perf_event_attr attr = attr_make(CARD_DRAIN, words(5, 0, TOP, READS));
	struct smile_config config;
	uint32_t mark = 1;
	char buffer[16];
	int file = driver_open(CARD_DRAIN, O_NONBLOCK), fd;

	/* Open is not yet owned. */
	fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	assert_errno(ioctl(file, SMILE_IOC_START), EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_STOP), EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_SWAP), EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_EVENT, &mark), EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_STATIC, &tables), EBUSY);
	config = driver_info(file).config;
	assert_errno(ioctl(file, SMILE_IOC_CONFIGURE, &config), EBUSY);
	assert_errno(read(file, buffer, sizeof(buffer)), EBUSY);
	assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0), MAP_FAILED);
	assert_int_equal(errno, EBUSY);
	/* Another card is another matter. */
	assert_errno(ioctl(driver_open(CARD_REALTIME, 0), SMILE_IOC_STOP), 0);
	/* What can be asked tells the truth. */
	assert_int_equal(config.mode, SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC);
	assert_int_equal(driver_info(file).status, SMILE_INFO_RUNNING | SMILE_INFO_LINK);
	send_reads(CARD_DRAIN, 5, 12);
	assert_int_equal(driver_statistics(file).static_counted, 12);
	assert_errno(ioctl(file, SMILE_IOC_STATIC_INFO, &tables), 0);
	unsigned int watched = 0;
	for (unsigned int i = 0; i < COUNTERS; i++) {
		if (!tables.counter[i])
			continue;
		watched++;
		assert_int_equal(tables.page[i], SMILE_STATIC_PAGE_VALID | 5);
		assert_int_equal(tables.node[i], HOME);
	}
	assert_int_equal(watched, 1);
	assert_int_equal(event_count(fd), 12);

	/* And the other way round. */
	driver_close(fd);
	config = driver_config(file);
	assert_int_equal(config.mode & SMILE_MODE_STATIC, 0);
	assert_refused(attr, EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_START), 0);
	assert_refused(attr, EBUSY);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_statistics(file).events_accepted == 3);
	driver_close(file);
	fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	send_reads(CARD_DRAIN, 5, 4);
	assert_int_equal(event_count(fd), 4);
}

/* What was counted until then stays; what comes later is another attachment's. */
static void unbind_under_events_leaves_their_counts(void **state)
{
	struct perf_event_attr attr = attr_make(CARD_DRAIN, words(5, 0, TOP, READS));
	int fds[20], fresh;
	struct reading reading;

	for (unsigned int i = 0; i < 20; i++)
		fds[i] = event_make(CARD_DRAIN, words(5, 0, i < 2 ? TOP : i, READS));
	for (unsigned int i = 2; i < 20; i++)
		assert_errno(ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0), 0);
	assert_errno(ioctl(fds[0], PERF_EVENT_IOC_RESET, 0), 0);
	send_reads(CARD_DRAIN, 5, 66001);
	for (unsigned int turn = 0; turn < 3; turn++) {
		driver_bind(CARD_DRAIN, false);
		assert_int_equal(event_count(fds[0]), 66001);
		assert_refused(attr, ENODEV);
		/* They get no counter, whether they had one or not. */
		for (unsigned int i = 0; i < 20; i++) {
			assert_errno(ioctl(fds[i], PERF_EVENT_IOC_DISABLE, 0), 0);
			assert_errno(ioctl(fds[i], PERF_EVENT_IOC_ENABLE, 0), 0);
		}
		driver_bind(CARD_DRAIN, true);
		fresh = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
		send_reads(CARD_DRAIN, 5, 11);
		assert_int_equal(event_count(fresh), 11);
		reading = event_read(fds[0]);
		assert_int_equal(reading.value, 66001);
		assert_true(reading.running < reading.enabled);
		/* One that goes takes nothing with it. */
		driver_close(fds[10 + turn]);
		assert_int_equal(event_count(fresh), 11);
		send_reads(CARD_DRAIN, 5, 22);
		assert_int_equal(event_count(fresh), 33);
		driver_close(fresh);
	}
	/* Nor do they keep anybody from the card. */
	driver_config(driver_open(CARD_DRAIN, 0));
}

static void unbind_while_events_are_counted(void **state)
{
	for (unsigned int turn = 0; turn < 10; turn++) {
		int fds[20];

		for (unsigned int i = 0; i < 20; i++)
			fds[i] = event_make(CARD_DRAIN, words(0, 0, i, READS));
		driver_send_one_page(CARD_DRAIN, 0, 30000);
		assert_soon(event_count(fds[0]) > 0);
		driver_bind(CARD_DRAIN, false);
		for (unsigned int i = 0; i < 20; i++)
			assert_true(event_count(fds[i]) <= 30000);
		driver_bind(CARD_DRAIN, true);
		for (unsigned int i = 0; i < 20; i++)
			driver_close(fds[i]);
		/* Its frames go to a card that nobody has, and wait for none. */
		driver_sent();
	}
}

static void suspend_keeps_counts(void **state)
{
	int fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	int event = event_make(CARD_DRAIN, GLOBAL(3));
	uint64_t gaps = pmu_gaps(CARD_DRAIN);
	struct driver_frames marks = frames_event(3, 17);

	for (unsigned int turn = 1; turn <= 3; turn++) {
		send_reads(CARD_DRAIN, 5, 40000);
		send_all(CARD_DRAIN, &marks, 1);
		assert_int_equal(driver_suspend(), 0);
		assert_int_equal(event_count(fd), turn * 40000);
		assert_int_equal(event_count(event), turn * 17);
		assert_int_equal(pmu_gaps(CARD_DRAIN), gaps + turn);
	}
	send_reads(CARD_DRAIN, 5, 40000);
	assert_int_equal(event_count(fd), 160000);
}

static void cpu_set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	driver_write_file(path, online ? "1" : "0");
}

/* The processor that the events are on goes away while frames come, and not one is missed. */
static void processor_that_goes_costs_no_count(void **state)
{
	const unsigned int sent = 200000;
	struct driver_frames kind = frames(BLINK_READSB, 5, 0, sent);
	const int card = CARD_REALTIME;
	int cpu = pmu_cpu(card), fd, event;
	uint64_t gaps;

	/* Cards are spread over the processors, and the first one cannot be taken off. */
	assert_int_equal(cpu, 1);
	fd = event_make(card, words(5, 0, TOP, READS));
	event = event_make(card, words(5, 1, TOP, READS));
	gaps = pmu_gaps(card);
	driver_send_frames(card, &kind, 1);
	assert_soon(event_count(fd) > 0);
	cpu_set_online(cpu, false);
	assert_int_equal(pmu_cpu(card), 0);
	assert_soon(!driver_sending());
	assert_soon(driver_attribute(card, "packets_seen") == sent);
	assert_int_equal(event_count(fd), sent);
	assert_int_equal(event_count(event), 0);
	assert_int_equal(pmu_gaps(card), gaps);
	cpu_set_online(cpu, true);
	assert_int_equal(pmu_cpu(card), 0);
	send_reads(card, 5, 9);
	assert_int_equal(event_count(fd), sent + 9);
	/* New ones find the way, too. */
	assert_int_equal(event_count(event_make(card, words(5, 0, TOP, READS))), 0);
}

static void unload_under_events_refused(void **state)
{
	const char *const modprobe[] = {"modprobe", "smile_monitor", NULL};
	char output[256];
	int fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));

	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), EWOULDBLOCK);
	driver_bind(CARD_DRAIN, false);
	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), EWOULDBLOCK);
	driver_close(fd);
	assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), 0);
	assert_int_equal(access(PMU_DEVICES "smile_monitor0", F_OK), -1);
	assert_int_equal(driver_run(0, modprobe, output, sizeof(output)), 0);
	fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	send_reads(CARD_DRAIN, 5, 6);
	assert_int_equal(event_count(fd), 6);
}

/* The module goes while perf's timer for events that take turns may still be running. */
static void unload_right_after_turns(void **state)
{
	const char *const modprobe[] = {"modprobe", "smile_monitor", NULL};
	char output[256];

	for (unsigned int turn = 0; turn < 5; turn++) {
		int fds[20];

		for (unsigned int i = 0; i < 20; i++)
			fds[i] = event_make(CARD_DRAIN, words(5, 0, i, READS));
		assert_soon(event_read(fds[0]).running < event_read(fds[0]).enabled);
		for (unsigned int i = 0; i < 20; i++)
			driver_close(fds[i]);
		assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), 0);
		assert_int_equal(driver_run(0, modprobe, output, sizeof(output)), 0);
	}
}

/* Registers that all read zero: what was counted stays, nothing is made up, and a new begin works. */
static void card_that_answers_no_more_is_survived(void **state)
{
	int fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	struct perf_event_attr attr = attr_make(CARD_DRAIN, GLOBAL(1));
	uint16_t command;

	send_reads(CARD_DRAIN, 5, 70000);
	assert_int_equal(event_count(fd), 70000);
	command = driver_pci_command(CARD_DRAIN, PCI_COMMAND_ALL, 0);
	assert_int_equal(event_count(fd), 70000);
	assert_int_equal(event_count(fd), 70000);
	/* Nobody can be told by open(): it was another's card before. */
	driver_keep((int)event_open(&attr, -1, 0, -1));
	driver_pci_command(CARD_DRAIN, 0, command);
	assert_int_equal(event_count(fd), 70000);
	driver_teardown(state);
	fd = event_make(CARD_DRAIN, words(5, 0, TOP, READS));
	send_reads(CARD_DRAIN, 5, 7);
	assert_int_equal(event_count(fd), 7);
}

int driver_pmu_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(pmu_shows_its_format_and_events),
		driver_test(open_of_what_no_card_counts_einval),
		driver_test(open_as_no_uncore_pmu_has_it_refused),
		driver_test(counts_by_type_range_node_and_event),
		driver_test(counts_over_many_overflows_exact),
		driver_test(counts_while_the_ring_is_flooded_exact),
		driver_test(group_is_read_as_one),
		driver_test(group_that_cannot_be_counted_einval),
		driver_test(disable_enable_and_reset_do_so),
		driver_test(others_who_come_and_go_cost_no_count),
		driver_test(more_events_than_counters_take_turns),
		driver_test(device_file_and_perf_exclude_each_other),
		driver_test(unbind_under_events_leaves_their_counts),
		driver_test(unbind_while_events_are_counted),
		driver_test(suspend_keeps_counts),
		driver_test(processor_that_goes_costs_no_count),
		driver_test(unload_under_events_refused),
		driver_test(unload_right_after_turns),
		driver_test(card_that_answers_no_more_is_survived),
	};

	return cmocka_run_group_tests_name("pmu", tests, NULL, NULL);
}
