/* SPDX-License-Identifier: MIT */
/*
 * Monitor: connects sources with the histogram and the recording.
 *
 * What lives here: the public functions that open, attach, close and run a source; and the only
 * code that reads records from a source. A source is used only through the functions in its ops.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <base/field.h>
#include <hw/blink.h>

#include "lib/source/config_check.h"
#include "lib/base/error.h"
#include "lib/monitor/follow.h"
#include "lib/monitor/merge.h"
#include "lib/monitor/program_names.h"
#include "lib/source/static_tables.h"

/* ---- source --------------------------------------------------------------------------------- */

static int source_open(struct smile_source **out, const char *name)
{
	const struct smile_source_ops *kind;
	const char *rest;

	kind = smile_source_kind(name, &rest);
	return kind ? kind->open(out, rest) : -EINVAL;
}

static int stream_add(struct Monitor *mon, struct smile_source *source)
{
	struct monitor_stream *streams;
	struct smile_config *merged;
	struct smile_info info;
	size_t count = mon->streams_count + 1;
	int error = source->ops->info(source, &info);

	if (error < 0)
		return error;
	for (size_t i = 0; i < mon->streams_count; i++) {
		if (mon->streams[i].context.config.node == info.config.node)
			return smile_error(EEXIST,
					   "a recording of node %u is in the view already: one of "
					   "each node can be merged",
					   info.config.node);
		if ((mon->streams[i].context.config.mode ^ info.config.mode) & SMILE_MODE_NARROW)
			return smile_error(
				EINVAL,
				"the recording of node %u cannot be merged: of two cards "
				"with narrow and with wide node ids, each names nodes and "
				"addresses in its own way",
				info.config.node);
	}
	streams = realloc(mon->streams, count * sizeof(*streams));
	if (!streams)
		return smile_error(ENOMEM, "no memory for one more source");
	mon->streams = streams;
	merged = realloc(mon->merged, count * sizeof(*merged));
	if (!merged)
		return smile_error(ENOMEM, "no memory for one more source");
	mon->merged = merged;

	streams[count - 1] = (struct monitor_stream){
		.source = source,
		.context.config = info.config,
		.context.other = count > 1,
	};
	merged[count - 1] = info.config;
	mon->streams_count = count;
	for (size_t i = 0; i < count; i++) {
		streams[i].context.merged = merged;
		streams[i].context.merged_count = count > 1 ? count : 0;
	}
	smile_histogram_node(&mon->histogram, info.config.node);
	return 0;
}

/* Get the map of the program that a source has. */
static const struct map *source_map(struct smile_source *source)
{
	static const struct map none;

	return source->ops->map ? source->ops->map(source) : &none;
}

/* Replace mon->map by @sum, which is the sum of mon->map and another map. */
static void program_replace(struct Monitor *mon, struct map *sum)
{
	smile_catalogue_drop(mon);
	smile_histogram_free(&mon->accesses);
	mon->accesses = (struct histogram){0};
	mon->accesses_shown = 0;
	smile_map_keep(sum, &mon->map);
	smile_map_free(&mon->map);
	mon->map = *sum;
}

void smile_program_write(struct Monitor *mon)
{
	if (mon->writer && !mon->writer_failed)
		mon->writer_failed = smile_recording_known(mon->writer, &mon->map);
}

int smile_program_join(struct Monitor *mon, struct smile_source *source, const char *name)
{
	struct map sum = {0};
	int error = smile_map_sum(&sum, &mon->map, source_map(source), name);

	if (!error)
		program_replace(mon, &sum);
	return error;
}

int smile_source_join(struct Monitor *mon, struct smile_source *source, const char *name)
{
	struct map sum = {0};
	int error = smile_map_sum(&sum, &mon->map, source_map(source), name);

	if (error < 0)
		return error;
	error = stream_add(mon, source);
	if (error < 0)
		smile_map_free(&sum);
	else
		program_replace(mon, &sum);
	return error;
}

int Monitor_open(struct Monitor **out, const char *source)
{
	struct Monitor *mon = calloc(1, sizeof(*mon));
	struct smile_source *opened;
	int error;

	if (!mon)
		return smile_error(ENOMEM, "no memory to open %s", source);
	mon->name = strdup(strncmp(source, "file:", 5) ? source : source + 5);
	error = mon->name ? source_open(&opened, source)
			  : smile_error(ENOMEM, "no memory to open %s", source);
	if (!error) {
		error = smile_source_join(mon, opened, source);
		if (error < 0)
			opened->ops->close(opened);
	}
	if (error < 0) {
		Monitor_close(mon);
		return error;
	}
	*out = mon;
	return 0;
}

