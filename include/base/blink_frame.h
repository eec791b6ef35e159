/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link frame: how a card treats a frame of a capture.
 *
 * What lives here: the check of the length of a frame, and the class and the type of its command,
 * for the card and for the readers of captures that have no card. Not installed.
 */
#ifndef BASE_BLINK_FRAME_H
#define BASE_BLINK_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/field.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

/*
 * Check whether a frame consists of whole words, has at least BD1 and BD2, and is not too long. The
 * function needs only one comparison. The low bits of the compared number are the number of words
 * after BD1 and BD2, and the high bits are the number of bytes that do not fill a word.
 */
static inline bool blink_length_valid(size_t bytes)
{
	uint64_t more = (uint64_t)bytes - BLINK_WORDS_MIN * BLINK_WORD_BYTES;

	return (more >> 3 | more << 61) <= BLINK_WORDS_MAX - BLINK_WORDS_MIN;
}

/* How a card treats a frame. A malformed frame is only counted. */
enum blink_frame_class {
	BLINK_FRAME_MALFORMED,
	BLINK_FRAME_REQUEST,
	BLINK_FRAME_RESPONSE,
	BLINK_FRAME_EVENT,
};

/* clang-format off */
#define BLINK_FRAME_ROW(first, count, name, class, type, payload, mark)                            \
	{ first, count, BLINK_FRAME_##class, SMILE_TYPE_##type },
/* clang-format on */

/**
 * blink_frame_class() - Get the class of a frame.
 * @frame: the frame, as in a capture
 * @bytes: its length
 * @type: receives SMILE_TYPE_*: the type of a request; SMILE_TYPE_ANY for other frames
 */
static inline enum blink_frame_class blink_frame_class(const void *frame, size_t bytes,
						       unsigned int *type)
{
	static const struct {
		unsigned int first;
		unsigned int count;
		enum blink_frame_class class;
		unsigned int type;
	} rows[] = {BLINK_COMMAND_TABLE(BLINK_FRAME_ROW)};
	const uint8_t *at = frame;
	unsigned int command;

	*type = SMILE_TYPE_ANY;
	if (!blink_length_valid(bytes))
		return BLINK_FRAME_MALFORMED;
	command = (unsigned int)SMILE_GET(BLINK_BD1_COMMAND, (uint64_t)at[2] << 16);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (command - rows[i].first >= rows[i].count)
			continue;
		if (rows[i].class == BLINK_FRAME_REQUEST)
			*type = rows[i].type;
		return rows[i].class;
	}
	return BLINK_FRAME_MALFORMED;
}

#endif /* BASE_BLINK_FRAME_H */
