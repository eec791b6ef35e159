/* SPDX-License-Identifier: MIT */
/*
 * Live: opens what the user names for `smile top` and `smile serve`, and ends it.
 *
 * What lives here: cards, captures and recordings behind one open and one end. Polling is in
 * lib/analysis/live/live_source.h. It prints nothing between live_open() and live_end(), so that a
 * screen is not disturbed. May use: tools/common, lib/analysis.
 */
#ifndef TOOLS_LIVE_H
#define TOOLS_LIVE_H

#include <stdint.h>

#include "lib/analysis/live/live_source.h"
#include "tools/common/config_options.h"

/**
 * struct live_options - What the user asked for.
 * @sources: each of dev:N, read:N, /dev/..., or emu:CAPTURE; or recordings, here and on other
 *           machines, unix:PATH and http://localhost:PORT; shape [@sources_count]
 * @sources_count: number of sources; 0: dev:0
 * @config: configuration of a card or a capture's card, checked: config_options_check()
 * @configured: the user gave one of its options, which is an error for recordings
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
 * @options: used until then
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing left open.
 */
int live_open(struct live **out, const struct live_options *options);

/**
 * live_attend() - Take in the data that other machines have sent, and look for recordings that were
 * not there or begin anew; before each live_poll(). The contents of @live stay, except with
 * LIVE_ANEW: then its Monitors and members are others, and all counts begin at 0.
 *
 * Return: a mask of enum live_change.
 */
unsigned int live_attend(struct live *live);

/**
 * live_anew() - How often LIVE_ANEW has occurred: another number means other recordings.
 */
uint64_t live_anew(const struct live *live);

/**
 * live_behind() - Has another machine more records from before it was connected?
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
 * Return: TOOL_OK; TOOL_ERROR after a message if the source had failed or something was not saved.
 */
int live_end(struct live *live);

#endif /* TOOLS_LIVE_H */
