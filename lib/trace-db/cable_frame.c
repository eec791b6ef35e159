// SPDX-License-Identifier: MIT
/*
 * Cable frame: splits packets of the cable into the parts of a frame. See frame.h.
 *
 * What lives here: the positions of the packet's symbols in the parts of a frame. emu/cable defines
 * the packets. May use include/hw, emu/cable and libc.
 */
#include "lib/trace-db/cable_frame.h"

#include <string.h>

/* Number of bytes of a packet before its first symbol. */
#define KIND_BYTES CABLE_SYMBOL_BYTES
/* Positions of fields in BD1 and BD2. They are the same as on the B-Link. */
#define BD1_COMMAND 16U
#define BD1_TARGET 32U
#define BD1_TRANSACTION 48U
#define BD2_COUNT 16U
#define BD2_STATUS 32U
#define BD2_CONTROL 48U
#define TRAILER_CRC 48U

/* clang-format off */
#define FIELD(name, word, shift, bits, of, title, mark)                                            \
	{name, title, mark, CABLE_IN_##word, shift, bits, CABLE_OF_##of},

static const struct frame_field fields[] = {CABLE_FIELD_TABLE(FIELD)};
/* clang-format on */

static uint64_t symbol_get(const uint8_t *bytes, size_t number)
{
	return bytes[KIND_BYTES + 2 * number] | (uint64_t)bytes[KIND_BYTES + 2 * number + 1] << 8;
}

static bool is_echo(const struct frame *frame)
{
	return frame->type == CABLE_TYPE_REQUEST_ECHO || frame->type == CABLE_TYPE_RESPONSE_ECHO;
}

static bool is_decoded(const struct frame *frame)
{
	return frame->fault == FRAME_WHOLE || frame->fault == FRAME_CABLE_CRC;
}

bool cable_frame_is_send(const struct frame *frame)
{
	return is_decoded(frame) && frame->type && frame->type < CABLE_TYPE_IDLES &&
	       !is_echo(frame);
}

static bool is_response(const struct frame *frame)
{
	return frame->type >= CABLE_TYPE_RESPONSE_EXTENDED &&
	       frame->type < CABLE_TYPE_RESPONSE_ECHO;
}

/* Return whether the frame is an idles packet that has both a symbol and a count. */
static bool has_idles(const struct frame *frame)
{
	return frame->type == CABLE_TYPE_IDLES &&
	       (frame->fault == FRAME_WHOLE || frame->fault == FRAME_CABLE_IDLE);
}

unsigned int cable_frame_class(const struct frame *frame)
{
	if (!frame->type || frame->type >= CABLE_TYPE_IDLES)
		return FRAME_NONE;
	if (is_echo(frame))
		return FRAME_ECHO;
	return is_response(frame) ? FRAME_RESPONSE : FRAME_REQUEST;
}

bool cable_frame_has_bd2(const struct frame *frame)
{
	return has_idles(frame) || (frame_has_nodes(frame) && !is_echo(frame));
}

bool cable_frame_has_trailer(const struct frame *frame)
{
	return is_decoded(frame) && frame_has_nodes(frame);
}

/*
 * Get the number of symbols of a packet that are stored in BD1 and BD2. The packet must have a
 * source and a target node.
 */
static size_t head_symbols(const struct frame *frame)
{
	if (is_echo(frame))
		return CABLE_ECHO_SYMBOLS - 1;
	if (!cable_frame_is_send(frame))
		return 4;
	return 4 + (is_response(frame) ? 1 : CABLE_ADDRESS_SYMBOLS);
}

static void head_take(struct frame *frame, const uint8_t *bytes)
{
	bool echo = is_echo(frame);
	uint64_t command = symbol_get(bytes, 1), control = echo ? command : symbol_get(bytes, 3);

	frame->bd1 = symbol_get(bytes, 2) | command << BD1_COMMAND |
		     symbol_get(bytes, 0) << BD1_TARGET |
		     (control & CABLE_CONTROL_TRANSACTION) << BD1_TRANSACTION;
	if (!echo)
		frame->bd2 = control << BD2_CONTROL;
	if (!cable_frame_is_send(frame))
		return;
	if (is_response(frame))
		frame->bd2 |= symbol_get(bytes, 4) << BD2_STATUS;
	else
		frame->bd2 |= symbol_get(bytes, 4) << 32 | symbol_get(bytes, 5) << 16 |
			      symbol_get(bytes, 6);
}

void frame_parse_cable(struct frame *frame, const void *bytes, size_t count)
{
	struct cable_packet packet;
	enum cable_fault fault = cable_decode(bytes, count, &packet);
	const uint8_t *at = bytes;
	size_t head;

	*frame = (struct frame){
		.body = at,
		.body_bytes = count,
		.type = (uint8_t)packet.type,
		.fault = (uint8_t)(fault ? FRAME_CABLE + fault : FRAME_WHOLE),
	};
	if (has_idles(frame)) {
		frame->bd2 = symbol_get(at, 0) | symbol_get(at, 1) << BD2_COUNT |
			     symbol_get(at, 2) << (BD2_COUNT + 16);
		frame->body_bytes = 0;
	} else if (frame->type == CABLE_TYPE_SYNC && !fault) {
		frame->body_bytes = 0;
	} else if (frame_has_nodes(frame)) {
		head_take(frame, at);
		head = KIND_BYTES + CABLE_SYMBOL_BYTES * head_symbols(frame);
		frame->body += head;
		frame->body_bytes -= head;
	}
	if (cable_frame_has_trailer(frame)) {
		frame->body_bytes -= CABLE_SYMBOL_BYTES;
		frame->trailer = symbol_get(at, count / CABLE_SYMBOL_BYTES - 2) << TRAILER_CRC;
	}
}

/* Write the symbols that precede the body. Return: the number of written symbols. */
static size_t head_put(const struct frame *frame, uint64_t *symbols)
{
	size_t count = head_symbols(frame);

	symbols[0] = frame->bd1 >> BD1_TARGET;
	symbols[1] = frame->bd1 >> BD1_COMMAND;
	symbols[2] = frame->bd1;
	for (size_t i = 3; i < count; i++)
		symbols[i] = frame->bd2 >> (BD2_CONTROL - 16 * (i - 3));
	return count;
}

size_t cable_frame_build(const struct frame *frame, uint8_t *bytes, size_t room)
{
	uint64_t symbols[4 + CABLE_ADDRESS_SYMBOLS + CABLE_SYNC_SYMBOLS];
	unsigned int kind = CABLE_KIND_PACKET;
	size_t head = 0, tail = cable_frame_has_trailer(frame), count;

	if (has_idles(frame)) {
		kind = CABLE_KIND_IDLES;
		while (head < 3) {
			symbols[head] = frame->bd2 >> 16 * head;
			head++;
		}
	} else if (frame->type == CABLE_TYPE_SYNC && !frame->fault) {
		kind = CABLE_KIND_SYNC;
		while (head < CABLE_SYNC_SYMBOLS - 1)
			symbols[head++] = CABLE_SYNC_SYMBOL;
		symbols[head++] = 0;
	} else if (frame_has_nodes(frame)) {
		head = head_put(frame, symbols);
	}
	count = (head ? KIND_BYTES : 0) + CABLE_SYMBOL_BYTES * (head + tail) + frame->body_bytes;
	if (count > room)
		return count;
	if (head) {
		*bytes++ = (uint8_t)kind;
		*bytes++ = 0;
	}
	for (size_t i = 0; i < head; i++) {
		*bytes++ = (uint8_t)symbols[i];
		*bytes++ = (uint8_t)(symbols[i] >> 8);
	}
	if (frame->body_bytes)
		memcpy(bytes, frame->body, frame->body_bytes);
	bytes += frame->body_bytes;
	for (size_t i = 0; i < CABLE_SYMBOL_BYTES * tail; i++)
		*bytes++ = (uint8_t)(frame->trailer >> (TRAILER_CRC + 8 * i));
	return count;
}

const struct frame_field *cable_frame_fields(size_t *count)
{
	*count = sizeof(fields) / sizeof(fields[0]);
	return fields;
}

static bool has_field(const struct frame *frame, const struct frame_field *field)
{
	bool nodes = frame_has_nodes(frame), echo = is_echo(frame);

	if (field->word == CABLE_IN_CRC)
		return cable_frame_has_trailer(frame);
	switch (field->of) {
	case CABLE_OF_PACKET:
		return nodes;
	case CABLE_OF_SEND:
		return nodes && !echo;
	case CABLE_OF_ECHO:
		return nodes && echo;
	case CABLE_OF_REQUEST:
		return cable_frame_is_send(frame) && !is_response(frame);
	case CABLE_OF_RESPONSE:
		return cable_frame_is_send(frame) && is_response(frame);
	case CABLE_OF_EXTENDED:
		return frame_extended_bytes(frame) != 0;
	default:
		return has_idles(frame);
	}
}

int cable_frame_field_get(const struct frame *frame, const struct frame_field *field,
			  uint64_t *value)
{
	uint64_t word;

	if (!has_field(frame, field))
		return 0;
	switch (field->word) {
	case CABLE_IN_TARGET:
		word = frame->bd1 >> BD1_TARGET;
		break;
	case CABLE_IN_COMMAND:
		word = frame->bd1 >> BD1_COMMAND;
		break;
	case CABLE_IN_SOURCE:
		word = frame->bd1;
		break;
	case CABLE_IN_CONTROL:
		word = frame->bd2 >> BD2_CONTROL;
		break;
	case CABLE_IN_STATUS:
		word = frame->bd2 >> BD2_STATUS;
		break;
	case CABLE_IN_EXTENDED:
		*value = frame->body[field->shift / 8] | (uint64_t)frame->body[field->shift / 8 + 1]
								 << 8;
		return 1;
	case CABLE_IN_CRC:
		word = frame->trailer >> TRAILER_CRC;
		break;
	case CABLE_IN_COUNT:
		word = frame->bd2 >> BD2_COUNT;
		break;
	default: /* address, idle symbol */
		word = frame->bd2;
		break;
	}
	*value = word >> field->shift & (uint64_t)-1 >> (64 - field->bits);
	return 1;
}

size_t cable_frame_field_byte(const struct frame *frame, const struct frame_field *field)
{
	size_t body = KIND_BYTES + CABLE_SYMBOL_BYTES * head_symbols(frame);

	switch (field->word) {
	case CABLE_IN_IDLE:
		return KIND_BYTES;
	case CABLE_IN_COUNT:
		return KIND_BYTES + CABLE_SYMBOL_BYTES;
	case CABLE_IN_STATUS:
		return KIND_BYTES + CABLE_SYMBOL_BYTES * CABLE_IN_ADDRESS;
	case CABLE_IN_EXTENDED:
		return body + field->shift / 8;
	case CABLE_IN_CRC:
		return body + frame->body_bytes;
	default:
		return KIND_BYTES + (size_t)CABLE_SYMBOL_BYTES * field->word;
	}
}

const char *cable_frame_field_word(const struct frame_field *field)
{
	static const char *const words[CABLE_IN_SYMBOLS] = {
		[CABLE_IN_TARGET] = "target",
		[CABLE_IN_COMMAND] = "command symbol",
		[CABLE_IN_SOURCE] = "source",
		[CABLE_IN_CONTROL] = "control symbol",
		[CABLE_IN_ADDRESS] = "address",
		[CABLE_IN_STATUS] = "status",
		[CABLE_IN_EXTENDED] = "extended header",
		[CABLE_IN_CRC] = "CRC",
		[CABLE_IN_IDLE] = "idle symbol",
		[CABLE_IN_COUNT] = "count",
	};

	return words[field->word];
}
