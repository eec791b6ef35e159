/* SPDX-License-Identifier: MIT */
/*
 * Monitor: sources joined with the histogram and the recording.
 *
 * What lives here: open, attach, close, run, and the one place where records are taken in. It knows
 * the sources by their ops alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/config.h"
#include "lib/error.h"
#include "lib/monitor.h"

/* ---- source --------------------------------------------------------------------------------- */

static const struct smile_source_ops *const kinds[] = {
	&smile_source_dev,  &smile_source_read, &smile_source_emu,
	&smile_source_file, &smile_source_pci,
};

/* "kind:rest", or the path of a recording. A path may hold a colon if it holds a slash before. */
static int source_open(struct smile_source **out, const char *name)
{
	size_t length = strcspn(name, ":/");

	if (name[length] != ':')
		return smile_source_file.open(out, name);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strlen(kinds[i]->prefix) == length && !memcmp(kinds[i]->prefix, name, length))
			return kinds[i]->open(out, name + length + 1);
	}
	return smile_error(EINVAL,
			   "\"%s\" is no source: use dev:N, read:N, emu:[CAPTURE], pci:ADDRESS or "
			   "file:RECORDING",
			   name);
}

static int stream_add(struct Monitor *mon, struct smile_source *source)
{
	struct monitor_stream *streams;
	struct smile_info info;
	uint32_t *covered;
	size_t count = mon->streams_count + 1;
	int error = source->ops->info(source, &info);

	if (error < 0)
		return error;
	for (size_t i = 0; i < mon->streams_count; i++) {
		if (mon->covered[i] == info.config.node)
			return smile_error(EEXIST,
					   "a recording of node %u is in the view already: one of "
					   "each node can be merged",
					   info.config.node);
	}
	streams = realloc(mon->streams, count * sizeof(*streams));
	if (streams)
		mon->streams = streams;
	covered = realloc(mon->covered, count * sizeof(*covered));
	if (covered)
		mon->covered = covered;
	if (!streams || !covered)
		return smile_error(ENOMEM, "no memory for one more source");

	mon->streams[count - 1] = (struct monitor_stream){
		.source = source,
		.context.node = info.config.node,
		.context.responses = !(info.config.filter & SMILE_FILTER_REQUEST),
	};
	mon->covered[count - 1] = info.config.node;
	mon->streams_count = count;
	for (size_t i = 0; count > 1 && i < count; i++) {
		mon->streams[i].context.covered = mon->covered;
		mon->streams[i].context.covered_count = count;
	}
	smile_histogram_node(&mon->histogram, info.config.node);
	return 0;
}

