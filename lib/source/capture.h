/* SPDX-License-Identifier: MIT */
/*
 * Capture: functions for the library's own files only.
 */
#ifndef LIB_SOURCE_CAPTURE_H
#define LIB_SOURCE_CAPTURE_H

#include <stdbool.h>

#include <smile/monitor.h>

/* Get the descriptor of the file that is read or written. */
int smile_capture_fd(struct Monitor_capture *capture);

/**
 * smile_capture_ready() - Wait until a frame can be read, or the end of the capture is reached.
 * @timeout_ms: time limit; 0: do not wait; negative: no limit
 *
 * A file is always ready. A pipe is ready when the whole next frame has arrived. But a pipe with
 * pcapng is always ready, and Monitor_capture_read() waits for its frames.
 *
 * Return: 1 if it is ready, 0 if the time limit has passed, -EINTR if a signal arrived first.
 */
int smile_capture_ready(struct Monitor_capture *capture, int timeout_ms);

/* Return whether smile_capture_ready() may have to wait for this capture. */
bool smile_capture_is_pipe(const struct Monitor_capture *capture);

#endif /* LIB_SOURCE_CAPTURE_H */
