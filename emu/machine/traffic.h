/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Traffic: a remote access as B-Link frames.
 *
 * What lives here: how the frames that the machine sends are laid out, and nothing about when they
 * are sent. Only three shapes occur: selected-byte requests (readsb, writesb, locksb), their
 * responses, and event00. It may use include/ and <string.h>.
 */
#ifndef EMU_MACHINE_TRAFFIC_H
#define EMU_MACHINE_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

/* A selected-byte transaction stays inside a block of this size, which is also its payload. */
#define TRAFFIC_BLOCK_BYTES 16U

/* BD1, BD2, the payload and the trailer word. */
#define TRAFFIC_BYTES_MAX (3U * BLINK_WORD_BYTES + TRAFFIC_BLOCK_BYTES)

/**
 * struct traffic_transaction - A remote access to bytes of one block.
 * @address: address of the first byte
 * @bytes: how many; the last one lies in the same block as the first
 * @source: node that accesses
 * @home: node that holds the page
 * @type: SMILE_TYPE_READ, WRITE or LOCK
 * @id: transaction id, 0 to BLINK_TRANSACTIONS - 1
 */
struct traffic_transaction {
	uint64_t address;
	uint16_t source;
	uint16_t home;
	uint8_t bytes;
	uint8_t type;
	uint8_t id;
};

/**
 * traffic_request() - Build the request of a transaction.
 * @frame: receives it; TRAFFIC_BYTES_MAX bytes of room
 *
 * Data is not known here, so the payload is zero; so is the trailer. Return: length in bytes.
 */
size_t traffic_request(void *frame, const struct traffic_transaction *transaction);

/**
 * traffic_response() - Build the response: from the home back to the source, without an address.
 *
 * Return: length in bytes.
 */
size_t traffic_response(void *frame, const struct traffic_transaction *transaction);

/**
 * traffic_event() - Build the event00 frame of a global event, from a node to itself.
 *
 * It has no response and so takes no transaction id: the field is zero. Return: length in bytes.
 */
size_t traffic_event(void *frame, unsigned node, unsigned event);

#endif /* EMU_MACHINE_TRAFFIC_H */
