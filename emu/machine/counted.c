/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counted: requests whose order does not matter, and accesses in front of the caches.
 *
 * What lives here: moving requests from the processors' queues into the tally, and delivering the
 * tallies to machine_ops.counted and machine_ops.accessed. It may use machine_inside.h.
 */
#include <base/field.h>

#include "machine_inside.h"

/* So many ahead, memory is asked for a count. */
#define PREFETCH_ITEMS 32

/* On both B-Links. */
static void counted_take(void *opaque, unsigned source, unsigned home, uint64_t request,
			 const uint32_t *counts, size_t count)
{
	struct machine *machine = opaque;
	uint64_t time_ns = machine_time_ns(machine, machine->tally->sources[source].last[home]);

	if (node_watched(machine, source))
		machine->ops->counted(machine->opaque, source, request, counts, count, time_ns);
	if (node_watched(machine, home))
		machine->ops->counted(machine->opaque, home, request, counts, count, time_ns);
}

static void deliver(struct machine *machine)
{
	tally_deliver(machine->tally, counted_take, machine);
}

/* Count one that found no memory: what was counted makes room. */
static int count_anew(struct machine *machine, uint64_t what)
{
	unsigned source = SMILE_GET(BLINK_REQUEST_SOURCE, what);

	deliver(machine);
	return tally_count(machine->tally, tally_shape(machine->tally), source, what) ? 0 : -ENOMEM;
}

/* Count up to the first request at @limit, or one for which room must be made. */
static inline __attribute__((always_inline)) const struct queue_item *
items_count(struct tally *tally, struct tally_shape shape, unsigned node,
	    const struct queue_item *item, const struct queue_item *end, uint64_t limit)
{
	for (; item < end && item->issue < limit; item++) {
		uint64_t what = item->what;
		/* What is written back for a processor may be of another node. */
		unsigned source = SMILE_GET(BLINK_REQUEST_SOURCE, what);

		if (end - item > PREFETCH_ITEMS)
			tally_prefetch(tally, shape, node, item[PREFETCH_ITEMS].what);
		if (!tally_count(tally, shape, source, what))
			break;
		tally->sources[source].last[what >> QUEUE_HOME_SHIFT & QUEUE_HOME] = item->issue;
		if (__builtin_expect(tally_crowded(tally), 0))
			return item + 1;
	}
	return item;
}

static void processor_count(struct machine *machine, struct processor *processor, uint64_t limit)
{
	const struct tally_shape words = {2, TALLY_CHUNK_BITS};
	struct queue *queue = &processor->queue;
	struct tally *tally = machine->tally;
	const struct queue_item *item = queue->items + queue->head;
	const struct queue_item *end = queue->items + queue->tail;
	unsigned node = processor->node;
	int err = 0;

	while (item < end && item->issue < limit && err == 0) {
		item = tally->shift == words.shift
			       ? items_count(tally, words, node, item, end, limit)
			       : items_count(tally, tally_shape(tally), node, item, end, limit);
		if (tally_crowded(tally))
			deliver(machine);
		else if (item < end && item->issue < limit)
			err = count_anew(machine, item++->what);
	}
	queue->head = (size_t)(item - queue->items);
	if (err < 0)
		machine_fail(machine, err);
}

void counted_drain(struct machine *machine, uint64_t limit)
{
	for (unsigned p = 0; p < machine->processors_count; p++)
		if (!queue_empty(&machine->processors[p].queue))
			processor_count(machine, &machine->processors[p], limit);
}

void machine_counted(struct machine *machine)
{
	if (!machine->tally)
		return;
	merge_drain_safe(machine);
	deliver(machine);
}

int machine_counted_size(const struct machine *machine, uint64_t *blocks, uint64_t *pages)
{
	if (machine->tally)
		return tally_size(machine->tally, blocks, pages);
	*blocks = 0;
	*pages = 0;
	return 0;
}

/* ---- in front of the caches ------------------------------------------------------------------ */

static void front_take(void *opaque, unsigned source, unsigned home, uint64_t request,
		       const uint32_t *counts, size_t count)
{
	struct machine *machine = opaque;
	uint64_t page = SMILE_GET(BLINK_REQUEST_ADDRESS, request) / SMILE_PAGE_BYTES, *made;

	/* The tally knows no homes: front_settle() delivers before they change. */
	home = pages_home(pages_find(&machine->placement.pages, page));
	made = home == source ? machine->made[source].local : machine->made[source].remote;
	for (size_t i = 0; i < count; i++)
		made[SMILE_GET(BLINK_REQUEST_TYPE, request)] += counts[i];
	machine->ops->accessed(machine->opaque, source,
			       request | SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)home), counts,
			       count);
}

void machine_accessed(struct machine *machine)
{
	if (machine->front)
		tally_deliver(machine->front, front_take, machine);
}

void front_settle(struct machine *machine)
{
	uint64_t accesses = 0;

	if (!machine->front)
		return;
	lanes_settle(machine);
	for (unsigned p = 0; p < machine->processors_count; p++)
		accesses += machine->processors[p].accesses;
	/* Of many pages that move at a time, the first has settled it. */
	if (accesses != machine->settled)
		machine_accessed(machine);
	machine->settled = accesses;
	machine->given_back = false;
}

void front_anew(struct machine *machine, unsigned node, uint64_t what)
{
	machine_accessed(machine);
	if (!tally_count(machine->front, tally_shape(machine->front), node, what))
		machine_fail(machine, -ENOMEM);
}
