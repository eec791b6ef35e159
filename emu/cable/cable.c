/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Packets of the SCI cable: the layout of each packet type, for encoding and decoding.
 *
 * Source of the types and fields: thesis 4.2.1 and 4.2.2. The marks in <hw/cable.h> name the
 * sources of all other properties.
 */
#include "emu/cable/cable.h"

#include <string.h>

#include <base/field.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#define ADDRESS_BITS 48U
#define SYMBOL_BITS 16U

/* The size of a command's data in bytes, and whether the command is a response. */
struct command {
	uint16_t payload;
	bool known;
	bool response;
};

#define CLASS_REQUEST false
#define CLASS_RESPONSE true
#define CLASS_EVENT false
#define KNOWN_REQUEST true
#define KNOWN_RESPONSE true
#define KNOWN_EVENT false /* event00 exists only on the B-Link, not on the cable */
#define COMMANDS_1(first, ...) [first] = __VA_ARGS__,
#define COMMANDS_16(first, ...) [first... first + 15] = __VA_ARGS__,
#define COMMAND_ROW(first, count, name, class, type, payload, mark)                                \
	COMMANDS_##count(first, {payload, KNOWN_##class, CLASS_##class})

__extension__ static const struct command commands[BLINK_COMMANDS] = {
	BLINK_COMMAND_TABLE(COMMAND_ROW)};

uint16_t cable_crc(const uint16_t *symbols, size_t count)
{
	uint32_t crc = CABLE_CRC_BEGIN;

	for (size_t i = 0; i < count; i++) {
		crc ^= symbols[i];
		for (unsigned int bit = 0; bit < SYMBOL_BITS; bit++)
			crc = crc & 0x8000 ? (crc << 1 ^ CABLE_CRC_POLYNOMIAL) & 0xffff : crc << 1;
	}
	return (uint16_t)crc;
}

const char *cable_fault_name(enum cable_fault fault)
{
	static const char *const names[] = {
		[CABLE_FINE] = "a packet",
		[CABLE_EMPTY] = "no bytes",
		[CABLE_ODD] = "half a symbol at its end",
		[CABLE_KIND_UNKNOWN] = "unknown kind",
		[CABLE_CUT] = "cut off",
		[CABLE_TOO_LONG] = "longer than its command requires",
		[CABLE_COMMAND_UNKNOWN] = "unknown command",
		[CABLE_CRC_WRONG] = "wrong CRC",
		[CABLE_IDLE_WRONG] = "damaged idle symbols",
		[CABLE_SYNC_WRONG] = "damaged sync packet",
	};

	return names[fault];
}

static unsigned int size_index(uint16_t payload)
{
	return payload == 0 ? 0 : payload == 16 ? 1 : payload == 64 ? 2 : 3;
}

unsigned int cable_data_symbols(unsigned int type)
{
	static const uint8_t symbols[] = {0, 8, 32, 128};

	if (type >= CABLE_TYPE_REQUEST_EXTENDED && type < CABLE_TYPE_REQUEST_ECHO)
		return symbols[(type - CABLE_TYPE_REQUEST_EXTENDED) % 4];
	if (type >= CABLE_TYPE_RESPONSE_EXTENDED && type < CABLE_TYPE_RESPONSE_ECHO)
		return symbols[(type - CABLE_TYPE_RESPONSE_EXTENDED) % 4];
	return 0;
}

unsigned int cable_send_type(unsigned int code, bool extended)
{
	const struct command *command = &commands[code & CABLE_COMMAND_CODE];
	unsigned int first = command->response
				     ? extended ? CABLE_TYPE_RESPONSE_EXTENDED : CABLE_TYPE_RESPONSE
			     : extended ? CABLE_TYPE_REQUEST_EXTENDED
					: CABLE_TYPE_REQUEST;

	return command->known ? first + size_index(command->payload) : 0;
}

static bool type_extended(unsigned int type)
{
	return type < CABLE_TYPE_REQUEST ||
	       (type >= CABLE_TYPE_RESPONSE_EXTENDED && type < CABLE_TYPE_RESPONSE);
}

