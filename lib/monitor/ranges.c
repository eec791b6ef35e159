/* SPDX-License-Identifier: MIT */
/*
 * Ranges: counts accesses by range in some pages, after all other counts were made.
 *
 * What lives here: the code that reads recordings a second time and counts only ranges. The first
 * reading has already reported all errors in the recordings.
 */
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

static enum source_wanted wanted(void *opaque, uint64_t page)
{
	struct Monitor *mon = opaque;

	return page_ranges_find(&mon->histogram.again, page) ? SOURCE_RECORDS : SOURCE_NOTHING;
}

static int check(struct Monitor *mon)
{
	for (size_t i = 0; i < mon->streams_count; i++)
		if (mon->cards || !mon->streams[i].source->ops->rewind)
			return smile_error(EOPNOTSUPP,
					   "ranges can be counted later only in recordings");
	if (mon->writer || mon->following || mon->names)
		return smile_error(EBUSY, "%s cannot be read again while it is %s", mon->name,
				   mon->writer ? "saved" : "followed");
	if (!Monitor_ended(mon))
		return smile_error(EBUSY, "%s was not read to its end", mon->name);
	return 0;
}

/*
 * Count the records of the selected pages. Skip marks and all other records that are not counts,
 * because the first reading has handled them.
 */
static int records_take(struct Monitor *mon, struct monitor_stream *stream, size_t count)
{
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		i += smile_histogram_add_many(&mon->histogram, &stream->context, mon->batch + i,
					      count - i, &error);
		if (stream->context.merged_count && !stream->context.elsewhere)
			return -ENOMEM;
	}
	return error;
}

static int stream_read(struct Monitor *mon, struct monitor_stream *stream)
{
	struct smile_source *source = stream->source;
	int error = source->ops->rewind(source), got = 0;

	source->wanted = wanted;
	source->opaque = mon;
	while (!error && !source->ops->ended(source)) {
		got = source->ops->read(source, mon->batch, MONITOR_BATCH, 0);
		if (got > 0)
			error = records_take(mon, stream, (size_t)got);
		else if (!source->ops->ended(source))
			error = got;
	}
	source->added_up = 0;
	return error;
}

int Monitor_ranges_of(struct Monitor *mon, const uint64_t *pages, size_t count)
{
	int error = check(mon);

	if (!error)
		error = smile_histogram_again(&mon->histogram, pages, count);
	for (size_t i = 0; !error && mon->histogram.again.count && i < mon->streams_count; i++)
		error = stream_read(mon, &mon->streams[i]);
	page_ranges_free(&mon->histogram.again);
	return error;
}
