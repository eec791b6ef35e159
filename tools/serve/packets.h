/* SPDX-License-Identifier: MIT */
/*
 * Serve: the packets of a trace database. This server has no live source: it reads answers from the
 * file, in steps that are short enough for one thread to serve many readers.
 */
#ifndef TOOLS_SERVE_PACKETS_H
#define TOOLS_SERVE_PACKETS_H

#include "tools/serve/serve.h"

/**
 * packets_is_database() - Is this path an SQLite file?
 */
int packets_is_database(const char *path);

/**
 * packets_serve() - Serve a trace database until a signal ends it.
 * @path: the database
 * @options: the addresses to listen on
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int packets_serve(const char *path, const struct serve_options *options);

/**
 * packets_route() - Answer a request, in a server that has serve.packets.
 */
enum MHD_Result packets_route(struct serve *serve, struct MHD_Connection *connection,
			      const char *url);

#endif /* TOOLS_SERVE_PACKETS_H */
