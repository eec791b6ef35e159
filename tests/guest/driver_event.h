/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Events of perf for a card, for the driver's tests.
 *
 * What lives here: functions that open and read events, that make their configuration, and that
 * send frames for them. driver_teardown() closes the events. May use: driver_fixture.h, the
 * kernel's <linux/perf_event.h>.
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
#define HOME 3U /* home node of all pages, unless a test names another node */

/* The values that the PERF_FORMAT_TOTAL_TIME_* formats return. */
struct event_reading {
	uint64_t value;
	uint64_t enabled;
	uint64_t running;
};

/* The contents of a file in the directory of a card's PMU: one line, or one number. */
void event_pmu_text(int card, const char *name, char *text, size_t size);
uint64_t event_pmu_number(int card, const char *name);
/* The processor on which the card's events are opened. */
int event_cpu(int card);
/* How often the driver stopped the counters of a card while events were open. */
uint64_t event_gaps(int card);

/*
 * The config value of an event that counts accesses to a range. @types: READS and so on, combined
 * by OR.
 */
uint64_t event_words(uint64_t page, uint64_t bottom, uint64_t top, uint64_t types);
/*
 * The attributes of an event for pages of node HOME. The event counts immediately, unless the
 * caller sets `disabled`.
 */
struct perf_event_attr event_attr(int card, uint64_t config);
/* Call perf_event_open(). Return: its result. */
long event_open(struct perf_event_attr *attr, pid_t pid, int cpu, int group);
void assert_event_refused(struct perf_event_attr attr, int error);
/*
 * Open an event that counts immediately: a single event, a member of a group, or one for pages of
 * another node.
 */
int event_make(int card, uint64_t config);
int event_join(int card, uint64_t config, int group);
int event_make_node(int card, uint64_t config, uint64_t node);
struct event_reading event_read(int fd);
uint64_t event_count(int fd);
/* Whether the event is in the error state. */
bool event_ended(int fd);

/* Frames to one word of node HOME; and global events. */
struct driver_frames event_frames(uint32_t command, uint64_t page, uint64_t word,
				  unsigned int count);
struct driver_frames event_frames_global(uint64_t id, unsigned int count);
/* Send frames. Wait until the card has received all of them. */
void event_send(int card, const struct driver_frames *kinds, size_t count);
void event_send_reads(int card, uint64_t page, unsigned int count);

#endif /* TESTS_GUEST_DRIVER_EVENT_H */