int Monitor_attach(struct Monitor *mon, const char *source)
{
	const struct smile_source_ops *kind;
	struct smile_source *opened;
	const char *rest;
	int error;

	kind = smile_source_kind(source, &rest);
	if (!kind)
		return -EINVAL;
	if (mon->cards || kind != &smile_source_file ||
	    mon->streams[0].source->ops != &smile_source_file)
		return smile_error(EINVAL,
				   "%s cannot be attached: only a recording to "
				   "recordings can; Monitor_merge() merges cards",
				   source);
	if (mon->view)
		return smile_error(EINVAL,
				   "%s cannot be attached: %s is a part of a merged view; merge "
				   "all recordings by one call",
				   source, mon->name);
	if (mon->reading)
		return smile_error(EBUSY, "%s cannot be merged: records were read already", source);
	error = kind->open(&opened, rest);
	if (error < 0)
		return error;
	error = smile_source_join(mon, opened, rest);
	if (error < 0)
		opened->ops->close(opened);
	else if (mon->following)
		smile_follow_begin(&mon->streams[mon->streams_count - 1]);
	return error;
}

int Monitor_close(struct Monitor *mon)
{
	int error;

	if (!mon)
		return 0;
	error = smile_save_end(mon);
	if (!error && mon->swapped)
		error = smile_loss_check(mon);
	for (size_t i = 0; i < mon->streams_count; i++) {
		if (!mon->cards)
			mon->streams[i].source->ops->close(mon->streams[i].source);
		smile_histogram_stream_free(&mon->streams[i].context);
		free(mon->streams[i].context.marks);
	}
	if (mon->cards)
		smile_merged_part(mon);
	if (mon->exact)
		smile_exact_free(mon->exact);
	free(mon->exact);
	smile_histogram_free(&mon->histogram);
	smile_histogram_free(&mon->accesses);
	smile_catalogue_drop(mon);
	smile_names_free(mon->names);
	smile_map_free(&mon->map);
	free(mon->streams);
	free(mon->merged);
	free(mon->name);
	free(mon);
	return error;
}

/* ---- run ------------------------------------------------------------------------------------ */

static struct smile_source *first(struct Monitor *mon)
{
	return mon->streams[0].source;
}

static int not_for(struct Monitor *mon, const char *what)
{
	if (mon->cards)
		return smile_error(EOPNOTSUPP, "a merged view cannot %s: its parts can", what);
	return smile_error(EOPNOTSUPP, "a source of kind \"%s:\" cannot %s",
			   first(mon)->ops->prefix, what);
}

int Monitor_info(struct Monitor *mon, struct smile_info *info)
{
	struct smile_info filled;
	int error = first(mon)->ops->info(first(mon), &filled);

	if (!error)
		*info = filled;
	return error;
}

/*
 * The header of a recording has only one configuration. Some of its members determine the meaning
 * of the records, alone or together with the records of other recordings. These members must not
 * change within a recording. The other members may change.
 */
#define MEANING_MODES (SMILE_MODE_TYPED_TAGS | SMILE_MODE_NO_DYNAMIC | SMILE_MODE_NARROW)

static int same_meaning(const struct smile_config *left, const struct smile_config *right)
{
	return left->node == right->node && left->filter == right->filter &&
	       !((left->mode ^ right->mode) & MEANING_MODES);
}

/*
 * Check whether @config can replace the present configuration. This process must own the card, and
 * the card must be stopped and swapped out.
 */
static int follow_check(struct Monitor *mon, const struct smile_config *config,
			const struct smile_config *before)
{
	struct smile_static tables;
	int error;

	if (mon->writer && !same_meaning(config, before))
		return smile_error(EBUSY, "node id, filter, typed tags, narrow node ids and "
					  "whether the dynamic array counts cannot change while a "
					  "recording is saved: configure first, then save");
	if (mon->exact && smile_counting_check(config, before) < 0)
		return -EBUSY;
	if (!(config->mode & SMILE_MODE_NARROW))
		return 0;
	error = Monitor_static_info(mon, &tables);
	if (error < 0)
		return error == -EOPNOTSUPP ? 0 : error;
	return smile_static_narrow_check(&tables);
}

