// SPDX-License-Identifier: MIT
/*
 * Groups of perf events. See tools/stat/perf_group.h.
 */
#include "tools/stat/perf_group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/tool.h"
#include "tools/stat/pfm.h"

/* Of what a read of a group gives, in front of the values. */
enum group_word {
	GROUP_EVENTS,
	GROUP_ENABLED,
	GROUP_RUNNING,
	GROUP_VALUES,
};

/* A read that finds a group of a process incomplete is tried again: for a second and more. */
#define READ_TRIES 10000
#define READ_PAUSE_NS 100000

int perf_event_encode(struct perf_event *event, const char *name)
{
	pfm_perf_encode_arg_t encode = {.attr = &event->attr, .size = sizeof(encode)};
	int error;

	event->name = name;
	event->attr = (struct perf_event_attr){.size = sizeof(event->attr)};
	error = stat_pfm.get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT,
					       &encode);
	if (error == PFM_SUCCESS)
		return TOOL_OK;
	return tool_error("event %s: %s: libpfm4 has no such event for this machine", name,
			  stat_pfm.strerror(error));
}

/* Why an event cannot be opened, and what helps. */
static int open_refused(const struct perf_event *event, size_t before, int error)
{
	const char *name = event->name;

	if (error == EACCES || error == EPERM)
		return tool_error("event %s: not permitted: sysctl kernel.perf_event_paranoid=2, "
				  "or lower, permits a program's own events",
				  name);
	if ((error == ENOENT || error == EOPNOTSUPP) && event->attr.type != PERF_TYPE_SOFTWARE)
		return tool_error("event %s: this machine has no such counter (smile doctor); "
				  "software events are there: task-clock, page-faults, "
				  "context-switches, cpu-migrations",
				  name);
	if (error == EMFILE)
		return tool_error("event %s: too many open files: raise the limit (ulimit -n), or "
				  "give fewer events",
				  name);
	if (before && (error == EINVAL || error == ENOSPC))
		return tool_error("event %s cannot be counted together with %zu others: give "
				  "--counters %zu",
				  name, before, before);
	return tool_error("event %s: %s", name, strerror(error));
}

/* One more of the group; the first leads it. */
static int event_open(struct perf_group *group, const struct perf_event *event, pid_t pid)
{
	struct perf_event_attr attr = event->attr;
	int leader = group->count ? group->fds[0] : -1, fd;

	/*
	 * Only the leader begins disabled: the others follow it, so that the group is switched as a
	 * whole.
	 */
	attr.disabled = !group->count;
	attr.inherit = 1;
	attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, leader, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		/* More is permitted without the counts of the kernel. */
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, leader,
				  PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0)
		return open_refused(event, group->count, errno);
	group->fds[group->count++] = fd;
	return TOOL_OK;
}

int perf_group_open(struct perf_group *group, const struct perf_event *events, const size_t *set,
		    size_t count, pid_t pid)
{
	int status = TOOL_OK;

	*group = (struct perf_group){
		.fds = tool_memory(count, sizeof(*group->fds)),
		.events = tool_memory(count, sizeof(*group->events)),
		.last = tool_memory(GROUP_VALUES + count, sizeof(*group->last)),
		.now = tool_memory(GROUP_VALUES + count, sizeof(*group->now)),
	};
	memcpy(group->events, set, count * sizeof(*set));
	for (size_t k = 0; k < count && status == TOOL_OK; k++)
		status = event_open(group, &events[set[k]], pid);
	return status;
}

void perf_group_close(struct perf_group *group)
{
	for (size_t k = 0; k < group->count; k++)
		close(group->fds[k]);
	free(group->fds);
	free(group->events);
	free(group->last);
	free(group->now);
	*group = (struct perf_group){0};
}

void perf_group_enable(const struct perf_group *group, int on)
{
	if (group->count)
		ioctl(group->fds[0], on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/*
 * A process that begins gets the group's events one after another, and one that ends loses them in
 * the same way. The kernel does not sum groups that differ: meanwhile the read fails with ECHILD.
 */
static int group_read(const struct perf_group *group)
{
	static const struct timespec pause = {.tv_nsec = READ_PAUSE_NS};
	size_t bytes = (GROUP_VALUES + group->count) * sizeof(*group->now);

	for (int i = 0; i < READ_TRIES; i++) {
		ssize_t got = read(group->fds[0], group->now, bytes);

		if (got >= 0)
			return got == (ssize_t)bytes ? 0 : -EIO;
		if (errno != ECHILD)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return -ECHILD;
}

void perf_group_read(struct perf_group *group, double *values)
{
	uint64_t enabled, running, *kept = group->last;
	int error = group->count ? group_read(group) : 0, missed = group->missed;

	group->missed = error < 0;
	if (error < 0 && !missed)
		tool_message("events of an interval cannot be read: %s: their counts are estimated",
			     strerror(-error));
	if (error < 0 || !group->count)
		return;
	enabled = group->now[GROUP_ENABLED] - group->last[GROUP_ENABLED];
	running = group->now[GROUP_RUNNING] - group->last[GROUP_RUNNING];
	for (size_t k = 0; k < group->count; k++) {
		uint64_t count = group->now[GROUP_VALUES + k] - group->last[GROUP_VALUES + k];
		double *value = &values[group->events[k]];

		/* After a failed read this is the count of two intervals, and valid for neither. */
		if (missed)
			continue;
		/* The program did not run at all, so the count is known to be 0. */
		if (!enabled)
			*value = 0;
		else if (running)
			*value = (double)count * (double)enabled / (double)running;
	}
	group->last = group->now;
	group->now = kept;
}

int perf_group_starved(const struct perf_group *group)
{
	return group->count && group->last[GROUP_ENABLED] && !group->last[GROUP_RUNNING];
}
