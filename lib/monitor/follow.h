/* SPDX-License-Identifier: MIT */
/* Follow: reads recordings while they are being written. */
#ifndef LIB_MONITOR_FOLLOW_H
#define LIB_MONITOR_FOLLOW_H

#include "lib/monitor/monitor.h"

/*
 * Follow the recording of @stream. From now on, the stream ends only when the recording is closed.
 */
void smile_follow_begin(struct monitor_stream *stream);

/*
 * Read records of any stream that has records, like Monitor_records_read(). The streams take turns,
 * so that one growing stream does not delay the records of other streams.
 */
int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity,
		 int timeout_ms);

/*
 * Check all sources repeatedly. The function returns when a source has records or an error, when no
 * further records can arrive, or when the time limit has passed. If a source has no file descriptor
 * to wait for, the function polls the source. @turn: a function that checks all sources once,
 * without waiting, and returns the number of records or -errno.
 * @timeout_ms: the time limit; -1: no limit. Return: the last result of @turn; -EINTR if a signal
 *              has arrived.
 */
int smile_follow_turns(struct Monitor *mon, struct smile_record *records, size_t capacity,
		       int timeout_ms,
		       int (*turn)(struct Monitor *mon, struct smile_record *records,
				   size_t capacity));

#endif /* LIB_MONITOR_FOLLOW_H */
