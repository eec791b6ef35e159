/* SPDX-License-Identifier: MIT */
/*
 * Packets as JSON: converts a packet with all its fields, or a row of a list, to JSON. May use
 * trace_db.h and jansson.
 */
#ifndef LIB_TRACE_DB_PACKET_JSON_H
#define LIB_TRACE_DB_PACKET_JSON_H

#include <stdio.h>

#include <jansson.h>

#include "lib/trace-db/trace_db.h"

/**
 * packet_json_row() - Get the columns that a list shows. Return: a new reference; NULL if memory is
 * missing.
 */
json_t *packet_json_row(const struct trace_row *row);

/**
 * packet_json_row_write() - Write the same JSON object as packet_json_row() on one line. This
 * function is faster, for lists with millions of rows.
 */
void packet_json_row_write(FILE *out, const struct trace_row *row);

/**
 * packet_json() - Get a document smile.trace.packet/1, which has all fields of a packet, its data,
 * and the position of each field.
 * @response: number of the response; -1: no response
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *packet_json(const struct trace_row *row, int64_t response);

#endif /* LIB_TRACE_DB_PACKET_JSON_H */