static int configure(struct Monitor *mon, const struct smile_config *config,
		     struct smile_info *info)
{
	int error;

	if (info->status & SMILE_INFO_RUNNING)
		return smile_error(EBUSY, "the card is running: stop it before it is configured");
	/* First read all counts that were made with the old configuration. */
	error = Monitor_swap(mon);
	/*
	 * Get the configuration only after Monitor_swap(). Before it, the card can have the
	 * configuration of an earlier owner.
	 */
	if (error >= 0)
		error = first(mon)->ops->info(first(mon), info);
	if (!error)
		error = follow_check(mon, config, &info->config);
	return error < 0 ? error : first(mon)->ops->configure(first(mon), config);
}

static int config_set(struct Monitor *mon, const struct smile_config *config)
{
	struct smile_info info;
	int error;

	if (!first(mon)->ops->configure)
		return not_for(mon, "be configured");
	error = first(mon)->ops->info(first(mon), &info);
	if (!error)
		error = smile_config_check(config, info.entries_max);
	if (!error)
		error = smile_config_support(config, &info);
	if (!error)
		error = configure(mon, config, &info);
	if (error < 0)
		return error;
	mon->configured = 1;
	mon->merged[0] = *config;
	mon->streams[0].context.config = *config;
	smile_histogram_node(&mon->histogram, config->node);
	smile_merged_configured(mon, config);
	if (!mon->writer || mon->writer_failed)
		return 0;
	info.config = *config;
	mon->writer_failed = smile_recording_configure(mon->writer, &info);
	return mon->writer_failed;
}

static int part_config_set(struct Monitor *part, const void *argument)
{
	struct smile_config config = *(const struct smile_config *)argument;

	config.node = part->streams[0].context.config.node;
	return config_set(part, &config);
}

int Monitor_config_set(struct Monitor *mon, const struct smile_config *config)
{
	if (mon->cards)
		return smile_merged_act(mon, "configured", part_config_set, config);
	if (mon->view)
		return smile_error(EBUSY, "%s is merged: configure the view, which configures all",
				   mon->name);
	return config_set(mon, config);
}

/* Set the default configuration, except the node id and the static tables, which the card keeps. */
static int configure_default(struct Monitor *mon)
{
	struct smile_config config;
	struct smile_static tables;
	struct smile_info info;
	/*
	 * Swap out the counters first, because otherwise the card could report the node id and the
	 * tables of an earlier owner.
	 */
	int error = Monitor_swap(mon);

	if (error >= 0)
		error = first(mon)->ops->info(first(mon), &info);
	if (error < 0)
		return error;
	Monitor_config_default(&config);
	config.node = info.config.node;
	error = Monitor_static_info(mon, &tables);
	if (error < 0 && error != -EOPNOTSUPP)
		return error;
	if (!error && smile_static_counts(&tables))
		config.mode |= SMILE_MODE_STATIC;
	return config_set(mon, &config);
}

static int part_start(struct Monitor *part, const void *argument)
{
	return Monitor_start(part);
}

int Monitor_start(struct Monitor *mon)
{
	int error;

	if (mon->cards)
		return smile_merged_act(mon, "started", part_start, NULL);
	if (!first(mon)->ops->start)
		return not_for(mon, "be started");
	if (!mon->configured) {
		error = configure_default(mon);
		if (error < 0)
			return error;
	}
	mon->swapped = 0;
	error = first(mon)->ops->start(first(mon));
	if (error < 0)
		return error;
	error = smile_save_begin(mon);
	if (error < 0 && first(mon)->ops->stop)
		first(mon)->ops->stop(first(mon));
	else
		smile_clocks_read(mon);
	return error;
}

static int part_stop(struct Monitor *part, const void *argument)
{
	return Monitor_stop(part);
}

int Monitor_stop(struct Monitor *mon)
{
	if (mon->cards)
		return smile_merged_act(mon, "stopped", part_stop, NULL);
	if (!first(mon)->ops->stop)
		return not_for(mon, "be stopped");
	return first(mon)->ops->stop(first(mon));
}

static int part_event(struct Monitor *part, const void *argument)
{
	return Monitor_event(part, *(const unsigned int *)argument);
}

