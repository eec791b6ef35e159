/* SPDX-License-Identifier: MIT */
/*
 * run/sample: opens perf events for a process and for the processes that it starts.
 *
 * What lives here: functions that open the events of a plan with perf_event_open(2), and that read
 * them. Each event is opened once for each processor. All events of a processor share one ring. If
 * the process already runs, each event is opened once for each combination of a processor and a
 * thread. This file may use memory_pmu.h, perf_ring.h and system calls. The file prints nothing.
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
 * @control: the control page, which precedes the ring; NULL: the event writes into the ring of an
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
 * @list: the events; shape [@count], with space for @size
 * @count: number of events
 * @size: number of events for which @list has room
 * @ring_bytes: size of each ring
 * @online: processors that were online when the events were opened
 * @at_once: the events count as soon as they are opened; otherwise they count from the execve(2) of
 *           the process on
 * @user_only: the kernel's work for the process is not sampled, because the system does not permit
 *             this
 * @plan: the plan that describes the events
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
 * sample_events_open() - Open the events for a process that has not called execve(2) yet. The
 * events count from its execve(2) on.
 * @events: receives the events; all members must be 0 before the call
 * @plan: the plan, which must exist as long as the events
 * @pid: the process; 0: the calling process, which checks whether it may open the events
 * @why: after an error, receives the reason and the remedy; it has @why_bytes bytes
 *
 * Return: 0 if all events were opened; otherwise an error. Errors: -errno, with @why. After an
 * error, no event is open.
 */
int sample_events_open(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		       char *why, size_t why_bytes);

/**
 * sample_events_attach() - Open the events for a process that already runs, and start counting.
 * Threads and processes that the process creates later are included.
 * @pid: the process
 *
 * Return: 0 if all events were opened; otherwise an error. Errors: the errors of
 * sample_events_open(); -ESRCH if the process does not exist.
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
 * Return: 0; an error of @take, after which no further record is read; -EPROTO of
 * sample_ring_read(), after all rings were read.
 */
int sample_events_read(struct sample_events *events, sample_take *take, void *opaque);

/**
 * sample_events_counted() - Get the number of faults that the kernel has counted, including faults
 * whose samples were lost. Call this function only for a plan that samples each fault.
 * @faults: receives the number
 *
 * Return: 0 or -errno.
 */
int sample_events_counted(const struct sample_events *events, uint64_t *faults);

/*
 * Return whether the kernel has ended all events. The kernel does so when the process executes a
 * program that changes the user of the process, or that the user may not read.
 */
bool sample_events_ended(const struct sample_events *events);

/*
 * Get the number of processors that are online now, but have no event. Accesses by these processors
 * are not sampled.
 */
unsigned sample_events_missed(const struct sample_events *events);

#endif /* RUN_SAMPLE_EVENTS_H */
