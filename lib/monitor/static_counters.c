/* SPDX-License-Identifier: MIT */
/*
 * Static counters: passes the tables of the static counters to the source, and gets their counts by
 * phase.
 */
#include "lib/base/error.h"
#include "lib/monitor/monitor.h"
#include "lib/source/static_tables.h"

static int no_static_array(void)
{
	return smile_error(EOPNOTSUPP, "this card has no static array: use the dynamic one");
}

int Monitor_static_set(struct Monitor *mon, const struct smile_static *tables)
{
	struct smile_source *source = mon->streams[0].source;
	struct smile_info info;
	int error;

	if (mon->cards || !source->ops->static_set)
		return smile_error(EOPNOTSUPP,
				   "a source of kind \"%s:\" cannot be given static counters",
				   source->ops->prefix);
	error = source->ops->info(source, &info);
	if (error < 0)
		return error;
	if (!info.static_counters)
		return no_static_array();
	error = smile_static_check(tables);
	for (unsigned int i = info.static_counters; i < SMILE_STATIC_COUNTERS && !error; i++)
		if (tables->counter[i])
			error = smile_error(EINVAL, "static counter %u: this card has 0 to %u", i,
					    info.static_counters - 1);
	if (error < 0)
		return error;
	if (info.status & SMILE_INFO_RUNNING)
		return smile_error(EBUSY, "the card is running: stop it before its static tables "
					  "are set");
	/* First read the records that were counted with the old tables. */
	error = Monitor_swap(mon);
	/*
	 * Get the configuration only after the swap. Before it, the card can have the configuration
	 * of an earlier owner.
	 */
	if (error >= 0)
		error = source->ops->info(source, &info);
	if (!error && info.config.mode & SMILE_MODE_NARROW)
		error = smile_static_narrow_check(tables);
	if (error < 0)
		return error;
	if (mon->writer && mon->histogram.static_delivered)
		return smile_error(EBUSY, "the static tables cannot change once their counts are "
					  "in the recording: set them first, then start");
	error = source->ops->static_set(source, tables);
	if (error < 0 || !mon->writer || mon->writer_failed)
		return error;
	mon->writer_failed = smile_recording_static(mon->writer, tables);
	return mon->writer_failed;
}

int Monitor_static_info(struct Monitor *mon, struct smile_static *tables)
{
	struct smile_source *source = mon->streams[0].source;
	struct smile_static filled;
	struct smile_info info;
	int error = source->ops->info(source, &info);

	if (error < 0)
		return error;
	if (!info.static_counters || !source->ops->static_info)
		return no_static_array();
	error = source->ops->static_info(source, &filled);
	if (!error)
		*tables = filled;
	return error;
}

int Monitor_static_counts(struct Monitor *mon, uint64_t *counts, size_t phases)
{
	size_t there = smile_histogram_phases(&mon->histogram);

	for (size_t phase = 0; phase < phases; phase++)
		for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++)
			counts[phase * SMILE_STATIC_COUNTERS + i] =
				smile_histogram_static(&mon->histogram, (uint32_t)phase, i);
	return (int)there;
}

/*
 * Get the count of a static counter over all phases, from all records that were processed so far.
 */
static uint64_t counted(struct Monitor *mon, unsigned int counter)
{
	size_t phases = smile_histogram_phases(&mon->histogram);
	uint64_t count = 0;

	for (size_t phase = 0; phase < phases; phase++)
		count += smile_histogram_static(&mon->histogram, (uint32_t)phase, counter);
	return count;
}

int Monitor_static_reset(struct Monitor *mon, unsigned int counter, uint64_t *count)
{
	struct smile_static tables;
	struct smile_info info;
	uint64_t all;
	int error = Monitor_static_info(mon, &tables);

	if (error < 0)
		return error;
	/*
	 * A part of a merged view has no counts of its own. The view has only the static counts of
	 * its first part.
	 */
	if (mon->cards || mon->view)
		return smile_error(EOPNOTSUPP,
				   "the static counters of merged cards cannot be reset");
	if (counter >= SMILE_STATIC_COUNTERS ||
	    !(tables.counter[counter] & SMILE_STATIC_COUNTER_COUNT_VALID))
		return smile_error(EINVAL,
				   "static counter %u is not in use: see "
				   "Monitor_static_counter()",
				   counter);
	error = mon->streams[0].source->ops->info(mon->streams[0].source, &info);
	if (error < 0)
		return error;
	if (!(info.config.mode & SMILE_MODE_STATIC))
		return smile_error(EINVAL, "the static counters do not count: set "
					   "SMILE_MODE_STATIC by Monitor_config_set()");
	error = smile_monitor_static_swap(mon, counter);
	if (error < 0)
		return error;
	all = counted(mon, counter);
	if (count)
		*count = all - mon->static_read[counter];
	mon->static_read[counter] = all;
	return 0;
}
