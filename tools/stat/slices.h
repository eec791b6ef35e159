/* SPDX-License-Identifier: MIT */
/*
 * Slices: exact counts of the requests in a capture, by slices of time.
 */
#ifndef TOOLS_STAT_SLICES_H
#define TOOLS_STAT_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/stat/series.h"

#define SLICES_SOURCE "slices:"

/* Is the source slices:CAPTURE? */
int slices_source_is(const char *source);

/**
 * slices_series() - Read the slices of a capture as readings.
 * @path: path of the capture
 * @events: largest number of events, those with the most accesses
 * @at_once: number of events read at a time, in rotation; 0: all
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int slices_series(const char *path, uint64_t slice_ns, size_t events, size_t at_once,
		  struct series *series);

#endif /* TOOLS_STAT_SLICES_H */
