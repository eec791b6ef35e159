/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Traffic: a remote access as B-Link frames.
 *
 * What lives here: the layout of the frames that the machine sends, not their times. Only these
 * frames occur: selected-byte requests (readsb, writesb, locksb), reads of a cache line (nread64,
 * nread256), writes of a line (nwrite64, nwrite256), their responses, and event00. The machine has
 * no data, so payloads and trailers are zero. May use include/, <endian.h> and <string.h>.
 */
#ifndef EMU_MACHINE_TRAFFIC_H
#define EMU_MACHINE_TRAFFIC_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <base/field.h>
#include <hw/blink.h>
#include <uapi/smile_monitor.h>

/* A selected-byte transaction stays inside a block of this size, which is also its payload. */
#define TRAFFIC_BLOCK_BYTES 16U

/*
 * The length of a frame with a payload of this many bytes: BD1, BD2, the payload and the trailer
 * word.
 */
#define TRAFFIC_BYTES(payload) (3U * BLINK_WORD_BYTES + (payload))

/**
 * struct traffic_frame - A frame; the words after BD1 and BD2 are zero.
 * @bd1: its first word
 * @bd2: its second word
 * @length: its whole length in bytes
 */
struct traffic_frame {
	uint64_t bd1;
	uint64_t bd2;
	size_t length;
};

/**
 * struct traffic_shape - The frames of a kind of transaction.
 * @command: command of the request; if it is a selected-byte request, the offset of the last byte
 *           is added to it
 * @selected: all ones if it is a selected-byte request, otherwise 0
 * @request_bytes: payload of the request
 * @answer: command of the response
 * @answer_bytes: payload of the response
 */
struct traffic_shape {
	uint8_t command;
	uint8_t selected;
	uint16_t request_bytes;
	uint8_t answer;
	uint16_t answer_bytes;
};

/**
 * traffic_shape() - Get the shape of an access of a type, SMILE_TYPE_READ, WRITE or LOCK.
 */
struct traffic_shape traffic_shape(unsigned type);

/**
 * traffic_line_shape() - Get the shape of a read of a line of 16, 64 or 256 bytes.
 */
struct traffic_shape traffic_line_shape(unsigned bytes);

/**
 * traffic_back_shape() - Get the shape of a write of such a line.
 */
struct traffic_shape traffic_back_shape(unsigned bytes);

static inline uint64_t traffic_bd1(unsigned source, unsigned target, unsigned command, unsigned id)
{
	return SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)target) |
	       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
	       SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)id);
}

/**
 * traffic_request() - Compose the request of a transaction.
 * @source: node that accesses
 * @home: node that holds the page
 * @address: address of the first byte
 * @last: offset of the last byte in its block
 * @id: transaction id
 */
static inline struct traffic_frame traffic_request(const struct traffic_shape *shape,
						   unsigned source, unsigned home, uint64_t address,
						   unsigned last, unsigned id)
{
	return (struct traffic_frame){
		.bd1 = traffic_bd1(source, home, shape->command | (last & shape->selected), id),
		.bd2 = SMILE_PUT(BLINK_BD2_ADDRESS, address) |
		       SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)id),
		.length = TRAFFIC_BYTES(shape->request_bytes),
	};
}

/**
 * traffic_response() - Compose the response of a transaction: from the home back to the source,
 * without an address.
 */
static inline struct traffic_frame traffic_response(const struct traffic_shape *shape,
						    unsigned source, unsigned home, unsigned id)
{
	return (struct traffic_frame){
		.bd1 = traffic_bd1(home, source, shape->answer, id),
		.bd2 = SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)id),
		.length = TRAFFIC_BYTES(shape->answer_bytes),
	};
}

/**
 * traffic_event() - Compose the event00 frame of a global event, from a node to itself.
 *
 * It has no response and therefore needs no transaction id: the field is zero.
 */
static inline struct traffic_frame traffic_event(unsigned node, unsigned event)
{
	return (struct traffic_frame){
		.bd1 = traffic_bd1(node, node, BLINK_EVENT00, 0),
		.bd2 = SMILE_PUT(BLINK_BD2_ADDRESS, (uint64_t)event),
		.length = TRAFFIC_BYTES(0),
	};
}

/**
 * traffic_store() - Write BD1 and BD2; @bytes is @frame->length long, and zero after them.
 */
static inline void traffic_store(uint8_t *bytes, const struct traffic_frame *frame)
{
	const uint64_t words[] = {htole64(frame->bd1), htole64(frame->bd2)};

	memcpy(bytes, words, sizeof(words));
}

#endif /* EMU_MACHINE_TRAFFIC_H */
