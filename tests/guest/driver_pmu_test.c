/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the static counters as a PMU, with perf_event_open(). perf_test.sh tests the same with
 * the tool perf.
 *
 * What lives here: valid and invalid events, groups, and counts that must stay exact while other
 * users open and close the card. In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/driver_event.h"
#include "tests/guest/driver_test.h"

static void pmu_shows_its_format_and_events(void **state)
{
	static const char *const files[][2] = {
		{"format/page", "config:0-19"},
		{"format/bottom", "config:20-29"},
		{"format/top", "config:30-39"},
		{"format/type", "config:40-42"},
		{"format/reads", "config:40"},
		{"format/writes", "config:41"},
		{"format/locks", "config:42"},
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
			event_pmu_text(card, files[i][0], text, sizeof(text));
			assert_string_equal(text, files[i][1]);
		}
		assert_true(event_cpu(card) < sysconf(_SC_NPROCESSORS_ONLN));
		event_gaps(card);
	}
}

static void open_of_what_no_card_counts_einval(void **state)
{
	const uint64_t good = event_words(5, 0, TOP, READS);
	const uint64_t bad[] = {
		0, /* no type */
		event_words(5, 0, TOP, 0),
		event_words(5, 1, 0, READS), /* top below bottom */
		event_words(5, TOP, TOP - 1, ANY),
		1ULL << 44, /* no global event has such a low number */
		15ULL << 44,
		GLOBAL(0) | 1, /* a global event has no page */
		GLOBAL(15) | event_words(0, 0, 1, 0),
		GLOBAL(1) | event_words(0, 0, 0, WRITES),
		GLOBAL(2) | RESPONSES,
	};
	struct perf_event_attr attr;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		attr = event_attr(CARD_DRAIN, bad[i]);
		attr.config1 = 0;
		assert_event_refused(attr, EINVAL);
	}
	for (int bit = 49; bit < 64; bit++)
		assert_event_refused(event_attr(CARD_DRAIN, good | 1ULL << bit), EINVAL);
	for (int bit = 16; bit < 64; bit++) {
		attr = event_attr(CARD_DRAIN, good);
		attr.config1 |= 1ULL << bit;
		assert_event_refused(attr, EINVAL);
	}
	attr = event_attr(CARD_DRAIN, good);
	attr.config2 = 1;
	assert_event_refused(attr, EINVAL);
	attr = event_attr(CARD_DRAIN, GLOBAL(3));
	attr.config1 = HOME;
	assert_event_refused(attr, EINVAL);
	/* The largest supported values must be accepted. */
	event_make(CARD_DRAIN, event_words(0xfffff, TOP, TOP, ANY) | RESPONSES);
	event_make(CARD_DRAIN, event_words(0, 0, 0, LOCKS));
	event_make(CARD_DRAIN, GLOBAL(15));
	event_make_node(CARD_DRAIN, good, 0xffff);
}

static void open_as_no_uncore_pmu_has_it_refused(void **state)
{
	const uint64_t good = event_words(5, 0, TOP, READS);
	struct perf_event_attr attr = event_attr(CARD_DRAIN, good);
	int fd = driver_tracing(0);

	driver_send(CARD_DRAIN, 0, 5);
	assert_soon(driver_counter(CARD_DRAIN, "packets_seen") == 5);
	driver_close(fd);
	assert_int_equal(driver_counter(CARD_DRAIN, "packets_seen"), 5);
	attr.sample_period = 1000;
	assert_event_refused(attr, EOPNOTSUPP);
	attr = event_attr(CARD_DRAIN, good);
	attr.exclude_user = 1;
	assert_event_refused(attr, EINVAL);
	attr = event_attr(CARD_DRAIN, good);
	attr.exclude_guest = 1;
	assert_event_refused(attr, EINVAL);
	/* The frames on the B-Link do not show a task, so an event cannot be for a task. */
	attr = event_attr(CARD_DRAIN, good);
	assert_errno(event_open(&attr, 0, -1, -1), EINVAL);
	assert_errno(event_open(&attr, 0, 0, -1), EINVAL);
	assert_errno(event_open(&attr, getpid(), 0, -1), EINVAL);
	/* None of these calls has claimed the card, or reset it. */
	assert_int_equal(driver_counter(CARD_DRAIN, "packets_seen"), 5);
	driver_config(driver_open(CARD_DRAIN, 0));
	driver_teardown(state);
	/* `inherit` has no effect here. It is accepted because the tool perf sets it. */
	attr.inherit = 1;
	driver_keep((int)event_open(&attr, -1, 0, -1));
	event_send_reads(CARD_DRAIN, 5, 1);
}