unsigned int cable_send_symbols(unsigned int type)
{
	return 4 + (type < CABLE_TYPE_REQUEST_ECHO ? CABLE_ADDRESS_SYMBOLS : 1) +
	       (type_extended(type) ? CABLE_EXTENDED_SYMBOLS : 0) + cable_data_symbols(type) + 1;
}

/* ---- encoding ---- */

static size_t put_symbols(uint8_t *bytes, unsigned int kind, const uint16_t *symbols, size_t count)
{
	bytes[0] = (uint8_t)kind;
	bytes[1] = 0;
	for (size_t i = 0; i < count; i++) {
		bytes[2 + 2 * i] = (uint8_t)symbols[i];
		bytes[3 + 2 * i] = (uint8_t)(symbols[i] >> 8);
	}
	return CABLE_SYMBOL_BYTES * (1 + count);
}

static uint16_t route_bits(const struct cable_packet *packet)
{
	return (uint16_t)(SMILE_PUT(CABLE_COMMAND_MPR, (unsigned int)packet->ring_priority) |
			  SMILE_PUT(CABLE_COMMAND_SPR, (unsigned int)packet->priority) |
			  SMILE_PUT(CABLE_COMMAND_PHASE, (unsigned int)packet->phase) |
			  (packet->old ? CABLE_COMMAND_OLD : 0));
}

static size_t encode_echo(const struct cable_packet *packet, uint8_t *bytes)
{
	uint16_t symbols[CABLE_ECHO_SYMBOLS] = {packet->target, 0, packet->source, 0};

	symbols[1] =
		(uint16_t)(route_bits(packet) | CABLE_COMMAND_ECHO |
			   (packet->busy ? CABLE_COMMAND_BUSY : 0) |
			   (packet->type == CABLE_TYPE_RESPONSE_ECHO ? CABLE_COMMAND_RESPONSE : 0) |
			   packet->transaction);
	symbols[3] = cable_crc(symbols, 3);
	return put_symbols(bytes, CABLE_KIND_PACKET, symbols, CABLE_ECHO_SYMBOLS);
}

static size_t encode_send(const struct cable_packet *packet, uint8_t *bytes)
{
	const struct command *command = &commands[packet->command];
	bool extended = type_extended(packet->type);
	uint16_t symbols[CABLE_SYMBOLS_MAX];
	unsigned int data = cable_data_symbols(packet->type);
	size_t at = 0;

	if (cable_send_type(packet->command, extended) != packet->type)
		return 0;
	symbols[at++] = packet->target;
	symbols[at++] = (uint16_t)(route_bits(packet) | (extended ? CABLE_COMMAND_EXTENDED : 0) |
				   packet->command);
	symbols[at++] = packet->source;
	symbols[at++] = (uint16_t)((packet->trace ? CABLE_CONTROL_TRACE : 0) |
				   SMILE_PUT(CABLE_CONTROL_TOD_EXPONENT,
					     (unsigned int)packet->tod_exponent) |
				   SMILE_PUT(CABLE_CONTROL_TOD_MANTISSA,
					     (unsigned int)packet->tod_mantissa) |
				   SMILE_PUT(CABLE_CONTROL_TPR,
					     (unsigned int)packet->transaction_priority) |
				   packet->transaction);
	if (command->response) {
		symbols[at++] = packet->status;
	} else {
		symbols[at++] = (uint16_t)(packet->address >> 32);
		symbols[at++] = (uint16_t)(packet->address >> 16);
		symbols[at++] = (uint16_t)packet->address;
	}
	if (extended) {
		memcpy(symbols + at, packet->extended, sizeof(packet->extended));
		at += CABLE_EXTENDED_SYMBOLS;
	}
	memcpy(symbols + at, packet->data, data * sizeof(symbols[0]));
	at += data;
	symbols[at] = cable_crc(symbols, at);
	return put_symbols(bytes, CABLE_KIND_PACKET, symbols, at + 1);
}

