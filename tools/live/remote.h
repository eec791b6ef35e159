/* SPDX-License-Identifier: MIT */
/*
 * Remote: the recordings that another `smile serve` offers, as files that grow here.
 *
 * What lives here: one connection to it, from the first attempt on. The received data is written to
 * files without a name. A peer is not trusted: its data is checked, and its use of memory is
 * bounded. Only one thread at a time may use a connection; no function waits.
 */
#ifndef TOOLS_LIVE_REMOTE_H
#define TOOLS_LIVE_REMOTE_H

#include <stddef.h>
#include <stdint.h>

struct remote;

/**
 * remote_is() - Is the text the address of a `smile serve`: unix:PATH or http://HOST:PORT?
 */
int remote_is(const char *source);

/**
 * remote_new() - Begin to connect.
 *
 * Return: NULL after a message if the address is invalid, or of another machine.
 */
struct remote *remote_new(const char *source);

/**
 * remote_attend() - Connect, take in the received data, and connect again if the connection is
 * lost.
 *
 * Return: 1 if remote_count() new recordings can be opened: the first ones, or others that replace
 * them; 0.
 */
int remote_attend(struct remote *remote);

/**
 * remote_count() - The number of recordings that can be opened; 0: none yet.
 */
size_t remote_count(const struct remote *remote);

/**
 * remote_file() - The file of recording @index, which is locked as long as the recording can grow.
 */
int remote_file(const struct remote *remote, size_t index);

/**
 * remote_is_behind() - Does the sender still have unsent data from before the connection?
 */
int remote_is_behind(const struct remote *remote);

/**
 * remote_trouble() - The reason why no data arrives, with its remedy; "" if data arrives, or all
 * data has arrived.
 */
const char *remote_trouble(const struct remote *remote);

/**
 * remote_free() - Close the connection and the files; NULL is allowed.
 */
void remote_free(struct remote *remote);

#endif /* TOOLS_LIVE_REMOTE_H */
