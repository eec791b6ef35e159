/* SPDX-License-Identifier: MIT */
/*
 * Static pieces: the addresses of a variable, read from a recording, for static counters. May use
 * lib/analysis and the public API.
 */
#ifndef TOOLS_COMMON_STATIC_PIECES_H
#define TOOLS_COMMON_STATIC_PIECES_H

#include "lib/analysis/pieces/pieces.h"

/**
 * struct static_pieces - The memory of a variable.
 * @pieces: the first pieces of the variable's memory, each within one page
 * @count: number of all pieces, which can be greater than the capacity of @pieces
 */
struct static_pieces {
	struct piece pieces[SMILE_STATIC_COUNTERS];
	size_t count;
};

/**
 * static_pieces_find() - Split the memory of a variable into pieces, so that one static counter can
 * count each piece.
 * @pieces: receives the pieces
 * @map: path of a recording; "" if no recording was named
 * @variable: name of the variable, which may include indices and members
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_pieces_find(struct static_pieces *pieces, const char *map, const char *variable);

#endif /* TOOLS_COMMON_STATIC_PIECES_H */
