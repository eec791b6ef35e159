/* SPDX-License-Identifier: MIT */
/*
 * Static pieces: where a variable lies that static counters are to count, as a recording says. May
 * use the analysis and the public API.
 */
#ifndef TOOLS_COMMON_STATIC_PIECES_H
#define TOOLS_COMMON_STATIC_PIECES_H

#include "lib/analysis/pieces/pieces.h"

/**
 * struct static_pieces - Where it lies.
 * @pieces: the first of them, within a page each
 * @count: how many there are; can be more than @pieces has room for
 */
struct static_pieces {
	struct piece pieces[SMILE_STATIC_COUNTERS];
	size_t count;
};

/**
 * static_pieces_find() - Look a variable up.
 * @map: path of a recording; "": none was named
 * @variable: name, with indices and members
 *
 * Return: TOOL_OK; TOOL_ERROR after saying why not.
 */
int static_pieces_find(struct static_pieces *pieces, const char *map, const char *variable);

#endif /* TOOLS_COMMON_STATIC_PIECES_H */
