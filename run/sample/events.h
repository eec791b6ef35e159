/* SPDX-License-Identifier: MIT */
/*
 * run/sample: samples of a process and of the processes that it starts, by perf.
 *
 * What lives here: the events of a plan, each on each processor, which has a ring; opened by
 * perf_event_open(2). If a process runs already, each of its threads needs them all; the events of
 * one processor share its ring. May use memory_pmu.h, ring.h and system calls. It prints nothing.
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
 * @fd: its file
 * @cpu: the processor
 * @control: the page in front of the ring; NULL: it writes into the ring of an earlier event
 * @ring: the ring
 */
struct sample_event {
	int fd;
	unsigned cpu;
	struct perf_event_mmap_page *control;
	struct sample_ring ring;
};

/**
 * struct sample_events - All of them.
 * @list: shape [@count], room @size
 * @count: how many
 * @size: room
 * @ring_bytes: of each ring
 * @online: processors that were on line when they were opened
 * @at_once: they count from the beginning, not from an execve(2) on
 * @user_only: the system does not permit samples of the kernel on the process's behalf
 * @plan: what they are
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
 * sample_events_open() - Open them for a process that waits for its execve(2); they count from
 * there.
 * @events: receives them; all zero before
 * @plan: which; must stay
 * @pid: the process; 0: this one, to try whether it is permitted
 * @why: receives what failed, and the remedy, @why_bytes long; untouched if nothing did
 *
 * Return: 0.
 * Errors: -errno, with @why; nothing is open then.
 */
int sample_events_open(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
		       char *why, size_t why_bytes);

/**
 * sample_events_attach() - Open them for a process that runs, and begin to count.
 * @pid: the process
 *
 * Threads and processes that it creates from then on are included.
 *
 * Return: as sample_events_open().
 * Errors: as sample_events_open(); -ESRCH if there is no such process.
 */
int sample_events_attach(struct sample_events *events, const struct sample_plan *plan, pid_t pid,
			 char *why, size_t why_bytes);

void sample_events_close(struct sample_events *events);

/* Stop counting; what is in the rings stays. */
void sample_events_stop(struct sample_events *events);

/* Fill in @fds, shape [events->count]: readable when a ring is a quarter full. */
void sample_events_poll(const struct sample_events *events, struct pollfd *fds);

/**
 * sample_events_read() - Read all that is in the rings, processor by processor.
 *
 * Return: 0; what @take returned; -EPROTO as sample_ring_read(), after all rings were read.
 */
int sample_events_read(struct sample_events *events, sample_take *take, void *opaque);

/**
 * sample_events_counted() - How many faults the kernel has counted, in the rings or lost; of a plan
 * that takes each one.
 * @faults: receives them
 *
 * Return: 0; -errno.
 */
int sample_events_counted(const struct sample_events *events, uint64_t *faults);

/*
 * Has the kernel ended all events? It ends them when the process executes a program that changes
 * the user, or that may not be read.
 */
bool sample_events_ended(const struct sample_events *events);

/* The number of processors that are on line now and have no event: their accesses are not sampled.
 */
unsigned sample_events_missed(const struct sample_events *events);

#endif /* RUN_SAMPLE_EVENTS_H */
