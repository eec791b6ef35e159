/* SPDX-License-Identifier: MIT */
/*
 * Static pieces: the place of a variable for static counters, from a recording. May use the
 * analysis and the public API.
 */
#ifndef TOOLS_COMMON_STATIC_PIECES_H
#define TOOLS_COMMON_STATIC_PIECES_H

#include "lib/analysis/pieces/pieces.h"

/**
 * struct static_pieces - The place of a variable.
 * @pieces: its first pieces, each within a page
 * @count: number of all pieces; can be more than @pieces has room for
 */
struct static_pieces {
	struct piece pieces[SMILE_STATIC_COUNTERS];
	size_t count;
};

/**
 * static_pieces_find() - Find the parts of a variable, one for each static counter.
 * @pieces: receives the parts
 * @map: path of a recording; "" if no recording was named
 * @variable: name, with indices and members
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_pieces_find(struct static_pieces *pieces, const char *map, const char *variable);

#endif /* TOOLS_COMMON_STATIC_PIECES_H */
