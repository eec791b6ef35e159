/* SPDX-License-Identifier: MIT */
/*
 * State file: estimates of events by interval, as written by `smile stat -o`, and followed while
 * the file is written.
 *
 * What lives here: the format's header, and its reader. The file is CSV: it has a row for each
 * interval and event, with ascending intervals. "value" is empty if the event was not read;
 * "estimate" and "sd" are empty if nothing is known. "next" and "next_sd" are the prediction of the
 * next interval, made at the end of this interval; a file can lack them. "differs" is 1 if the
 * event's node of a cluster differs from the other nodes; only the state of a cluster has it. The
 * writer locks the file until it closes it (fcntl(2), F_OFD_SETLK, F_WRLCK, as for recordings), so
 * that a reader can distinguish a paused writer from a writer that has ended. A rates file, as
 * written by `smile stat --rates`, is read in the same way: a rate with its unit is an event, known
 * in an interval or not, and counts as read if it has no deviation. Errors: -errno, with
 * Monitor_error_message() naming file and line.
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
 * state_file_is() - Whether a file begins with one of these headers.
 */
int state_file_is(const char *path);

/**
 * state_file_lock() - Lock a file that is written.
 */
void state_file_lock(FILE *file);

struct state_file;

/**
 * state_file_open() - Open a file for reading from its first row.
 * @out: receives the file
 *
 * Return: 0.
 * Errors: -errno; -EPROTO: another header.
 */
int state_file_open(struct state_file **out, const char *path);

void state_file_close(struct state_file *file);

/**
 * state_file_poll() - Take in the rows that were written since the last call.
 *
 * An interval is taken in with its last row. A line without an end is not taken in yet.
 *
 * Return: the number of intervals taken in.
 * Errors: -EPROTO for an invalid row; the intervals before it were taken in; -ENOMEM; -EIO.
 */
int state_file_poll(struct state_file *file);

/**
 * state_file_ended() - Whether the writer has closed the file, and all of it was taken in.
 */
int state_file_ended(const struct state_file *file);

/* The path with which it was opened. */
const char *state_file_path(const struct state_file *file);

/* The intervals that were taken in. */
const struct state_columns *state_file_columns(const struct state_file *file);

#endif /* LIB_ANALYSIS_STATE_STATE_FILE_H */
