/* SPDX-License-Identifier: MIT */
/*
 * run/sample: samples, by perf, of a process and of the processes that it starts.
 *
 * What lives here: the events of a plan, opened by perf_event_open(2). Each event is opened on each
 * processor, which has a ring. If a process runs already, each of its threads needs all of these
 * events; the events of one processor share its ring. May use memory_pmu.h, ring.h and system
 * calls. It prints nothing.
 */
#ifndef RUN_SAMPLE_EVENTS_H
#define RUN_SAMPLE_EVENTS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/sample/host.h"
#include "run/sample/memory_pmu.h"
#include "run/sample/ring.h"

/**
 * struct sample_event - An event of a processor.
 * @fd: its descriptor
 * @cpu: the processor
 * @control: the page in front of the ring; NULL: the event writes into the ring of an earlier event
 * @ring: the ring
 */
struct sample_event {
	int fd;
	unsigned cpu;
	struct perf_event_mmap_page *control;
	struct sample_ring ring;
};

/**
 * struct sample_events - All events that are open.
 * @list: the events; shape [@count], room for @size
 * @count: number of events
 * @size: number of events for which @list has room
 * @ring_bytes: size of each ring
 * @online: processors that were on line when the events were opened
 * @at_once: the events count from the beginning, not from an execve(2) on
 * @user_only: the system does not permit samples of the kernel's work for the process
 * @plan: the plan that defines the events
 */
struct sample_events {
	struct sample_event *list;
	size_t count;
	size_t size;
	size_t ring_bytes;
	bool online[SAMPLE_CPUS_MAX];
	bool at_once;
	bool user_only;
	const struct sample_plan *plan;
};

/**
 * sample_events_open() - Open events for a process that waits for its execve(2); they count from
 * its execve(2) on.
 * @events: receives the events; all zero before
 * @plan: the plan; it must exist as long as the events
 * @pid: the process; 0: this process, to find out whether the events are permitted
 * @why: receives the reason of an error, and the remedy, @why_bytes long; unchanged without an
 *       error
 *
 * Return: 0.
 * Errors: -errno, with @why; then no event is open.
 */
int sample_events_open(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		       char *why, size_t why_bytes);

/**
 * sample_events_attach() - Open events for a process that runs already, and start to count.
 * @pid: the process
 *
 * Threads and processes that the process creates from then on are included.
 *
 * Return: see sample_events_open().
 * Errors: see sample_events_open(); -ESRCH if the process does not exist.
 */
int sample_events_attach(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
			 char *why, size_t why_bytes);

void sample_events_close(struct sample_events *events);

/* Stop counting; the records in the rings stay. */
void sample_events_stop(struct sample_events *events);

/* Fill in @fds, shape [events->count]: a descriptor is readable when its ring is a quarter full. */
void sample_events_poll(const struct sample_events *events, struct pollfd *fds);

/**
 * sample_events_read() - Read all records in the rings, processor by processor.
 *
 * Return: 0; what @take returned; -EPROTO as from sample_ring_read(), after all rings were read.
 */
int sample_events_read(struct sample_events *events, sample_take *take, void *opaque);

/**
 * sample_events_counted() - Get the number of faults that the kernel has counted, whether their
 * samples are in the rings or lost; for a plan that samples each fault.
 * @faults: receives their number
 *
 * Return: 0; -errno.
 */
int sample_events_counted(const struct sample_events *events, uint64_t *faults);

/*
 * Has the kernel ended all events? It ends them when the process executes a program that changes
 * the user, or that the user may not read.
 */
bool sample_events_ended(const struct sample_events *events);

/*
 * Get the number of processors that are on line now and have no event: their accesses are not
 * sampled.
 */
unsigned sample_events_missed(const struct sample_events *events);

#endif /* RUN_SAMPLE_EVENTS_H */
