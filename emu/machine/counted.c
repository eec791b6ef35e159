/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counted: count requests whose order does not matter, and accesses before the caches.
 *
 * What lives here: moving requests from the queues of the processors into the tally, and delivering
 * the counts of the tallies to machine_ops.counted and machine_ops.accessed. May use
 * machine_inside.h.
 */
#include <base/field.h>

#include "machine_inside.h"

/* Deliver the counts of a block of requests for the B-Links of both nodes. */
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

/*
 * Move all requests that a processor has issued before cycle @limit from its queue to the backlog.
 */
static void processor_count(struct machine *machine, struct processor *processor, uint64_t limit)
{
	struct queue *queue = &processor->queue;
	const struct queue_item *item = queue_at(queue, queue->head);
	const struct queue_item *end = queue_at(queue, queue->tail);

	/*
	 * If accesses before the caches are not counted, no other code sets @ahead, so always
	 * prefetch.
	 */
	backlog_batch(&machine->backlog)->ahead |= !machine->front;
	for (; item < end && item->issue < limit; item++) {
		/*
		 * If the item is a line that is written back, its source can be a node other than
		 * the processor's node.
		 */
		unsigned source = SMILE_GET(BLINK_REQUEST_SOURCE, item->what);

		machine->tally->sources[source].last[item->what >> QUEUE_HOME_SHIFT & QUEUE_HOME] =
			item->issue;
		backlog_add(&machine->backlog, item->what);
	}
	queue->head = (size_t)(item - queue->items);
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
	backlog_settle(&machine->backlog);
	deliver(machine);
}

int machine_counted_size(struct machine *machine, uint64_t *blocks, uint64_t *pages)
{
	backlog_settle(&machine->backlog);
	if (machine->tally)
		return tally_size(machine->tally, blocks, pages);
	*blocks = 0;
	*pages = 0;
	return 0;
}

/* ---- before the caches ----------------------------------------------------------------------- */

static void front_take(void *opaque, unsigned source, unsigned home, uint64_t request,
		       const uint32_t *counts, size_t count)
{
	struct machine *machine = opaque;
	uint64_t page = SMILE_GET(BLINK_REQUEST_ADDRESS, request) / SMILE_PAGE_BYTES, *made;

	/*
	 * This tally does not store homes, so look up the home now. front_settle() delivers the
	 * counts before a home changes.
	 */
	home = pages_home(pages_find(&machine->placement.pages, page));
	made = home == source ? machine->made[source].local : machine->made[source].remote;
	for (size_t i = 0; i < count; i++)
		made[SMILE_GET(BLINK_REQUEST_TYPE, request)] += counts[i];
	machine->ops->accessed(machine->opaque, source,
			       request | SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)home), counts,
			       count);
}

static void front_deliver(struct machine *machine)
{
	tally_deliver(machine->front, front_take, machine);
}

void machine_accessed(struct machine *machine)
{
	if (!machine->front)
		return;
	backlog_settle(&machine->backlog);
	front_deliver(machine);
}

void counted_full(void *opaque, struct tally *tally, bool still)
{
	struct machine *machine = opaque;

	if (still)
		machine_fail(machine, -ENOMEM);
	else if (tally == machine->front)
		front_deliver(machine);
	else
		deliver(machine);
}

void front_settle(struct machine *machine)
{
	uint64_t accesses = 0;

	if (!machine->front)
		return;
	lanes_settle(machine);
	for (unsigned p = 0; p < machine->processors_count; p++)
		accesses += machine->processors[p].accesses;
	/*
	 * If many pages move at the same time, only the call for the first page has counts to
	 * deliver.
	 */
	if (accesses != machine->settled)
		machine_accessed(machine);
	machine->settled = accesses;
	machine->given_back = false;
}
