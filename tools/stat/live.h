/* SPDX-License-Identifier: MIT */
/*
 * smile stat --live: print the results of each interval when the interval ends.
 */
#ifndef TOOLS_STAT_LIVE_H
#define TOOLS_STAT_LIVE_H

#include "tools/stat/count.h"
#include "tools/stat/series.h"

struct stat_live;

/**
 * stat_live_begin() - From now on, print and write each interval of @series that ends.
 * @out: receives an object that must be passed to stat_live_end()
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_live_begin(struct stat_live **out, struct series *series,
		    const struct stat_count *request);

/**
 * stat_live_end() - Close the files.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_live_end(struct stat_live *live);

#endif /* TOOLS_STAT_LIVE_H */
