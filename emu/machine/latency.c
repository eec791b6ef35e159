/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The latency models. It may use what latency.h names.
 */
#include <string.h>

#include "latency.h"

static const struct latency_model latency_models[] = {
	{
		/*
		 * The PC cluster of "Exploiting Spatial and Temporal Locality of Accesses" (1998),
		 * section 4: a local access is taken to hit the cache, a write is posted through
		 * the host bridge, a read or a lock waits for the answer.
		 */
		.name = "smile1998",
		.frequency_hz = 200000000,
		.local_cycles = 1,
		.remote_cycles =
			{
				[SMILE_TYPE_READ] = 1000,
				[SMILE_TYPE_WRITE] = 20,
				[SMILE_TYPE_LOCK] = 1000,
			},
	},
};

const struct latency_model *latency_find(const char *name)
{
	for (size_t i = 0; i < sizeof(latency_models) / sizeof(latency_models[0]); i++) {
		if (strcmp(latency_models[i].name, name) == 0)
			return &latency_models[i];
	}
	return NULL;
}
