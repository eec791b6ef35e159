/* SPDX-License-Identifier: MIT */
/*
 * Groups of perf events: events that are enabled, counted and read together.
 */
#ifndef TOOLS_STAT_PERF_GROUP_H
#define TOOLS_STAT_PERF_GROUP_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct perf_event - An event, as libpfm4 encodes it.
 * @name: as the user wrote it
 * @attr: encoded
 */
struct perf_event {
	const char *name;
	struct perf_event_attr attr;
};

/* This pid stands for all processes, on all processors. */
#define PERF_MACHINE (-1)

/**
 * struct perf_group - Events that the kernel puts onto counters all together, or not at all.
 * @fds: descriptors of each target, the leader's first; shape [@targets][@count]
 * @opened: number of open descriptors
 * @events: indices of the events, shape [@count]
 * @count: number of events
 * @targets: number of targets: 1 for a process, or the number of processors
 * @last: the last reading: events, time enabled, time running, values; shape [@targets][3 + @count]
 * @now: room for the next reading, the same shape
 * @apart: the distance in @values from the events of a processor to the events of the next one; 0:
 *         the processors are summed
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
 * struct perf_target - The process or processors whose events are counted.
 * @pid: a process and its children; or PERF_MACHINE, on
 * @processors: these, shape [@count]; NULL: all
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
 * perf_group_open() - Open a group, disabled.
 * @events: all events
 * @set: indices of the events in the group, shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; call perf_group_close() in both cases.
 */
int perf_group_open(struct perf_group *group, const struct perf_event *events, const size_t *set,
		    size_t count, const struct perf_target *target);

void perf_group_close(struct perf_group *group);

void perf_group_enable(const struct perf_group *group, int on);

/**
 * perf_group_read() - Read the counts of a group's events since the last call.
 * @values: receives the counts of all events, by processor if they are apart; NAN remains for
 *          events that were not read
 *
 * The kernel shares its counters with other users: the counts of a group that ran for a part of the
 * time for which it was enabled are scaled to all of this time; a group that did not run was not
 * read. If the kernel cannot read the group, neither this call nor the next returns values, and a
 * message reports that.
 */
void perf_group_read(struct perf_group *group, double *values);

/* Has the group got no counters on some processor in all the time for which it was enabled? */
int perf_group_starved(const struct perf_group *group);

#endif /* TOOLS_STAT_PERF_GROUP_H */
