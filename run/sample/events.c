// SPDX-License-Identifier: MIT
/* run/sample: opens and reads perf events. See events.h. */
#include "run/sample/events.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <base/array.h>

#include "run/sample/host.h"

/*
 * The largest and the smallest size of a ring, in pages. The largest size is the default of
 * /proc/sys/kernel/perf_event_mlock_kb, which limits the memory that perf may lock for each
 * processor.
 */
#define RING_PAGES_MAX 128U
#define RING_PAGES_MIN 8U

/*
 * Find the first event that has a ring. Only this event requests a record when perf stops following
 * a thread. Otherwise, each event would make such a record.
 */
static const struct sample_planned *first_with_ring(const struct sample_plan *plan)
{
	const struct sample_planned *planned = plan->list;

	while (planned->leads)
		planned++;
	return planned;
}

/*
 * Open an event. @group: descriptor of the event with which the new event forms a group; -1: no
 * group.
 */
static int event_open(const struct sample_events *events, const struct sample_planned *planned,
		      pid_t pid, unsigned cpu, int group)
{
	const struct sample_plan *plan = events->plan;
	struct perf_event_attr attributes = {
		.type = planned->type,
		.size = sizeof(attributes),
		.config = planned->config,
		.config1 = planned->config1,
		.config2 = planned->config2,
		.sample_type = plan->sample_type,
		.precise_ip = planned->precise,
		/* Use the same clock for the samples of perf and for the log of the program. */
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.disabled = !events->at_once,
		.enable_on_exec = !events->at_once,
		.inherit = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = planned == first_with_ring(plan),
		.exclude_kernel = events->user_only,
		/*
		 * Exclude the hypervisor only for faults, because not all processors support this.
		 */
		.exclude_hv = plan->source == SAMPLE_FAULTS,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)(events->ring_bytes / 4),
	};

	if (plan->frequency && !planned->leads) {
		attributes.freq = 1;
		attributes.sample_freq = plan->frequency;
	} else if (!planned->leads) {
		attributes.sample_period = 1;
	}
	return (int)syscall(SYS_perf_event_open, &attributes, pid, (int)cpu, group,
			    PERF_FLAG_FD_CLOEXEC);
}

/*
 * Find the ring of a processor. Return: the event that has the ring; NULL if the processor has no
 * ring yet.
 */
static const struct sample_event *ring_find(const struct sample_events *events, unsigned cpu)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->list[i].cpu == cpu && events->list[i].control)
			return &events->list[i];
	return NULL;
}

/*
 * Make the event write into the ring of its processor. If the processor has no ring, create one.
 * Return: 0; -errno.
 */
