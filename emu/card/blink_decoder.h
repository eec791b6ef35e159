/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card's decoder of B-Link frames.
 *
 * What lives here: the functions of blink_decoder.c, and the inline functions that run for every
 * frame. The inline functions check the length of a frame and read its command. May use bytes.h.
 * For emu/card and its tests; included by card_inside.h.
 */
#ifndef EMU_CARD_BLINK_DECODER_H
#define EMU_CARD_BLINK_DECODER_H

#include <base/field.h>

#include "emu/card/bytes.h"
#include "emu/card/card.h"

/**
 * struct blink_command - The meaning of a B-Link command.
 * @class: enum blink_class
 * @type: SMILE_TYPE_*
 * @filter: the SMILE_FILTER_* bits that the packet needs. The bit of the packet's direction is not
 *          included, and for a response the bit of its type is not included either
 * @faithful: for a request, the bits that the faithful table stores in addition to the address
 */
struct blink_command {
	uint8_t class;
	uint8_t type;
	uint16_t filter;
	uint32_t faithful;
};

extern const struct blink_command blink_commands[BLINK_COMMANDS];

/*
 * Decode a frame. If @narrow is set, use the historic widths of the fields. A request is entered in
 * the transaction tables. For a response, call transaction_table_find() to find the request.
 */
void blink_decode(struct transaction_table *table, const uint8_t *frame, size_t bytes, bool narrow,
		  struct blink_event *event);

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

static inline uint64_t blink_bd1(const uint8_t *frame)
{
	return bytes_get_64(frame);
}

static inline uint64_t blink_bd2(const uint8_t *frame)
{
	return bytes_get_64(frame + BLINK_WORD_BYTES);
}

static inline const struct blink_command *blink_command_of(uint64_t bd1)
{
	return &blink_commands[SMILE_GET(BLINK_BD1_COMMAND, bd1)];
}

/* Check whether the type of a decoded request is SMILE_TYPE_READ, WRITE or LOCK. */
static inline bool blink_type_valid(uint32_t type)
{
	return type - SMILE_TYPE_READ <= SMILE_TYPE_LOCK - SMILE_TYPE_READ;
}

#endif /* EMU_CARD_BLINK_DECODER_H */
