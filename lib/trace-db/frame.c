// SPDX-License-Identifier: MIT
/*
 * Frame: splits frames into parts. See frame.h. May use include/hw and libc.
 *
 * What lives here: the code for frames of the B-Link, and the code that is the same for the B-Link
 * and the cable.
 */
#include "lib/trace-db/frame.h"

#include "lib/trace-db/cable_frame.h"

#include <string.h>

/* clang-format off */
#define ROW_1(first, name, class, payload, mark) [first] = {name, mark, FRAME_##class, payload}
#define ROW_4(first, ...)                                                                          \
	ROW_1(first, __VA_ARGS__), ROW_1((first) + 1, __VA_ARGS__),                                \
	ROW_1((first) + 2, __VA_ARGS__), ROW_1((first) + 3, __VA_ARGS__)
#define ROW_16(first, ...)                                                                         \
	ROW_4(first, __VA_ARGS__), ROW_4((first) + 4, __VA_ARGS__),                                \
	ROW_4((first) + 8, __VA_ARGS__), ROW_4((first) + 12, __VA_ARGS__)
#define ROW(first, number, name, class, type, payload, mark)                                       \
	ROW_##number(first, name, class, payload, mark),

const struct frame_command frame_commands[BLINK_COMMANDS] = {BLINK_COMMAND_TABLE(ROW)};

