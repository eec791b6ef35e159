/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The statistics of a machine. May use machine.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "machine_inside.h"

unsigned machine_nodes(const struct machine *machine)
{
	return machine->config.nodes;
}

unsigned machine_processors(const struct machine *machine)
{
	return machine->processors_count;
}

int machine_processor_node(const struct machine *machine, unsigned processor)
{
	return processor < machine->processors_count ? (int)machine->processors[processor].node
						     : -EINVAL;
}

uint64_t machine_frequency(const struct machine *machine)
{
	return machine->config.frequency_hz;
}

int machine_error(const struct machine *machine)
{
	return machine->error;
}

uint64_t machine_clock(const struct machine *machine, unsigned processor)
{
	return processor < machine->processors_count ? machine->processors[processor].clock : 0;
}

/*
 * Get the number of parts of all accesses: local accesses, transactions and hits. If an access does
 * not cross a boundary of a block or a line, it has one part.
 */
static uint64_t processor_parts(const struct processor *processor)
{
	uint64_t parts = processor->hits;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		parts += processor->local[type] + processor->remote[type];
	return parts;
}

/* Add the statistics of a processor to @sum. */
static void processor_sum(const struct machine *machine, const struct processor *processor,
			  struct machine_statistics *sum)
{
	uint32_t local_cycles = machine->cost[processor->node][processor->node][SMILE_TYPE_READ];

	if (processor->clock > sum->cycles)
		sum->cycles = processor->clock;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++) {
		sum->local_cycles += processor->local[type] * local_cycles;
		sum->remote_cycles[type] += processor->remote_cycles[type];
		sum->local[type] += processor->local[type];
		sum->remote[type] += processor->remote[type];
		for (unsigned level = 0; level < MACHINE_LEVELS; level++)
			sum->level_hits[level][type] += processor->level_hits[level][type];
		sum->misses[type] += processor->misses[type];
	}
	sum->transfers += processor->transfers;
	sum->cache_cycles += processor->cached;
	sum->work_cycles += processor->work;
	sum->wait_cycles += processor->wait;
	sum->idle_cycles += processor->idle;
	sum->hits += processor->hits;
	sum->accesses += processor->accesses;
	/* If an access failed, it has no parts. */
	if (processor_parts(processor) > processor->accesses)
		sum->split += processor_parts(processor) - processor->accesses;
}

uint64_t machine_sent(const struct machine *machine, unsigned node, unsigned home, unsigned type)
{
	if (node >= machine->config.nodes || home >= machine->config.nodes ||
	    type >= SMILE_TYPE_COUNT)
		return 0;
	return machine->sent[node][home][type];
}

/*
 * Get the number of frames on the B-Link of a node. The frames are global events, transactions of
 * the node itself, and transactions of other nodes with the memory of this node.
 */
static uint64_t node_frames(const struct machine *machine, unsigned node)
{
	uint64_t transactions = 0;

	for (unsigned other = 0; other < machine->config.nodes; other++)
		for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
			transactions +=
				machine->sent[node][other][type] + machine->sent[other][node][type];
	return machine->events[node] + transactions * machine->frames_each;
}

int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics)
{
	if (node >= machine->config.nodes)
		return -EINVAL;
	*statistics = (struct machine_statistics){
		.frames = node_frames(machine, node),
		.backs = machine->backs[node].local + machine->backs[node].remote,
	};
	statistics->local[SMILE_TYPE_WRITE] = machine->backs[node].local;
	statistics->remote[SMILE_TYPE_WRITE] = machine->backs[node].remote;
	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++) {
		statistics->made_local[type] = machine->made[node].local[type];
		statistics->made_remote[type] = machine->made[node].remote[type];
	}
	for (unsigned p = 0; p < machine->processors_count; p++) {
		if (machine->processors[p].node == node)
			processor_sum(machine, &machine->processors[p], statistics);
	}
	return 0;
}

int machine_processor_statistics(const struct machine *machine, unsigned processor,
				 struct machine_statistics *statistics)
{
	if (processor >= machine->processors_count)
		return -EINVAL;
	*statistics = (struct machine_statistics){0};
	processor_sum(machine, &machine->processors[processor], statistics);
	return 0;
}

uint64_t machine_single_cycles(const struct machine *machine)
{
	uint64_t cycles = 0;

	for (unsigned p = 0; p < machine->processors_count; p++) {
		const struct processor *processor = &machine->processors[p];
		uint64_t parts = processor_parts(processor);

		for (unsigned level = 0; level < machine->config.caches.count + 1; level++)
			for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++) {
				uint64_t hits = processor->level_hits[level][type];

				cycles += hits * level_cycles(machine, level);
				parts -= hits;
			}
		cycles += processor->work + parts * machine->latency.local_cycles;
	}
	return cycles;
}

static int page_compare(const void *a, const void *b)
{
	const struct machine_page *one = a, *other = b;

	return (one->page > other->page) - (one->page < other->page);
}

int64_t machine_pages(const struct machine *machine, struct machine_page **pages)
{
	const struct pages *table = &machine->placement.pages;
	struct machine_page *list = calloc(table->count + 1, sizeof(*list));
	size_t count = 0;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < pages_slots(table); i++) {
		uint64_t entry = table->entries[i];

		if (entry != 0)
			list[count++] = (struct machine_page){pages_page(entry), pages_home(entry)};
	}
	qsort(list, count, sizeof(*list), page_compare);
	*pages = list;
	return (int64_t)count;
}
