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
 * Take in records of any stream that has some, as Monitor_records_read(). Streams take turns: a
 * growing stream must not keep the others waiting.
 */
int smile_follow(struct Monitor *mon, struct smile_record *records, size_t capacity,
		 int timeout_ms);

/* Wait before looking again, at most @timeout_ms; -1: no limit. Return: milliseconds; -EINTR. */
int smile_follow_wait(int timeout_ms);

#endif /* LIB_MONITOR_FOLLOW_H */
