/* SPDX-License-Identifier: MIT */
/*
 * run/sample: finds the perf events to sample.
 *
 * What lives here: the functions that make a plan, which lists the events for a source of samples.
 * For page faults, it has perf's software event. For memory accesses, it has the processors'
 * events, as sysfs lists them. This code opens no event. This file may use host.h, which defines
 * SAMPLE_ROOT for /sys.
 */
#ifndef RUN_SAMPLE_MEMORY_PMU_H
#define RUN_SAMPLE_MEMORY_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sample/sample.h"

/*
 * The largest number of events of a plan. A machine can have two types of processors, and a sampled
 * event can need an auxiliary event.
 */
#define SAMPLE_PLAN_MAX 6U

/**
 * struct sample_planned - An event that is opened on each processor (perf_event_open(2)).
 * @name: name of the event in perf
 * @type: type of the event's PMU
 * @config: number of the event, with a part of its terms
 * @config1: further terms of the event
 * @config2: further terms of the event
 * @precise: required precision of the instruction's address, 0 to 3
 * @leads: this is an auxiliary event, which is not sampled. The next event in the plan counts only
 *         if it is in a group with this event
 */
struct sample_planned {
	char name[SAMPLE_NAME_BYTES];
	uint32_t type;
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint32_t precise;
	bool leads;
};

/**
 * struct sample_plan - All events to sample.
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @list: the events; shape [@count]
 * @count: number of events
 * @sample_type: fields of the samples
 * @frequency: number of samples per second, for each event and processor; 0: each occurrence is
 *             sampled
 * @kernel_too: the events cannot exclude the kernel's work
 */
struct sample_plan {
	enum sample_source source;
	struct sample_planned list[SAMPLE_PLAN_MAX];
	size_t count;
	uint64_t sample_type;
	uint64_t frequency;
	bool kernel_too;
};

/* Fill in the plan of page faults. */
void sample_plan_faults(struct sample_plan *plan);

/**
 * sample_plan_memory() - Find the events of memory accesses.
 * @plan: receives the plan
 * @overhead: processor time that sampling may take, in percent
 * @why: after an error, receives the reason; it has @why_bytes bytes
 *
 * Return: 0.
 * Errors: -ENODEV, with @why, if Linux lists no event for memory accesses.
 */
int sample_plan_memory(struct sample_plan *plan, double overhead, char *why, size_t why_bytes);

/* Write the names of the sampled events into @names, with separators. */
void sample_plan_names(const struct sample_plan *plan, char *names, size_t bytes);

#endif /* RUN_SAMPLE_MEMORY_PMU_H */
