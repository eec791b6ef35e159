/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The B-Link decoder: convert frames into transactions.
 *
 * What lives here: the two bus words that the card reads, and the command table. Source: "Design
 * and Implementation Aspects for the SMiLE Hardware Monitor" (2000), section III. The hardware's
 * states IDLE, BD1 and BD2 are the three steps of blink_decode().
 */
#include <string.h>

#include <base/field.h>

#include "emu/card/card_inside.h"

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
#define FAITHFUL(type) (SMILE_TYPE_##type == SMILE_TYPE_WRITE ? 0 : TRANSACTION_TABLE_READ_OR_LOCK)
#define COMMAND_ROW(first, count, name, class_, type_, payload, mark)                              \
	COMMANDS_##count(first, {BLINK_CLASS_##class_, SMILE_TYPE_##type_, FILTER_##class_(type_), \
				 FAITHFUL(type_)})

const struct blink_command blink_commands[BLINK_COMMANDS] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

void blink_decode(struct transaction_table *table, const uint8_t *frame, size_t bytes, bool narrow,
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
		transaction_table_enter(table, command, event->source, event->transaction,
					event->address);
}
