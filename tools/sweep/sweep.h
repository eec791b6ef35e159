/* SPDX-License-Identifier: MIT */
/*
 * Sweep: send the same traffic to cards with many different configurations. This header has the
 * types and functions that the files of `smile sweep` share.
 *
 * What lives here: the configurations, their results, and the output. The traffic and the cards are
 * in lib/analysis/sweep.
 */
#ifndef TOOLS_SWEEP_H
#define TOOLS_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include "lib/analysis/sweep/sweep_card.h"
#include "lib/analysis/sweep/sweep_traffic.h"

#define SWEEP_LIST_MAX 64

/**
 * struct sweep - The configurations of a sweep, and their results.
 * @files: names of the captures and recordings
 * @files_count: number of @files
 * @choice: the part of the traffic that is used
 * @traffic: the traffic
 * @mode: mode of the cards: SMILE_MODE_TYPED_TAGS, SMILE_MODE_ALIGNED
 * @counters: numbers of counters, each of which has a row in tables; shape [@counters_count]
 * @counters_count: number of rows
 * @ranges: values of MAX_RANGE, each of which has a column in tables; shape [@ranges_count]
 * @ranges_count: number of columns
 * @points: results by [counters][ranges]
 * @seconds: time by which the bytes are divided to compute data rates; 0: not known
 */
struct sweep {
	char **files;
	int files_count;
	struct sweep_choice choice;
	struct sweep_traffic traffic;
	unsigned int mode;
	unsigned int counters[SWEEP_LIST_MAX];
	size_t counters_count;
	unsigned int ranges[SWEEP_LIST_MAX];
	size_t ranges_count;
	struct sweep_point *points;
	double seconds;
};

/**
 * sweep_show_tables() - Print tables of flushes, bytes, extensions and rates on standard output.
 */
void sweep_show_tables(const struct sweep *sweep);

/**
 * sweep_show_json() - Print the results as a JSON document, schema smile.sweep/1.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int sweep_show_json(const struct sweep *sweep);

/**
 * sweep_show_csv() - Print the results as CSV, with a row for each configuration.
 */
void sweep_show_csv(const struct sweep *sweep);

/**
 * sweep_plot() - Draw flushes and extensions as an SVG file, by gnuplot.
 * @path: name of the file
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sweep_plot(const struct sweep *sweep, const char *path);

#endif /* TOOLS_SWEEP_H */
