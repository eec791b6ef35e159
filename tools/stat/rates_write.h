/* SPDX-License-Identifier: MIT */
/*
 * Rates file, written: rates by interval, with their bands.
 *
 * What lives here: the format. The file is CSV, with a row for each interval and rate; value, sd,
 * low_95 and high_95 are empty if they are not known; flag is 1 for a share below 0 or above 1.
 */
#ifndef TOOLS_STAT_RATES_WRITE_H
#define TOOLS_STAT_RATES_WRITE_H

#include <stdio.h>

#include "tools/stat/rates.h"

/**
 * struct rates_write - A file that is written.
 * @path: its path
 * @file: the open file; NULL: none
 */
struct rates_write {
	const char *path;
	FILE *file;
};

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int rates_write_open(struct rates_write *write, const char *path);

/**
 * rates_write_row() - Write a rate.
 * @interval: its number, from 1
 * @band: its band; a value of NAN is unknown
 */
void rates_write_row(struct rates_write *write, uint64_t interval, double length_s,
		     const char *name, const char *unit, const struct Estimate_band *band);

/* Flush the file after all rates of an interval, since readers follow it. */
void rates_write_flush(struct rates_write *write);

/**
 * rates_write_interval() - Write an interval, and flush it.
 * @interval: index in @series
 * @rates: shape [@count]
 * @bands: their bands in this interval, the same shape; a value of NAN is unknown
 */
void rates_write_interval(struct rates_write *write, const struct series *series, size_t interval,
			  const struct stat_rate *rates, const struct Estimate_band *bands,
			  size_t count);

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int rates_write_close(struct rates_write *write);

#endif /* TOOLS_STAT_RATES_WRITE_H */
