/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Packets of the SCI cable: symbols, fields, and their encoding in captures.
 *
 * What lives here: the only definition of the format. The model that encodes and decodes packets,
 * and all code that produces packets, use it. Most values have a mark, which shows where the value
 * comes from. [H]: a source states the value. [M]: the value was inferred from sources, or was
 * checked against them. [D]: this project defines the value, and it may differ from IEEE 1596.
 * docs/cable.md describes the format.
 *
 * A packet is a sequence of 16-bit symbols. A capture of packets has the link type USER1 (148) [D].
 * Each packet of the capture consists of the word KIND, followed by the symbols. KIND and each
 * symbol have 16 bits and are little-endian.
 *
 *	request    target command source control address address address [8 extended] [data] CRC
 *	response   target command source control status [8 extended] [data] CRC
 *	echo       target command source CRC
 *	idles      symbol count-low count-high	a run of equal idle symbols, as one packet [D]
 *	sync       a row of symbols [D]
 *
 * The order of the symbols of requests and responses is [H]. Data has 0, 8, 32 or 128 symbols [H],
 * and an extended header has 8 symbols [H]. The first of the three address symbols has the high
 * part of the address [D].
 */
#ifndef HW_CABLE_H
#define HW_CABLE_H

#include <linux/types.h>

#define CABLE_LINKTYPE 148
#define CABLE_SYMBOL_BYTES 2U

/* KIND */
#define CABLE_KIND_PACKET 1U /* a send packet or an echo */
#define CABLE_KIND_IDLES 2U
#define CABLE_KIND_SYNC 3U

/* The command symbol. The fields are [H]; their order is [M]. */
#define CABLE_COMMAND_MPR 0xc000U /* maximum ringlet priority */
#define CABLE_COMMAND_SPR 0x3000U /* send priority */
#define CABLE_COMMAND_PHASE 0x0c00U /* CABLE_PHASE_* */
#define CABLE_COMMAND_OLD 0x0200U /* the packet has already passed the scrubber */
#define CABLE_COMMAND_ECHO 0x0100U /* the packet is an echo */
#define CABLE_COMMAND_EXTENDED 0x0080U /* of a send packet: has an extended header */
#define CABLE_COMMAND_CODE 0x007fU /* of a send packet: BLINK_* of blink.h */
#define CABLE_COMMAND_BUSY 0x0080U /* of an echo: not accepted [M] */
#define CABLE_COMMAND_RESPONSE 0x0040U /* of an echo: echo of a response [M] */
#define CABLE_COMMAND_TRANSACTION 0x003fU /* of an echo: transaction id [M] */

/*
 * Phases of a send packet. An echo has the phase of the send packet that it acknowledges [H]. The
 * codes are [D].
 */
#define CABLE_PHASE_NOTRY 0U
#define CABLE_PHASE_DOTRY 1U
#define CABLE_PHASE_RETRY_A 2U
#define CABLE_PHASE_RETRY_B 3U

/* The control symbol. The transaction id is [H], the other fields are [M]. */
#define CABLE_CONTROL_TRACE 0x8000U
#define CABLE_CONTROL_TOD_EXPONENT 0x7c00U /* time of death */
#define CABLE_CONTROL_TOD_MANTISSA 0x0300U
#define CABLE_CONTROL_TPR 0x00c0U /* transaction priority */
#define CABLE_CONTROL_TRANSACTION 0x003fU

/*
 * An idle symbol. The high byte has the flow control bits, and the low byte has the inverse of
 * these bits [D].
 */
#define CABLE_IDLE_GO_LOW 0x8000U /* [H] go bits; their positions [D] */
#define CABLE_IDLE_GO_HIGH 0x4000U
#define CABLE_IDLE_CIRCULATION 0x3f00U /* circulation count and type bits */
#define CABLE_IDLE_FLOW 0xff00U
#define CABLE_IDLE_CHECK 0x00ffU /* the inverse of CABLE_IDLE_FLOW */

#define CABLE_SYNC_SYMBOL 0xffffU /* each symbol of a sync packet but the last, which is 0 [D] */
#define CABLE_SYNC_SYMBOLS 8U

/*
 * The CRC-16 of CCITT: polynomial x^16 + x^12 + x^5 + 1 [M], initial value all ones, high bit first
 * [D].
 */
#define CABLE_CRC_POLYNOMIAL 0x1021U
#define CABLE_CRC_BEGIN 0xffffU

#define CABLE_ADDRESS_SYMBOLS 3U
#define CABLE_EXTENDED_SYMBOLS 8U
#define CABLE_DATA_SYMBOLS_MAX 128U
#define CABLE_ECHO_SYMBOLS 4U
#define CABLE_SYMBOLS_MAX                                                                          \
	(4U + CABLE_ADDRESS_SYMBOLS + CABLE_EXTENDED_SYMBOLS + CABLE_DATA_SYMBOLS_MAX + 1U)
#define CABLE_BYTES_MAX (CABLE_SYMBOL_BYTES * (1U + CABLE_SYMBOLS_MAX))

/*
 * Packet types, numbered as in the thesis (4.2.1). Each constant is the first of four consecutive
 * types, for 0, 16, 64 and 256 bytes of data.
 */
#define CABLE_TYPE_REQUEST_EXTENDED 1U /* to 4 */
#define CABLE_TYPE_REQUEST 5U /* to 8 */
#define CABLE_TYPE_REQUEST_ECHO 9U
#define CABLE_TYPE_RESPONSE_EXTENDED 10U /* to 13 */
#define CABLE_TYPE_RESPONSE 14U /* to 17 */
#define CABLE_TYPE_RESPONSE_ECHO 18U
#define CABLE_TYPE_IDLES 19U
#define CABLE_TYPE_SYNC 20U

#endif /* HW_CABLE_H */
