/* SPDX-License-Identifier: MIT */
/*
 * run/sample: open perf events for a process and for the processes that it starts.
 *
 * What lives here: functions that open the events of a plan with perf_event_open(2), and that read
 * them. Each event is opened once for each processor. Each processor has one ring, which all events
 * of the processor share. If the process already runs, each event is also opened once for each of
 * its threads. May use memory_pmu.h, perf_ring.h and system calls. The file prints nothing.
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
#include "run/sample/perf_ring.h"

/**
 * struct sample_event - An event on one processor.
 * @fd: descriptor of the event
 * @cpu: number of the processor
 * @control: the control page in front of the ring; NULL: the event writes into the ring of an
 *           earlier event
 * @ring: the ring, if @control is not NULL
 */
struct sample_event {
	int fd;
	unsigned cpu;
	struct perf_event_mmap_page *control;
	struct sample_ring ring;
};

/**
 * struct sample_events - All open events.
 * @list: the events; shape [@count], with room for @size
 * @count: number of events
 * @size: number of events for which @list has room
 * @ring_bytes: size of each ring
 * @online: processors that were on line when the events were opened
 * @at_once: the events count from the moment when they are opened; otherwise they count from the
 *           execve(2) of the process on
 * @user_only: the kernel's work for the process is not sampled, because the system does not permit
 *             this
 * @plan: the plan by which the events were opened
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
 * sample_events_open() - Open the events for a process that has not called execve(2) yet. They
 * count from its execve(2) on.
 * @events: receives the events; must be all zero before
 * @plan: the plan, which must exist as long as the events
 * @pid: the process; 0: the calling process, in order to check whether the events are permitted
 * @why: after an error, receives the reason and the remedy; @why_bytes long
 *
 * Return: 0 if all events were opened; otherwise an error.
 * Errors: -errno, with @why. No event is open then.
 */
int sample_events_open(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		       char *why, size_t why_bytes);

/**
 * sample_events_attach() - Open the events for a process that already runs, and start counting.
 * Threads and processes that the process creates later are included.
 * @pid: the process
 *
 * Return: see sample_events_open().
 * Errors: see sample_events_open(); -ESRCH if the process does not exist.
 */
int sample_events_attach(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
			 char *why, size_t why_bytes);

void sample_events_close(struct sample_events *events);

/* Stop counting. The records stay in the rings. */
void sample_events_stop(struct sample_events *events);

/*
 * Fill in @fds, which has one entry for each event. A descriptor becomes readable when its ring is
 * a quarter full.
 */
void sample_events_poll(const struct sample_events *events, struct pollfd *fds);

/**
 * sample_events_read() - Read all records from the rings, one ring after another.
 *
 * Return: 0; an error of @take, at which reading stops; -EPROTO of sample_ring_read(), after all
 * rings were read.
 */
int sample_events_read(struct sample_events *events, sample_take *take, void *opaque);

/**
 * sample_events_counted() - Get the number of faults that the kernel has counted. This number
 * includes faults whose samples were lost. Call this function only for a plan that samples each
 * fault.
 * @faults: receives the number
 *
 * Return: 0 or -errno.
 */
int sample_events_counted(const struct sample_events *events, uint64_t *faults);

/*
 * Return: whether the kernel has ended all events. The kernel does so when the process executes a
 * program that changes the user of the process, or that the user may not read.
 */
bool sample_events_ended(const struct sample_events *events);

/*
 * Get the number of processors that are on line now, but have no event. Accesses by these
 * processors are not sampled.
 */
unsigned sample_events_missed(const struct sample_events *events);

#endif /* RUN_SAMPLE_EVENTS_H */
