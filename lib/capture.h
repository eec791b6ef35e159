/* SPDX-License-Identifier: MIT */
/*
 * Capture: what the library's files see beyond the public API.
 */
#ifndef LIB_CAPTURE_H
#define LIB_CAPTURE_H

#include <smile/monitor.h>

/* The file that is read or written. */
int smile_capture_fd(struct Monitor_capture *capture);

#endif /* LIB_CAPTURE_H */
