/* SPDX-License-Identifier: MIT */
/*
 * Counting recordings: sums up records before they are written. This file also has the queries
 * about a counting recording that is being read.
 *
 * What lives here: the code that determines the order in a counting recording. The sums of a phase
 * are written before the mark that ends the phase. All other records of a card are saved unchanged.
 */
#include <endian.h>
#include <string.h>

#include <base/clock.h>
#include <base/field.h>
#include <base/sum.h>
#include <hw/blink.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/* The number of records that are decoded together. */
#define MANY 64U

/* The number of bytes of a block in the file, if it is the only block of its group. */
#define ALONE_BYTES 32U

static int put(void *opaque, const struct smile_record *records, size_t count)
{
	struct Monitor *mon = opaque;

	return smile_recording_append(mon->writer, records, count);
}

int smile_exact_save(struct Monitor *mon)
{
	return mon->exact ? smile_exact_take(mon->exact, put, mon) : 0;
}

int smile_exact_rest(struct Monitor *mon)
{
	uint64_t now = mon->exact ? clock_now_ns() : 0, before;
	struct smile_statistics statistics;
	size_t blocks;
	int error;

	if (!mon->exact || !mon->exact->table.used)
		return 0;
	/*
	 * The first phase begins here. Otherwise, the next pause would be counted as a part of the
	 * phase.
	 */
	if (!mon->exact->checkpoint.began_ns)
		mon->exact->checkpoint.began_ns = now;
	if (!checkpoint_due(&mon->exact->checkpoint, now))
		return 0;
	blocks = mon->exact->table.used;
	if (!checkpoint_may(&mon->exact->checkpoint, now, ALONE_BYTES * blocks, blocks))
		return 0;
	before = smile_recording_bytes(mon->writer);
	error = smile_exact_save(mon);
	if (!error && !mon->streams[0].source->ops->statistics(mon->streams[0].source, &statistics))
		error = smile_recording_until(mon->writer, statistics.clock_ns);
	checkpoint_wrote(&mon->exact->checkpoint, now, clock_now_ns(),
			 smile_recording_bytes(mon->writer) - before, blocks);
	return error;
}

/*
 * Add a count to the sums. If memory is missing, write the sums so far to the recording, which
 * frees their memory, and try again.
 */
static int exact_plain(struct Monitor *mon, const struct record_plain *record)
{
	int error = smile_exact_add(mon->exact, record);

	if (error != -ENOMEM)
		return error;
	error = smile_exact_save(mon);
	return error < 0 ? error : smile_exact_add(mon->exact, record);
}

/*
 * Get the number of COUNT records at the beginning of @records. Such records are saved unchanged.
 */
static size_t exact_count(const struct smile_record *records, size_t count)
{
	size_t i = 0;

	while (i < count &&
	       SMILE_GET(SMILE_RECORD_KIND, le32toh(records[i].word[0])) == MONITOR_KIND_COUNT)
		i++;
	return i;
}

/* Save a record that is not a count. */
static int save_other(struct Monitor *mon, const struct smile_record *record)
{
	struct Monitor_record decoded;
	int error = 0;

	/* If the record is invalid, save it unchanged. */
	if (!Monitor_record_decode(record, &decoded) && decoded.kind == SMILE_KIND_EVENT &&
	    decoded.phase) {
		error = smile_exact_save(mon);
		checkpoint_phase(&mon->exact->checkpoint, clock_now_ns());
	}
	return error < 0 ? error : smile_recording_append(mon->writer, record, 1);
}

int smile_save_records(struct Monitor *mon, const struct smile_record *records, size_t count)
{
	struct record_plain plain[MANY];
	int error = 0;

	if (!mon->exact)
		return smile_recording_append(mon->writer, records, count);
	for (size_t i = 0; i < count && error >= 0;) {
		size_t some = count - i < MANY ? count - i : MANY, got;
		size_t exact = exact_count(records + i, count - i);

		if (exact) {
			error = smile_recording_append(mon->writer, records + i, exact);
			i += exact;
			continue;
		}
		got = smile_records_plain(records + i, some, plain);
		for (size_t j = 0; j < got && error >= 0; j++)
			error = exact_plain(mon, &plain[j]);
		i += got;
		if (!got)
			error = save_other(mon, &records[i++]);
	}
	return error;
}

