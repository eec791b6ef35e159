/* SPDX-License-Identifier: MIT */
/*
 * Live: open and close the sources that the user names for `smile top` and `smile serve`.
 *
 * What lives here: a function that opens cards, captures and recordings, and a function that closes
 * them. Polling is in lib/analysis/live/live_source.h. Nothing is printed between live_open() and
 * live_end(), because output would disturb the screen of `smile top`. May use: tools/common,
 * lib/analysis.
 */
#ifndef TOOLS_LIVE_H
#define TOOLS_LIVE_H

#include <stdint.h>

#include "lib/analysis/live/live_source.h"
#include "tools/common/config_options.h"

/**
 * struct live_options - The user's options.
 * @sources: the names of the sources. They are cards and captures: dev:N, read:N, /dev/...,
 *           emu:CAPTURE; or recordings: files, and unix:PATH and http://localhost:PORT for
 *           recordings of another `smile serve`; shape [@sources_count]
 * @sources_count: number of sources; 0: dev:0
 * @config: configuration of the cards, already checked by config_options_check()
 * @configured: the user has given an option of the configuration; for recordings this is an error
 * @output: file into which a card or a capture is recorded; NULL: do not record
 * @offered: if @output is NULL, record each card into a file without a name, so that
 *           live_recording() can offer it to other machines
 * @command_line: command line to store in @output
 * @clock_ns: clock for intervals; NULL: CLOCK_MONOTONIC
 */
struct live_options {
	char **sources;
	int sources_count;
	const struct config_options *config;
	int configured;
	const char *output;
	int offered;
	const char *command_line;
	uint64_t (*clock_ns)(void);
};

/**
 * live_open() - Open the sources. Configure and start the cards.
 * @out: receives the source, which live_end() closes
 * @options: must stay valid until live_end()
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with everything closed.
 */
int live_open(struct live **out, const struct live_options *options);

/**
 * live_attend() - Read the data that other machines have sent, and look for recordings that are new
 * or were restarted. Call this function before each live_poll(). If the result contains LIVE_ANEW,
 * the Monitors and members of @live were replaced, and all counts begin at 0 again. Otherwise the
 * contents of @live stay valid.
 *
 * Return: a mask of enum live_change.
 */
unsigned int live_attend(struct live *live);

/**
 * live_anew() - Get the number of times that live_attend() has returned LIVE_ANEW. If the number
 * changes, the recordings of the view have been replaced.
 */
uint64_t live_anew(const struct live *live);

/**
 * live_behind() - Check whether another machine still has to send records from before the
 * connection.
 */
int live_behind(const struct live *live);

/**
 * live_options_of() - Get the options that were passed to live_open().
 */
const struct live_options *live_options_of(const struct live *live);

/**
 * live_recording() - Open the recording of a member for reading.
 * @index: index of the member in @live->members
 *
 * Return: a descriptor; -ENOENT if the member is not recorded; -EAGAIN if its recording does not
 *         exist yet; -errno.
 */
int live_recording(const struct live *live, size_t index);

/**
 * live_end() - Stop and drain the cards that live_open() has started, complete their recordings,
 * print the loss account on standard error, and free @live.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the source had failed, or if data could not be
 *         saved.
 */
int live_end(struct live *live);

#endif /* TOOLS_LIVE_H */
