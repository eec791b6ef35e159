/* SPDX-License-Identifier: MIT */
/*
 * Slices: count the requests in a capture exactly, in slices of time.
 */
#ifndef TOOLS_STAT_SLICES_H
#define TOOLS_STAT_SLICES_H

#include <stddef.h>
#include <stdint.h>

#include "tools/stat/series.h"

#define SLICES_SOURCE "slices:"

/* Check whether a source has the form slices:CAPTURE. */
int slices_source_is(const char *source);

/**
 * slices_series() - Read the slices of a capture into a series.
 * @path: path of the capture
 * @events: largest number of events; the events with the most accesses are used
 * @at_once: number of events that count as read in each slice. The events are read in rotation; 0:
 *           all events
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int slices_series(const char *path, uint64_t slice_ns, size_t events, size_t at_once,
		  struct series *series);

#endif /* TOOLS_STAT_SLICES_H */