/* Each kind of frame is counted only by the events that are configured for it. */
static void counts_by_type_range_node_and_event(void **state)
{
	struct driver_frames kinds[] = {
		event_frames(BLINK_READSB, 5, 0, 10),
		event_frames(BLINK_READSB, 5, 1023, 21),
		event_frames(BLINK_WRITESB, 5, 100, 32),
		event_frames(BLINK_LOCKSB, 5, 101, 43),
		event_frames(BLINK_NREAD64, 6, 4, 54),
		event_frames(BLINK_NREAD64, 5, 7, 65), /* of another node, see below */
		event_frames(BLINK_NREAD64, 9, 8, 76), /* answered, see below */
		event_frames_global(4, 87),
		event_frames_global(5, 98),
		event_frames_global(16, 5), /* which no counter can count */
		event_frames(BLINK_READSB, 0xfffff, 1, 11),
	};
	struct {
		uint64_t config, node, expected;
		int fd;
	} events[] = {
		{event_words(5, 0, TOP, READS), HOME, 10 + 21, 0},
		{event_words(5, 0, TOP, WRITES), HOME, 32, 0},
		{event_words(5, 0, TOP, LOCKS), HOME, 43, 0},
		{event_words(5, 0, TOP, ANY), HOME, 10 + 21 + 32 + 43, 0},
		{event_words(5, 0, 0, ANY), HOME, 10, 0},
		{event_words(5, 100, 101, ANY), HOME, 32 + 43, 0},
		{event_words(5, 1023, TOP, READS | LOCKS), HOME, 21, 0},
		{event_words(6, 0, TOP, READS), HOME, 54, 0},
		{event_words(5, 0, TOP, READS), 21, 65, 0},
		{event_words(9, 8, 8, READS), HOME, 76, 0},
		{event_words(9, 8, 8, READS) | RESPONSES, HOME, 76, 0},
		{event_words(5, 0, TOP, ANY) | RESPONSES, HOME, 0, 0},
		{GLOBAL(4), 0, 87, 0},
		{GLOBAL(5), 0, 98, 0},
		{GLOBAL(0), 0, 0, 0},
		{event_words(0xfffff, 0, TOP, ANY), HOME, 11, 0},
	};

	assert_int_equal(sizeof(events) / sizeof(events[0]), COUNTERS);
	kinds[5].target = 21;
	kinds[6].answered = true;
	for (unsigned int i = 0; i < COUNTERS; i++)
		events[i].fd = event_make_node(CARD_DRAIN, events[i].config, events[i].node);
	for (unsigned int turn = 1; turn <= 3; turn++) {
		event_send(CARD_DRAIN, kinds, sizeof(kinds) / sizeof(kinds[0]));
		for (unsigned int i = 0; i < COUNTERS; i++) {
			struct event_reading reading = event_read(events[i].fd);

			if (reading.value != turn * events[i].expected)
				fail_msg("event %u: %llu instead of %llu", i,
					 (unsigned long long)reading.value,
					 (unsigned long long)(turn * events[i].expected));
			/* The event must have had its counter all the time. */
			assert_int_equal(reading.running, reading.enabled);
			assert_true(reading.enabled > 0);
		}
	}
}

