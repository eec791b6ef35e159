/* SPDX-License-Identifier: MIT */
/*
 * Follow: reads recordings while they are being written.
 *
 * What lives here: the code that reads several recordings one after the other, and that waits for
 * new records. tail.c handles the end of a file that is being written.
 */
#include <time.h>

#include "lib/base/error.h"
#include "lib/monitor/follow.h"
#include "lib/monitor/merge.h"

/* The time between two checks of the files, during which the reader sleeps. */
#define FOLLOW_MS 20

void smile_follow_begin(struct monitor_stream *stream)
{
	stream->source->ops->follow(stream->source);
	stream->followed = 1;
}

static int part_follow(struct Monitor *part, const void *argument)
{
	return Monitor_follow(part);
}

int Monitor_follow(struct Monitor *mon)
{
	if (mon->cards)
		return smile_merged_act(mon, "followed", part_follow, NULL);
	if (mon->streams[0].source->ops != &smile_source_file)
		return smile_error(
			EINVAL, "a source of kind \"%s:\" cannot be followed: only recordings can",
			mon->streams[0].source->ops->prefix);
	if (mon->reading)
		return smile_error(EBUSY, "records were read already: follow before that");
	if (mon->following)
		return 0;
	mon->following = 1;
	for (size_t i = 0; i < mon->streams_count; i++)
		smile_follow_begin(&mon->streams[i]);
	return 0;
}

/* Handle the end of a recording. At the end, its data about the program is complete. */
static int stream_ended(struct Monitor *mon, struct monitor_stream *stream)
{
	int error;

	if (!stream->followed || !stream->source->ops->ended(stream->source))
		return 0;
	stream->followed = 0;
	error = smile_program_join(mon, stream->source,
				   mon->streams_count > 1 ? "a recording that has grown"
							  : mon->name);
	if (!error && mon->view)
		error = smile_program_join(mon->view, stream->source, mon->name);
	return error;
}

/*
 * Read the data about the program while the recording grows. If the data of two recordings is
 * contradictory, report this only at the end of the recording.
 */
static void stream_learn(struct Monitor *mon, struct monitor_stream *stream)
{
	if (!stream->followed || !stream->source->ops->learn(stream->source))
		return;
	smile_program_join(mon, stream->source, mon->name);
	if (mon->view)
		smile_program_join(mon->view, stream->source, mon->name);
}

/* Check each stream once, beginning after the stream that was read last. */
static int follow_turn(struct Monitor *mon, struct smile_record *records, size_t capacity)
{
	for (size_t i = 0; i < mon->streams_count; i++) {
		struct monitor_stream *stream = &mon->streams[mon->current];
		int got = stream->source->ops->read(stream->source, records, capacity, 0);
		int error;

		mon->current = (mon->current + 1) % mon->streams_count;
		if (got > 0) {
			smile_take_in(mon, stream, records, (size_t)got);
			return got;
		}
		error = stream_ended(mon, stream);
		if (!got && !error)
			stream_learn(mon, stream);
		if (got < 0 || error < 0)
			return got < 0 ? got : error;
	}
	return 0;
}

/*
 * Sleep until the next check. Return: the time for which the function slept, in milliseconds;
 * -EINTR.
 */
static int look_later(int timeout_ms)
{
	int wait_ms = timeout_ms < 0 || timeout_ms > FOLLOW_MS ? FOLLOW_MS : timeout_ms;
	const struct timespec pause = {.tv_nsec = wait_ms * 1000000L};

	return nanosleep(&pause, NULL) ? smile_error(EINTR, "interrupted") : wait_ms;
}

int smile_follow_turns(struct Monitor *mon, struct smile_record *records, size_t capacity,
		       int timeout_ms,
		       int (*turn)(struct Monitor *mon, struct smile_record *records,
				   size_t capacity))
{
	for (;;) {
		int got = turn(mon, records, capacity), waited;

		if (got || !timeout_ms || Monitor_ended(mon))
			return got;
		waited = look_later(timeout_ms);
		if (waited < 0)
			return waited;
		if (timeout_ms > 0)
			timeout_ms -= waited;
	}
}

int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity, int timeout_ms)
{
	return smile_follow_turns(mon, records, capacity, timeout_ms, follow_turn);
}
