/* SPDX-License-Identifier: MIT */
/*
 * Live session: what live_open() made, for the files of this room.
 */
#ifndef TOOLS_LIVE_SESSION_H
#define TOOLS_LIVE_SESSION_H

#include "tools/common/recording_session.h"
#include "tools/live/live.h"

struct recorded_source;

/**
 * struct live_session - A source and its sessions.
 * @live: the source; first, so that live_end() finds the rest
 * @options: what the user asked for
 * @merged: the view of several members; NULL: there is one, or none
 * @sessions: of each card or capture, shape [live.members_count]: stop it and complete its
 *            recording; NULL: recordings
 * @files: of cards without -o whose records are offered: their recordings, shape
 *         [live.members_count]; NULL
 * @sources: recorded.c: of each of @options->sources; NULL: cards
 * @empty: the Monitor of a view in which nothing is yet; NULL
 * @looked_ns: when files were looked for
 * @behind: another machine has more records from before, which have not come
 * @anew: how often members came, or began anew
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
 * recorded_end() - Close them.
 */
void recorded_end(struct live_session *session);

#endif /* TOOLS_LIVE_SESSION_H */
