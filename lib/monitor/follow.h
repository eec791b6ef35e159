/* SPDX-License-Identifier: MIT */
/*
 * Follow: reads recordings while they are being written.
 */
#ifndef LIB_MONITOR_FOLLOW_H
#define LIB_MONITOR_FOLLOW_H

#include "lib/monitor/monitor.h"

/* From now on, @stream ends only once its recording is closed. */
void smile_follow_begin(struct monitor_stream *stream);

/*
 * Take in records of any stream that has records, like Monitor_records_read(). Streams take turns:
 * a growing stream must not keep the others waiting.
 */
int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity,
		 int timeout_ms);

/*
 * Check the sources in turn until one has records or an error, no further records can arrive, or
 * the time limit has passed. Sources without a file to wait for are polled. @turn: checks all
 * sources once, without waiting; returns the number of records, 0, or -errno. @timeout_ms: -1: no
 * limit. Return: as @turn; -EINTR.
 */
int smile_follow_turns(struct Monitor *mon, struct smile_record *records, size_t capacity,
		       int timeout_ms,
		       int (*turn)(struct Monitor *mon, struct smile_record *records,
				   size_t capacity));

#endif /* LIB_MONITOR_FOLLOW_H */