/* A counter of the card has 16 bits; a count has 64 bits. */
static void counts_over_many_overflows_exact(void **state)
{
	const unsigned int sent = driver_less(5) * 65535 + 1234;
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 3, sent);
	int page = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int word = event_make(CARD_DRAIN, event_words(5, 3, 3, ANY));
	int other = event_make(CARD_DRAIN, event_words(5, 4, TOP, ANY));
	uint64_t before = 0, count;

	driver_send_frames(CARD_DRAIN, &kind, 1);
	/* While frames arrive, no count is ever lower than an earlier count. */
	while (driver_sending()) {
		count = event_count(page);
		assert_true(count >= before && count <= sent);
		before = count;
	}
	assert_soon(driver_counter(CARD_DRAIN, "packets_seen") == sent);
	assert_int_equal(event_count(page), sent);
	assert_int_equal(event_count(word), sent);
	assert_int_equal(event_count(other), 0);
	assert_int_equal(driver_counter(CARD_DRAIN, "static_counted"), 2 * sent);
	event_send_reads(CARD_DRAIN, 5, 65535);
	assert_int_equal(event_count(page), sent + 65535);
	assert_int_equal(event_count(word), sent);
}

/* Each global event makes a record that nobody reads. The driver must still empty the ring. */
static void counts_while_the_ring_is_flooded_exact(void **state)
{
	struct driver_frames kinds[] = {
		event_frames_global(7, 30000),
		event_frames(BLINK_WRITESB, 5, 0, 70000),
		event_frames_global(8, 20000),
	};
	int seven = event_make(CARD_DRAIN, GLOBAL(7));
	int eight = event_make(CARD_DRAIN, GLOBAL(8));
	int page = event_make(CARD_DRAIN, event_words(5, 0, TOP, WRITES));

	event_send(CARD_DRAIN, kinds, 3);
	assert_int_equal(event_count(seven), 30000);
	assert_int_equal(event_count(eight), 20000);
	assert_int_equal(event_count(page), 70000);
	assert_true(driver_counter(CARD_DRAIN, "records_written") >= 50000);
	assert_true(driver_counter(CARD_DRAIN, "interrupts") > 0);
}