#define FIELD(name, word, shift, bits, of, title, mark)                                            \
	{name, title, mark, BLINK_IN_##word, shift, bits, BLINK_OF_##of},

const struct frame_field frame_fields[] = {BLINK_FIELD_TABLE(FIELD)};
/* clang-format on */

const size_t frame_field_count = sizeof(frame_fields) / sizeof(frame_fields[0]);

const char *frame_fault_text(unsigned int fault)
{
	static const char *const texts[FRAME_CABLE + 1] = {
		[FRAME_WHOLE] = "none",
		[FRAME_SHORT] = "the frame ends before BD1 and BD2 do",
		[FRAME_RAGGED] = "the length is no whole number of 64-bit words",
		[FRAME_LONG] = "the frame has more words than any B-Link frame",
		[FRAME_UNKNOWN] = "the command does not exist",
		[FRAME_LENGTH] = "the frame has another length than its command calls for",
	};

	return fault > FRAME_CABLE ? cable_fault_name(fault - FRAME_CABLE) : texts[fault];
}

const char *frame_type_text(unsigned int type)
{
	static const char *const texts[BLINK_TYPE_MAX + 1] = {
		[0] = "no type",
		[1] = "request-send, extended header, 0 bytes",
		[2] = "request-send, extended header, 16 bytes",
		[3] = "request-send, extended header, 64 bytes",
		[4] = "request-send, extended header, 256 bytes",
		[5] = "request-send, 0 bytes",
		[6] = "request-send, 16 bytes",
		[7] = "request-send, 64 bytes",
		[8] = "request-send, 256 bytes",
		[9] = "request-echo",
		[10] = "response-send, extended header, 0 bytes",
		[11] = "response-send, extended header, 16 bytes",
		[12] = "response-send, extended header, 64 bytes",
		[13] = "response-send, extended header, 256 bytes",
		[14] = "response-send, 0 bytes",
		[15] = "response-send, 16 bytes",
		[16] = "response-send, 64 bytes",
		[17] = "response-send, 256 bytes",
		[18] = "response-echo",
		[19] = "idle symbols",
		[20] = "sync",
		[21] = "B-Link request-send, extended header, 0 bytes",
		[22] = "B-Link request-send, extended header, 16 bytes",
		[23] = "B-Link request-send, extended header, 64 bytes",
		[24] = "B-Link request-send, extended header, 256 bytes",
		[25] = "B-Link request-send, 0 bytes",
		[26] = "B-Link request-send, 16 bytes",
		[27] = "B-Link request-send, 64 bytes",
		[28] = "B-Link request-send, 256 bytes",
		[29] = "B-Link response-send, extended header, 0 bytes",
		[30] = "B-Link response-send, extended header, 16 bytes",
		[31] = "B-Link response-send, extended header, 64 bytes",
		[32] = "B-Link response-send, extended header, 256 bytes",
		[33] = "B-Link response-send, 0 bytes",
		[34] = "B-Link response-send, 16 bytes",
		[35] = "B-Link response-send, 64 bytes",
		[36] = "B-Link response-send, 256 bytes",
	};

	return type <= BLINK_TYPE_MAX ? texts[type] : NULL;
}

static uint64_t word_get(const uint8_t *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static void word_put(uint8_t *bytes, uint64_t word)
{
	for (size_t i = 0; i < sizeof(word); i++)
		bytes[i] = (uint8_t)(word >> 8 * i);
}

/* Get the type of a packet with a known command, which may have an extended header. */
static uint8_t type_of(const struct frame_command *command, int extended)
{
	unsigned int size = command->payload == 0    ? 0
			    : command->payload == 16 ? 1
			    : command->payload == 64 ? 2
						     : 3;

	switch (command->class) {
	case FRAME_REQUEST:
		return (uint8_t)(size +
				 (extended ? BLINK_TYPE_REQUEST_EXTENDED : BLINK_TYPE_REQUEST));
	case FRAME_RESPONSE:
		return (uint8_t)(size +
				 (extended ? BLINK_TYPE_RESPONSE_EXTENDED : BLINK_TYPE_RESPONSE));
	default:
		return 0;
	}
}

void frame_parse(struct frame *frame, const void *bytes, size_t count)
{
	const size_t head = 2 * sizeof(uint64_t);
	const uint8_t *at = bytes;
	const struct frame_command *command;
	size_t extended;

	*frame = (struct frame){.body = at, .body_bytes = count, .fault = FRAME_SHORT};
	if (count < head)
		return;
	frame->bd1 = word_get(at);
	frame->bd2 = word_get(at + sizeof(uint64_t));
	frame->body = at + head;
	frame->body_bytes = count - head;
	command = &frame_commands[frame_command_of(frame)];
	extended = frame->bd1 & BLINK_BD1_EXTENDED ? BLINK_EXTENDED_WORDS * BLINK_WORD_BYTES : 0;
	frame->type = type_of(command, extended != 0);
	frame->fault = FRAME_WHOLE;
	if (count % BLINK_WORD_BYTES)
		frame->fault = FRAME_RAGGED;
	else if (count > BLINK_BYTES_MAX)
		frame->fault = FRAME_LONG;
	else if (!command->name)
		frame->fault = FRAME_UNKNOWN;
	else if (count != head + extended + command->payload + BLINK_WORD_BYTES)
		frame->fault = FRAME_LENGTH;
	if (frame->fault)
		return;
	frame->body_bytes -= BLINK_WORD_BYTES;
	frame->trailer = word_get(frame->body + frame->body_bytes);
}

size_t frame_build(const struct frame *frame, void *bytes, size_t room)
{
	size_t head = frame->fault == FRAME_SHORT ? 0 : 2 * sizeof(uint64_t);
	size_t tail = frame->fault == FRAME_WHOLE ? sizeof(uint64_t) : 0;
	size_t count = head + frame->body_bytes + tail;
	uint8_t *at = bytes;

	if (frame_is_cable(frame))
		return cable_frame_build(frame, bytes, room);
	if (count > room)
		return count;
	if (head) {
		word_put(at, frame->bd1);
		word_put(at + sizeof(uint64_t), frame->bd2);
	}
	if (frame->body_bytes)
		memcpy(at + head, frame->body, frame->body_bytes);
	if (tail)
		word_put(at + head + frame->body_bytes, frame->trailer);
	return count;
}

unsigned int frame_class_of(const struct frame *frame)
{
	if (frame_is_cable(frame))
		return cable_frame_class(frame);
	return frame->fault == FRAME_SHORT ? (unsigned int)FRAME_NONE
					   : frame_commands[frame_command_of(frame)].class;
}

bool frame_has_bd2(const struct frame *frame)
{
	return frame_is_cable(frame) ? cable_frame_has_bd2(frame) : frame->fault != FRAME_SHORT;
}

bool frame_has_trailer(const struct frame *frame)
{
	return frame_is_cable(frame) ? cable_frame_has_trailer(frame) : frame->fault == FRAME_WHOLE;
}

bool frame_has_command(const struct frame *frame)
{
	return frame_has_nodes(frame) && frame_class_of(frame) != FRAME_ECHO;
}

const char *frame_command_name(const struct frame *frame)
{
	/* The command event00 exists only on the B-Link. */
	if (!frame_has_command(frame) || frame->fault == FRAME_CABLE_COMMAND)
		return NULL;
	return frame_commands[frame_command_of(frame)].name;
}

bool frame_has_payload(const struct frame *frame)
{
	return frame_is_cable(frame) ? cable_frame_is_send(frame) : frame->fault != FRAME_SHORT;
}

bool frame_address(const struct frame *frame, uint64_t *address)
{
	unsigned int class = frame_class_of(frame);

	*address = frame->bd2 & BLINK_BD2_ADDRESS;
	if (frame_is_cable(frame) && !cable_frame_is_send(frame))
		return false;
	return class == FRAME_REQUEST || class == FRAME_EVENT;
}

size_t frame_extended_bytes(const struct frame *frame)
{
	size_t bytes = BLINK_EXTENDED_WORDS * BLINK_WORD_BYTES;

	return frame_has_payload(frame) && frame->bd1 & BLINK_BD1_EXTENDED &&
			       frame->body_bytes >= bytes
		       ? bytes
		       : 0;
}

const uint8_t *frame_payload(const struct frame *frame, size_t *bytes)
{
	size_t extended = frame_extended_bytes(frame);

	*bytes = frame_has_nodes(frame) ? frame->body_bytes - extended : 0;
	return extended ? frame->body + extended : frame->body;
}

const struct frame_field *frame_fields_of(const struct frame *frame, size_t *count)
{
	if (frame_is_cable(frame))
		return cable_frame_fields(count);
	*count = frame_field_count;
	return frame_fields;
}

int frame_field_get(const struct frame *frame, const struct frame_field *field, uint64_t *value)
{
	const uint64_t mask = (uint64_t)-1 >> (64 - field->bits);
	unsigned int class = frame_class_of(frame);
	uint64_t word;

	if (frame_is_cable(frame))
		return cable_frame_field_get(frame, field, value);
	if (frame->fault == FRAME_SHORT ||
	    (field->of == BLINK_OF_REQUEST && class != FRAME_REQUEST && class != FRAME_EVENT) ||
	    (field->of == BLINK_OF_RESPONSE && class != FRAME_RESPONSE) ||
	    (field->of == BLINK_OF_EXTENDED && !frame_extended_bytes(frame)) ||
	    (field->word == BLINK_IN_TRAILER && frame->fault != FRAME_WHOLE))
		return 0;
	switch (field->word) {
	case BLINK_IN_BD1:
		word = frame->bd1;
		break;
	case BLINK_IN_BD2:
		word = frame->bd2;
		break;
	case BLINK_IN_EXTENDED_0:
		word = word_get(frame->body);
		break;
	case BLINK_IN_EXTENDED_1:
		word = word_get(frame->body + BLINK_WORD_BYTES);
		break;
	default:
		word = frame->trailer;
		break;
	}
	*value = word >> field->shift & mask;
	return 1;
}

size_t frame_field_byte(const struct frame *frame, const struct frame_field *field)
{
	if (frame_is_cable(frame))
		return cable_frame_field_byte(frame, field);
	if (field->word == BLINK_IN_TRAILER)
		return 2 * sizeof(uint64_t) + frame->body_bytes;
	return (size_t)field->word * BLINK_WORD_BYTES;
}

unsigned int frame_field_bit(const struct frame *frame, const struct frame_field *field)
{
	return frame_is_cable(frame) ? field->shift % 16 : field->shift;
}

const char *frame_field_word(const struct frame *frame, const struct frame_field *field)
{
	static const char *const words[BLINK_IN_COUNT] = {"BD1", "BD2", "extended header 0",
							  "extended header 1", "trailer"};

	return frame_is_cable(frame) ? cable_frame_field_word(field) : words[field->word];
}
