/* SPDX-License-Identifier: MIT */
/*
 * Recordings: open one or several recordings as one view.
 */
#ifndef TOOLS_COMMON_RECORDINGS_H
#define TOOLS_COMMON_RECORDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <smile/monitor.h>

#include "lib/analysis/run_facts.h"

/**
 * recordings_prefix_of() - Get the default prefix of the names of a program's recordings: the
 * program's name. It is used without -o.
 */
const char *recordings_prefix_of(const char *program);

/**
 * recordings_open() - Open the first recording, and attach the others to it.
 * @files: paths of the recordings; "file:" before a path is allowed
 * @sampled: receives the facts about recordings of samples, which the caller frees with
 *           run_facts_sampled_free(); NULL if the counts of the recordings are exact. A command
 *           that cannot show estimates passes NULL as @sampled; recordings of samples are then
 *           refused
 *
 * Return: a Monitor; NULL after a message.
 */
struct Monitor *recordings_open(char **files, int count, struct run_facts **sampled);

#define RECORDINGS_TEXT_BYTES 1024U

/**
 * struct recordings_part - A recording that was added, or will be added, to a view.
 * @file: path of the recording
 */
struct recordings_part {
	const char *file;
	struct Monitor *mon;
};

/**
 * recordings_of_two() - Check whether two recordings are of different processes of one run of
 * `smile sample --children`.
 * @in: the first recording of the view
 * @added: the recording to be added to the view
 * @text: receives the reason why one view cannot contain both recordings, and the arguments that
 *        the user can give instead; shape [RECORDINGS_TEXT_BYTES]
 *
 * Return: whether the recordings are of different processes.
 */
bool recordings_of_two(const struct recordings_part *in, const struct recordings_part *added,
		       char *text);

/**
 * recordings_missing() - If the user gave only some of the recordings of a run of `smile sample`,
 * print a note.
 * @sampled: facts about these recordings
 * @given: number of recordings that the user has given
 */
void recordings_missing(const struct run_facts *sampled, size_t given);

/**
 * recordings_take_in() - Read all records into the Monitor's histograms.
 *
 * If a recording was not closed, or does not contain its complete run, print a note. Return:
 * TOOL_OK; TOOL_ERROR after a message. The records before an error are valid and are counted.
 */
int recordings_take_in(struct Monitor *mon);

/*
 * Like recordings_take_in(), but without messages, for a caller that reads the records a second
 * time.
 */
void recordings_take_in_quietly(struct Monitor *mon);

#endif /* TOOLS_COMMON_RECORDINGS_H */
