/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Events of perf for a card, for the driver's tests.
 *
 * What lives here: see driver_event.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/driver_event.h"

void event_pmu_text(int card, const char *name, char *text, size_t size)
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

uint64_t event_pmu_number(int card, const char *name)
{
	char text[64];

	event_pmu_text(card, name, text, sizeof(text));
	assert_int_equal(strspn(text, "0123456789"), strlen(text));
	return strtoull(text, NULL, 10);
}

int event_cpu(int card)
{
	return (int)event_pmu_number(card, "cpumask");
}

uint64_t event_gaps(int card)
{
	return event_pmu_number(card, "gaps");
}

uint64_t event_words(uint64_t page, uint64_t bottom, uint64_t top, uint64_t types)
{
	return page | bottom << 20 | top << 30 | types << 40;
}

struct perf_event_attr event_attr(int card, uint64_t config)
{
	return (struct perf_event_attr){
		.type = (uint32_t)event_pmu_number(card, "type"),
		.size = sizeof(struct perf_event_attr),
		.config = config,
		.config1 = config >> 44 ? 0 : HOME,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
}

long event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group)
{
	return syscall(SYS_perf_event_open, attr, pid, cpu, group, PERF_FLAG_FD_CLOEXEC);
}

void assert_event_refused(struct perf_event_attr attr, int error)
{
	assert_errno(event_open(&attr, -1, 0, -1), error);
}

int event_join(int card, uint64_t config, int group)
{
	struct perf_event_attr attr = event_attr(card, config);
	int fd = (int)event_open(&attr, -1, 0, group);

	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

int event_make(int card, uint64_t config)
{
	return event_join(card, config, -1);
}

int event_make_node(int card, uint64_t config, uint64_t node)
{
	struct perf_event_attr attr = event_attr(card, config);
	int fd;

	attr.config1 = node;
	fd = (int)event_open(&attr, -1, 0, -1);
	assert_errno(fd, 0);
	driver_keep(fd);
	return fd;
}

struct event_reading event_read(int fd)
{
	struct event_reading reading;

	assert_int_equal(read(fd, &reading, sizeof(reading)), sizeof(reading));
	return reading;
}

uint64_t event_count(int fd)
{
	return event_read(fd).value;
}

bool event_ended(int fd)
{
	struct event_reading reading;
	ssize_t got = read(fd, &reading, sizeof(reading));

	if (got)
		assert_int_equal(got, sizeof(reading));
	return !got;
}

struct driver_frames event_frames(uint32_t command, uint64_t page, uint64_t word,
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

struct driver_frames event_frames_global(uint64_t id, unsigned int count)
{
	return (struct driver_frames){
		.command = BLINK_EVENT00, .target = HOME, .address = id, .count = count};
}

void event_send(int card, const struct driver_frames *kinds, size_t count)
{
	uint64_t goal = driver_counter(card, "packets_seen");

	for (size_t i = 0; i < count; i++)
		goal += kinds[i].answered ? 2 * kinds[i].count : kinds[i].count;
	driver_send_frames(card, kinds, count);
	driver_sent();
	assert_soon(driver_counter(card, "packets_seen") >= goal);
	assert_int_equal(driver_counter(card, "packets_seen"), goal);
}

void event_send_reads(int card, uint64_t page, unsigned int count)
{
	struct driver_frames kind = event_frames(BLINK_READSB, page, 0, count);

	event_send(card, &kind, 1);
}
