/* SPDX-License-Identifier: MIT */
/*
 * Database: functions for the verbs of `smile trace` that read a database. The functions open the
 * database, parse the options that choose packets, and print a packet as a line.
 */
#ifndef TOOLS_TRACE_DATABASE_H
#define TOOLS_TRACE_DATABASE_H

#include "lib/trace-db/trace_db.h"
#include "tools/common/option_table.h"

/**
 * database_open() - Open a database for reading. Return: NULL after a message.
 */
struct trace_db *database_open(const char *path);

/**
 * database_error() - Print the last error of a database. Return: TOOL_ERROR.
 */
int database_error(const struct trace_db *db);

/* The options that choose packets: a group of an option table that sets a struct trace_filter. */
extern const struct tool_option database_lines[];

/**
 * database_possible() - Check whether a packet can exist that fulfils all conditions.
 * @requests: the verb only accepts requests
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int database_possible(const struct trace_filter *filter, bool requests);

/**
 * database_traces_read() - Read the descriptions of all traces.
 * @traces: receives the traces, which the caller must free(); not set on failure
 *
 * Return: the number of traces; -1 after a message.
 */
int database_traces_read(struct trace_db *db, struct trace_info **traces);

/**
 * database_traces() - Check that the traces that the filter selects exist.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int database_traces(struct trace_db *db, const struct trace_filter *filter);

/**
 * database_packet() - Parse the arguments TRACE and PACKET, and read this packet.
 * @bytes: receives the body of the packet; shape [TRACE_DB_BODY_BYTES]
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int database_packet(struct trace_db *db, char *const *arguments, struct trace_row *row,
		    uint8_t *bytes);

/**
 * database_heading() - Print the heading of a list of packets. database_line() prints the line of a
 * packet.
 * @note: text to append to the line; NULL: none
 */
void database_heading(void);
void database_line(const struct trace_row *row, const char *note);

#endif /* TOOLS_TRACE_DATABASE_H */
