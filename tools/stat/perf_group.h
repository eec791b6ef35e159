/* SPDX-License-Identifier: MIT */
/*
 * Groups of perf events: what is enabled, counted and read together.
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

/* The process that stands for all of them, on all processors. */
#define PERF_MACHINE (-1)

/**
 * struct perf_group - Events that the kernel puts onto counters all together, or not at all.
 * @fds: of each target, the first is the leader's, shape [@targets][@count]
 * @opened: of these
 * @events: their indices, shape [@count]
 * @count: how many
 * @targets: a process, or the processors of a machine
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
 * struct perf_target - Whose events are counted.
 * @pid: a process and its children; or PERF_MACHINE, on
 * @processors: these, shape [@count]; NULL: all
 * @count: how many
 * @apart: as in struct perf_group
 */
struct perf_target {
	pid_t pid;
	const int *processors;
	size_t count;
	size_t apart;
};

/**
 * perf_event_encode() - Encode a name.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int perf_event_encode(struct perf_event *event, const char *name);

/**
 * perf_group_open() - Open a group, disabled.
 * @events: all of them
 * @set: indices of those in the group, shape [@count]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message; perf_group_close() in both cases.
 */
int perf_group_open(struct perf_group *group, const struct perf_event *events, const size_t *set,
		    size_t count, const struct perf_target *target);

void perf_group_close(struct perf_group *group);

void perf_group_enable(const struct perf_group *group, int on);

/**
 * perf_group_read() - What its events counted since the last call.
 * @values: of all events, of each processor if they are apart; NAN remains where nothing was read
 *
 * The kernel shares its counters with other users: the counts of a group that ran for a part of the
 * time for which it was enabled are scaled to all of this time; a group that did not run was not
 * read. If the kernel cannot read the group, neither this call nor the next gives values, and a
 * message says so.
 */
void perf_group_read(struct perf_group *group, double *values);

/* Has it been enabled, and got no counters in all that time, on some processor? */
int perf_group_starved(const struct perf_group *group);

#endif /* TOOLS_STAT_PERF_GROUP_H */
