/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The table of workloads. It may use what workload.h names.
 */
#include <errno.h>
#include <string.h>

#include "sor.h"
#include "workload.h"

static const struct workload *const workloads[] = {
	&workload_sor,
};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

const struct workload *workload_at(size_t index)
{
	return index < WORKLOADS ? workloads[index] : NULL;
}

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; i < WORKLOADS; i++) {
		if (strcmp(workloads[i]->name, name) == 0)
			return workloads[i];
	}
	return NULL;
}

/* Fill in the standard value. Return: whether the value is one that the workload takes. */
static bool parameter_settle(const struct workload_parameter *parameter, unsigned *value)
{
	if (*value == 0)
		*value = parameter->standard;
	else if (!parameter->means)
		return false;
	return *value >= parameter->min && *value <= parameter->max;
}

int workload_run(const struct workload *workload, struct machine *machine,
		 const struct workload_request *request, struct workload_result *result)
{
	struct workload_request settled = *request;

	if (!parameter_settle(&workload->size, &settled.size) ||
	    !parameter_settle(&workload->iterations, &settled.iterations))
		return -EINVAL;
	return workload->run(machine, &settled, result);
}

bool workload_correct(const struct workload_result *result)
{
	return result->equal && result->residual_end < result->residual_start;
}

uint64_t workload_checksum(const void *words, size_t count)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	for (size_t i = 0; i < count; i++) {
		uint32_t word;

		memcpy(&word, (const uint8_t *)words + 4 * i, sizeof(word));
		for (unsigned shift = 0; shift < 32; shift += 8)
			sum = (sum ^ (word >> shift & 0xff)) * 0x100000001b3ULL;
	}
	return sum;
}
