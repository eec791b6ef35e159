// SPDX-License-Identifier: MIT
/*
 * Groups of perf events. See tools/stat/perf_group.h.
 */
#include "tools/stat/perf_group.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/tool.h"
#include "tools/stat/pfm.h"

/* The words that precede the values when a group is read. */
enum group_word {
	GROUP_EVENTS,
	GROUP_ENABLED,
	GROUP_RUNNING,
	GROUP_VALUES,
};

/*
 * The number of attempts to read a group. The kernel may refuse to read the group of a process for
 * some time. The attempts last more than a second.
 */
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

/* Print why an event cannot be opened, with a remedy. */
static int open_refused(const struct perf_event *event, size_t before, pid_t pid, int error)
{
	const char *name = event->name;

	if ((error == EACCES || error == EPERM) && pid == PERF_MACHINE)
		return tool_error("event %s: not permitted: sysctl kernel.perf_event_paranoid=0, "
				  "or lower, permits the whole machine's events",
				  name);
	if (error == EACCES || error == EPERM)
		return tool_error("event %s: not permitted: sysctl kernel.perf_event_paranoid=2, "
				  "or lower, permits a program's own events",
				  name);
	if ((error == ENOENT || error == EOPNOTSUPP) && event->attr.type != PERF_TYPE_SOFTWARE)
		return tool_error("event %s: this machine has no such counter (smile doctor); "
				  "there are software events: task-clock, page-faults, "
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

/*
 * Print a message that the kernel is excluded from counting. Print it only once, even if it applies
 * to several events.
 */
static void kernel_left_out(void)
{
	static bool said;

	if (!said)
		tool_message("events are counted only outside the kernel, where there are neither "
			     "context-switches nor cpu-migrations: sudo sysctl "
			     "kernel.perf_event_paranoid=1 permits the rest");
	said = true;
}

/*
 * Open one more event for a target. The first event of a target is the leader of its group. Return:
 * TOOL_OK; TOOL_ERROR after a message; -ENODEV for a leader if the processor does not exist.
 */
static int event_open(struct perf_group *group, const struct perf_event *event, size_t before,
		      pid_t pid, int processor)
{
	struct perf_event_attr attr = event->attr;
	int leader = before ? group->fds[group->opened - before] : -1, fd;

	/*
	 * Only the leader is opened in the disabled state. The other events follow their leader, so
	 * that the whole group is switched on and off together.
	 */
	attr.disabled = !before;
	attr.inherit = pid != PERF_MACHINE;
	attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	fd = (int)syscall(SYS_perf_event_open, &attr, pid, processor, leader, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		/*
		 * Try again without the kernel, because more users are permitted to count events
		 * outside the kernel.
		 */
		attr.exclude_kernel = 1;
		attr.exclude_hv = 1;
		fd = (int)syscall(SYS_perf_event_open, &attr, pid, processor, leader,
				  PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			kernel_left_out();
	}
	if (fd < 0 && errno == ENODEV && !before)
		return -ENODEV;
	if (fd < 0)
		return open_refused(event, before, pid, errno);
	group->fds[group->opened++] = fd;
	return TOOL_OK;
}

/* Open all events of the group for one more target. Return: as event_open(). */
static int target_open(struct perf_group *group, const struct perf_event *events, pid_t pid,
		       int processor)
{
	int status = TOOL_OK;

	for (size_t k = 0; k < group->count && status == TOOL_OK; k++)
		status = event_open(group, &events[group->events[k]], k, pid, processor);
	if (status == TOOL_OK)
		group->targets++;
	return status;
}

int perf_group_open(struct perf_group *group, const struct perf_event *events, const size_t *set,
		    size_t count, const struct perf_target *target)
{
	long all = target->pid == PERF_MACHINE ? sysconf(_SC_NPROCESSORS_CONF) : 1;
	size_t targets = target->processors ? target->count : all > 0 ? (size_t)all : 1;
	int status = TOOL_OK;

	*group = (struct perf_group){
		.fds = tool_memory(targets * count, sizeof(*group->fds)),
		.events = tool_memory(count, sizeof(*group->events)),
		.last = tool_memory(targets * (GROUP_VALUES + count), sizeof(*group->last)),
		.now = tool_memory(targets * (GROUP_VALUES + count), sizeof(*group->now)),
		.count = count,
		.apart = target->apart,
	};
	memcpy(group->events, set, count * sizeof(*set));
	for (size_t k = 0; k < targets && status == TOOL_OK; k++) {
		int processor = target->processors ? target->processors[k] : (int)k;

		status = target_open(group, events, target->pid,
				     target->pid == PERF_MACHINE ? processor : -1);
		if (status == -ENODEV && target->processors)
			return tool_usage("-C: there is no processor %d, or it is switched off",
					  processor);
		/* The processor is switched off, so leave it out. */
		if (status == -ENODEV && target->pid == PERF_MACHINE)
			status = TOOL_OK;
	}
	if (status == -ENODEV || (status == TOOL_OK && !group->targets))
		return open_refused(&events[set[0]], 0, target->pid, ENODEV);
	return status;
}

void perf_group_close(struct perf_group *group)
{
	for (size_t k = 0; k < group->opened; k++)
		close(group->fds[k]);
	free(group->fds);
	free(group->events);
	free(group->last);
	free(group->now);
	*group = (struct perf_group){0};
}

void perf_group_enable(const struct perf_group *group, int on)
{
	for (size_t k = 0; k < group->targets; k++)
		ioctl(group->fds[k * group->count],
		      on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* Get the part of @last or @now that belongs to a target. */
static uint64_t *words_of(const struct perf_group *group, uint64_t *words, size_t target)
{
	return words + target * (GROUP_VALUES + group->count);
}

/*
 * Read the group of a target. A new process gets the events of the group one after another, and a
 * process that ends loses them one after another. The kernel does not sum groups with different
 * events. A read during this time fails with ECHILD, and is tried again.
 */
static int target_read(const struct perf_group *group, size_t target)
{
	static const struct timespec pause = {.tv_nsec = READ_PAUSE_NS};
	uint64_t *words = words_of(group, group->now, target);
	size_t bytes = (GROUP_VALUES + group->count) * sizeof(*words);

	for (int i = 0; i < READ_TRIES; i++) {
		ssize_t got = read(group->fds[target * group->count], words, bytes);

		if (got >= 0)
			return got == (ssize_t)bytes ? 0 : -EIO;
		if (errno != ECHILD)
			return -errno;
		nanosleep(&pause, NULL);
	}
	return -ECHILD;
}

/*
 * Get the count of an event of a target since the last read. Return: NAN if the event was not
 * counted.
 */
static double target_counted(const struct perf_group *group, size_t target, size_t event)
{
	const uint64_t *now = words_of(group, group->now, target);
	const uint64_t *last = words_of(group, group->last, target);
	uint64_t enabled = now[GROUP_ENABLED] - last[GROUP_ENABLED];
	uint64_t running = now[GROUP_RUNNING] - last[GROUP_RUNNING];
	uint64_t count = now[GROUP_VALUES + event] - last[GROUP_VALUES + event];

	/* If the group was not enabled, the program did not run at all, and the count is 0. */
	if (!enabled)
		return 0;
	return running ? (double)count * (double)enabled / (double)running : NAN;
}

void perf_group_read(struct perf_group *group, double *values)
{
	uint64_t *kept = group->last;
	int error = 0, missed = group->missed;

	for (size_t target = 0; target < group->targets && !error; target++)
		error = target_read(group, target);
	group->missed = error < 0;
	if (error < 0 && !missed)
		tool_message("events of an interval cannot be read: %s: their counts are estimated",
			     strerror(-error));
	if (error < 0 || !group->targets)
		return;
	/*
	 * If the previous read failed, these counts are the sum of two intervals, so they are used
	 * for neither interval.
	 */
	for (size_t k = 0; k < group->count && !missed; k++) {
		double sum = 0;

		for (size_t target = 0; target < group->targets; target++) {
			double counted = target_counted(group, target, k);

			sum += counted;
			if (group->apart && !isnan(counted))
				values[group->events[k] + target * group->apart] = counted;
		}
		if (!group->apart && !isnan(sum))
			values[group->events[k]] = sum;
	}
	group->last = group->now;
	group->now = kept;
}

int perf_group_starved(const struct perf_group *group)
{
	int starved = 0;

	for (size_t target = 0; target < group->targets; target++) {
		const uint64_t *last = words_of(group, group->last, target);

		starved |= last[GROUP_ENABLED] && !last[GROUP_RUNNING];
	}
	return starved;
}
