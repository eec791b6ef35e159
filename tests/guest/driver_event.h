/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * perf's events on a card, for the driver's tests.
 *
 * What lives here: opening and reading events, the meaning of their numbers, and traffic for them.
 * Events are closed by driver_teardown(). May use: driver_fixture.h, the kernel's
 * <linux/perf_event.h>.
 */
#ifndef TESTS_GUEST_DRIVER_EVENT_H
#define TESTS_GUEST_DRIVER_EVENT_H

#include <linux/perf_event.h>

#include <hw/blink.h>

#include "tests/guest/driver_fixture.h"

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
struct event_reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* What the PMU of a card says in a file of its directory: one line, or one number. */
void event_pmu_text(int card, const char *name, char *text, size_t size);
uint64_t event_pmu_number(int card, const char *name);
/* The processor that the events are on. */
int event_cpu(int card);
/* How often its counters have stood still under events. */
uint64_t event_gaps(int card);

/* config for a range; READS and so on, which may be or-ed. */
uint64_t event_words(uint64_t page, uint64_t bottom, uint64_t top, uint64_t types);
/* An event of HOME's; it counts from the beginning, unless it is set to wait. */
struct perf_event_attr event_attr(int card, uint64_t config);
/* perf_event_open(), and its result as it is. */
long event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
void assert_event_refused(struct perf_event_attr attr, int error);
/* An event that counts at once; as a sibling; of another node's pages. */
int event_make(int card, uint64_t config);
int event_join(int card, uint64_t config, int group);
int event_make_node(int card, uint64_t config, uint64_t node);
struct event_reading event_read(int fd);
uint64_t event_count(int fd);
/* Is it in the error state? */
bool event_ended(int fd);

/* Frames to one word of HOME's; global events. */
struct driver_frames event_frames(uint32_t command, uint64_t page, uint64_t word,
				  unsigned int count);
struct driver_frames event_frames_global(uint64_t id, unsigned int count);
/* Send, and wait until the card has seen all of it. */
void event_send(int card, const struct driver_frames *kinds, size_t count);
void event_send_reads(int card, uint64_t page, unsigned int count);

#endif /* TESTS_GUEST_DRIVER_EVENT_H */
