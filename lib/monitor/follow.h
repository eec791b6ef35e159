/* SPDX-License-Identifier: MIT */
/*
 * Follow: reads recordings while they are being written.
 */
#ifndef LIB_MONITOR_FOLLOW_H
#define LIB_MONITOR_FOLLOW_H

#include "lib/monitor/monitor.h"

/* Follow the recording of @stream: the stream now ends only when the recording is closed. */
void smile_follow_begin(struct monitor_stream *stream);

/*
 * Read records of any stream that has records, as Monitor_records_read() does. The streams take
 * turns, so that one growing stream does not keep the other streams waiting.
 */
int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity,
		 int timeout_ms);

/*
 * Check all sources repeatedly until a source has records or an error, no further records can
 * arrive, or the time limit has passed. Sources that have no file to wait for are polled. @turn:
 * checks all sources once, without waiting; it returns the number of records, 0, or -errno.
 * @timeout_ms: -1: no limit. Return: as @turn; -EINTR.
 */
int smile_follow_turns(struct Monitor *mon, struct smile_record *records, size_t capacity,
		       int timeout_ms,
		       int (*turn)(struct Monitor *mon, struct smile_record *records,
				   size_t capacity));

#endif /* LIB_MONITOR_FOLLOW_H */
