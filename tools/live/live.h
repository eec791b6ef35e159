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
 * @sources: one of dev:N, read:N, /dev/..., emu:CAPTURE; or recordings; shape [@sources_count]
 * @sources_count: number of sources; 0: dev:0
 * @config: configuration of a card or a capture's card, checked: config_options_check()
 * @configured: the user gave one of its options, which is an error for recordings
 * @output: file in which to record a card or a capture; NULL: none
 * @command_line: stored in @output
 * @clock_ns: clock for intervals; NULL: CLOCK_MONOTONIC
 */
struct live_options {
	char **sources;
	int sources_count;
	const struct config_options *config;
	int configured;
	const char *output;
	const char *command_line;
	uint64_t (*clock_ns)(void);
};

/**
 * live_open() - Open the sources; configure and start a card or a capture.
 * @out: receives the source, to be ended by live_end()
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing left open.
 */
int live_open(struct live **out, const struct live_options *options);

/**
 * live_end() - Stop and drain what live_open() started, complete the recording, report its account
 * on standard error, and free @live.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message if the source had failed or something was not saved.
 */
int live_end(struct live *live);

#endif /* TOOLS_LIVE_H */
