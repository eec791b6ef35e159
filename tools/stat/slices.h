/* SPDX-License-Identifier: MIT */
/*
 * Slices: what passed the B-Link of a capture, exactly, by slices of time.
 */
#ifndef TOOLS_STAT_SLICES_H
#define TOOLS_STAT_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/stat/series.h"

#define SLICES_SOURCE "slices:"

/* Is it slices:CAPTURE? */
int slices_source_is(const char *source);

/**
 * slices_series() - Slices as readings.
 * @path: of the capture
 * @events: at most, those with the most accesses
 * @at_once: events read at a time, in rotation; 0: all
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int slices_series(const char *path, uint64_t slice_ns, size_t events, size_t at_once,
		  struct series *series);

#endif /* TOOLS_STAT_SLICES_H */
