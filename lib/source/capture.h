/* SPDX-License-Identifier: MIT */
/*
 * Capture: functions for the library's own files.
 */
#ifndef LIB_SOURCE_CAPTURE_H
#define LIB_SOURCE_CAPTURE_H

#include <stdbool.h>

#include <smile/monitor.h>

/* The file that is read or written. */
int smile_capture_fd(struct Monitor_capture *capture);

/**
 * smile_capture_ready() - Wait until there is something to be read, or the end.
 * @timeout_ms: how long; 0 not at all, negative without end
 *
 * A file is always ready. A pipe is ready once the next frame has arrived completely; but a pipe
 * with pcapng is always ready, and Monitor_capture_read() waits for its frames.
 *
 * Return: 1 if it is ready, 0 if not in time, -EINTR if a signal came first.
 */
int smile_capture_ready(struct Monitor_capture *capture, int timeout_ms);

/* May smile_capture_ready() have to wait for this capture? */
bool smile_capture_is_pipe(const struct Monitor_capture *capture);

#endif /* LIB_SOURCE_CAPTURE_H */
