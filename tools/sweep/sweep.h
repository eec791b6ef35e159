/* SPDX-License-Identifier: MIT */
/*
 * Sweep: one traffic, passed to cards of many configurations; what the files of `smile sweep`
 * share.
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
 * struct sweep - All of it.
 * @files: captures and recordings
 * @files_count: how many
 * @choice: of the traffic
 * @traffic: the traffic
 * @mode: SMILE_MODE_TYPED_TAGS, SMILE_MODE_ALIGNED
 * @counters: rows, [@counters_count]
 * @counters_count: how many
 * @ranges: columns, [@ranges_count]
 * @ranges_count: how many
 * @points: by [counters][ranges]
 * @seconds: time of the data rates; 0 if it is not known
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
 * sweep_show_tables() - To standard output: a table each of flushes, bytes, extensions, rates.
 */
void sweep_show_tables(const struct sweep *sweep);

/**
 * sweep_show_json() - The same as a document, schema smile.sweep/1.
 *
 * Return: TOOL_OK or TOOL_ERROR.
 */
int sweep_show_json(const struct sweep *sweep);

/**
 * sweep_show_csv() - The same as rows for other programs, one a configuration.
 */
void sweep_show_csv(const struct sweep *sweep);

/**
 * sweep_plot() - Draw flushes and extensions as SVG, by gnuplot.
 * @path: file to write
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int sweep_plot(const struct sweep *sweep, const char *path);

#endif /* TOOLS_SWEEP_H */