int Monitor_event(struct Monitor *mon, unsigned int event)
{
	if (mon->cards)
		return smile_merged_act(mon, "marked", part_event, &event);
	if (!first(mon)->ops->event)
		return not_for(mon, "raise events");
	/* The ids from SMILE_EVENT_RESET on are reserved for the driver. */
	if (event >= SMILE_EVENT_RESET)
		return smile_error(EINVAL, "event %u is out of range: use 0 to %u", event,
				   SMILE_EVENT_RESET - 1);
	/* The card writes a record of the event even if it is stopped. */
	mon->swapped = 0;
	return first(mon)->ops->event(first(mon), event);
}

int Monitor_packets(struct Monitor *mon, const struct Monitor_frame *frames, size_t count)
{
	if (mon->cards || !first(mon)->ops->packets)
		return not_for(mon, "be passed packets");
	return first(mon)->ops->packets(first(mon), frames, count < INT_MAX ? count : INT_MAX);
}

uint64_t Monitor_request(unsigned int source, unsigned int target, unsigned int type,
			 uint64_t address)
{
	return SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)target) |
	       SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)type) |
	       SMILE_PUT(BLINK_REQUEST_ADDRESS, address);
}

int Monitor_requests(struct Monitor *mon, const uint64_t *requests, const uint64_t *times_ns,
		     size_t count)
{
	if (mon->cards || !first(mon)->ops->requests)
		return not_for(mon, "be passed packets");
	return first(mon)->ops->requests(first(mon), requests, times_ns,
					 count < INT_MAX ? count : INT_MAX);
}

int Monitor_packet(struct Monitor *mon, const void *frame, size_t bytes, uint64_t time_ns)
{
	struct Monitor_frame one = {.frame = frame, .bytes = bytes, .time_ns = time_ns};
	int passed = Monitor_packets(mon, &one, 1);

	return passed < 0 ? passed : 0;
}

/* ---- record --------------------------------------------------------------------------------- */

/* Store an error, with its message, for the next read. */
static void defer(struct Monitor *mon, int error)
{
	if (mon->deferred)
		return;
	mon->deferred = error;
	snprintf(mon->deferred_text, sizeof(mon->deferred_text), "%s", Monitor_error_message());
}

static int report_deferred(struct Monitor *mon)
{
	int error = -mon->deferred;

	mon->deferred = 0;
	return smile_error(error, "%s", mon->deferred_text);
}

/*
 * Save records, and then count them. Only this function adds records to a Monitor. The source no
 * longer has the records, so all of them must be counted, even if one is invalid or the recording
 * cannot be written. The next read reports such an error.
 */
void smile_take_in(struct Monitor *mon, struct monitor_stream *stream,
		   const struct smile_record *records, size_t count)
{
	int error, marks = 0;

	mon->records += count + stream->source->added_up;
	stream->source->added_up = 0;
	if (mon->writer && !mon->writer_failed) {
		mon->writer_failed = smile_save_records(mon, records, count);
		if (mon->writer_failed)
			defer(mon, mon->writer_failed);
	}
	for (size_t i = 0; i < count; i++) {
		error = 0;
		if (mon->account_only)
			i += smile_histogram_account_many(&mon->histogram, records + i, count - i);
		else
			i += smile_histogram_add_many(&mon->histogram, &stream->context,
						      records + i, count - i, &error);
		if (error < 0)
			defer(mon, error);
		if (i == count)
			break;
		if (mon->account_only)
			error = smile_histogram_account(&mon->histogram, &records[i]);
		else
			error = smile_histogram_add(&mon->histogram, &stream->context, &records[i]);
		if (error < 0)
			defer(mon, error);
		marks |= SMILE_GET(SMILE_RECORD_KIND, le32toh(records[i].word[0])) ==
			 SMILE_KIND_EVENT;
	}
	if (marks)
		smile_clocks_read(mon);
	smile_merged_take_in(mon, records, count);
}

/*
 * Write the buffer to the file, so that a process that follows the recording need not wait for the
 * next records.
 */
static void flush(struct Monitor *mon)
{
	if (!mon->writer || mon->writer_failed)
		return;
	mon->writer_failed = smile_exact_rest(mon);
	if (!mon->writer_failed)
		mon->writer_failed = smile_recording_flush(mon->writer);
	if (mon->writer_failed)
		defer(mon, mon->writer_failed);
}

