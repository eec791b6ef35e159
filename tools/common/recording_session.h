/* SPDX-License-Identifier: MIT */
/*
 * Recording session: record from a source into a file. `smile record` and `smile replay` share this
 * code.
 */
#ifndef TOOLS_COMMON_RECORDING_SESSION_H
#define TOOLS_COMMON_RECORDING_SESSION_H

#include "tools/common/config_options.h"

/**
 * struct recording_session - A recording that is being written.
 * @mon: the open Monitor of the source
 * @source: name of the source
 * @file: name of the recording
 * @records: number of records that were read
 * @failed: an error occurred and was reported; the recording is completed nevertheless
 * @known: session_stop() has filled in @loss and @statistics
 * @loss: the loss account
 * @statistics: the card's counters
 */
struct recording_session {
	struct Monitor *mon;
	const char *source;
	const char *file;
	uint64_t records;
	int failed;
	int known;
	struct Monitor_loss loss;
	struct smile_statistics statistics;
};

/**
 * session_open() - Open the source, configure it, and create the recording.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with everything closed.
 */
int session_open(struct recording_session *session, const char *source, const char *file,
		 const struct config_options *options, const char *command_line);

/**
 * session_poll() - Read the available records, and show the progress.
 * @timeout_ms: longest time to wait for records
 *
 * Return: number of records that were read, or 0 if a signal has interrupted the wait; -1 after a
 *         message if the source has failed, or if it cannot continue after a signal.
 */
int session_poll(struct recording_session *session, int timeout_ms);

/**
 * session_swap() - Swap out the counters while the card counts, so that the recording contains the
 * present counts.
 *
 * Return: as session_poll().
 */
int session_swap(struct recording_session *session);

/**
 * session_stop() - Stop and drain the card, and read the loss account.
 */
void session_stop(struct recording_session *session);

/**
 * session_close() - Complete the recording, and report the loss account. Call this function after
 * session_stop().
 * @json: report the loss account as a JSON document on standard output
 *
 * Return: TOOL_OK; TOOL_ERROR if an error has occurred since session_open().
 */
int session_close(struct recording_session *session, int json);

#endif /* TOOLS_COMMON_RECORDING_SESSION_H */
