/* SPDX-License-Identifier: MIT */
/*
 * Live: opens and ends the sources that the user names for `smile top` and `smile serve`.
 *
 * What lives here: one function that opens cards, captures and recordings, and one that ends them.
 * Polling is in lib/analysis/live/live_source.h. Nothing is printed between live_open() and
 * live_end(), so that a screen is not disturbed. May use: tools/common, lib/analysis.
 */
#ifndef TOOLS_LIVE_H
#define TOOLS_LIVE_H

#include <stdint.h>

#include "lib/analysis/live/live_source.h"
#include "tools/common/config_options.h"

/**
 * struct live_options - The user's options.
 * @sources: each of dev:N, read:N, /dev/..., or emu:CAPTURE; or recordings, here and on other
 *           machines, unix:PATH and http://localhost:PORT; shape [@sources_count]
 * @sources_count: number of sources; 0: dev:0
 * @config: configuration of a card or a capture's card, checked: config_options_check()
 * @configured: the user gave an option of the configuration, which is an error for recordings
 * @output: file in which to record a card or a capture; NULL: none
 * @offered: without @output, record a card into a file without a name, for live_recording()
 * @command_line: stored in @output
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
 * live_open() - Open the sources; configure and start a card or a capture.
 * @out: receives the source, to be ended by live_end()
 * @options: must stay valid until live_end()
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing left open.
 */
int live_open(struct live **out, const struct live_options *options);

/**
 * live_attend() - Take in the data that other machines have sent, and look for recordings that are
 * new or were begun again; call it before each live_poll(). The contents of @live remain, except
 * with LIVE_ANEW: then its Monitors and members are replaced, and all counts begin at 0.
 *
 * Return: a mask of enum live_change.
 */
unsigned int live_attend(struct live *live);

/**
 * live_anew() - The number of LIVE_ANEW so far: if it changes, the recordings are others.
 */
uint64_t live_anew(const struct live *live);

/**
 * live_behind() - Does another machine still have records from before it was connected?
 */
int live_behind(const struct live *live);

/**
 * live_options_of() - The options that were passed to live_open().
 */
const struct live_options *live_options_of(const struct live *live);

/**
 * live_recording() - The recording of a member, opened for reading.
 * @index: its number in @live->members
 *
 * Return: a descriptor; -ENOENT: it has no recording; -EAGAIN: it has no recording yet; -errno.
 */
int live_recording(const struct live *live, size_t index);

/**
 * live_end() - Stop and drain what live_open() started, complete the recording, report its account
 * on standard error, and free @live.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the source had failed or data was not saved.
 */
int live_end(struct live *live);

#endif /* TOOLS_LIVE_H */
