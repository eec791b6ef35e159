/* SPDX-License-Identifier: MIT */
/*
 * Accesses: the public functions for the accesses that processors made, including those that caches
 * served. The map has these accesses (lib/map/accesses.c). This file also counts them for views.
 */
#include <endian.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>
#include <hw/smile_regs.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

int Monitor_accesses_add(struct Monitor *mon, unsigned int phase, uint64_t request,
			 unsigned int block_bytes, const uint32_t *counts, size_t count)
{
	const struct Monitor_record record = {
		.kind = MONITOR_KIND_COUNT,
		.type = (unsigned int)SMILE_GET(BLINK_REQUEST_TYPE, request),
		.source = (unsigned int)SMILE_GET(BLINK_REQUEST_SOURCE, request),
		.destination = (unsigned int)SMILE_GET(BLINK_REQUEST_TARGET, request),
		.address = SMILE_GET(BLINK_REQUEST_ADDRESS, request),
		.length_bytes = block_bytes,
	};

	if (block_bytes < SMILE_WORD_BYTES || block_bytes > SMILE_PAGE_BYTES ||
	    block_bytes & (block_bytes - 1))
		return smile_error(EINVAL,
				   "blocks of %u bytes are impossible: use a power of two "
				   "from %u to %u",
				   block_bytes, SMILE_WORD_BYTES, SMILE_PAGE_BYTES);
	if (record.type == SMILE_TYPE_ANY || !count ||
	    count > (SMILE_PAGE_BYTES - record.address % SMILE_PAGE_BYTES + block_bytes - 1) /
			    block_bytes)
		return smile_error(EINVAL, "%zu blocks of type %u are not accesses to one page",
				   count, record.type);
	return smile_accesses_add(&mon->map.accesses, phase, &record, counts, count);
}

int Monitor_accesses_node_add(struct Monitor *mon, unsigned int node)
{
	if (node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "node %u is out of range: use 0 to %u", node,
				   SMILE_NODE_ID);
	return smile_accesses_node_add(&mon->map.accesses, node);
}

int Monitor_accesses_known(struct Monitor *mon, unsigned int node)
{
	return smile_accesses_known(&mon->map.accesses, node);
}

/**
 * struct fill - State while counts are added to a histogram.
 * @histogram: the histogram
 * @phases: the largest possible number of phases
 */
struct fill {
	struct histogram histogram;
	size_t phases;
};

static int damaged(void)
{
	return smile_error(EPROTO, "accesses in front of the caches are damaged: make the "
				   "recording again");
}

static int fill_phase(void *opaque, uint32_t phase, const struct smile_record *records,
		      size_t count)
{
	struct fill *fill = opaque;
	struct histogram_stream stream = {
		.phase = phase,
		.config = {.filter = SMILE_FILTER_REQUEST, .mode = SMILE_MODE_TYPED_TAGS},
	};
	int error = 0;

	if (phase >= fill->phases)
		return damaged();
	for (size_t i = 0; i < count && !error; i++) {
		uint32_t kind = SMILE_GET(SMILE_RECORD_KIND, le32toh(records[i].word[0]));

		if (kind != MONITOR_KIND_COUNT)
			return damaged();
		error = smile_histogram_add(&fill->histogram, &stream, &records[i]);
	}
	return error;
}

static int fill_is_whole(void *opaque, uint64_t page)
{
	struct fill *fill = opaque;

	return !histogram_has_ranges(&fill->histogram, page);
}

static int fill_sums(void *opaque, uint32_t phase, const struct group_sums *sums)
{
	struct fill *fill = opaque;
	uint64_t counts[SMILE_TYPE_COUNT] = {0};

	if (phase >= fill->phases || sums->response)
		return damaged();
	memcpy(sums->untyped ? &counts[SMILE_TYPE_ANY] : &counts[SMILE_TYPE_READ], sums->counts,
	       (sums->untyped ? 1 : GROUP_TYPES) * sizeof(*counts));
	return smile_histogram_add_page(&fill->histogram, phase, sums->page, sums->destination,
					sums->source, counts);
}

/* Select the same ranges and nodes for these accesses as for transactions. Return: 0; -ENOMEM. */
static int ranges_take_over(struct histogram *histogram, const struct histogram *from)
{
	histogram->nodes_only = from->nodes_only;
	histogram->ranges_limited = from->ranges_limited;
	histogram->ranges_page = from->ranges_page;
	histogram->ranges_pages = from->ranges_pages;
	/* The range of the last search is no longer valid. */
	histogram->whole_first = 1;
	histogram->whole_last = 0;
	for (size_t i = 0; i < from->whole.count; i++) {
		const struct page_range *range = &from->whole.items[i];

		if (page_ranges_set(&histogram->whole, range->first, range->last, range->value) < 0)
			return smile_error(ENOMEM, "no memory for %zu ranges of pages",
					   from->whole.count);
	}
	return 0;
}

/*
 * Compute the counts of the processors' accesses for views. The phase after the last mark can have
 * accesses even if it has no transactions.
 */
static int accesses_make(struct Monitor *mon)
{
	static const struct accesses_walk walk = {fill_phase, fill_is_whole, fill_sums};
	struct fill fill = {.phases = mon->histogram.phases_count + 1};
	int error = smile_accesses_settle(&mon->map.accesses);

	if (!error)
		error = ranges_take_over(&fill.histogram, &mon->histogram);

	if (!error)
		error = smile_histogram_phase(&fill.histogram, 0);
	if (!error)
		error = smile_accesses_walk(&mon->map.accesses, &walk, &fill);
	if (error < 0) {
		smile_histogram_free(&fill.histogram);
		return error;
	}
	if (fill.histogram.nodes)
		smile_histogram_node(&mon->histogram, fill.histogram.nodes - 1);
	if (mon->histogram.nodes)
		smile_histogram_node(&fill.histogram, mon->histogram.nodes - 1);
	mon->accesses = fill.histogram;
	return 0;
}

int Monitor_accesses_show(struct Monitor *mon, int show)
{
	int error = 0;

	if (show && !mon->map.accesses.count)
		return smile_error(ENODATA, "no accesses in front of caches were recorded: "
					    "`smile run --machine server2` has caches");
	if (show && !mon->accesses.phases_count)
		error = accesses_make(mon);
	if (!error)
		mon->accesses_shown = show != 0;
	return error;
}