int smile_counting_check(const struct smile_config *config, const struct smile_config *before)
{
	if (config->max_range_bytes == before->max_range_bytes &&
	    !((config->mode ^ before->mode) & SMILE_MODE_ALIGNED))
		return 0;
	return smile_error(EBUSY, "the range cannot change while exact counts are saved: configure "
				  "first, then save");
}

/* Check that a counting recording is being saved, and that its source accepts packets. */
static int counted_check(struct Monitor *mon, uint64_t request, size_t count)
{
	const struct smile_source_ops *ops = mon->streams[0].source->ops;
	uint64_t block_bytes = mon->merged[0].max_range_bytes;
	uint64_t first = SMILE_GET(BLINK_REQUEST_ADDRESS, request) % SMILE_PAGE_BYTES / block_bytes;

	if (!mon->exact)
		return smile_error(EINVAL, "counts are saved in a counting recording: "
					   "call Monitor_save_counts() first");
	if (!ops->counted)
		return smile_error(EOPNOTSUPP, "a source of kind \"%s:\" accepts no packets",
				   ops->prefix);
	if (!count || count > SMILE_PAGE_BYTES ||
	    (first + count - 1) * block_bytes >= SMILE_PAGE_BYTES)
		return smile_error(EINVAL,
				   "%zu blocks of %u bytes, from 0x%llx on, are not in one "
				   "page",
				   count, mon->merged[0].max_range_bytes,
				   (unsigned long long)SMILE_GET(BLINK_REQUEST_ADDRESS, request));
	return 0;
}

/*
 * Sum up the counts of a page. Two counts are added at a time, in the two halves of a 64-bit word.
 * Each half is large enough for the sum of a page.
 */
static uint64_t sum_of(const uint32_t *counts, size_t count)
{
	uint64_t low = 0, high = 0, both;

	for (; count > 1; counts += 2, count -= 2) {
		memcpy(&both, counts, sizeof(both));
		low += both & UINT32_MAX;
		high += both >> 32;
	}
	return low + high + (count ? *counts : 0);
}

int Monitor_counted(struct Monitor *mon, uint64_t request, const uint32_t *counts, size_t count,
		    uint64_t time_ns)
{
	struct smile_source *source = mon->streams[0].source;
	struct Monitor_record event;
	uint64_t all = 0;
	int passed = counted_check(mon, request, count);

	if (passed >= 0)
		all = sum_of(counts, count);
	if (passed >= 0 && all)
		passed = source->ops->counted(source, request, all, time_ns, &event);
	if (passed <= 0)
		return passed;
	mon->histogram.delivered = sum_counts(mon->histogram.delivered, all);
	smile_histogram_node(&mon->histogram, event.source);
	smile_histogram_node(&mon->histogram, event.destination);
	if (mon->writer && !mon->writer_failed) {
		mon->writer_failed = smile_recording_row(mon->writer, &event, counts, count);
		return mon->writer_failed;
	}
	return 0;
}

int Monitor_counted_until(struct Monitor *mon, uint64_t time_ns)
{
	if (!mon->exact)
		return smile_error(EINVAL, "counts are saved in a counting recording: "
					   "call Monitor_save_counts() first");
	if (!mon->writer_failed)
		mon->writer_failed = smile_recording_until(mon->writer, time_ns);
	return mon->writer_failed;
}

int Monitor_counting(struct Monitor *mon)
{
	if (mon->exact)
		return 1;
	for (size_t i = 0; i < mon->streams_count; i++) {
		struct smile_source *source = mon->streams[i].source;

		if (source->ops->counting && source->ops->counting(source))
			return 1;
	}
	return 0;
}
