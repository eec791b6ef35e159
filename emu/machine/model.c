/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The table of machine models. May use model.h.
 */
#include <string.h>

#include "model.h"

/*
 * The caches of present-day machines. [D] marks values that are chosen here, since no two servers
 * have the same ones. The chosen values are within the range of the measurements in the sources. A
 * file from `smile doctor --machine` has the values of a real machine. The latencies of memory are
 * in latency_model.c.
 *
 * A hit in the first level takes one cycle [D] in addition to the cycles of the instruction, which
 * hide most of the 4 cycles that the hit takes on a real processor. A hit in the second level takes
 * 14 cycles, the lowest of the values from 14 to 22 that AnandTech has measured on Skylake-SP
 * ("Intel Skylake-EP vs AMD EPYC 7000", 2017). A hit in the shared level takes 50 cycles, which
 * correspond to the 25 ns in that article. The sizes and ways of the first two levels are those of
 * Skylake-SP: 32 KB with 8 ways, and 1 MB with 16 ways, for each core. The shared level of
 * Skylake-SP has 1.375 MB for each core, and 11 ways. Here it has 32 MB for a socket of 24 cores
 * [D], and 16 ways [D].
 */
#define TODAY_CACHES                                                                               \
	{                                                                                          \
		3,                                                                                 \
		{                                                                                  \
			{"l1", 32 << 10, 64, 8, 1, false}, {"l2", 1 << 20, 64, 16, 14, false},     \
				{"llc", 32 << 20, 64, 16, 50, true},                               \
		}                                                                                  \
	}

static const struct machine_model machine_models[] = {
	{
		/* The papers' cluster. For its sources, see latency_model.c and placement.c. */
		.name = MODEL_PAPERS,
		.description = "the papers' cluster: remote reads of 5 us, no caches",
		.source = "SMiLE cluster, 1998 paper, section 4",
		.nodes = 4,
		.processor_nodes = 4,
		.placement = "round-robin",
		.latency = "smile1998",
	},
	{
		.name = "server2",
		.description = "a server of two sockets: memory at 80 and 140 ns, caches",
		.source = "defined here, from AnandTech 2017 and arXiv 2409.14317",
		.nodes = 2,
		.processor_nodes = 2,
		.placement = "first-touch",
		.latency = "server2",
		.caches = TODAY_CACHES,
	},
	{
		.name = "server4",
		.description = "four sockets in a ring: memory at 80, 140 and 200 ns, caches",
		.source = "defined here, from AnandTech 2017 and Intel 2014 (E5-4600, E7-4800)",
		.nodes = 4,
		.processor_nodes = 4,
		.placement = "first-touch",
		.latency = "server4",
		.caches = TODAY_CACHES,
	},
	{
		.name = "cxl",
		.description = "a socket, and memory behind CXL as node 1: 80 and 230 ns, caches",
		.source = "defined here, from AnandTech 2017 and arXiv 2409.14317",
		.nodes = 2,
		.processor_nodes = 1,
		.placement = "first-touch",
		.latency = "cxl-memory",
		.caches = TODAY_CACHES,
	},
};

#define MACHINE_MODELS (sizeof(machine_models) / sizeof(machine_models[0]))

const struct machine_model *machine_model_at(size_t index)
{
	return index < MACHINE_MODELS ? &machine_models[index] : NULL;
}

const struct machine_model *machine_model_find(const char *name)
{
	for (size_t i = 0; i < MACHINE_MODELS; i++) {
		if (strcmp(machine_models[i].name, name) == 0)
			return &machine_models[i];
	}
	return NULL;
}
