// SPDX-License-Identifier: MIT
/*
 * run/session: passes the blocks that the program has allocated from the schedule to the
 * recordings.
 */
#include "run/session/session_inside.h"

#include <inttypes.h>
#include <stdlib.h>

#include "run/allocations/allocations.h"

_Static_assert(STREAM_SITES == MONITOR_SITE_CALLERS, "as many callers as a site has");

void run_heap_block(void *opaque, const struct schedule_block *block)
{
	struct run *run = opaque;

	run_names_block(run, block);
	if (!run->config.prefix)
		return;
	if (!run->heap)
		run->heap = allocations_new();
	/* If memory for this data is missing, the recordings have no data about the heap. */
	if (run->heap)
		allocations_block(run->heap, block->sites, block->address, block->bytes,
				  block->time_ns);
}

static void note_lost(const struct allocations *heap)
{
	uint64_t lost = allocations_lost(heap);

	if (lost)
		run_message("note: of %" PRIu64 " heap blocks, the %" PRIu64
			    " smallest are not recorded one by one; reports show their memory as "
			    "'heap'",
			    allocations_all(heap), lost);
}

void run_heap_report(struct run *run)
{
	struct allocations_rows rows;

	if (!run->heap)
		return;
	if (allocations_rows(run->heap, &rows) < 0) {
		run_message("no memory to keep what the program has allocated");
		run->failed = 1;
		return;
	}
	for (unsigned n = 0; n < run->config.nodes; n++) {
		if (!run->cards[n].mon ||
		    allocations_write(run->heap, &rows, run->cards[n].mon) >= 0)
			continue;
		run_message("%s", Monitor_error_message());
		run->failed = 1;
	}
	note_lost(run->heap);
	free(rows.list);
	allocations_free(run->heap);
	run->heap = NULL;
}
