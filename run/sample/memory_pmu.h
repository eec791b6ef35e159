/* SPDX-License-Identifier: MIT */
/*
 * run/sample: which events are to be sampled.
 *
 * What lives here: the plan of a source: of page faults, perf's software event; of memory accesses,
 * the events of the processors as sysfs lists them. May use host.h, whose SAMPLE_ROOT holds for
 * /sys, too. It opens no event.
 */
#ifndef RUN_SAMPLE_MEMORY_PMU_H
#define RUN_SAMPLE_MEMORY_PMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/sample/sample.h"

/* Two kinds of processors can be in a machine, and an event may need another beside it. */
#define SAMPLE_PLAN_MAX 6U

/**
 * struct sample_planned - An event of each processor; see perf_event_open(2).
 * @name: as perf calls it
 * @type: of its PMU
 * @config: which event
 * @config1: likewise
 * @config2: likewise
 * @precise: how exactly the instruction is to be known, 0 to 3
 * @leads: it is not sampled: the next event counts only beside it
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
 * struct sample_plan - All that are sampled.
 * @source: SAMPLE_FAULTS or SAMPLE_MEMORY
 * @list: shape [@count]
 * @count: how many
 * @sample_type: of their samples
 * @frequency: samples a second, of each event and processor; 0: each one
 * @kernel_too: what the kernel does cannot be left out
 */
struct sample_plan {
	enum sample_source source;
	struct sample_planned list[SAMPLE_PLAN_MAX];
	size_t count;
	uint64_t sample_type;
	uint64_t frequency;
	bool kernel_too;
};

/* The plan of page faults. */
void sample_plan_faults(struct sample_plan *plan);

/**
 * sample_plan_memory() - The plan of memory accesses.
 * @plan: receives it
 * @overhead: processor time that samples may take, in percent
 * @why: receives the reason if there are no such events, @why_bytes long
 *
 * Return: 0.
 * Errors: -ENODEV, with @why: Linux lists no such event.
 */
int sample_plan_memory(struct sample_plan *plan, double overhead, char *why, size_t why_bytes);

/* The names of the events that are sampled, one behind the other. */
void sample_plan_names(const struct sample_plan *plan, char *names, size_t bytes);

#endif /* RUN_SAMPLE_MEMORY_PMU_H */