static int ring_make(const struct sample_events *events, struct sample_event *event)
{
	const struct sample_event *with = ring_find(events, event->cpu);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory;

	if (with)
		return ioctl(event->fd, PERF_EVENT_IOC_SET_OUTPUT, with->fd) < 0 ? -errno : 0;
	memory = mmap(NULL, page + events->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		      event->fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	event->control = memory;
	event->ring.data = (const unsigned char *)memory + page;
	event->ring.bytes = events->ring_bytes;
	event->ring.sample_type = events->plan->sample_type;
	return 0;
}

/*
 * Open an event on a processor, and add it to the list. @group: as for event_open(); receives the
 * value for the next event. Return: 0; 1 if the processor is off line; -errno, with *@of_ring set
 * if the ring could not be created.
 */
static int event_add(struct sample_events *events, const struct sample_planned *planned, pid_t pid,
		     unsigned cpu, int *group, bool *of_ring)
{
	struct sample_event event = {.fd = -1, .cpu = cpu};
	int failed = 0;

	if (array_reserve(&events->list, &events->size, events->count, sizeof(event)) < 0)
		return -ENOMEM;
	event.fd = event_open(events, planned, pid, cpu, *group);
	/* If perf_event_paranoid is above 1, users without privileges may not sample the kernel. */
	if (event.fd < 0 && errno == EACCES && !events->user_only && !events->plan->kernel_too) {
		events->user_only = true;
		event.fd = event_open(events, planned, pid, cpu, *group);
	}
	if (event.fd < 0)
		return errno == ENODEV ? 1 : -errno;
	*group = planned->leads ? event.fd : -1;
	if (!planned->leads)
		failed = ring_make(events, &event);
	if (failed) {
		*of_ring = true;
		close(event.fd);
		return failed;
	}
	events->list[events->count++] = event;
	return 0;
}

static void why_not(const struct sample_plan *plan, int error, bool of_ring, char *why,
		    size_t bytes)
{
	const bool faults = plan->source == SAMPLE_FAULTS;
	const char *what = faults ? "page faults" : "samples of memory accesses";
	char level[16];

	sample_line(level, sizeof(level), "/proc/sys/kernel/perf_event_paranoid");
	if (of_ring && error == EPERM)
		snprintf(why, bytes,
			 "the memory that perf may lock is used up: raise "
			 "/proc/sys/kernel/perf_event_mlock_kb, or `ulimit -l`");
	else if (error == EACCES && plan->kernel_too && atoi(level) > 1)
		snprintf(why, bytes,
			 "%s (%s) are for root only, since they cannot leave out the kernel: "
			 "kernel.perf_event_paranoid is %s; sudo sysctl "
			 "kernel.perf_event_paranoid=1 permits them to all users",
			 what, plan->list->name, level);
	else if ((error == EACCES || error == EPERM) && *level && atoi(level) > 2)
		snprintf(why, bytes,
			 "only root may see %s: kernel.perf_event_paranoid is %s; sudo sysctl "
			 "kernel.perf_event_paranoid=2 permits them to all users",
			 what, level);
	else if (error == EACCES || error == EPERM)
		snprintf(why, bytes,
			 "perf_event_open is refused (%s): a container needs CAP_PERFMON, or a "
			 "seccomp profile that allows it",
			 strerror(error));
	else if (faults && (error == ENOENT || error == ENOSYS || error == EOPNOTSUPP))
		snprintf(why, bytes, "this kernel has no perf events (%s)", strerror(error));
	else if (error == EMFILE || error == ENFILE)
		snprintf(why, bytes,
			 "no more files can be opened: raise `ulimit -n`. Sampling needs one file "
			 "for each processor, and in a process that already runs, one file for "
			 "each processor and thread");
	else if (error == ESRCH)
		snprintf(why, bytes, "there is no such process");
	else if (plan->kernel_too && error == EINVAL)
		snprintf(why, bytes,
			 "this kernel does not sample single processes by %s: it needs Linux 6.2; "
			 "`perf mem record -a --sample-cpu` and --import work with older ones",
			 plan->list->name);
	else
		snprintf(why, bytes, "%s cannot be taken (%s): %s", what, plan->list->name,
			 strerror(error));
}

/* Open the events of a thread on one processor. Return: the same as event_add(). */
static int processor_open(struct sample_events *events, pid_t tid, unsigned cpu, bool *of_ring)
{
	int failed = 0, group = -1;

	for (size_t i = 0; i < events->plan->count && !failed; i++)
		failed = event_add(events, &events->plan->list[i], tid, cpu, &group, of_ring);
	return failed;
}

/* Open the events of a thread on all processors. Return: the same as event_add(). */
static int thread_open(struct sample_events *events, pid_t tid, bool *of_ring)
{
	unsigned cpu = 0;
	int failed = 0;

	for (; cpu < SAMPLE_CPUS_MAX && failed >= 0; cpu++)
		if (events->online[cpu])
			failed = processor_open(events, tid, cpu, of_ring);
	return failed < 0 ? failed : 0;
}

/**
 * struct threads - Threads that already have events; shape [@count], with space for @size.
 */
struct threads {
	pid_t *list;
	size_t count;
	size_t size;
};

static bool threads_have(const struct threads *threads, pid_t tid)
{
	for (size_t i = 0; i < threads->count; i++)
		if (threads->list[i] == tid)
			return true;
	return false;
}

/*
 * Open the events of all threads that have no events yet. Return: the number of these threads; an
 * error of event_add().
 */
static int threads_open(struct sample_events *events, pid_t pid, struct threads *threads,
			bool *of_ring)
{
	const struct dirent *entry;
	int opened = 0, failed = 0;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	folder = opendir(path);
	if (!folder)
		return errno == ENOENT ? -ESRCH : -errno;
	while (failed >= 0 && (entry = readdir(folder))) {
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid <= 0 || threads_have(threads, tid))
			continue;
		if (array_reserve(&threads->list, &threads->size, threads->count, sizeof(tid)) < 0)
			failed = -ENOMEM;
		else
			failed = thread_open(events, tid, of_ring);
		/* If the thread has ended since it was listed, it needs no events. */
		if (failed == -ESRCH)
			failed = 0;
		if (failed >= 0)
			threads->list[threads->count++] = tid;
		opened++;
	}
	closedir(folder);
	return failed < 0 ? failed : opened;
}

