/* SPDX-License-Identifier: MIT */
/*
 * Serve: serve the packets of a trace database. A server of packets has no live source. The server
 * reads the answers from the database in short steps, so that one thread can serve many clients.
 */
#ifndef TOOLS_SERVE_PACKETS_H
#define TOOLS_SERVE_PACKETS_H

#include "tools/serve/serve.h"

/**
 * packets_is_database() - Check whether a path is the path of an SQLite file.
 */
int packets_is_database(const char *path);

/**
 * packets_serve() - Serve a trace database until a signal ends it.
 * @path: path of the database
 * @options: the options, of which the address to listen on is used
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int packets_serve(const char *path, const struct serve_options *options);

/**
 * packets_route() - Answer a request, in a server whose serve.packets is set.
 */
enum MHD_Result packets_route(struct serve *serve, struct MHD_Connection *connection,
			      const char *url);

#endif /* TOOLS_SERVE_PACKETS_H */
