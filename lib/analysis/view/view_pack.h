/* SPDX-License-Identifier: MIT */
/*
 * Pack: converts many small numbers to compact text for a document. The reader of the document
 * unpacks them into arrays.
 *
 * What lives here: a buffer of numbers, and its conversion to base64. Numbers are encoded as
 * LEB128: each byte has seven bits of a number, the lowest bits first, and its eighth bit is set if
 * more bytes of the number follow. If a call fails, view_pack_text() reports the failure. May use
 * jansson.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_PACK_H
#define LIB_ANALYSIS_VIEW_VIEW_PACK_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * struct view_pack - The buffer. If all members are 0, the buffer is empty.
 * @bytes: the numbers; shape [@room]
 * @used: number of used bytes
 * @room: number of allocated bytes
 * @failed: some numbers are missing from the buffer, because there was no memory
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
 * view_pack_text() - Convert the numbers to base64, with padding. The function also empties the
 * buffer and frees its memory.
 *
 * Return: a new reference; NULL if memory was missing in this call or in an earlier call, with
 * Monitor_error_message() set.
 */
json_t *view_pack_text(struct view_pack *pack);

#endif /* LIB_ANALYSIS_VIEW_VIEW_PACK_H */
