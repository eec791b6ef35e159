/* SPDX-License-Identifier: MIT */
/*
 * Count selection: the public functions by which a caller selects the counts that it needs. They
 * must be called before the first record is read.
 *
 * What lives here: these functions. Counts that were not selected are not kept, which saves time
 * and memory.
 */
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/* The function smile_source.take of the first stream. */
static void take_first(void *opaque, const struct smile_record *records, size_t count)
{
	struct Monitor *mon = opaque;

	smile_take_in(mon, &mon->streams[0], records, count);
}

int Monitor_record_only(struct Monitor *mon)
{
	struct smile_source *source;

	if (mon->records)
		return smile_error(EBUSY, "records were read already, and counted");
	mon->account_only = 1;
	if (mon->cards)
		return 0;
	/*
	 * Take records immediately. While packets are passed to the card, its records then need not
	 * wait for a reader.
	 */
	source = mon->streams[0].source;
	source->take = take_first;
	source->opaque = mon;
	return 0;
}

int Monitor_ranges_only(struct Monitor *mon, uint64_t page, uint64_t pages)
{
	if (mon->records)
		return smile_error(EBUSY, "records were read already, and counted");
	mon->histogram.ranges_limited = 1;
	mon->histogram.ranges_page = page;
	mon->histogram.ranges_pages = pages;
	return 0;
}

int Monitor_variables_only(struct Monitor *mon)
{
	struct page_ranges *whole = &mon->histogram.whole;
	struct catalogue *catalogue;
	int error;

	if (mon->records)
		return smile_error(EBUSY, "records were read already, and counted");
	error = smile_catalogue(mon, &catalogue);
	for (size_t i = 0; !error && i < catalogue->extents.count; i++) {
		const struct Monitor_extent *extent = &catalogue->extents.items[i];
		uint64_t first = (extent->start + SMILE_PAGE_BYTES - 1) / SMILE_PAGE_BYTES;
		uint64_t end = extent->end / SMILE_PAGE_BYTES;

		if (first < end)
			error = page_ranges_set(whole, first, end - 1, 1);
	}
	if (error)
		return smile_error(ENOMEM, "no memory for the variables' pages");
	/* The range of the last search is no longer valid. */
	mon->histogram.whole_first = 1;
	mon->histogram.whole_last = 0;
	return 0;
}

int Monitor_nodes_only(struct Monitor *mon)
{
	if (mon->records)
		return smile_error(EBUSY, "records were read already, and counted");
	mon->histogram.nodes_only = 1;
	return 0;
}
