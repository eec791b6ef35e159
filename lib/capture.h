/* SPDX-License-Identifier: MIT */
/*
 * Capture: what the library's files see beyond the public API.
 */
#ifndef LIB_CAPTURE_H
#define LIB_CAPTURE_H

#include <smile/monitor.h>

/* The file that is read or written. */
int smile_capture_fd(struct Monitor_capture *capture);

/**
 * smile_capture_ready() - Wait until there is something to be read, or the end.
 * @timeout_ms: how long; 0 not at all, negative without end
 *
 * A file is always ready. A pipe is once the next frame is there to its end; one of pcapng, once there
 * is anything, so that Monitor_capture_read() may wait for the rest.
 *
 * Return: 1 if it is ready, 0 if not in time, -EINTR if a signal came first.
 */
int smile_capture_ready(struct Monitor_capture *capture, int timeout_ms);

#endif /* LIB_CAPTURE_H */
