/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link fields: the name, word and bits of every field of a frame, and the types of packets.
 *
 * What lives here: a table of all fields, for code that stores, shows or searches single packets.
 * The card does not use this table. blink.h has the fields that the card decodes, the format of
 * frames, and the meaning of the marks [H], [M] and [D].
 */
#ifndef HW_BLINK_FIELDS_H
#define HW_BLINK_FIELDS_H

#include <hw/blink.h>

#define BLINK_EXTENDED_WORDS 2U

/* The words of a frame that contain fields. The words of an extended header follow BD2. */
#define BLINK_IN_BD1 0
#define BLINK_IN_BD2 1
#define BLINK_IN_EXTENDED_0 2
#define BLINK_IN_EXTENDED_1 3
#define BLINK_IN_TRAILER 4
#define BLINK_IN_COUNT 5

/* The packets that have a field. Events count as requests; the address of an event is its id. */
#define BLINK_OF_ALL 0
#define BLINK_OF_REQUEST 1
#define BLINK_OF_RESPONSE 2
#define BLINK_OF_EXTENDED 3

/*
 * The table of fields, in the order of the frame. Each row has the name (of a column, of a JSON key
 * and of a display filter), the word, the lowest bit, the number of bits, the packets that have the
 * field, the title, and the mark. To use the table, expand it with a macro of seven arguments. The
 * fields of the command symbol (mpr to command) and of the control symbol (trace to
 * transaction_id_again) have the same order as in the symbols of the SCI cable [M]. The fields of
 * the extended header are not known, only its length of 16 bytes.
 */
#define BLINK_FIELD_TABLE(FIELD)                                                                   \
	FIELD("source", BD1, 0, 16, ALL, "source node", "H")                                       \
	FIELD("command", BD1, 16, 7, ALL, "command", "M")                                          \
	FIELD("extended", BD1, 23, 1, ALL, "extended header present", "M")                         \
	FIELD("echo", BD1, 24, 1, ALL, "flow control: echo", "M")                                  \
	FIELD("old", BD1, 25, 1, ALL, "flow control: old", "M")                                    \
	FIELD("phase", BD1, 26, 2, ALL, "flow control: phase of the retry", "M")                   \
	FIELD("spr", BD1, 28, 2, ALL, "flow control: send priority", "M")                          \
	FIELD("mpr", BD1, 30, 2, ALL, "flow control: maximum ring priority", "M")                  \
	FIELD("target", BD1, 32, 16, ALL, "target node", "H")                                      \
	FIELD("transaction_id", BD1, 48, 6, ALL, "transaction id", "H")                            \
	FIELD("code", BD1, 54, 10, ALL, "rest of the code field", "D")                             \
	FIELD("address", BD2, 0, 48, REQUEST, "address offset", "H")                               \
	FIELD("status_rest", BD2, 0, 44, RESPONSE, "rest of the status", "D")                      \
	FIELD("status", BD2, 44, 4, RESPONSE, "status summary", "M")                               \
	FIELD("transaction_id_again", BD2, 48, 6, ALL, "control: transaction id again", "M")       \
	FIELD("tpr", BD2, 54, 2, ALL, "control: transaction priority", "M")                        \
	FIELD("tod_mantissa", BD2, 56, 2, ALL, "control: time of death, mantissa", "M")            \
	FIELD("tod_exponent", BD2, 58, 5, ALL, "control: time of death, exponent", "M")            \
	FIELD("trace_bit", BD2, 63, 1, ALL, "control: trace", "M")                                 \
	FIELD("extended_0", EXTENDED_0, 0, 16, EXTENDED, "extended header, symbol 0", "D")         \
	FIELD("extended_1", EXTENDED_0, 16, 16, EXTENDED, "extended header, symbol 1", "D")        \
	FIELD("extended_2", EXTENDED_0, 32, 16, EXTENDED, "extended header, symbol 2", "D")        \
	FIELD("extended_3", EXTENDED_0, 48, 16, EXTENDED, "extended header, symbol 3", "D")        \
	FIELD("extended_4", EXTENDED_1, 0, 16, EXTENDED, "extended header, symbol 4", "D")         \
	FIELD("extended_5", EXTENDED_1, 16, 16, EXTENDED, "extended header, symbol 5", "D")        \
	FIELD("extended_6", EXTENDED_1, 32, 16, EXTENDED, "extended header, symbol 6", "D")        \
	FIELD("extended_7", EXTENDED_1, 48, 16, EXTENDED, "extended header, symbol 7", "D")        \
	FIELD("parity", TRAILER, 0, 16, ALL, "parity", "D")                                        \
	FIELD("reserved", TRAILER, 16, 16, ALL, "reserved", "D")                                   \
	FIELD("post", TRAILER, 32, 16, ALL, "post", "D")                                           \
	FIELD("crc", TRAILER, 48, 16, ALL, "CRC", "D")

/*
 * Types of B-Link packets, numbered as in the thesis (4.2.1). Each constant is the first of four
 * consecutive types, for payloads of 0, 16, 64 and 256 bytes. Types 1 to 20 occur only on the SCI
 * ring, not on the B-Link. event00 has no type. [M]
 */
#define BLINK_TYPE_REQUEST_EXTENDED 21U
#define BLINK_TYPE_REQUEST 25U
#define BLINK_TYPE_RESPONSE_EXTENDED 29U
#define BLINK_TYPE_RESPONSE 33U
#define BLINK_TYPE_MAX 36U

#endif /* HW_BLINK_FIELDS_H */
