/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The B-Link decoder: frames in, transactions out.
 *
 * What lives here: the two words that matter, the command table, and the transaction tables that
 * give a response the address of its request. Source: "Design and Implementation Aspects for the
 * SMiLE Hardware Monitor" (2000), section III; the hardware's states IDLE, BD1 and BD2 are the
 * three steps of blink_decode(). The source-keyed table is defined here.
 */
#include <string.h>

#include "emu/card/parts.h"

/* Faithful table, as built: bits 25-0 page and word of the address, bit 26 "read or lock". */
#define FAITHFUL_ADDRESS 0x03ffffffU
#define FAITHFUL_READ_OR_LOCK 0x04000000U

struct blink_command {
	uint8_t class;
	uint8_t type;
};

/* Commands that the table does not name stay zero: BLINK_CLASS_MALFORMED. */
#define COMMANDS_1(first, ...) [first] = __VA_ARGS__,
#define COMMANDS_4(first, ...)                                                                     \
	COMMANDS_1(first, __VA_ARGS__)                                                             \
	COMMANDS_1((first) + 1, __VA_ARGS__)                                                       \
	COMMANDS_1((first) + 2, __VA_ARGS__)                                                       \
	COMMANDS_1((first) + 3, __VA_ARGS__)
#define COMMANDS_16(first, ...)                                                                    \
	COMMANDS_4(first, __VA_ARGS__)                                                             \
	COMMANDS_4((first) + 4, __VA_ARGS__)                                                       \
	COMMANDS_4((first) + 8, __VA_ARGS__)                                                       \
	COMMANDS_4((first) + 12, __VA_ARGS__)
#define COMMAND_ROW(first, count, name, class_, type_, payload, mark)                              \
	COMMANDS_##count(first, {BLINK_CLASS_##class_, SMILE_TYPE_##type_})

static const struct blink_command commands[BLINK_COMMANDS] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

static uint64_t frame_word(const uint8_t *frame, unsigned int index)
{
	const uint8_t *bytes = frame + (size_t)index * BLINK_WORD_BYTES;
	uint64_t word = 0;

	for (unsigned int i = 0; i < BLINK_WORD_BYTES; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

static struct blink_slot *slot_of(struct blink_decoder *decoder, uint16_t requester,
				  uint8_t transaction)
{
	uint32_t column = requester % (BLINK_SLOTS / BLINK_TRANSACTIONS);

	return &decoder->keyed[column * BLINK_TRANSACTIONS + transaction];
}

static void remember(struct blink_decoder *decoder, const struct blink_event *event)
{
	struct blink_slot *slot = slot_of(decoder, event->source, event->transaction);
	uint32_t kept = (uint32_t)((event->address & BLINK_FAITHFUL_ADDRESS) / SMILE_WORD_BYTES);

	*slot = (struct blink_slot){
		.address = event->address,
		.source = event->source,
		.type = event->type,
		.valid = 1,
	};
	if (event->type != SMILE_TYPE_WRITE)
		kept |= FAITHFUL_READ_OR_LOCK;
	decoder->faithful[event->transaction] = kept;
}

void blink_reset(struct blink_decoder *decoder)
{
	memset(decoder, 0, sizeof(*decoder));
}

void blink_decode(struct blink_decoder *decoder, const uint8_t *frame, size_t bytes, bool narrow,
		  struct blink_event *event)
{
	const struct blink_command *command;
	uint64_t bd1, bd2;

	memset(event, 0, sizeof(*event));
	if (bytes % BLINK_WORD_BYTES || bytes < BLINK_WORDS_MIN * BLINK_WORD_BYTES ||
	    bytes > BLINK_BYTES_MAX)
		return;

	bd1 = frame_word(frame, 0);
	command = &commands[SMILE_GET(BLINK_BD1_COMMAND, bd1)];
	event->class = (enum blink_class)command->class;
	event->type = command->type;
	event->transaction = (uint8_t)SMILE_GET(BLINK_BD1_TRANSACTION, bd1);
	event->source = (uint16_t)SMILE_GET(BLINK_BD1_SOURCE, bd1);
	event->target = (uint16_t)SMILE_GET(BLINK_BD1_TARGET, bd1);

	bd2 = frame_word(frame, 1);
	if (event->class != BLINK_CLASS_RESPONSE)
		event->address = SMILE_GET(BLINK_BD2_ADDRESS, bd2);
	if (narrow) {
		event->source &= SMILE_NARROW_NODE;
		event->target &= SMILE_NARROW_NODE;
		event->address &= SMILE_NARROW_ADDRESS;
	}
	if (event->class == BLINK_CLASS_REQUEST)
		remember(decoder, event);
}

bool blink_lookup(struct blink_decoder *decoder, bool faithful, struct blink_event *event)
{
	struct blink_slot *slot = slot_of(decoder, event->target, event->transaction);
	uint32_t kept = decoder->faithful[event->transaction];

	if (faithful) {
		event->address = (uint64_t)(kept & FAITHFUL_ADDRESS) * SMILE_WORD_BYTES;
		event->type = kept & FAITHFUL_READ_OR_LOCK ? SMILE_TYPE_READ : SMILE_TYPE_WRITE;
		return true;
	}
	if (!slot->valid || slot->source != event->target)
		return false;
	event->address = slot->address;
	event->type = slot->type;
	slot->valid = 0;
	return true;
}
