/* SPDX-License-Identifier: MIT */
/*
 * Writing a rates file: the rates of each interval, with their confidence intervals.
 *
 * What lives here: the format of the file, which is CSV. It has a row for each rate in each
 * interval. value, sd, low_95 and high_95 are empty if they are not known. flag is 1 if a share is
 * below 0 or above 1.
 */
#ifndef TOOLS_STAT_RATES_WRITE_H
#define TOOLS_STAT_RATES_WRITE_H

#include <stdio.h>

#include "tools/stat/rates.h"

/**
 * struct rates_write - A rates file that is being written.
 * @path: path of the file
 * @file: the open file; NULL: none
 */
struct rates_write {
	const char *path;
	FILE *file;
};

/* Open the file. Return: TOOL_OK; TOOL_ERROR after a message. */
int rates_write_open(struct rates_write *write, const char *path);

/**
 * rates_write_row() - Write a row for a rate.
 * @interval: number of the interval, from 1
 * @band: value of the rate, and its confidence interval; a value of NAN is not known
 */
void rates_write_row(struct rates_write *write, uint64_t interval, double length_s,
		     const char *name, const char *unit, const struct Estimate_band *band);

/*
 * Flush the file after all rates of an interval, because other programs may read the file while it
 * grows.
 */
void rates_write_flush(struct rates_write *write);

/**
 * rates_write_interval() - Write the rates of an interval, and flush the file.
 * @interval: index of the interval in @series
 * @rates: the rates; shape [@count]
 * @bands: values and confidence intervals of the rates in this interval; shape [@count]; a value of
 *         NAN is not known
 */
void rates_write_interval(struct rates_write *write, const struct series *series, size_t interval,
			  const struct stat_rate *rates, const struct Estimate_band *bands,
			  size_t count);

/* Close the file. Return: TOOL_OK; TOOL_ERROR after a message. */
int rates_write_close(struct rates_write *write);

#endif /* TOOLS_STAT_RATES_WRITE_H */
