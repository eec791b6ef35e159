/* SPDX-License-Identifier: MIT */
/*
 * Pack: many small numbers as text, for a document whose reader unpacks them into arrays.
 *
 * What lives here: a buffer of numbers, with seven bits per byte, lowest first, and the eighth bit
 * set if more bytes follow (LEB128), and its base64. A failure is reported when the text is taken
 * out. May use jansson.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_PACK_H
#define LIB_ANALYSIS_VIEW_VIEW_PACK_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * struct view_pack - The buffer; all zero is an empty buffer.
 * @bytes: the numbers; shape [@room]
 * @used: number of bytes used
 * @room: number of bytes allocated
 * @failed: some numbers are missing, for lack of memory
 */
struct view_pack {
	uint8_t *bytes;
	size_t used;
	size_t room;
	int failed;
};

/**
 * view_pack_number() - Append a number.
 */
void view_pack_number(struct view_pack *pack, uint64_t number);

/**
 * view_pack_text() - Take the numbers out as base64, with padding; the buffer is empty then, and
 * holds no memory.
 *
 * Return: a new reference; NULL without memory, now or before, with Monitor_error_message() set.
 */
json_t *view_pack_text(struct view_pack *pack);

#endif /* LIB_ANALYSIS_VIEW_VIEW_PACK_H */