static void group_is_read_as_one(void **state)
{
	struct perf_event_attr attr = event_attr(CARD_DRAIN, event_words(5, 0, TOP, READS));
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
		event_join(CARD_DRAIN, event_words(5, 0, TOP, READS), leader);
	/* Not enabled yet. */
	assert_errno(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	event_send_reads(CARD_DRAIN, 5, 66000);
	assert_int_equal(read(leader, &group, sizeof(group)), sizeof(group));
	assert_int_equal(group.count, COUNTERS);
	assert_true(group.enabled > 0);
	assert_int_equal(group.running, group.enabled);
	for (unsigned int i = 0; i < COUNTERS; i++)
		assert_int_equal(group.value[i], 66000);
}

static void group_that_cannot_be_counted_refused(void **state)
{
	struct perf_event_attr attr = event_attr(CARD_DRAIN, GLOBAL(1));
	struct perf_event_attr other = event_attr(CARD_REALTIME, GLOBAL(1));
	struct perf_event_attr software = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(software),
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int leader = event_make(CARD_DRAIN, GLOBAL(0)), fd;

	for (unsigned int i = 1; i < COUNTERS; i++)
		event_join(CARD_DRAIN, GLOBAL(i), leader);
	assert_errno(event_open(&attr, -1, event_cpu(CARD_DRAIN), leader), ENOSPC);
	/* An event of another card belongs to another PMU, so it cannot join the group. */
	driver_teardown(state);
	leader = event_make(CARD_DRAIN, GLOBAL(0));
	assert_errno(event_open(&other, -1, event_cpu(CARD_DRAIN), leader), EINVAL);
	/* The kernel's software events may be members of the group, and its leader. */
	fd = (int)event_open(&software, -1, event_cpu(CARD_DRAIN), leader);
	assert_errno(fd, 0);
	driver_keep(fd);
	driver_teardown(state);
	/* If no member of the group is pinned, perf shows no error when the card is gone. */
	leader = (int)event_open(&software, -1, event_cpu(CARD_DRAIN), -1);
	assert_errno(leader, 0);
	driver_keep(leader);
	assert_errno(event_open(&attr, -1, event_cpu(CARD_DRAIN), leader), EINVAL);
	software.pinned = 1;
	leader = (int)event_open(&software, -1, event_cpu(CARD_DRAIN), -1);
	assert_errno(leader, 0);
	driver_keep(leader);
	for (unsigned int i = 0; i < COUNTERS; i++)
		event_join(CARD_DRAIN, GLOBAL(i), leader);
	assert_errno(event_open(&attr, -1, event_cpu(CARD_DRAIN), leader), ENOSPC);
}

#define SAMPLE_PAGES 64

/* A sample of PERF_SAMPLE_READ and PERF_FORMAT_GROUP, of a leader and one sibling. */
struct sample {
	struct perf_event_header header;
	uint64_t events;
	uint64_t leader;
	uint64_t sibling;
};

/*
 * Check the samples of a leader. Each count is at least the previous one, and at most @most.
 * Return: the number of samples.
 */
static unsigned int samples_check(const struct perf_event_mmap_page *page, uint64_t most)
{
	const char *data = (const char *)page + page->data_offset;
	uint64_t at = page->data_tail, head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t last = 0;
	unsigned int samples = 0;

	while (at < head) {
		struct sample sample;

		/* The buffer has room for all samples, so none of them wraps. */
		memcpy(&sample.header, data + at, sizeof(sample.header));
		assert_true(sample.header.size > 0 && at + sample.header.size <= page->data_size);
		if (sample.header.type == PERF_RECORD_SAMPLE) {
			assert_int_equal(sample.header.size, sizeof(sample));
			memcpy(&sample, data + at, sizeof(sample));
			assert_int_equal(sample.events, 2);
			assert_in_range(sample.sibling, last, most);
			last = sample.sibling;
			samples++;
		}
		at += sample.header.size;
	}
	return samples;
}

/*
 * In the interrupt of a software event that leads the group, perf reads the card, whatever the
 * processor was doing: for example, reading the card.
 */
static void software_leader_samples_the_count(void **state)
{
	const unsigned int sent = 100000;
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 0, sent);
	struct perf_event_attr software = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(software),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.disabled = 1,
		.pinned = 1,
		.sample_period = 500000,
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP,
	};
	int leader = (int)event_open(&software, -1, event_cpu(CARD_DRAIN), -1), fd;
	struct perf_event_mmap_page *page;
	unsigned int samples;

	assert_errno(leader, 0);
	driver_keep(leader);
	page = driver_map(leader, (1 + SAMPLE_PAGES) * (size_t)sysconf(_SC_PAGESIZE),
			  PROT_READ | PROT_WRITE, 0);
	fd = event_join(CARD_DRAIN, event_words(5, 0, TOP, READS), leader);
	assert_errno(ioctl(leader, PERF_EVENT_IOC_ENABLE, 0), 0);
	driver_send_frames(CARD_DRAIN, &kind, 1);
	do {
		assert_in_range(event_count(fd), 0, sent);
	} while (driver_sending() || !__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE));
	assert_soon(driver_counter(CARD_DRAIN, "packets_seen") == sent);
	assert_int_equal(event_count(fd), sent);
	assert_errno(ioctl(leader, PERF_EVENT_IOC_DISABLE, 0), 0);
	samples = samples_check(page, sent);
	print_message("%u samples\n", samples);
	assert_true(samples > 0);
	driver_unmap(page);
}

static void disable_enable_and_reset_do_so(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int all = event_make(CARD_DRAIN, event_words(5, 0, TOP, ANY));

	event_send_reads(CARD_DRAIN, 5, 100);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
	event_send_reads(CARD_DRAIN, 5, 20);
	assert_int_equal(event_count(fd), 100);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	event_send_reads(CARD_DRAIN, 5, 3);
	assert_int_equal(event_count(fd), 103);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_RESET, 0), 0);
	assert_int_equal(event_count(fd), 0);
	event_send_reads(CARD_DRAIN, 5, 70000);
	assert_int_equal(event_count(fd), 70000);
	assert_int_equal(event_count(all), 70123);
	assert_errno(ioctl(fd, PERF_EVENT_IOC_PERIOD, &(uint64_t){1}), EINVAL);
}

