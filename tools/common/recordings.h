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
 * recordings_prefix_of() - The prefix of a program's recordings without -o: the program's name.
 */
const char *recordings_prefix_of(const char *program);

/**
 * recordings_open() - Open the first recording, and attach the others to it.
 * @files: paths; "file:" before one is allowed
 * @mark: receives their sampled_mark(), a new reference; NULL if their counts are exact. Pass NULL
 *        in a command that cannot show estimates: recordings of samples are then refused
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
 * recordings_missing() - Print a note if recordings of samples are not all recordings of their run.
 * @given: number of given recordings
 *
 * Return: whether some are missing.
 */
bool recordings_missing(struct Monitor *mon, size_t given);

/**
 * recordings_take_in() - Read all records into the Monitor's histograms.
 *
 * Reports a recording that was not closed, and a recording of a run that is not complete. Return:
 * TOOL_OK; TOOL_ERROR after a message: records before the error are valid and are counted.
 */
int recordings_take_in(struct Monitor *mon);

/* Like recordings_take_in(), without messages, for a caller that reads the records again. */
void recordings_take_in_quietly(struct Monitor *mon);

#endif /* TOOLS_COMMON_RECORDINGS_H */
