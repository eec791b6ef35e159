/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link frames: the fields of the two words that the card decodes, and the commands.
 *
 * What lives here: the only definition of the packet format, which the decoder, all code that
 * produces traffic, and the tests share. Most values have a mark, which shows where the value comes
 * from. [H]: a source states the value. [M]: the value was inferred from several sources, or was
 * checked against them. [D]: no source has the value; this project defines it, and it may differ
 * from IEEE 1596.
 *
 * A frame is a sequence of 64-bit words, in which bit 0 is the least significant bit. Each packet
 * of a capture is one frame, and each of its words is stored in eight little-endian bytes. The
 * first two words are BD1 and BD2. The payload of 0, 2, 8 or 32 words follows, with 2 more words if
 * the frame has an extended header [M], and then one trailer word with CRC, post and parity [D].
 * The card ignores the payload and the trailer (2000 paper, section III).
 */
#ifndef HW_BLINK_H
#define HW_BLINK_H

#include <linux/types.h>

#define BLINK_WORD_BYTES 8U
#define BLINK_WORDS_MIN 2U /* BD1 and BD2 */
#define BLINK_WORDS_MAX (2U + 2U + 32U + 1U)
#define BLINK_BYTES_MAX (BLINK_WORDS_MAX * BLINK_WORD_BYTES)
#define BLINK_TRANSACTIONS 64U /* number of transaction ids of a source [H] */

/* Captures of B-Link traffic: pcap link type USER0. */
#define BLINK_LINKTYPE 147

/* BD1 */
#define BLINK_BD1_SOURCE 0x000000000000ffffULL /* 15-0 [H] */
#define BLINK_BD1_COMMAND 0x00000000007f0000ULL /* 22-16 [M] */
#define BLINK_BD1_EXTENDED 0x0000000000800000ULL /* 23: extended header present [M] */
#define BLINK_BD1_FLOW 0x00000000ff000000ULL /* 31-24: mpr, spr, phase, old [M] */
#define BLINK_BD1_TARGET 0x0000ffff00000000ULL /* 47-32 [H] */
#define BLINK_BD1_TRANSACTION 0x003f000000000000ULL /* 53-48 [H] */
#define BLINK_BD1_CODE 0xffc0000000000000ULL /* 63-54: rest of the code field [D] */

/* BD2 */
#define BLINK_BD2_ADDRESS 0x0000ffffffffffffULL /* 47-0, in requests [H] */
#define BLINK_BD2_STATUS 0x0000f00000000000ULL /* 47-44, in responses: status summary [M] */
#define BLINK_BD2_CONTROL 0xffff000000000000ULL /* 63-48 [M] */
#define BLINK_BD2_TRANSACTION 0x003f000000000000ULL /* 53-48: transaction id again [M] */

/*
 * The bits of an address that the historic transaction table stores: 16 bits of the page number,
 * and the 10 bits of the word in the page [H].
 */
#define BLINK_FAITHFUL_ADDRESS 0x000000000ffffffcULL

/*
 * Commands. In the commands readsb, writesb and locksb, the low 4 bits are the offset of the last
 * byte in its block of 16 bytes. The address in such a packet is the address of the first byte.
 */
#define BLINK_READSB 0x00 /* to 0x0f [H/M] */
#define BLINK_WRITESB 0x10 /* to 0x1f [H/M] */
#define BLINK_LOCKSB 0x20 /* to 0x2f [D] */
#define BLINK_NREAD64 0x40 /* [D], as are all commands below */
#define BLINK_NREAD256 0x41
#define BLINK_NWRITE16 0x42
#define BLINK_NWRITE64 0x43
#define BLINK_NWRITE256 0x44
#define BLINK_DMOVE16 0x45
#define BLINK_DMOVE64 0x46
#define BLINK_DMOVE256 0x47
#define BLINK_EVENT00 0x48 /* global event; the address offset is the event id */
#define BLINK_RESPONSE00 0x7c /* responses with 0, 16, 64 or 256 bytes */
#define BLINK_RESPONSE16 0x7d
#define BLINK_RESPONSE64 0x7e
#define BLINK_RESPONSE256 0x7f
#define BLINK_COMMANDS 128U

/*
 * The table of commands. Each row has the first command, the number of commands (1 or 16), the
 * name, the class, the type, the number of payload bytes, and the mark. The class is REQUEST,
 * RESPONSE or EVENT. The type is a SMILE_TYPE_* constant without its prefix. A response has the
 * type ANY in the table, because its type is the type of its request. To use the table, expand it
 * with a macro of seven arguments.
 */
#define BLINK_COMMAND_TABLE(ROW)                                                                   \
	ROW(BLINK_READSB, 16, "readsb", REQUEST, READ, 0, "H/M")                                   \
	ROW(BLINK_WRITESB, 16, "writesb", REQUEST, WRITE, 16, "H/M")                               \
	ROW(BLINK_LOCKSB, 16, "locksb", REQUEST, LOCK, 16, "D")                                    \
	ROW(BLINK_NREAD64, 1, "nread64", REQUEST, READ, 0, "D")                                    \
	ROW(BLINK_NREAD256, 1, "nread256", REQUEST, READ, 0, "D")                                  \
	ROW(BLINK_NWRITE16, 1, "nwrite16", REQUEST, WRITE, 16, "D")                                \
	ROW(BLINK_NWRITE64, 1, "nwrite64", REQUEST, WRITE, 64, "D")                                \
	ROW(BLINK_NWRITE256, 1, "nwrite256", REQUEST, WRITE, 256, "D")                             \
	ROW(BLINK_DMOVE16, 1, "dmove16", REQUEST, WRITE, 16, "D")                                  \
	ROW(BLINK_DMOVE64, 1, "dmove64", REQUEST, WRITE, 64, "D")                                  \
	ROW(BLINK_DMOVE256, 1, "dmove256", REQUEST, WRITE, 256, "D")                               \
	ROW(BLINK_EVENT00, 1, "event00", EVENT, ANY, 0, "D")                                       \
	ROW(BLINK_RESPONSE00, 1, "response00", RESPONSE, ANY, 0, "D")                              \
	ROW(BLINK_RESPONSE16, 1, "response16", RESPONSE, ANY, 16, "D")                             \
	ROW(BLINK_RESPONSE64, 1, "response64", RESPONSE, ANY, 64, "D")                             \
	ROW(BLINK_RESPONSE256, 1, "response256", RESPONSE, ANY, 256, "D")

/*
 * A request packet, encoded in one word that has only the fields that the card uses [D]. The word
 * has no transaction id, so no response can be matched to this request. This encoding is for
 * traffic without responses, between at most BLINK_REQUEST_NODES nodes.
 */
#define BLINK_REQUEST_ADDRESS 0x0000ffffffffffffULL /* 47-0: byte address, as in BD2 */
#define BLINK_REQUEST_TARGET 0x003f000000000000ULL /* 53-48: its target node */
#define BLINK_REQUEST_TYPE 0x00c0000000000000ULL /* 55-54: SMILE_TYPE_READ, WRITE or LOCK */
#define BLINK_REQUEST_SOURCE 0x3f00000000000000ULL /* 61-56: the requester */
#define BLINK_REQUEST_NODES 64U

#endif /* HW_BLINK_H */