/*
 * Return how the source must return the records of a page. Their sums are sufficient if the view
 * does not distinguish the records.
 */
static enum source_wanted wanted(void *opaque, uint64_t page)
{
	struct Monitor *mon = opaque;

	return histogram_has_ranges(&mon->histogram, page) ? SOURCE_RECORDS : SOURCE_SUMS;
}

/*
 * Read records of the current stream. @records: the caller's array, or @mon->batch if the caller
 * does not want the records.
 */
static int pull(struct Monitor *mon, struct smile_record *records, size_t capacity, int timeout_ms)
{
	struct monitor_stream *stream;
	int got;

	mon->reading = 1;
	if (mon->cards)
		return smile_merged_read(mon, records, capacity, timeout_ms);
	if (mon->following)
		return smile_follow(mon, records, capacity, timeout_ms);
	for (;; mon->current++) {
		stream = &mon->streams[mon->current];
		stream->source->wanted = records == mon->batch && !mon->writer ? wanted : NULL;
		stream->source->opaque = mon;
		got = smile_names_read(mon, stream->source, records, capacity, timeout_ms);
		if (got > 0)
			smile_take_in(mon, stream, records, (size_t)got);
		else
			flush(mon);
		if (got || mon->current + 1 == mon->streams_count)
			return got;
	}
}

int Monitor_records_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
			 int timeout_ms)
{
	if (mon->deferred)
		return report_deferred(mon);
	if (!capacity)
		return smile_error(EINVAL, "no room for any record: give a capacity of 1 at least");
	return pull(mon, records, capacity < MONITOR_BATCH ? capacity : MONITOR_BATCH, timeout_ms);
}

int Monitor_poll(struct Monitor *mon, int timeout_ms)
{
	return Monitor_records_read(mon, mon->batch, MONITOR_BATCH, timeout_ms);
}

static int is_stopped(struct Monitor *mon)
{
	struct smile_info info;

	return first(mon)->ops->info(first(mon), &info) == 0 && !(info.status & SMILE_INFO_RUNNING);
}

/* Swap out one static counter, or all counters if @counter is -1, and read the records. */
static int swap_out(struct Monitor *mon, int counter)
{
	const struct smile_source_ops *ops = first(mon)->ops;
	int taken = 0, got, error;

	do {
		error = counter < 0 ? ops->swap(first(mon))
				    : ops->static_swap(first(mon), (unsigned int)counter);
		if (error < 0 && error != -EAGAIN)
			return error;
		while ((got = pull(mon, mon->batch, MONITOR_BATCH, 0)) > 0)
			taken += got;
		if (got < 0)
			return got;
	} while (error == -EAGAIN);
	return taken;
}

static int part_swap(struct Monitor *part, const void *argument)
{
	return Monitor_swap(part);
}

int Monitor_swap(struct Monitor *mon)
{
	int taken;

	if (mon->cards)
		return smile_merged_act(mon, "swapped out", part_swap, NULL);
	if (!first(mon)->ops->swap)
		return not_for(mon, "be swapped out");
	taken = swap_out(mon, -1);
	if (taken < 0)
		return taken;
	mon->swapped = is_stopped(mon);
	return mon->deferred ? report_deferred(mon) : taken;
}

int smile_monitor_static_swap(struct Monitor *mon, unsigned int counter)
{
	int taken;

	if (!first(mon)->ops->static_swap)
		return not_for(mon, "have its static counters reset");
	taken = swap_out(mon, (int)counter);
	if (taken < 0)
		return taken;
	return mon->deferred ? report_deferred(mon) : taken;
}

int Monitor_ended(struct Monitor *mon)
{
	for (size_t i = 0; i < mon->streams_count; i++)
		if (!mon->streams[i].source->ops->ended(mon->streams[i].source))
			return 0;
	return 1;
}

int smile_page_counts_known(const struct Monitor *mon)
{
	if (!mon->histogram.nodes_only)
		return 0;
	return smile_error(ENODATA,
			   "pages were not distinguished: Monitor_nodes_only() left them out");
}

int Monitor_origin(struct Monitor *mon, struct Monitor_origin *origin)
{
	if (!first(mon)->ops->origin)
		return not_for(mon, "report where it was recorded: only recordings can");
	return first(mon)->ops->origin(first(mon), origin);
}
