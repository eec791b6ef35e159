/* SPDX-License-Identifier: MIT */
/*
 * State file: estimates of events by interval, as `smile stat -o` writes them. A state file can be
 * read while it is being written.
 *
 * What lives here: the header of the format, and its reader. The file is CSV. It has a row for each
 * interval and event, and the intervals ascend. "value" is empty if the event was not read.
 * "estimate" and "sd" are empty if the event is not known. "next" and "next_sd" are the prediction
 * of the next interval, made at the end of this interval; these two columns are optional. "differs"
 * is 1 if the node of a cluster that counts the event differs from the other nodes; only the state
 * of a cluster has this column.
 *
 * The writer locks the file until it closes the file (fcntl(2), F_OFD_SETLK, F_WRLCK, as for
 * recordings). A reader can therefore distinguish a paused writer from a writer that has ended.
 *
 * The reader also reads a rates file, which `smile stat --rates` writes. Each rate, with its unit,
 * then counts as an event. If the rate has no deviation in an interval, the event counts as read.
 * Errors: -errno; Monitor_error_message() then names the file and the line.
 */
#ifndef LIB_ANALYSIS_STATE_STATE_FILE_H
#define LIB_ANALYSIS_STATE_STATE_FILE_H

#include <stdio.h>

#include "lib/analysis/state/state_columns.h"

#define STATE_FILE_HEADER "interval,dt_s,event,value,estimate,sd"
#define STATE_FILE_NEXT ",next,next_sd"
#define STATE_FILE_DIFFERS ",differs"
#define RATES_FILE_HEADER "interval,dt_s,rate,unit,value,sd,low_95,high_95,flag"

/**
 * state_file_is() - Return whether a file begins with the header of a state file or of a rates
 * file.
 */
int state_file_is(const char *path);

struct state_file;

/**
 * state_file_open() - Open a file, in order to read it from its first row.
 * @out: receives the file
 *
 * Return: 0.
 * Errors: -errno; -EPROTO if the file has another header.
 */
int state_file_open(struct state_file **out, const char *path);

void state_file_close(struct state_file *file);

/**
 * state_file_poll() - Read the rows that were written since the last call.
 *
 * An interval is added when its last row is read. If the last line is not complete yet, the next
 * call reads it.
 *
 * Return: the number of added intervals.
 * Errors: -EPROTO for an invalid row, or if the writer has ended within a row, after the intervals
 * before this row were added; -ENOMEM; -EIO.
 */
int state_file_poll(struct state_file *file);

/**
 * state_file_ended() - Return whether the writer has closed the file, and the reader has read all
 * of it.
 */
int state_file_ended(const struct state_file *file);

/* Get the path with which the file was opened. */
const char *state_file_path(const struct state_file *file);

/* Get the intervals that were read so far. */
const struct state_columns *state_file_columns(const struct state_file *file);

#endif /* LIB_ANALYSIS_STATE_STATE_FILE_H */