/* If a new event needs no change of the card's tables, the other events must not lose a count. */
static void others_who_come_and_go_cost_no_count(void **state)
{
	const unsigned int sent = 150000;
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 0, sent);
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	int same = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	uint64_t gaps = event_gaps(CARD_DRAIN);
	unsigned int turns = 0;

	driver_send_frames(CARD_DRAIN, &kind, 1);
	do {
		assert_errno(ioctl(same, PERF_EVENT_IOC_DISABLE, 0), 0);
		assert_errno(ioctl(same, PERF_EVENT_IOC_ENABLE, 0), 0);
		driver_close(same);
		same = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
		turns++;
	} while (driver_sending());
	assert_true(turns > 1);
	assert_soon(driver_counter(CARD_DRAIN, "packets_seen") == sent);
	assert_int_equal(event_count(fd), sent);
	assert_int_equal(event_gaps(CARD_DRAIN), gaps);
	/* If a new event needs a change, the other events must report a gap. */
	event_make(CARD_DRAIN, event_words(6, 0, TOP, READS));
	assert_int_equal(event_gaps(CARD_DRAIN), gaps + 1);
	event_send_reads(CARD_DRAIN, 5, 5);
	assert_int_equal(event_count(fd), sent + 5);
}

static struct {
	bool end;
	unsigned int gaps;
} stopper;

