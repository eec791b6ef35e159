/* SPDX-License-Identifier: MIT */
/*
 * Capture: functions for captures that only the library itself uses.
 */
#ifndef LIB_SOURCE_CAPTURE_H
#define LIB_SOURCE_CAPTURE_H

#include <stdbool.h>

#include <smile/monitor.h>

/* Get the descriptor of the capture's file. */
int smile_capture_fd(struct Monitor_capture *capture);

/**
 * smile_capture_ready() - Wait until the next frame, or the end of the capture, can be read.
 * @timeout_ms: time limit; 0: do not wait; negative: no limit
 *
 * A file is always ready. A pipe with the format pcap is ready when the whole next frame has
 * arrived. A pipe with the format pcapng is always ready, but Monitor_capture_read() may have to
 * wait for the frame.
 *
 * Return: 1 if the capture is ready; 0 if the time limit has passed; -EINTR if a signal has arrived
 * first.
 */
int smile_capture_ready(struct Monitor_capture *capture, int timeout_ms);

/* Return whether smile_capture_ready() may have to wait for this capture. */
bool smile_capture_is_pipe(const struct Monitor_capture *capture);

#endif /* LIB_SOURCE_CAPTURE_H */
