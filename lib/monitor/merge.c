/* SPDX-License-Identifier: MIT */
/*
 * Merge: makes one view of several Monitors. Each of these Monitors stays usable.
 *
 * What lives here: the parts of a merged view. A part reads its source, saves its recording and
 * keeps its own loss account. The view counts the records that each part reads. It applies the rule
 * for merged recordings, which avoids counting a transaction twice (histogram.c).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/monitor/follow.h"
#include "lib/monitor/merge.h"

/* The largest number of bytes of each part's message. A longer message is cut off. */
#define MERGE_TEXT_BYTES 400

static unsigned int node_of(const struct Monitor *part)
{
	return part->streams[0].context.config.node;
}

static int is_recording(const struct Monitor *part)
{
	return part->streams[0].source->ops == &smile_source_file;
}

/* ---- merge ---------------------------------------------------------------------------------- */

static int part_check(struct Monitor *const *parts, size_t index)
{
	const struct Monitor *part = parts[index];

	if (part->view || part->cards || part->streams_count > 1)
		return smile_error(EINVAL, "%s is a part of a merged view, or one itself",
				   part->name);
	if (part->records)
		return smile_error(EBUSY, "%s cannot be merged: records were read already",
				   part->name);
	if (is_recording(part) != is_recording(parts[0]))
		return smile_error(EINVAL,
				   "%s and %s cannot be merged: one counts, the other is a "
				   "recording",
				   parts[0]->name, part->name);
	for (size_t i = 0; i < index; i++)
		if (node_of(parts[i]) == node_of(part))
			return smile_error(EEXIST,
					   "%s and %s are both of node %u: one of each node can "
					   "be merged",
					   parts[i]->name, part->name, node_of(part));
	return 0;
}

int Monitor_merge(struct Monitor **out, struct Monitor *const *parts, size_t count)
{
	struct smile_statistics statistics;
	struct Monitor *mon;
	int error = count ? 0 : smile_error(EINVAL, "no Monitor was given that could be merged");

	for (size_t i = 0; i < count && !error; i++)
		error = part_check(parts, i);
	if (error < 0)
		return error;
	mon = calloc(1, sizeof(*mon));
	if (mon)
		mon->cards = calloc(count, sizeof(struct Monitor *));
	if (!mon || !mon->cards) {
		free(mon);
		return smile_error(ENOMEM, "no memory to merge %zu sources", count);
	}
	for (size_t i = 0; i < count && !error; i++) {
		error = smile_source_join(mon, parts[i]->streams[0].source, parts[i]->name);
		if (!error)
			mon->cards[i] = parts[i];
	}
	for (size_t i = 0; i < count && !error; i++) {
		parts[i]->view = mon;
		parts[i]->view_stream = i;
		parts[i]->account_only = 1;
		/*
		 * Read the card's statistics now, so that they are known even if the card is
		 * removed soon.
		 */
		smile_merged_statistics(mon, i, &statistics);
	}
	if (error < 0)
		Monitor_close(mon);
	else
		*out = mon;
	return error;
}

void smile_merged_part(struct Monitor *mon)
{
	for (size_t i = 0; i < mon->streams_count; i++)
		if (mon->cards[i])
			mon->cards[i]->view = NULL;
	free(mon->cards);
}

/* ---- all parts ------------------------------------------------------------------------------ */

/* Append to a text. If the text is too long, cut off its end. */
__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, MERGE_TEXT_BYTES - length, format, arguments);
	va_end(arguments);
}

int smile_merged_act(struct Monitor *mon, const char *done,
		     int (*act)(struct Monitor *part, const void *argument), const void *argument)
{
	char failed[MERGE_TEXT_BYTES] = "", others[MERGE_TEXT_BYTES] = "";
	int sum = 0, error = 0;

	for (size_t i = 0; i < mon->streams_count; i++) {
		struct Monitor *part = mon->cards[i];
		int result = act(part, argument);

		if (result >= 0) {
			append(others, "%s%u", *others ? ", " : "", node_of(part));
			sum += result;
			continue;
		}
		append(failed, "%snode %u (%s): %s", *failed ? "; " : "", node_of(part), part->name,
		       Monitor_error_message());
		error = error ? error : result;
	}
	if (!error)
		return sum;
	return smile_error(-error, "not %s: %s; %s: %s%s", done, failed, done,
			   *others ? "node " : "no node", others);
}

/* ---- records -------------------------------------------------------------------------------- */

void smile_merged_take_in(struct Monitor *part, const struct smile_record *records, size_t count)
{
	struct Monitor *mon = part->view;

	if (!mon)
		return;
	smile_take_in(mon, &mon->streams[part->view_stream], records, count);
	/* Store the error in its part too, because the caller may read only that part. */
	if (mon->deferred && !part->deferred) {
		part->deferred = mon->deferred;
		memcpy(part->deferred_text, mon->deferred_text, sizeof(part->deferred_text));
	}
	mon->deferred = 0;
}

/*
 * Check each part once. Return: the number of records; 0 if no part has records; -errno of a part,
 * with a message that names the part.
 */
static int turn(struct Monitor *mon, struct smile_record *records, size_t capacity)
{
	int gone = 0;

	for (size_t i = 0; i < mon->streams_count; i++) {
		struct Monitor *part = mon->cards[mon->current];
		int got = 0;

		mon->current = (mon->current + 1) % mon->streams_count;
		if (!part->gone)
			got = Monitor_records_read(part, records, capacity, 0);
		if (got == -ENODEV)
			part->gone = 1;
		if (got < 0) {
			char text[MERGE_TEXT_BYTES] = "";

			append(text, "%s", Monitor_error_message());
			return smile_error(-got, "node %u (%s): %s", node_of(part), part->name,
					   text);
		}
		if (got)
			return got;
		gone += part->gone;
	}
	if ((size_t)gone == mon->streams_count)
		return smile_error(ENODEV, "all cards of the view are gone");
	return 0;
}

int smile_merged_read(struct Monitor *mon, struct smile_record *records, size_t capacity,
		      int timeout_ms)
{
	return smile_follow_turns(mon, records, capacity, timeout_ms, turn);
}

/* ---- configuration and counters ------------------------------------------------------------- */

void smile_merged_configured(struct Monitor *part, const struct smile_config *config)
{
	struct Monitor *mon = part->view;

	if (!mon)
		return;
	mon->merged[part->view_stream] = *config;
	mon->streams[part->view_stream].context.config = *config;
	/*
	 * The configurations determine which card counts a transaction. They may have changed, so
	 * determine this again.
	 */
	for (size_t i = 0; i < mon->streams_count; i++)
		smile_histogram_stream_free(&mon->streams[i].context);
}

int smile_merged_statistics(struct Monitor *mon, size_t index, struct smile_statistics *statistics)
{
	struct smile_source *source = mon->streams[index].source;
	struct Monitor *part = mon->cards ? mon->cards[index] : mon;
	int error = source->ops->statistics(source, statistics);

	if (!part->view)
		return error;
	if (!error) {
		part->last = *statistics;
		part->last_known = 1;
	} else if (error == -ENODEV && part->last_known) {
		*statistics = part->last;
		error = 0;
	}
	return error;
}
