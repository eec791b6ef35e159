/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Packets of the SCI cable, between fields and bytes.
 *
 * What lives here: encoding and decoding of all packet types from 1 to 20. Pure C11 without I/O or
 * allocation; it may use include/ and the C library's string functions. docs/cable.md.
 */
#ifndef EMU_CABLE_CABLE_H
#define EMU_CABLE_CABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/cable.h>

/* The reason why bytes are not a packet. */
enum cable_fault {
	CABLE_FINE,
	CABLE_EMPTY, /* not even KIND is there */
	CABLE_ODD, /* half a symbol at the end */
	CABLE_KIND_UNKNOWN,
	CABLE_CUT, /* fewer symbols than its command requires */
	CABLE_TOO_LONG, /* more symbols than that */
	CABLE_COMMAND_UNKNOWN, /* no packet type has this command */
	CABLE_CRC_WRONG,
	CABLE_IDLE_WRONG, /* its check is wrong, or its count is 0 */
	CABLE_SYNC_WRONG,
};

/**
 * struct cable_packet - A packet of the cable; fields that its type does not have are 0.
 * @type: 1 to 20
 * @target: target node
 * @source: source node
 * @priority: SPR
 * @ring_priority: MPR
 * @phase: CABLE_PHASE_*
 * @old: it has passed the scrubber
 * @command: of a send packet, BLINK_* of blink.h
 * @busy: of an echo: the packet was not accepted
 * @transaction: transaction id
 * @trace: of a send packet, the trace bit
 * @tod_exponent: of a send packet, the time of death
 * @tod_mantissa: as @tod_exponent
 * @transaction_priority: of a send packet, TPR
 * @address: of a request, 48 bits
 * @status: of a response, its status
 * @extended: the extended header
 * @data: data; @type determines the number of symbols
 * @idle: of idles, the upper byte of the symbol
 * @count: of idles, their number
 */
struct cable_packet {
	unsigned int type;
	uint16_t target;
	uint16_t source;
	uint8_t priority;
	uint8_t ring_priority;
	uint8_t phase;
	bool old;
	uint8_t command;
	bool busy;
	uint8_t transaction;
	bool trace;
	uint8_t tod_exponent;
	uint8_t tod_mantissa;
	uint8_t transaction_priority;
	uint64_t address;
	uint16_t status;
	uint16_t extended[CABLE_EXTENDED_SYMBOLS];
	uint16_t data[CABLE_DATA_SYMBOLS_MAX];
	uint8_t idle;
	uint32_t count;
};

/**
 * cable_encode() - Convert a packet to bytes, KIND first.
 * @bytes: shape [CABLE_BYTES_MAX]
 *
 * Return: the number of bytes; 0 if its type and its command do not match, or a field has too many
 * bits.
 */
size_t cable_encode(const struct cable_packet *packet, uint8_t *bytes);

/**
 * cable_decode() - Convert bytes to a packet.
 * @packet: receives the fields that could be decoded; with CABLE_FINE, all fields
 *
 * With CABLE_CRC_WRONG all fields are decoded nevertheless.
 */
enum cable_fault cable_decode(const uint8_t *bytes, size_t count, struct cable_packet *packet);

/**
 * cable_fault_name() - Get the text of a fault.
 */
const char *cable_fault_name(enum cable_fault fault);

/**
 * cable_data_symbols() - Get the number of data symbols in a packet of this type.
 */
unsigned int cable_data_symbols(unsigned int type);

/**
 * cable_send_type() - Get the type of a request or response.
 * @code: command, BLINK_* of blink.h
 * @extended: with extended header
 *
 * Return: 0 if the cable has no such command.
 */
unsigned int cable_send_type(unsigned int code, bool extended);

/**
 * cable_send_symbols() - Get the number of symbols in a request or response of this type, including
 * its CRC.
 */
unsigned int cable_send_symbols(unsigned int type);

/**
 * cable_crc() - Compute the CRC of symbols.
 */
uint16_t cable_crc(const uint16_t *symbols, size_t count);

#endif /* EMU_CABLE_CABLE_H */
