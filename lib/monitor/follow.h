/* SPDX-License-Identifier: MIT */
/*
 * Follow: read recordings while they are being written.
 */
#ifndef LIB_MONITOR_FOLLOW_H
#define LIB_MONITOR_FOLLOW_H

#include "lib/monitor/monitor.h"

/*
 * Follow the recording of @stream. From now on, the stream ends only when the recording is closed.
 */
void smile_follow_begin(struct monitor_stream *stream);

/*
 * Read records of any stream that has records, as Monitor_records_read() does. The streams take
 * turns, so that one growing stream does not delay the records of other streams.
 */
int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity,
		 int timeout_ms);

/*
 * Check all sources repeatedly until a source has records or an error, no further records can
 * arrive, or the time limit has passed. If a source has no file on which the function can wait, the
 * function polls the source. @turn: a function that checks all sources once, without waiting, and
 * returns the number of records or -errno.
 * @timeout_ms: the time limit; -1: no limit. Return: as @turn; -EINTR if a signal has arrived.
 */
int smile_follow_turns(struct Monitor *mon, struct smile_record *records, size_t capacity,
		       int timeout_ms,
		       int (*turn)(struct Monitor *mon, struct smile_record *records,
				   size_t capacity));

#endif /* LIB_MONITOR_FOLLOW_H */
