// SPDX-License-Identifier: MIT
/*
 * run/sample: page faults, by perf. See events.h.
 */
#include "run/sample/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <base/array.h>

#include "run/sample/host.h"

/*
 * Pages of a ring, at most and at least. Each processor may have so many locked pages by default:
 * /proc/sys/kernel/perf_event_mlock_kb.
 */
#define RING_PAGES_MAX 128U
#define RING_PAGES_MIN 8U

static int event_open(pid_t pid, unsigned cpu, size_t ring_bytes, bool user_only)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attributes),
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.exclude_kernel = user_only,
		.exclude_hv = 1,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(ring_bytes / 4),
	};

	return (int)syscall(SYS_perf_event_open, &attributes, pid, (int)cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

/*
 * The event of a processor, with its ring. Return: 0; 1: the processor is off line; -errno, and
 * whether it is the ring that failed.
 */
static int event_add(struct sample_events *events, pid_t pid, unsigned cpu, bool *of_ring)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct sample_event *event;
	void *memory;
	int failed, fd = event_open(pid, cpu, events->ring_bytes, events->user_only);

	/* Above level 1, the kernel's own faults are not for everybody. */
	if (fd < 0 && errno == EACCES && !events->user_only) {
		events->user_only = true;
		fd = event_open(pid, cpu, events->ring_bytes, true);
	}
	if (fd < 0)
		return errno == ENODEV ? 1 : -errno;
	memory = mmap(NULL, page + events->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	failed = memory == MAP_FAILED ? -errno
				      : array_reserve(&events->list, &events->size, events->count,
						      sizeof(*events->list));
	if (failed) {
		*of_ring = true;
		if (memory != MAP_FAILED)
			munmap(memory, page + events->ring_bytes);
		close(fd);
		return failed;
	}
	event = &events->list[events->count++];
	*event = (struct sample_event){.fd = fd, .control = memory};
	event->ring.data = (const unsigned char *)memory + page;
	event->ring.bytes = events->ring_bytes;
	return 0;
}

static void why_not(int error, bool of_ring, char *why, size_t bytes)
{
	char level[16];

	sample_line(level, sizeof(level), "/proc/sys/kernel/perf_event_paranoid");
	if (of_ring && error == EPERM)
		snprintf(why, bytes,
			 "the memory that perf may lock is used up: raise "
			 "/proc/sys/kernel/perf_event_mlock_kb, or `ulimit -l`");
	else if ((error == EACCES || error == EPERM) && *level && atoi(level) > 2)
		snprintf(why, bytes,
			 "page faults may be seen by root alone: kernel.perf_event_paranoid is %s; "
			 "sudo sysctl kernel.perf_event_paranoid=2 permits it to all users",
			 level);
	else if (error == EACCES || error == EPERM)
		snprintf(why, bytes,
			 "perf_event_open is refused (%s): a container needs CAP_PERFMON, or a "
			 "seccomp profile that allows it",
			 strerror(error));
	else if (error == ENOENT || error == ENOSYS || error == EOPNOTSUPP)
		snprintf(why, bytes, "this kernel has no perf events (%s)", strerror(error));
	else if (error == EMFILE)
		snprintf(why, bytes,
			 "each processor needs a file, and no more can be opened: raise "
			 "`ulimit -n`");
	else
		snprintf(why, bytes, "page faults cannot be sampled: %s", strerror(error));
}

/* Return: as event_add(). */
static int all_open(struct sample_events *events, pid_t pid, bool *of_ring)
{
	unsigned cpu = 0;
	int failed = 0;

	for (; cpu < SAMPLE_CPUS_MAX && failed >= 0; cpu++)
		if (sample_cpu_online(cpu))
			failed = event_add(events, pid, cpu, of_ring);
	if (failed < 0)
		return failed;
	return events->count ? 0 : -ENODEV;
}

int sample_events_open(struct sample_events *events, pid_t pid, char *why, size_t why_bytes)
{
	size_t pages = RING_PAGES_MAX;
	bool of_ring;
	int failed;

	do {
		of_ring = false;
		events->ring_bytes = pages * (size_t)sysconf(_SC_PAGESIZE);
		failed = all_open(events, pid, &of_ring);
		if (failed < 0)
			sample_events_close(events);
		pages /= 2;
	} while (failed == -EPERM && of_ring && pages >= RING_PAGES_MIN);
	if (failed < 0)
		why_not(-failed, of_ring, why, why_bytes);
	return failed;
}

void sample_events_close(struct sample_events *events)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < events->count; i++) {
		munmap(events->list[i].control, page + events->list[i].ring.bytes);
		close(events->list[i].fd);
	}
	free(events->list);
	*events = (struct sample_events){0};
}

void sample_events_stop(struct sample_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		ioctl(events->list[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void sample_events_poll(const struct sample_events *events, struct pollfd *fds)
{
	for (size_t i = 0; i < events->count; i++)
		fds[i] = (struct pollfd){.fd = events->list[i].fd, .events = POLLIN};
}

int sample_events_read(struct sample_events *events, sample_take *take, void *opaque)
{
	int failed = 0;

	for (size_t i = 0; i < events->count && (!failed || failed == -EPROTO); i++) {
		struct sample_event *event = &events->list[i];
		uint64_t head = __atomic_load_n(&event->control->data_head, __ATOMIC_ACQUIRE);
		uint64_t tail = event->control->data_tail;
		int one = sample_ring_read(&event->ring, &tail, head, take, opaque);

		/* The kernel writes over what is in front of the tail. */
		__atomic_store_n(&event->control->data_tail, tail, __ATOMIC_RELEASE);
		failed = one ? one : failed;
	}
	return failed;
}

int sample_events_counted(const struct sample_events *events, uint64_t *faults)
{
	uint64_t all = 0, one;

	for (size_t i = 0; i < events->count; i++) {
		ssize_t got = read(events->list[i].fd, &one, sizeof(one));

		if (got != (ssize_t)sizeof(one))
			return got < 0 ? -errno : -EIO;
		all += one;
	}
	*faults = all;
	return 0;
}
