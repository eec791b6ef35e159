/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The B-Link decoder: convert frames into transactions.
 *
 * What lives here: the two bus words that the card reads, the command table, and the transaction
 * tables, which give a response the address of its request. Source: "Design and Implementation
 * Aspects for the SMiLE Hardware Monitor" (2000), section III. The hardware's states IDLE, BD1 and
 * BD2 are the three steps of blink_decode(). The table whose key is the source and the transaction
 * id is not in the paper; this project defines it.
 */
#include <string.h>

#include <base/field.h>

#include "emu/card/card_inside.h"

/*
 * The faithful table, as it was built in hardware: bits 25-0 are the page and the word of the
 * address, and bit 26 is set for reads and locks.
 */
#define FAITHFUL_ADDRESS 0x03ffffffU
#define FAITHFUL_READ_OR_LOCK 0x04000000U

/* A command that is missing from the table remains zero, which is BLINK_CLASS_MALFORMED. */
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
#define FILTER_REQUEST(type) (SMILE_FILTER_REQUEST | SMILE_FILTER_##type)
#define FILTER_RESPONSE(type) SMILE_FILTER_RESPONSE
#define FILTER_EVENT(type) 0
#define FAITHFUL(type) (SMILE_TYPE_##type == SMILE_TYPE_WRITE ? 0 : FAITHFUL_READ_OR_LOCK)
#define COMMAND_ROW(first, count, name, class_, type_, payload, mark)                              \
	COMMANDS_##count(first, {BLINK_CLASS_##class_, SMILE_TYPE_##type_, FILTER_##class_(type_), \
				 FAITHFUL(type_)})

const struct blink_command blink_commands[BLINK_COMMANDS] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

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
	if (!blink_length_valid(bytes))
		return;

	bd1 = blink_bd1(frame);
	command = blink_command_of(bd1);
	event->class = (enum blink_class)command->class;
	event->type = command->type;
	event->transaction = (uint8_t)SMILE_GET(BLINK_BD1_TRANSACTION, bd1);
	event->source = (uint16_t)SMILE_GET(BLINK_BD1_SOURCE, bd1);
	event->target = (uint16_t)SMILE_GET(BLINK_BD1_TARGET, bd1);

	bd2 = blink_bd2(frame);
	if (event->class != BLINK_CLASS_RESPONSE)
		event->address = SMILE_GET(BLINK_BD2_ADDRESS, bd2);
	if (narrow) {
		event->source &= SMILE_NARROW_NODE;
		event->target &= SMILE_NARROW_NODE;
		event->address &= SMILE_NARROW_ADDRESS;
	}
	if (event->class == BLINK_CLASS_REQUEST)
		blink_remember(decoder, command, event->source, event->transaction, event->address);
}

bool blink_lookup(struct blink_decoder *decoder, bool faithful, struct blink_event *event)
{
	struct blink_slot *slot = blink_slot_of(decoder, event->target, event->transaction);
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
