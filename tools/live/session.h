/* SPDX-License-Identifier: MIT */
/*
 * Live session: the object that live_open() makes, for the files of this room.
 */
#ifndef TOOLS_LIVE_SESSION_H
#define TOOLS_LIVE_SESSION_H

#include "tools/common/recording_session.h"
#include "tools/live/live.h"

struct recorded_source;

/**
 * struct live_session - A source and its sessions.
 * @live: the source; first, so that live_end() finds the rest
 * @options: the user's options
 * @merged: the view of several members; NULL: there is at most one
 * @sessions: the sessions of cards or captures, which stop them and complete their recordings;
 *            shape [live.members_count]; NULL: the sources are recordings
 * @files: without -o, the recordings of cards whose records are offered; shape
 *         [live.members_count]; NULL
 * @sources: of recorded.c: the state of each of @options->sources; NULL: the sources are cards
 * @empty: the Monitor of a view without records yet; NULL
 * @looked_ns: time of the last check for files
 * @behind: another machine has older records that have not arrived yet
 * @anew: number of times at which members appeared, or were begun again
 */
struct live_session {
	struct live live;
	const struct live_options *options;
	struct Monitor *merged;
	struct recording_session *sessions;
	int *files;
	struct recorded_source *sources;
	struct Monitor *empty;
	uint64_t looked_ns;
	int behind;
	uint64_t anew;
};

/**
 * recorded_begin() - Open recordings, and wait a moment for recordings of other machines.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int recorded_begin(struct live_session *session);

/**
 * recorded_attend() - live_attend() of recordings.
 */
unsigned int recorded_attend(struct live_session *session);

/**
 * recorded_file() - live_recording() of recordings.
 */
int recorded_file(const struct live_session *session, size_t index);

/**
 * recorded_end() - Close the recordings.
 */
void recorded_end(struct live_session *session);

#endif /* TOOLS_LIVE_SESSION_H */
