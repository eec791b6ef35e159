/* SPDX-License-Identifier: MIT */
/*
 * smile stat: print totals, rates and intervals.
 */
#ifndef TOOLS_STAT_STATE_SHOW_H
#define TOOLS_STAT_STATE_SHOW_H

#include "tools/stat/rates.h"
#include "tools/stat/series.h"

/**
 * struct stat_show - The data to print.
 * @series: the readings
 * @state: the state that is estimated from @series
 * @rates: rates with their confidence intervals; shape [@rate_count]
 * @rate_count: number of rates
 * @what: the program or the machine whose events were counted, for the heading
 */
struct stat_show {
	const struct series *series;
	const struct stat_state *state;
	const struct stat_rate *rates;
	size_t rate_count;
	const char *what;
};

void stat_show_tables(const struct stat_show *show);
void stat_show_csv(const struct stat_show *show);
int stat_show_json(const struct stat_show *show);

/**
 * stat_show_intervals() - Write the state of each interval as CSV into a file.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_show_intervals(const struct stat_show *show, const char *path);

/**
 * stat_show_rates() - Write the rates of each interval as CSV into a file.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int stat_show_rates(const struct stat_show *show, const char *path);

/**
 * stat_show_plot() - Draw the state of each event over time, with its confidence interval, as an
 * SVG file, by gnuplot.
 */
int stat_show_plot(const struct stat_show *show, const char *path);

#endif /* TOOLS_STAT_STATE_SHOW_H */
