/* SPDX-License-Identifier: MIT */
/*
 * Live session: the object that live_open() makes. Only the files of this directory use its
 * members.
 */
#ifndef TOOLS_LIVE_SESSION_H
#define TOOLS_LIVE_SESSION_H

#include "tools/common/recording_session.h"
#include "tools/live/live.h"

struct recorded_source;

/**
 * struct live_session - A live source, and the sessions of its cards.
 * @live: the source. It is the first member, so that live_end() can convert a pointer to it into a
 *        pointer to the session
 * @options: the user's options
 * @merged: the Monitor that merges several members; NULL: there is at most one member
 * @sessions: recording sessions of cards or captures, which stop the cards and complete the
 *            recordings; shape [live.members_count]; NULL: the sources are recordings
 * @files: the files of the recordings, if cards are recorded only for other servers (without -o);
 *         otherwise NULL; shape [live.members_count]
 * @sources: used by recorded_source.c: the state of each source in @options->sources; NULL: the
 *           sources are cards
 * @empty: the Monitor of a view that has no records yet; NULL
 * @looked_ns: time of the last check for files
 * @behind: another machine has not yet sent all its older records
 * @anew: number of times that recordings were added to the view, or were restarted
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
 * recorded_begin() - Open recordings. Wait for a short time for recordings of other machines.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int recorded_begin(struct live_session *session);

/**
 * recorded_attend() - Implement live_attend() for recordings.
 */
unsigned int recorded_attend(struct live_session *session);

/**
 * recorded_file() - Implement live_recording() for recordings.
 */
int recorded_file(const struct live_session *session, size_t index);

/**
 * recorded_end() - Close the recordings.
 */
void recorded_end(struct live_session *session);

#endif /* TOOLS_LIVE_SESSION_H */
