/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fields of packets of the SCI cable: the name, symbol and bits of every field.
 *
 * What lives here: a table of all fields, for code that stores, shows or searches single packets.
 * cable.h has the format of packets, and the meaning of the marks [H], [M] and [D]. A field that
 * also exists on the B-Link has the same name as in blink_fields.h.
 */
#ifndef HW_CABLE_FIELDS_H
#define HW_CABLE_FIELDS_H

#include <hw/cable.h>

/*
 * The symbols of a packet that contain fields, in the order of the packet. ADDRESS and COUNT stand
 * for several symbols.
 */
#define CABLE_IN_TARGET 0
#define CABLE_IN_COMMAND 1
#define CABLE_IN_SOURCE 2
#define CABLE_IN_CONTROL 3
#define CABLE_IN_ADDRESS 4
#define CABLE_IN_STATUS 5
#define CABLE_IN_EXTENDED 6
#define CABLE_IN_CRC 7
#define CABLE_IN_IDLE 8
#define CABLE_IN_COUNT 9
#define CABLE_IN_SYMBOLS 10

/* The packets that have a field. */
#define CABLE_OF_PACKET 0 /* requests, responses and echoes */
#define CABLE_OF_SEND 1 /* requests and responses */
#define CABLE_OF_REQUEST 2
#define CABLE_OF_RESPONSE 3
#define CABLE_OF_EXTENDED 4
#define CABLE_OF_ECHO 5
#define CABLE_OF_IDLES 6

/*
 * The table of fields, in the order of the packet. Each row has the name (of a column and of a JSON
 * key), the symbol, the lowest bit, the number of bits, the packets that have the field, the title,
 * and the mark. To use the table, expand it with a macro of seven arguments. An address is stored
 * with its high symbol first, and a count of idles with its low symbol first. In the rows of the
 * extended header, the lowest bit is counted from the first symbol of this header.
 */
#define CABLE_FIELD_TABLE(FIELD)                                                                   \
	FIELD("target", TARGET, 0, 16, PACKET, "target node", "H")                                 \
	FIELD("command", COMMAND, 0, 7, SEND, "command", "H")                                      \
	FIELD("extended", COMMAND, 7, 1, SEND, "extended header present", "M")                     \
	FIELD("transaction_id", COMMAND, 0, 6, ECHO, "transaction id", "M")                        \
	FIELD("busy", COMMAND, 7, 1, ECHO, "not accepted", "M")                                    \
	FIELD("echo", COMMAND, 8, 1, PACKET, "echo", "M")                                          \
	FIELD("old", COMMAND, 9, 1, PACKET, "has passed the scrubber", "M")                        \
	FIELD("phase", COMMAND, 10, 2, PACKET, "phase of the retry", "D")                          \
	FIELD("spr", COMMAND, 12, 2, PACKET, "send priority", "M")                                 \
	FIELD("mpr", COMMAND, 14, 2, PACKET, "maximum ringlet priority", "M")                      \
	FIELD("source", SOURCE, 0, 16, PACKET, "source node", "H")                                 \
	FIELD("transaction_id", CONTROL, 0, 6, SEND, "transaction id", "H")                        \
	FIELD("tpr", CONTROL, 6, 2, SEND, "transaction priority", "M")                             \
	FIELD("tod_mantissa", CONTROL, 8, 2, SEND, "time of death, mantissa", "M")                 \
	FIELD("tod_exponent", CONTROL, 10, 5, SEND, "time of death, exponent", "M")                \
	FIELD("trace_bit", CONTROL, 15, 1, SEND, "trace", "M")                                     \
	FIELD("address", ADDRESS, 0, 48, REQUEST, "address offset", "D")                           \
	FIELD("status", STATUS, 0, 16, RESPONSE, "status", "H")                                    \
	FIELD("extended_0", EXTENDED, 0, 16, EXTENDED, "extended header, symbol 0", "D")           \
	FIELD("extended_1", EXTENDED, 16, 16, EXTENDED, "extended header, symbol 1", "D")          \
	FIELD("extended_2", EXTENDED, 32, 16, EXTENDED, "extended header, symbol 2", "D")          \
	FIELD("extended_3", EXTENDED, 48, 16, EXTENDED, "extended header, symbol 3", "D")          \
	FIELD("extended_4", EXTENDED, 64, 16, EXTENDED, "extended header, symbol 4", "D")          \
	FIELD("extended_5", EXTENDED, 80, 16, EXTENDED, "extended header, symbol 5", "D")          \
	FIELD("extended_6", EXTENDED, 96, 16, EXTENDED, "extended header, symbol 6", "D")          \
	FIELD("extended_7", EXTENDED, 112, 16, EXTENDED, "extended header, symbol 7", "D")         \
	FIELD("crc", CRC, 0, 16, PACKET, "CRC", "M")                                               \
	FIELD("idle_check", IDLE, 0, 8, IDLES, "inverse of the flow control bits", "D")            \
	FIELD("circulation", IDLE, 8, 6, IDLES, "circulation count and type", "D")                 \
	FIELD("go_high", IDLE, 14, 1, IDLES, "go bit of the high class", "D")                      \
	FIELD("go_low", IDLE, 15, 1, IDLES, "go bit of the low class", "D")                        \
	FIELD("idles", COUNT, 0, 32, IDLES, "how many idle symbols", "D")

#endif /* HW_CABLE_FIELDS_H */
