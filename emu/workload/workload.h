/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Workloads: parallel programs written for the NUMA machine.
 *
 * What lives here: the table of workloads and what they share. A workload computes its real result
 * in the host's memory, which stands for the shared region, and tells the machine of every load and
 * store of shared data. It may use include/, emu/machine and the C library without <stdio.h>.
 *
 * Initialising the shared data is part of no workload's traffic: the machine sees the parallel part
 * alone, as the papers' traces do.
 */
#ifndef EMU_WORKLOAD_WORKLOAD_H
#define EMU_WORKLOAD_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct machine;

/**
 * struct workload_parameter - One number that a workload takes.
 * @means: what it is; NULL if the workload does not take it
 * @standard: used if the caller gives 0
 * @min: least value
 * @max: largest value
 */
struct workload_parameter {
	const char *means;
	unsigned standard;
	unsigned min;
	unsigned max;
};

/**
 * struct workload_request - What to run.
 * @size: problem size; 0: the standard one
 * @iterations: how often; 0: the standard number
 * @progress: told after each iteration how many of how many are done; may be NULL
 * @opaque: first argument of @progress
 */
struct workload_request {
	unsigned size;
	unsigned iterations;
	void (*progress)(void *opaque, unsigned done, unsigned total);
	void *opaque;
};

/**
 * struct workload_result - What came of it.
 * @size: the size that was run
 * @iterations: the iterations that were run
 * @shared_bytes: size of the shared region
 * @checksum: workload_checksum() of the result, the same on every host
 * @equal: the result is equal, bit for bit, to that of the sequential program
 * @residual_start: how far the data was from a solution at first
 * @residual_end: and at the end; smaller, if all went well
 */
struct workload_result {
	unsigned size;
	unsigned iterations;
	uint64_t shared_bytes;
	uint64_t checksum;
	bool equal;
	double residual_start;
	double residual_end;
};

/**
 * struct workload - One program.
 * @name: what it is called
 * @description: one line
 * @size: the size parameter
 * @iterations: the iterations parameter
 * @run: run it; the request's numbers are filled in and in range
 *
 * @run ends with a barrier, so that all frames have come out. Return of @run: 0; -ENOMEM; or what
 * machine_barrier() said. The result is filled in on success only.
 */
struct workload {
	const char *name;
	const char *description;
	struct workload_parameter size;
	struct workload_parameter iterations;
	int (*run)(struct machine *machine, const struct workload_request *request,
		   struct workload_result *result);
};

/**
 * workload_at() - The workloads, one after another.
 *
 * Return: the one with this index, or NULL if there are no more.
 */
const struct workload *workload_at(size_t index);

/**
 * workload_find() - A workload by its name.
 *
 * Return: the workload, or NULL.
 */
const struct workload *workload_find(const char *name);

/**
 * workload_run() - Run a workload on a machine that has not run anything yet.
 *
 * Return: 0, also if the result is wrong: see workload_correct(); -EINVAL for a number out of
 * range; -ENOMEM; or what machine_barrier() said.
 */
int workload_run(const struct workload *workload, struct machine *machine,
		 const struct workload_request *request, struct workload_result *result);

/**
 * workload_correct() - Did the run compute what it should?
 */
bool workload_correct(const struct workload_result *result);

/**
 * workload_checksum() - 64-bit FNV-1a of 32-bit words, taken low byte first on every host.
 */
uint64_t workload_checksum(const void *words, size_t count);

#endif /* EMU_WORKLOAD_WORKLOAD_H */