int Monitor_open(struct Monitor **out, const char *source)
{
	struct Monitor *mon = calloc(1, sizeof(*mon));
	struct smile_source *opened;
	int error;

	if (!mon)
		return smile_error(ENOMEM, "no memory to open %s", source);
	error = source_open(&opened, source);
	if (!error) {
		error = stream_add(mon, opened);
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
	struct smile_source *opened;
	int error;

	if (mon->streams[0].source->ops != &smile_source_file)
		return smile_error(EINVAL, "only recordings can be merged");
	if (mon->reading)
		return smile_error(EBUSY, "%s cannot be merged: records were read already", source);
	error = source_open(&opened, source);
	if (error < 0)
		return error;
	if (opened->ops != &smile_source_file)
		error = smile_error(EINVAL, "%s is no recording: only recordings can be merged",
				    source);
	else
		error = stream_add(mon, opened);
	if (error < 0)
		opened->ops->close(opened);
	return error;
}

int Monitor_close(struct Monitor *mon)
{
	int error = 0;

	if (!mon)
		return 0;
	if (mon->writer) {
		struct smile_statistics statistics;
		int known = Monitor_statistics(mon, &statistics);

		error = smile_recording_finish(mon->writer, known < 0 ? NULL : &statistics);
	}
	for (size_t i = 0; i < mon->streams_count; i++)
		mon->streams[i].source->ops->close(mon->streams[i].source);
	smile_histogram_free(&mon->histogram);
	free(mon->streams);
	free(mon->covered);
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
 * A recording's header has one configuration. Node id and direction of counting decide what its
 * records mean, so they cannot change within one; the rest may.
 */
static int same_meaning(const struct smile_config *left, const struct smile_config *right)
{
	return left->node == right->node &&
	       !((left->filter ^ right->filter) & SMILE_FILTER_REQUEST);
}

int Monitor_config_set(struct Monitor *mon, const struct smile_config *config)
{
	struct smile_info info;
	int error;

	if (!first(mon)->ops->configure)
		return not_for(mon, "be configured");
	error = first(mon)->ops->info(first(mon), &info);
	if (!error)
		error = smile_config_check(config, info.entries_max);
	if (!error && mon->writer && !same_meaning(config, &info.config))
		error = smile_error(EBUSY, "node id and kind of packets cannot change while a "
					   "recording is saved: configure first, then save");
	if (!error)
		error = first(mon)->ops->configure(first(mon), config);
	if (error < 0)
		return error;
	mon->configured = 1;
	mon->covered[0] = config->node;
	mon->streams[0].context.node = config->node;
	mon->streams[0].context.responses = !(config->filter & SMILE_FILTER_REQUEST);
	smile_histogram_node(&mon->histogram, config->node);
	if (!mon->writer)
		return 0;
	info.config = *config;
	return smile_recording_configure(mon->writer, &info);
}

int Monitor_start(struct Monitor *mon)
{
	struct smile_config config;
	struct smile_info info;
	int error;

	if (!first(mon)->ops->start)
		return not_for(mon, "be started");
	if (!mon->configured) {
		error = first(mon)->ops->info(first(mon), &info);
		if (error < 0)
			return error;
		Monitor_config_default(&config);
		config.node = info.config.node;
		error = Monitor_config_set(mon, &config);
		if (error < 0)
			return error;
	}
	return first(mon)->ops->start(first(mon));
}

int Monitor_stop(struct Monitor *mon)
{
	if (!first(mon)->ops->stop)
		return not_for(mon, "be stopped");
	return first(mon)->ops->stop(first(mon));
}

int Monitor_swap(struct Monitor *mon)
{
	int taken = 0, got, error;

	if (!first(mon)->ops->swap)
		return not_for(mon, "be swapped out");
	do {
		error = first(mon)->ops->swap(first(mon));
		if (error < 0 && error != -EAGAIN)
			return error;
		while ((got = Monitor_poll(mon, 0)) > 0)
			taken += got;
		if (got < 0)
			return got;
	} while (error == -EAGAIN);
	return taken;
}

int Monitor_event(struct Monitor *mon, unsigned int event)
{
	if (!first(mon)->ops->event)
		return not_for(mon, "raise events");
	if (event > UINT16_MAX)
		return smile_error(EINVAL, "event %u is out of range: use 0 to 65535", event);
	return first(mon)->ops->event(first(mon), event);
}

int Monitor_packet(struct Monitor *mon, const void *frame, size_t bytes, uint64_t time_ns)
{
	if (!first(mon)->ops->packet)
		return not_for(mon, "be passed packets");
	return first(mon)->ops->packet(first(mon), frame, bytes, time_ns);
}

/* ---- record --------------------------------------------------------------------------------- */

/*
 * The one place where records are taken in: saved first, then counted. A record that makes no sense
 * is kept in the recording, handed out like the others and reported by the next read, so that it
 * hides none of those around it.
 */
static int take_in(struct Monitor *mon, struct monitor_stream *stream,
		   const struct smile_record *records, size_t count)
{
	int error;

	if (mon->writer) {
		error = smile_recording_append(mon->writer, records, count);
		if (error < 0)
			return error;
	}
	for (size_t i = 0; i < count; i++) {
		error = smile_histogram_add(&mon->histogram, &stream->context, &records[i]);
		if (error < 0 && !mon->deferred) {
			mon->deferred = error;
			snprintf(mon->deferred_text, sizeof(mon->deferred_text), "%s",
				 Monitor_error_message());
		}
	}
	return 0;
}

static int report_deferred(struct Monitor *mon)
{
	int error = -mon->deferred;

	mon->deferred = 0;
	return smile_error(error, "%s", mon->deferred_text);
}

int Monitor_records_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
			 int timeout_ms)
{
	struct monitor_stream *stream;
	int got, error;

	if (mon->deferred)
		return report_deferred(mon);
	if (capacity > MONITOR_BATCH)
		capacity = MONITOR_BATCH;
	mon->reading = 1;
	for (; mon->current < mon->streams_count; mon->current++) {
		stream = &mon->streams[mon->current];
		got = stream->source->ops->read(stream->source, records, capacity, timeout_ms);
		if (got < 0)
			return got;
		if (got > 0) {
			error = take_in(mon, stream, records, (size_t)got);
			return error < 0 ? error : got;
		}
		if (mon->current + 1 == mon->streams_count)
			return 0;
	}
	return 0;
}

int Monitor_poll(struct Monitor *mon, int timeout_ms)
{
	return Monitor_records_read(mon, mon->batch, MONITOR_BATCH, timeout_ms);
}

int Monitor_ended(struct Monitor *mon)
{
	struct smile_source *last = mon->streams[mon->streams_count - 1].source;

	return last->ops->ended(last);
}

/* ---- recording, statistics, loss --------------------------------------------------------------
 */

int Monitor_save(struct Monitor *mon, const char *path, const char *command_line)
{
	struct smile_info info;
	int error;

	if (mon->writer)
		return smile_error(EBUSY, "%s cannot be saved: a recording is being saved already",
				   path);
	error = Monitor_info(mon, &info);
	if (error < 0)
		return error;
	return smile_recording_create(&mon->writer, path, command_line, &info);
}

int Monitor_origin(struct Monitor *mon, struct Monitor_origin *origin)
{
	if (!first(mon)->ops->origin)
		return not_for(mon, "say where it was recorded: only recordings can");
	return first(mon)->ops->origin(first(mon), origin);
}

int Monitor_statistics(struct Monitor *mon, struct smile_statistics *statistics)
{
	struct smile_statistics sum = {0}, one;
	const __u64 *add = (const __u64 *)&one;
	__u64 *to = (__u64 *)&sum;
	int error;

	for (size_t i = 0; i < mon->streams_count; i++) {
		struct smile_source *source = mon->streams[i].source;

		error = source->ops->statistics(source, &one);
		if (error < 0)
			return error;
		/* The first eight bytes are size and status; the rest are counters. */
		for (size_t j = 1; j < sizeof(sum) / sizeof(*to); j++)
			to[j] += add[j];
		sum.status |= one.status;
	}
	sum.size = sizeof(sum);
	*statistics = sum;
	return 0;
}

int Monitor_loss(struct Monitor *mon, struct Monitor_loss *loss)
{
	struct smile_statistics statistics;
	struct Monitor_loss account = {
		.delivered = mon->histogram.delivered,
		.lost = mon->histogram.lost,
		.marks_lost = mon->histogram.marks_lost,
	};
	int error = Monitor_statistics(mon, &statistics);

	if (error < 0 && error != -ENODATA)
		return error;
	if (!error) {
		account.known = 1;
		account.accepted = statistics.events_accepted;
		if (account.accepted > account.delivered + account.lost)
			account.pending = account.accepted - account.delivered - account.lost;
		account.balanced = account.accepted == account.delivered + account.lost;
	}
	*loss = account;
	return 0;
}
