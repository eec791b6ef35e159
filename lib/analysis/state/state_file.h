/* SPDX-License-Identifier: MIT */
/*
 * State file: the estimates of events that `smile stat -o` writes for each interval. A state file
 * can be read while it is being written.
 *
 * What lives here: the header of the format, and its reader. The file is CSV. It has a row for each
 * interval and event, in ascending order of the intervals. The cell "value" is empty if the event
 * was not read in the interval. The cells "estimate" and "sd" are empty if the event's rate is not
 * known. The optional columns "next" and "next_sd" have the prediction for the next interval, made
 * at the end of this interval. Only the state of a cluster has the column "differs"; it is 1 if the
 * event's rate on its node differs from the rates on the other nodes.
 *
 * The writer locks the file until it closes the file (fcntl(2), F_OFD_SETLK, F_WRLCK, as for
 * recordings). By this lock, a reader can distinguish a paused writer from a writer that has ended.
 *
 * The reader also reads a rates file, which `smile stat --rates` writes. The reader treats each
 * rate, with its unit, as an event. If a rate has no deviation in an interval, the event counts as
 * read.
 *
 * Errors: -errno. Monitor_error_message() names the file and the line.
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
 * Return: 0. Errors: -EPROTO if the file has another header; another -errno.
 */
int state_file_open(struct state_file **out, const char *path);

void state_file_close(struct state_file *file);

/**
 * state_file_poll() - Read the rows that were written since the last call.
 *
 * An interval is added when its last row is read. If the last line of the file is not complete yet,
 * the next call reads it.
 *
 * Return: the number of added intervals. Errors: -EPROTO if a row is invalid, or if the writer has
 * ended within a row; the intervals before this row are added nevertheless; -ENOMEM; -EIO.
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