/* Open events that need a change of the card's tables, for which the card is stopped. */
static void *stopper_main(void *unused)
{
	struct perf_event_attr attr[2] = {event_attr(CARD_DRAIN, event_words(6, 0, TOP, READS)),
					  event_attr(CARD_DRAIN, event_words(7, 0, TOP, READS))};

	while (!__atomic_load_n(&stopper.end, __ATOMIC_RELAXED)) {
		int fd = (int)event_open(&attr[stopper.gaps % 2], -1, event_cpu(CARD_DRAIN), -1);

		if (fd < 0)
			break;
		close(fd);
		__atomic_add_fetch(&stopper.gaps, 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

/*
 * An event is disabled or enabled while the card is stopped for another event. Its count must be
 * exact, although no call reads it before. Meanwhile, the frames of this card wait.
 */
static void event_disabled_in_a_gap_is_exact(void **state)
{
	int fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	unsigned int turns = driver_less(100);
	pthread_t thread;

	stopper.end = false;
	stopper.gaps = 0;
	assert_int_equal(pthread_create(&thread, NULL, stopper_main, NULL), 0);
	for (unsigned int turn = 1; turn <= turns; turn++) {
		event_send_reads(CARD_DRAIN, 5, 100);
		assert_errno(ioctl(fd, PERF_EVENT_IOC_DISABLE, 0), 0);
		assert_int_equal(event_count(fd), turn * 100);
		event_send_reads(CARD_DRAIN, 5, 50);
		assert_errno(ioctl(fd, PERF_EVENT_IOC_ENABLE, 0), 0);
	}
	__atomic_store_n(&stopper.end, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	assert_true(stopper.gaps > turns / 10);
}

/*
 * There is no multiplexing: an event without a free counter is refused, and affects no other event.
 */
static void more_events_than_counters_refused(void **state)
{
	struct perf_event_attr attr = event_attr(CARD_DRAIN, event_words(6, 0, TOP, READS));
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 0, 50000);
	int fds[COUNTERS];
	uint64_t gaps;

	for (unsigned int i = 0; i < COUNTERS; i++)
		fds[i] = event_make(CARD_DRAIN, event_words(5, 0, TOP - i, READS));
	gaps = event_gaps(CARD_DRAIN);
	driver_send_frames(CARD_DRAIN, &kind, 1);
	do {
		assert_event_refused(attr, ENOSPC);
	} while (driver_sending());
	assert_soon(event_count(fds[0]) == 50000);
	for (unsigned int i = 0; i < COUNTERS; i++) {
		struct event_reading reading = event_read(fds[i]);

		assert_int_equal(reading.value, 50000);
		assert_int_equal(reading.running, reading.enabled);
	}
	assert_int_equal(event_gaps(CARD_DRAIN), gaps);
	/* A closed event frees its counter. */
	driver_close(fds[7]);
	fds[7] = event_make(CARD_DRAIN, event_words(6, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 6, 777);
	assert_int_equal(event_count(fds[7]), 777);
	assert_int_equal(event_count(fds[8]), 50000);
}

/*
 * The card uses a table to find the request of a response. If the card is stopped, the table is
 * lost. So disabling and enabling an event must not stop the card.
 */
static void disable_and_enable_lose_no_response(void **state)
{
	const unsigned int sent = 50000;
	struct driver_frames kind = event_frames(BLINK_READSB, 5, 0, sent);
	int responses = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS) | RESPONSES);
	int other = event_make(CARD_DRAIN, event_words(6, 0, TOP, READS));
	uint64_t gaps = event_gaps(CARD_DRAIN);

	kind.answered = true;
	driver_send_frames(CARD_DRAIN, &kind, 1);
	do {
		assert_errno(ioctl(other, PERF_EVENT_IOC_DISABLE, 0), 0);
		assert_errno(ioctl(other, PERF_EVENT_IOC_ENABLE, 0), 0);
	} while (driver_sending());
	assert_soon(driver_counter(CARD_DRAIN, "packets_seen") >= 2 * sent);
	assert_soon(event_count(responses) == sent);
	assert_int_equal(event_gaps(CARD_DRAIN), gaps);
}

static void device_file_and_perf_exclude_each_other(void **state)
{
	struct smile_static tables = {.size = sizeof(tables)};
	struct perf_event_attr attr = event_attr(CARD_DRAIN, event_words(5, 0, TOP, READS));
	struct smile_config config;
	int file = driver_watch(CARD_DRAIN), fd;

	/* A file that only queries the card must not affect the event. */
	fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	driver_refused(CARD_DRAIN, EBUSY);
	config = driver_info(file).config;
	/* Another card is not affected. */
	driver_open(CARD_REALTIME, 0);
	/* The queried state is correct. */
	assert_int_equal(config.mode, SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC);
	assert_int_equal(driver_info(file).status, SMILE_INFO_RUNNING | SMILE_INFO_LINK);
	event_send_reads(CARD_DRAIN, 5, 12);
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

	/* The same in the opposite order: if there is a stream, an event is refused. */
	driver_close(fd);
	file = driver_open(CARD_DRAIN, O_NONBLOCK);
	config = driver_config(file);
	assert_int_equal(config.mode & SMILE_MODE_STATIC, 0);
	assert_event_refused(attr, EBUSY);
	assert_errno(ioctl(file, SMILE_IOC_START), 0);
	assert_event_refused(attr, EBUSY);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_statistics(file).events_accepted == 3);
	driver_close(file);
	fd = event_make(CARD_DRAIN, event_words(5, 0, TOP, READS));
	event_send_reads(CARD_DRAIN, 5, 4);
	assert_int_equal(event_count(fd), 4);
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
		driver_test(group_that_cannot_be_counted_refused),
		driver_test(software_leader_samples_the_count),
		driver_test(disable_enable_and_reset_do_so),
		driver_test(others_who_come_and_go_cost_no_count),
		driver_test(event_disabled_in_a_gap_is_exact),
		driver_test(more_events_than_counters_refused),
		driver_test(disable_and_enable_lose_no_response),
		driver_test(device_file_and_perf_exclude_each_other),
	};

	return cmocka_run_group_tests_name("pmu", tests, NULL, NULL);
}
