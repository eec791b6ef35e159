/* SPDX-License-Identifier: MIT */
/*
 * Recording session: a source that counts into a recording; what `smile record` and
 * `smile replay` share.
 */
#ifndef TOOLS_COMMON_RECORDING_SESSION_H
#define TOOLS_COMMON_RECORDING_SESSION_H

#include "tools/common/config_options.h"

/**
 * struct recording_session - A recording that is being written.
 * @mon: the open Monitor
 * @source: name of its source
 * @file: the recording
 * @records: number of records taken in
 * @failed: an error occurred and was reported; the recording is completed nevertheless
 * @known: @loss and @statistics are filled in, by session_stop()
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
 * session_open() - Open the source, configure it, create the recording.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message, with nothing left open.
 */
int session_open(struct recording_session *session, const char *source, const char *file,
		 const struct config_options *options, const char *command_line);

/**
 * session_poll() - Take in the available records, and show progress.
 * @timeout_ms: longest time to wait for records
 *
 * Return: number of records taken in; 0 also after a signal; -1 if the source has failed, after a
 * message, or cannot continue after a signal.
 */
int session_poll(struct recording_session *session, int timeout_ms);

/**
 * session_swap() - Swap out the counters while the card counts, so that their counts are recorded.
 *
 * Return: as session_poll().
 */
int session_swap(struct recording_session *session);

/**
 * session_stop() - Stop, drain, and get the loss account.
 */
void session_stop(struct recording_session *session);

/**
 * session_close() - Complete the recording, and report the loss account; call it after
 * session_stop().
 * @json: report the account as a JSON document on standard output
 *
 * Return: TOOL_OK; TOOL_ERROR if an error occurred since session_open().
 */
int session_close(struct recording_session *session, int json);

#endif /* TOOLS_COMMON_RECORDING_SESSION_H */
