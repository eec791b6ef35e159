/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The latency models. May use latency_model.h.
 */
#include <string.h>

#include "latency_model.h"

/*
 * The memory of present-day machines; model.c has their caches. [D] marks a value that this project
 * has chosen within the range of the measurements in the sources, because no two servers have the
 * same values. Clock: 2 GHz [D], about the base clock of present-day servers. If caches are not
 * modelled, a write takes as long as a read [D].
 */
#define TODAY_HZ 2000000000U
#define CYCLES(ns) ((ns) * (TODAY_HZ / 1000000000U))

/*
 * Memory: 80 ns for the memory of the own socket, and 140 ns for the memory of the other socket
 * [D]. AnandTech has measured 89 to 91 ns for the own socket of Skylake-SP ("Intel Skylake-EP vs
 * AMD EPYC 7000", 2017). In the abstract of "Dissecting CXL Memory Performance at Scale" (arXiv
 * 2409.14317, 2024), the range for memory that is not local begins at 140 ns.
 */
#define LOCAL CYCLES(80)
#define HOP CYCLES(140)

/*
 * Four sockets in a ring, as in servers whose sockets have two links each. Intel's "Memory
 * Latencies on Xeon E5-4600 and E7-4800" (2014) distinguishes local memory, one hop and two hops.
 * The article has measured about 60 ns for a hop (135 and 197 ns on the E7). The model therefore
 * has 80, 140 and 200 ns [D].
 */
#define TWO_HOPS CYCLES(200)

/* clang-format off */
static const uint32_t ring_pairs[] = {
	LOCAL,    HOP,      TWO_HOPS, HOP,
	HOP,      LOCAL,    HOP,      TWO_HOPS,
	TWO_HOPS, HOP,      LOCAL,    HOP,
	HOP,      TWO_HOPS, HOP,      LOCAL,
};
/* clang-format on */

/*
 * Memory behind CXL: 230 ns [D]. The abstract of "Dissecting CXL Memory Performance at Scale"
 * (2024) states 140 to 410 ns for the measured devices.
 */
#define FAR CYCLES(230)

#define REMOTE(read, write, lock)                                                                  \
	{                                                                                          \
		[SMILE_TYPE_READ] = (read), [SMILE_TYPE_WRITE] = (write),                          \
		[SMILE_TYPE_LOCK] = (lock),                                                        \
	}

static const struct latency_model latency_models[] = {
	{
		/*
		 * The PC cluster of "Exploiting Spatial and Temporal Locality of Accesses" (1998),
		 * section 4. A local access is assumed to hit the cache. A write is posted through
		 * the host bridge. A read or a lock waits for the response.
		 */
		.name = "smile1998",
		.source = "SMiLE cluster, 1998 paper, section 4",
		.frequency_hz = 200000000,
		.local_cycles = 1,
		.remote_cycles = REMOTE(1000, 20, 1000),
	},
	{
		/*
		 * Commodity SCI cards: 1.46 us from application to application, which the 2006
		 * thesis cites in chapter 7 [H]. The model uses this time for a read, as a lower
		 * bound [M]. Clock, local access and posted write: [D].
		 */
		.name = "sci2006",
		.source = "PCI cards for SCI, 1.46 us (2006 thesis); the rest defined here",
		.frequency_hz = 1000000000,
		.local_cycles = 1,
		.remote_cycles = REMOTE(1460, 100, 1460),
	},
	{
		/*
		 * A server with two sockets. The abstract of "Dissecting CXL Memory Performance at
		 * Scale" (2024) states 140 to 410 ns for memory that is not local; 140 ns is chosen
		 * here from this range [D]. The clock, the local access (a hit in a cache) and the
		 * posted write are also [D].
		 */
		.name = "numa2",
		.source = "two sockets, loads 140 ns: defined here (range: arXiv 2409.14317)",
		.frequency_hz = 2000000000,
		.local_cycles = 1,
		.remote_cycles = REMOTE(280, 40, 280),
	},
	{
		/*
		 * Memory behind CXL: 250 ns [D], from the range of 140 to 410 ns in the abstract of
		 * "Dissecting CXL Memory Performance at Scale" (2024).
		 */
		.name = "cxl",
		.source = "CXL memory, loads 250 ns: defined here (range: arXiv 2409.14317)",
		.frequency_hz = 2000000000,
		.local_cycles = 1,
		.remote_cycles = REMOTE(500, 40, 500),
	},
	{
		.name = "server2",
		.source = "two sockets, 80 and 140 ns: defined here (AnandTech 2017, arXiv "
			  "2409.14317)",
		.frequency_hz = TODAY_HZ,
		.local_cycles = LOCAL,
		.remote_cycles = REMOTE(HOP, HOP, HOP),
	},
	{
		.name = "server4",
		.source = "a ring of four sockets, 80, 140, 200 ns: defined here (Intel 2014)",
		.frequency_hz = TODAY_HZ,
		.local_cycles = LOCAL,
		.remote_cycles =
			{
				[SMILE_TYPE_READ] = (2 * HOP + TWO_HOPS) / 3,
				[SMILE_TYPE_WRITE] = (2 * HOP + TWO_HOPS) / 3,
				[SMILE_TYPE_LOCK] = (2 * HOP + TWO_HOPS) / 3,
			},
		.pairs = 4,
		.pair_cycles = ring_pairs,
	},
	{
		.name = "cxl-memory",
		.source = "memory behind CXL, 80 and 230 ns: defined here (arXiv 2409.14317)",
		.frequency_hz = TODAY_HZ,
		.local_cycles = LOCAL,
		.remote_cycles = REMOTE(FAR, FAR, FAR),
	},
};

uint32_t latency_cycles(const struct latency_model *model, unsigned node, unsigned home,
			unsigned type)
{
	uint64_t read, cycles;

	if (node >= model->pairs || home >= model->pairs)
		return node == home ? model->local_cycles : model->remote_cycles[type];
	read = model->pair_cycles[node * model->pairs + home];
	if (node == home || type == SMILE_TYPE_READ)
		return (uint32_t)read;
	cycles = read * model->remote_cycles[type] / model->remote_cycles[SMILE_TYPE_READ];
	return cycles > UINT32_MAX ? UINT32_MAX : (uint32_t)cycles;
}

#define LATENCY_MODELS (sizeof(latency_models) / sizeof(latency_models[0]))

const struct latency_model *latency_at(size_t index)
{
	return index < LATENCY_MODELS ? &latency_models[index] : NULL;
}

const struct latency_model *latency_find(const char *name)
{
	for (size_t i = 0; i < LATENCY_MODELS; i++) {
		if (strcmp(latency_models[i].name, name) == 0)
			return &latency_models[i];
	}
	return NULL;
}
