/* SPDX-License-Identifier: MIT */
/*
 * Remote recordings: receive the recordings that another `smile serve` offers. They are received
 * into local files, which grow as the recordings grow.
 *
 * What lives here: a connection to another `smile serve`, which is restored if it is lost. The
 * received data is written to files without a name. The peer is not trusted: its data is checked,
 * and a limit bounds the memory that is used for this data. No function waits. Only one thread at a
 * time may use a connection.
 */
#ifndef TOOLS_LIVE_REMOTE_RECORDINGS_H
#define TOOLS_LIVE_REMOTE_RECORDINGS_H

#include <stddef.h>
#include <stdint.h>

struct remote;

/**
 * remote_is() - Check whether a text is the address of a `smile serve`: unix:PATH or
 * http://HOST:PORT.
 */
int remote_is(const char *source);

/**
 * remote_new() - Start to connect to a `smile serve`.
 *
 * Return: the connection; NULL after a message if the address is invalid, or is the address of
 *         another machine.
 */
struct remote *remote_new(const char *source);

/**
 * remote_attend() - Process the received data. If the connection is lost, connect again.
 *
 * Return: 1 if new recordings can be opened; otherwise 0. The new recordings are the first ones, or
 *         they replace the previous ones; remote_count() is their number.
 */
int remote_attend(struct remote *remote);

/**
 * remote_count() - Get the number of recordings that can be opened; 0 if none has arrived yet.
 */
size_t remote_count(const struct remote *remote);

/**
 * remote_file() - Get the file of recording @index. The file is locked while the recording can
 * grow.
 */
int remote_file(const struct remote *remote, size_t index);

/**
 * remote_is_behind() - Check whether the sender still has to send data from before the connection.
 */
int remote_is_behind(const struct remote *remote);

/**
 * remote_trouble() - Get the reason why no data arrives, with a remedy; "" if data arrives, or if
 * all data has arrived.
 */
const char *remote_trouble(const struct remote *remote);

/**
 * remote_free() - Close the connection and the files. @remote may be NULL.
 */
void remote_free(struct remote *remote);

#endif /* TOOLS_LIVE_REMOTE_RECORDINGS_H */
