/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Packets of the SCI cable: conversion between fields and bytes.
 *
 * What lives here: encoding and decoding of all packet types, 1 to 20. Pure C11 without I/O or
 * allocation. May use include/ and the C library's string functions. docs/cable.md describes the
 * format.
 */
#ifndef EMU_CABLE_CABLE_H
#define EMU_CABLE_CABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/cable.h>

/* The reasons why bytes are not a valid packet. */
enum cable_fault {
	CABLE_FINE,
	CABLE_EMPTY, /* the bytes are too few for KIND */
	CABLE_ODD, /* there is half a symbol at the end */
	CABLE_KIND_UNKNOWN,
	CABLE_CUT, /* there are fewer symbols than the command requires */
	CABLE_TOO_LONG, /* there are more symbols than the command requires */
	CABLE_COMMAND_UNKNOWN, /* no packet type has this command */
	CABLE_CRC_WRONG,
	CABLE_IDLE_WRONG, /* the check of idle symbols is wrong, or their count is 0 */
	CABLE_SYNC_WRONG,
};

/**
 * struct cable_packet - A packet of the cable. If a packet type does not have a field, the field is
 * 0.
 * @type: packet type, 1 to 20
 * @target: target node
 * @source: source node
 * @priority: SPR
 * @ring_priority: MPR
 * @phase: CABLE_PHASE_*
 * @old: the packet has passed the scrubber
 * @command: for a send packet: command, BLINK_* of blink.h
 * @busy: for an echo: the packet was not accepted
 * @transaction: transaction id
 * @trace: for a send packet: the trace bit
 * @tod_exponent: for a send packet: exponent of the time of death
 * @tod_mantissa: for a send packet: mantissa of the time of death
 * @transaction_priority: for a send packet: TPR
 * @address: for a request: address of 48 bits
 * @status: for a response: its status
 * @extended: the extended header
 * @data: data; its number of symbols depends on @type
 * @idle: for idle symbols: the upper byte of the symbol
 * @count: for idle symbols: their number
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
 * cable_encode() - Convert a packet to bytes. The first byte is KIND.
 * @bytes: shape [CABLE_BYTES_MAX]
 *
 * Return: the number of bytes; 0 if the type and the command do not match, or if a field has too
 *         many bits.
 */
size_t cable_encode(const struct cable_packet *packet, uint8_t *bytes);

/**
 * cable_decode() - Convert bytes to a packet.
 * @packet: receives the fields that could be decoded. If the function returns CABLE_FINE or
 *          CABLE_CRC_WRONG, it has decoded all fields
 */
enum cable_fault cable_decode(const uint8_t *bytes, size_t count, struct cable_packet *packet);

/**
 * cable_fault_name() - Get a text that describes a fault.
 */
const char *cable_fault_name(enum cable_fault fault);

/**
 * cable_data_symbols() - Get the number of data symbols in a packet of this type.
 */
unsigned int cable_data_symbols(unsigned int type);

/**
 * cable_send_type() - Get the packet type of a request or response.
 * @code: command, BLINK_* of blink.h
 * @extended: the packet has an extended header
 *
 * Return: the type; 0 if the cable has no such command.
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
