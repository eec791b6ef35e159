/* SPDX-License-Identifier: MIT */
/*
 * Groups of perf events. The events of a group are enabled, counted and read together.
 */
#ifndef TOOLS_STAT_PERF_GROUP_H
#define TOOLS_STAT_PERF_GROUP_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct perf_event - An event, encoded by libpfm4.
 * @name: name of the event, as the user wrote it
 * @attr: the encoded event
 */
struct perf_event {
	const char *name;
	struct perf_event_attr attr;
};

/* A pid that stands for all processes on the given processors. */
#define PERF_MACHINE (-1)

/**
 * struct perf_group - A group of events. The kernel assigns counters either to all events of the
 * group or to none.
 * @fds: the descriptors of the events for each target; the first descriptor of a target is that of
 *       the group's leader; shape [@targets][@count]
 * @opened: number of descriptors that are open
 * @events: indices of the events, shape [@count]
 * @count: number of events in the group
 * @targets: number of targets: 1 for a process; otherwise the number of processors
 * @last: the last reading of each target: number of events, time enabled, time running, values;
 *        shape [@targets][3 + @count]
 * @now: buffer for the next reading, of the same shape
 * @apart: if processors are counted separately, the distance in @values between the same event of
 *         two neighbouring processors, as a number of entries; 0: the counts of the processors are
 *         added up
 * @missed: the last read failed
 */
struct perf_group {
	int *fds;
	size_t opened;
	size_t *events;
	size_t count;
	size_t targets;
	uint64_t *last;
	uint64_t *now;
	size_t apart;
	int missed;
};

/**
 * struct perf_target - The process or the processors for which events are counted.
 * @pid: a process, which is counted with its children; or PERF_MACHINE for
 * @processors: these processors, shape [@count]; NULL: all processors
 * @count: number of processors
 * @apart: as in struct perf_group
 */
struct perf_target {
	pid_t pid;
	const int *processors;
	size_t count;
	size_t apart;
};

/**
 * perf_event_encode() - Encode the name of an event.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int perf_event_encode(struct perf_event *event, const char *name);

/**
 * perf_group_open() - Open a group. The group is disabled at first.
 * @events: all events
 * @set: indices in @events of the events of the group, shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message. The caller must call perf_group_close() in both
 *         cases.
 */
int perf_group_open(struct perf_group *group, const struct perf_event *events, const size_t *set,
		    size_t count, const struct perf_target *target);

void perf_group_close(struct perf_group *group);

void perf_group_enable(const struct perf_group *group, int on);

/**
 * perf_group_read() - Read the counts of the group's events since the last call.
 * @values: receives the counts of all events, for each processor if they are counted separately;
 *          NAN remains for events that were not counted
 *
 * Other users may also use the processors' counters. If a group has had counters only for a part of
 * the time for which it was enabled, its counts are scaled to the whole time. If a group had no
 * counters, no values are set. If the kernel cannot read the group, the function prints a message,
 * and neither this call nor the next call sets values.
 */
void perf_group_read(struct perf_group *group, double *values);

/* Check whether there is a processor on which the group was enabled but has never had counters. */
int perf_group_starved(const struct perf_group *group);

#endif /* TOOLS_STAT_PERF_GROUP_H */
