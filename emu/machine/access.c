/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Accesses: the cost of each, and the transaction that it causes. May use machine.h.
 */
#include <errno.h>

#include <base/field.h>

#include "machine_inside.h"

/* The home of the page of @address, or -1 if there is no memory to remember it. */
static inline int processor_home(struct machine *machine, struct processor *processor,
				 uint64_t address)
{
	uint64_t page = address / SMILE_PAGE_BYTES;
	unsigned slot = page % PROCESSOR_HOMES;
	uint64_t *known = &processor->homes[slot];

	if (pages_page(*known) != page || *known == 0) {
		uint64_t entry = placement_entry(&machine->placement, page, processor->node);

		if (entry == 0 || locals_bring(machine, processor, slot) < 0) {
			machine_fail(machine, -ENOMEM);
			return -1;
		}
		*known = entry;
	}
	return (int)pages_home(*known);
}

/* What waits in a queue: see queue.h. */
static uint64_t queue_what(const struct machine *machine, unsigned node, unsigned kind,
			   unsigned home, uint64_t address, unsigned last)
{
	uint64_t what = address | (uint64_t)home << QUEUE_HOME_SHIFT;

	if (machine->decoded)
		return what | SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node) |
		       SMILE_PUT(BLINK_REQUEST_TYPE,
				 (uint64_t)(kind == QUEUE_LINE ? SMILE_TYPE_READ : kind));
	return what | (uint64_t)kind << QUEUE_KIND_SHIFT | (uint64_t)last << QUEUE_LAST_SHIFT;
}

/* A transaction waits for its place in the order. Return: whether it does. */
static bool processor_queue(struct machine *machine, struct processor *processor, unsigned kind,
			    unsigned home, uint64_t address, unsigned last)
{
	struct queue *queue = &processor->queue;
	int err = 0;

	if (processor->clock < machine->shown) {
		machine_fail(machine, -EINVAL);
		return false;
	}
	if (queue_full(queue)) {
		merge_drain_safe(machine);
		err = queue_make_room(queue);
	}
	if (err < 0) {
		machine_fail(machine, err);
		return false;
	}
	queue->items[queue->tail++] = (struct queue_item){
		.issue = processor->clock,
		.what = queue_what(machine, processor->node, kind, home, address, last),
	};
	return true;
}

/* Pass a remote access to the cache, if it is cacheable. Return: whether it hit. */
static bool node_cached(struct machine *machine, struct processor *processor, unsigned type,
			uint64_t address)
{
	struct cache *cache = &machine->cache[processor->node];

	if (type == SMILE_TYPE_LOCK)
		cache_drop(cache, address);
	return type == SMILE_TYPE_READ && cache_read(cache, address);
}

/* An access to bytes of one block. */
static inline void processor_access(struct machine *machine, struct processor *processor,
				    unsigned type, uint64_t address, unsigned last)
{
	int home = processor_home(machine, processor, address);
	unsigned kind = type;

	if (home < 0)
		return;
	if (processor->clock > CLOCK_MAX - UINT32_MAX) {
		machine_fail(machine, -EOVERFLOW);
		return;
	}
	if ((unsigned)home == processor->node) {
		processor->local[type]++;
		processor->counts[address / SMILE_PAGE_BYTES % PROCESSOR_HOMES][type]++;
		processor->clock += machine->latency.local_cycles;
		return;
	}
	if (machine->config.cache.bytes != 0) {
		if (node_cached(machine, processor, type, address)) {
			processor->hits++;
			processor->clock += machine->latency.local_cycles;
			return;
		}
		if (type == SMILE_TYPE_READ) {
			kind = QUEUE_LINE;
			address &= ~(uint64_t)(machine->config.cache.line_bytes - 1);
			last = TRAFFIC_BLOCK_BYTES - 1;
		}
	}
	if (machine->config.watch != 0 &&
	    !processor_queue(machine, processor, kind, (unsigned)home, address, last))
		return;
	processor->remote[type]++;
	processor->counts[address / SMILE_PAGE_BYTES % PROCESSOR_HOMES][type]++;
	processor->clock += machine->cost[kind];
	machine->frames[processor->node] += machine->frames_each;
	machine->frames[home] += machine->frames_each;
}

static inline void access_run(struct machine *machine, unsigned processor, unsigned type,
			      uint64_t address, size_t bytes)
{
	struct processor *from;

	if (processor >= machine->processors_count || type == SMILE_TYPE_ANY ||
	    type >= SMILE_TYPE_COUNT || bytes == 0 || address >= ADDRESS_END ||
	    bytes > ADDRESS_END - address) {
		machine_fail(machine, -EINVAL);
		return;
	}
	from = &machine->processors[processor];
	from->accesses++;
	/* One call, which so becomes a part of this. */
	for (;;) {
		unsigned first = address % TRAFFIC_BLOCK_BYTES;
		size_t room = TRAFFIC_BLOCK_BYTES - first;
		size_t part = bytes < room ? bytes : room;

		processor_access(machine, from, type, address, first + (unsigned)part - 1);
		bytes -= part;
		if (bytes == 0)
			return;
		address += part;
	}
}

void machine_access(struct machine *machine, unsigned processor, unsigned type, uint64_t address,
		    size_t bytes)
{
	access_run(machine, processor, type, address, bytes);
}

uint64_t machine_step(struct machine *machine, unsigned processor, uint64_t cycles, unsigned type,
		      uint64_t address, size_t bytes)
{
	if (!processor_pass(machine, processor, cycles))
		return machine_clock(machine, processor);
	machine->processors[processor].work += cycles;
	access_run(machine, processor, type, address, bytes);
	return machine->processors[processor].clock;
}