/*
 * Open the events of all threads of a process. A thread that has no events yet may create another
 * thread, which does not inherit events and is not in the list. For this reason, list the threads
 * repeatedly until there are no new threads.
 */
static int process_open(struct sample_events *events, pid_t pid, bool *of_ring)
{
	struct threads threads = {.count = 0};
	int opened;

	do
		opened = threads_open(events, pid, &threads, of_ring);
	while (opened > 0);
	free(threads.list);
	return opened;
}

static int open_all(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		    bool attach, char *why, size_t why_bytes)
{
	size_t pages = RING_PAGES_MAX;
	bool of_ring;
	int failed;

	do {
		of_ring = false;
		events->at_once = attach;
		events->plan = plan;
		sample_cpus_online(events->online);
		events->ring_bytes = pages * (size_t)sysconf(_SC_PAGESIZE);
		failed = attach ? process_open(events, pid, &of_ring)
				: thread_open(events, pid, &of_ring);
		if (failed >= 0 && !events->count)
			failed = attach ? -ESRCH : -ENODEV;
		if (failed < 0)
			sample_events_close(events);
		pages /= 2;
	} while (failed == -EPERM && of_ring && pages >= RING_PAGES_MIN);
	if (failed < 0)
		why_not(plan, -failed, of_ring, why, why_bytes);
	return failed < 0 ? failed : 0;
}

int sample_events_open(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		       char *why, size_t why_bytes)
{
	return open_all(events, plan, pid, false, why, why_bytes);
}

int sample_events_attach(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
			 char *why, size_t why_bytes)
{
	return open_all(events, plan, pid, true, why, why_bytes);
}

void sample_events_close(struct sample_events *events)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < events->count; i++) {
		if (events->list[i].control)
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
		fds[i] = (struct pollfd){
			.fd = events->list[i].control ? events->list[i].fd : -1,
			.events = POLLIN,
		};
}

int sample_events_read(struct sample_events *events, sample_take *take, void *opaque)
{
	int failed = 0;

	for (size_t i = 0; i < events->count && (!failed || failed == -EPROTO); i++) {
		struct sample_event *event = &events->list[i];
		uint64_t head, tail;
		int one;

		if (!event->control)
			continue;
		head = __atomic_load_n(&event->control->data_head, __ATOMIC_ACQUIRE);
		tail = event->control->data_tail;
		one = sample_ring_read(&event->ring, &tail, head, take, opaque);
		/* After this store, the kernel may overwrite the bytes before the tail. */
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

bool sample_events_ended(const struct sample_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		struct pollfd fd = {.fd = events->list[i].fd};

		if (poll(&fd, 1, 0) < 0 || !(fd.revents & POLLHUP))
			return false;
	}
	return events->count > 0;
}

unsigned sample_events_missed(const struct sample_events *events)
{
	static bool online[SAMPLE_CPUS_MAX];
	unsigned missed = 0;

	sample_cpus_online(online);
	for (size_t i = 0; i < events->count; i++)
		online[events->list[i].cpu] = false;
	for (unsigned cpu = 0; cpu < SAMPLE_CPUS_MAX; cpu++)
		missed += online[cpu];
	return missed;
}