static size_t encode_idles(const struct cable_packet *packet, uint8_t *bytes)
{
	uint16_t symbols[3] = {(uint16_t)(packet->idle << 8 | (~packet->idle & CABLE_IDLE_CHECK)),
			       (uint16_t)packet->count, (uint16_t)(packet->count >> 16)};

	return packet->count ? put_symbols(bytes, CABLE_KIND_IDLES, symbols, 3) : 0;
}

static size_t encode_sync(uint8_t *bytes)
{
	uint16_t symbols[CABLE_SYNC_SYMBOLS] = {0};

	for (unsigned int i = 0; i + 1 < CABLE_SYNC_SYMBOLS; i++)
		symbols[i] = CABLE_SYNC_SYMBOL;
	return put_symbols(bytes, CABLE_KIND_SYNC, symbols, CABLE_SYNC_SYMBOLS);
}

size_t cable_encode(const struct cable_packet *packet, uint8_t *bytes)
{
	if (packet->priority > 3 || packet->ring_priority > 3 || packet->phase > 3 ||
	    packet->transaction >= BLINK_TRANSACTIONS || packet->command >= BLINK_COMMANDS ||
	    packet->tod_exponent > 31 || packet->tod_mantissa > 3 ||
	    packet->transaction_priority > 3 || packet->address >> ADDRESS_BITS)
		return 0;
	switch (packet->type) {
	case CABLE_TYPE_REQUEST_ECHO:
	case CABLE_TYPE_RESPONSE_ECHO:
		return encode_echo(packet, bytes);
	case CABLE_TYPE_IDLES:
		return encode_idles(packet, bytes);
	case CABLE_TYPE_SYNC:
		return encode_sync(bytes);
	default:
		return packet->type && packet->type < CABLE_TYPE_IDLES ? encode_send(packet, bytes)
								       : 0;
	}
}

/* ---- decoding ---- */

static void decode_route(uint16_t symbol, struct cable_packet *packet)
{
	packet->ring_priority = (uint8_t)SMILE_GET(CABLE_COMMAND_MPR, symbol);
	packet->priority = (uint8_t)SMILE_GET(CABLE_COMMAND_SPR, symbol);
	packet->phase = (uint8_t)SMILE_GET(CABLE_COMMAND_PHASE, symbol);
	packet->old = symbol & CABLE_COMMAND_OLD;
}

static enum cable_fault decode_length(size_t count, size_t needed)
{
	return count < needed ? CABLE_CUT : count > needed ? CABLE_TOO_LONG : CABLE_FINE;
}

static enum cable_fault decode_crc(const uint16_t *symbols, size_t count)
{
	return cable_crc(symbols, count - 1) == symbols[count - 1] ? CABLE_FINE : CABLE_CRC_WRONG;
}

static enum cable_fault decode_echo(const uint16_t *symbols, size_t count,
				    struct cable_packet *packet)
{
	enum cable_fault fault = decode_length(count, CABLE_ECHO_SYMBOLS);

	packet->type = symbols[1] & CABLE_COMMAND_RESPONSE ? CABLE_TYPE_RESPONSE_ECHO
							   : CABLE_TYPE_REQUEST_ECHO;
	packet->busy = symbols[1] & CABLE_COMMAND_BUSY;
	packet->transaction = symbols[1] & CABLE_COMMAND_TRANSACTION;
	return fault ? fault : decode_crc(symbols, count);
}

static enum cable_fault decode_send(const uint16_t *symbols, size_t count,
				    struct cable_packet *packet)
{
	bool extended = symbols[1] & CABLE_COMMAND_EXTENDED;
	const struct command *command;
	enum cable_fault fault;
	unsigned int data;
	size_t at = 4;

