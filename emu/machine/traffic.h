/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Traffic: the B-Link frames of a remote access.
 *
 * What lives here: the layout of the frames that the machine sends, but not the times at which it
 * sends them. The machine sends only these frames: selected-byte requests (readsb, writesb,
 * locksb), reads of a cache line (nread64, nread256), writes of a line (nwrite64, nwrite256), the
 * responses to these, and event00. The machine does not model the contents of memory, so payloads
 * and trailers are zero. May use include/, <endian.h> and <string.h>.
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

/*
 * The size of the blocks of selected-byte transactions. A transaction does not cross the end of a
 * block, and its payload is a whole block.
 */
#define TRAFFIC_BLOCK_BYTES 16U

/*
 * Get the length of a frame with a payload of this many bytes. A frame has BD1, BD2, the payload
 * and the trailer word.
 */
#define TRAFFIC_BYTES(payload) (3U * BLINK_WORD_BYTES + (payload))

/**
 * struct traffic_frame - A frame. All bytes after BD1 and BD2 are zero.
 * @bd1: first word of the frame
 * @bd2: second word of the frame
 * @length: length of the whole frame in bytes
 */
struct traffic_frame {
	uint64_t bd1;
	uint64_t bd2;
	size_t length;
};

/**
 * struct traffic_shape - The frames of one kind of transaction.
 * @command: command of the request. For a selected-byte request, the offset of the last byte is
 *           added to the command
 * @selected: for a selected-byte request, all bits are set; otherwise 0
 * @request_bytes: size of the request's payload
 * @answer: command of the response
 * @answer_bytes: size of the response's payload
 */
struct traffic_shape {
	uint8_t command;
	uint8_t selected;
	uint16_t request_bytes;
	uint8_t answer;
	uint16_t answer_bytes;
};

/**
 * traffic_shape() - Get the frames of an access with the type SMILE_TYPE_READ, WRITE or LOCK.
 */
struct traffic_shape traffic_shape(unsigned type);

/**
 * traffic_line_shape() - Get the frames of a read of a line of 16, 64 or 256 bytes.
 */
struct traffic_shape traffic_line_shape(unsigned bytes);

/**
 * traffic_back_shape() - Get the frames of a write of a line of 16, 64 or 256 bytes.
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
 * @source: node that makes the access
 * @home: home node of the page
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
 * traffic_response() - Compose the response of a transaction. The home sends the response to the
 * source, and the response has no address.
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
 * traffic_event() - Compose the event00 frame of a global event, which a node sends to itself.
 *
 * The frame has no response, so it needs no transaction id: this field is zero.
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
 * traffic_store() - Write BD1 and BD2 of a frame to @bytes, which has room for @frame->length
 * bytes. The caller must have set all bytes after BD2 to zero.
 */
static inline void traffic_store(uint8_t *bytes, const struct traffic_frame *frame)
{
	const uint64_t words[] = {htole64(frame->bd1), htole64(frame->bd2)};

	memcpy(bytes, words, sizeof(words));
}

#endif /* EMU_MACHINE_TRAFFIC_H */
