/* SPDX-License-Identifier: MIT */
/*
 * Recordings: opens one or several recordings as one view.
 */
#ifndef TOOLS_COMMON_RECORDINGS_H
#define TOOLS_COMMON_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <smile/monitor.h>

/**
 * recordings_prefix_of() - How the recordings of a program are called without -o: as the program.
 */
const char *recordings_prefix_of(const char *program);

/**
 * recordings_open() - Open the first, attach the others.
 * @files: paths; "file:" before one is allowed
 * @mark: receives what sampled_mark() has of them: a new reference; NULL: they are exact. NULL for
 *        a command that does not show estimates as such: recordings of samples are refused
 *
 * Return: a Monitor; NULL after a message.
 */
struct Monitor *recordings_open(char **files, int count, json_t **mark);

#define RECORDINGS_TEXT_BYTES 1024U

/**
 * struct recordings_part - A recording that is to be in a view, or the first one that is in it.
 * @file: its path
 */
struct recordings_part {
	const char *file;
	struct Monitor *mon;
};

/**
 * recordings_of_two() - Are these of two processes that `smile sample --children` has sampled?
 * @in: of the view
 * @added: not in it
 * @text: receives why they cannot be in one view, and what the user can give; shape
 *        [RECORDINGS_TEXT_BYTES]
 *
 * Return: whether they are.
 */
bool recordings_of_two(const struct recordings_part *in, const struct recordings_part *added,
		       char *text);

/**
 * recordings_missing() - Say if recordings of samples are not all of their run.
 * @given: how many there are
 *
 * Return: whether some are missing.
 */
bool recordings_missing(struct Monitor *mon, size_t given);

/**
 * recordings_take_in() - Read all records into the Monitor's histograms.
 *
 * Reports a recording that was not closed, and one of a run that is not complete. Return: TOOL_OK;
 * TOOL_ERROR after a message: records before the error are good and count.
 */
int recordings_take_in(struct Monitor *mon);

/* The same without messages, for a caller that reads them again. */
void recordings_take_in_quietly(struct Monitor *mon);

#endif /* TOOLS_COMMON_RECORDINGS_H */