	packet->command = symbols[1] & CABLE_COMMAND_CODE;
	command = &commands[packet->command];
	if (!command->known)
		return CABLE_COMMAND_UNKNOWN;
	packet->type = cable_send_type(packet->command, extended);
	data = cable_data_symbols(packet->type);
	fault = decode_length(count, cable_send_symbols(packet->type));
	if (fault)
		return fault;
	packet->trace = symbols[3] & CABLE_CONTROL_TRACE;
	packet->tod_exponent = (uint8_t)SMILE_GET(CABLE_CONTROL_TOD_EXPONENT, symbols[3]);
	packet->tod_mantissa = (uint8_t)SMILE_GET(CABLE_CONTROL_TOD_MANTISSA, symbols[3]);
	packet->transaction_priority = (uint8_t)SMILE_GET(CABLE_CONTROL_TPR, symbols[3]);
	packet->transaction = symbols[3] & CABLE_CONTROL_TRANSACTION;
	if (command->response) {
		packet->status = symbols[at++];
	} else {
		packet->address = (uint64_t)symbols[at] << 32 | (uint64_t)symbols[at + 1] << 16 |
				  symbols[at + 2];
		at += CABLE_ADDRESS_SYMBOLS;
	}
	if (extended) {
		memcpy(packet->extended, symbols + at, sizeof(packet->extended));
		at += CABLE_EXTENDED_SYMBOLS;
	}
	memcpy(packet->data, symbols + at, data * sizeof(symbols[0]));
	return decode_crc(symbols, count);
}

static enum cable_fault decode_idles(const uint16_t *symbols, size_t count,
				     struct cable_packet *packet)
{
	enum cable_fault fault = decode_length(count, 3);

	packet->type = CABLE_TYPE_IDLES;
	if (fault)
		return fault;
	packet->idle = (uint8_t)(symbols[0] >> 8);
	packet->count = symbols[1] | (uint32_t)symbols[2] << 16;
	return packet->count && (symbols[0] & CABLE_IDLE_CHECK) == (uint8_t)~packet->idle
		       ? CABLE_FINE
		       : CABLE_IDLE_WRONG;
}

static enum cable_fault decode_sync(const uint16_t *symbols, size_t count,
				    struct cable_packet *packet)
{
	enum cable_fault fault = decode_length(count, CABLE_SYNC_SYMBOLS);

	packet->type = CABLE_TYPE_SYNC;
	if (fault)
		return fault;
	for (unsigned int i = 0; i + 1 < CABLE_SYNC_SYMBOLS; i++)
		if (symbols[i] != CABLE_SYNC_SYMBOL)
			return CABLE_SYNC_WRONG;
	return symbols[CABLE_SYNC_SYMBOLS - 1] ? CABLE_SYNC_WRONG : CABLE_FINE;
}

enum cable_fault cable_decode(const uint8_t *bytes, size_t count, struct cable_packet *packet)
{
	uint16_t symbols[CABLE_SYMBOLS_MAX + 1];
	size_t symbol_count;

	memset(packet, 0, sizeof(*packet));
	if (!count)
		return CABLE_EMPTY;
	if (count % CABLE_SYMBOL_BYTES)
		return CABLE_ODD;
	symbol_count = count / CABLE_SYMBOL_BYTES - 1;
	/*
	 * Convert at most one symbol more than the longest packet has. One symbol more is enough to
	 * detect that the packet is too long.
	 */
	if (symbol_count > CABLE_SYMBOLS_MAX)
		symbol_count = CABLE_SYMBOLS_MAX + 1;
	for (size_t i = 0; i < symbol_count; i++)
		symbols[i] = (uint16_t)(bytes[2 + 2 * i] | bytes[3 + 2 * i] << 8);
	switch (bytes[0] | bytes[1] << 8) {
	case CABLE_KIND_IDLES:
		return decode_idles(symbols, symbol_count, packet);
	case CABLE_KIND_SYNC:
		return decode_sync(symbols, symbol_count, packet);
	case CABLE_KIND_PACKET:
		break;
	default:
		return CABLE_KIND_UNKNOWN;
	}
	if (symbol_count < CABLE_ECHO_SYMBOLS)
		return CABLE_CUT;
	packet->target = symbols[0];
	packet->source = symbols[2];
	decode_route(symbols[1], packet);
	return symbols[1] & CABLE_COMMAND_ECHO ? decode_echo(symbols, symbol_count, packet)
					       : decode_send(symbols, symbol_count, packet);
}
