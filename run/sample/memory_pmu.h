/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the events to sample.
 *
 * What lives here: the plan of a source. For page faults it has perf's software event; for memory
 * accesses, the events of the processors as sysfs lists them. May use host.h, whose SAMPLE_ROOT
 * applies to /sys, too. It opens no event.
 */
#ifndef RUN_SAMPLE_MEMORY_PMU_H
#define RUN_SAMPLE_MEMORY_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sample/sample.h"

/* A machine can have two kinds of processors, and an event may need another event beside it. */
#define SAMPLE_PLAN_MAX 6U

/**
 * struct sample_planned - An event of each processor; see perf_event_open(2).
 * @name: its name in perf
 * @type: type of its PMU
 * @config: number of the event, with its terms
 * @config1: as @config
 * @config2: as @config
 * @precise: how precisely the instruction must be known, 0 to 3
 * @leads: the event itself is not sampled: the next event counts only beside it
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
 * @sample_type: fields of their samples
 * @frequency: samples a second, of each event and processor; 0: each event is sampled
 * @kernel_too: the kernel's work cannot be left out
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
 * sample_plan_memory() - Find the plan of memory accesses.
 * @plan: receives the plan
 * @overhead: processor time that samples may take, in percent
 * @why: receives the reason if there are no such events, @why_bytes long
 *
 * Return: 0.
 * Errors: -ENODEV, with @why: Linux lists no such event.
 */
int sample_plan_memory(struct sample_plan *plan, double overhead, char *why, size_t why_bytes);

/* Write the names of the events that are sampled, one after another. */
void sample_plan_names(const struct sample_plan *plan, char *names, size_t bytes);

#endif /* RUN_SAMPLE_MEMORY_PMU_H */
