/* SPDX-License-Identifier: MIT */
/*
 * Remote: the recordings that another `smile serve` offers, as files that grow here.
 *
 * What lives here: one connection to it, from its first attempt on; what comes is written to files
 * without a name. A peer is not trusted: what it sends is checked, and bounded in memory. One
 * thread at a time; nothing waits.
 */
#ifndef TOOLS_LIVE_REMOTE_H
#define TOOLS_LIVE_REMOTE_H

#include <stddef.h>
#include <stdint.h>

struct remote;

/**
 * remote_is() - Is that the address of a `smile serve`: unix:PATH or http://HOST:PORT?
 */
int remote_is(const char *source);

/**
 * remote_new() - Begin to connect.
 *
 * Return: NULL after a message: the address is invalid, or is not of this machine.
 */
struct remote *remote_new(const char *source);

/**
 * remote_attend() - Connect, take in the data that has come, and connect again if the connection is
 * lost.
 *
 * Return: 1 if remote_count() recordings can be opened that could not before: the first ones, or
 * others in their place; 0.
 */
int remote_attend(struct remote *remote);

/**
 * remote_count() - How many recordings can be opened; 0: none yet.
 */
size_t remote_count(const struct remote *remote);

/**
 * remote_file() - Recording @index: its file, which is locked as long as the recording can grow.
 */
int remote_file(const struct remote *remote, size_t index);

/**
 * remote_is_behind() - Does the sender have more than has come, from before the connection?
 */
int remote_is_behind(const struct remote *remote);

/**
 * remote_trouble() - Why nothing comes, with its remedy; "" if something does, or all has come.
 */
const char *remote_trouble(const struct remote *remote);

/**
 * remote_free() - Close the connection and the files; NULL is allowed.
 */
void remote_free(struct remote *remote);

#endif /* TOOLS_LIVE_REMOTE_H */
