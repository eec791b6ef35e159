/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine models. May use model.h.
 */
#include <string.h>

#include "model.h"

/*
 * The machines of today. [D] marks values that are chosen here, within the range of the sources'
 * measurements, since no two servers agree; a file of `smile doctor --machine` has the numbers of a
 * real machine. latency.c has the numbers of memory.
 *
 * A hit in the first level takes a cycle [D] in addition to its instruction's, which hides most of
 * the 4 cycles of such a hit. The second level takes 14 cycles, the lowest value of the 14 to 22
 * that AnandTech has measured on Skylake-SP ("Intel Skylake-EP vs AMD EPYC 7000", 2017). The shared
 * level takes 50, which correspond to its 25 ns in that article. Sizes and ways are those of
 * Skylake-SP: 32 KB of 8 ways and 1 MB of 16 ways a core; the 1.375 MB a core of the shared level
 * become 32 MB a socket of 24 cores [D], with 16 ways [D] instead of 11.
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
		/* The papers' cluster: see the sources in latency.c and placement.c. */
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
