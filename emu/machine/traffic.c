/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How the frames are laid out. It may use what traffic.h names.
 */
#include <string.h>

#include "traffic.h"

/* Byte by byte, so that it is right on any host; a compiler makes one store of it on most. */
static void word_put(uint8_t *at, uint64_t word)
{
	for (unsigned i = 0; i < BLINK_WORD_BYTES; i++)
		at[i] = (uint8_t)(word >> (8 * i));
}

/* BD1, BD2, zeroed payload and trailer. */
static size_t frame_put(void *frame, uint64_t bd1, uint64_t bd2, size_t payload_bytes)
{
	uint8_t *at = frame;
	size_t bytes = 2 * BLINK_WORD_BYTES;

	word_put(at, bd1);
	word_put(at + BLINK_WORD_BYTES, bd2);
	memset(at + bytes, 0, payload_bytes + BLINK_WORD_BYTES);
	return bytes + payload_bytes + BLINK_WORD_BYTES;
}

static uint64_t bd1_pack(unsigned source, unsigned target, unsigned command, unsigned id)
{
	return SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)target) |
	       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
	       SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)id);
}

size_t traffic_request(void *frame, const struct traffic_transaction *transaction)
{
	static const uint8_t command[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = BLINK_READSB,
		[SMILE_TYPE_WRITE] = BLINK_WRITESB,
		[SMILE_TYPE_LOCK] = BLINK_LOCKSB,
	};
	uint64_t last = transaction->address + transaction->bytes - 1;
	uint64_t bd1 = bd1_pack(transaction->source, transaction->home,
				command[transaction->type] | (last % TRAFFIC_BLOCK_BYTES),
				transaction->id);
	uint64_t bd2 = SMILE_PUT(BLINK_BD2_ADDRESS, transaction->address) |
		       SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)transaction->id);

	return frame_put(frame, bd1, bd2,
			 transaction->type == SMILE_TYPE_READ ? 0 : TRAFFIC_BLOCK_BYTES);
}

size_t traffic_response(void *frame, const struct traffic_transaction *transaction)
{
	/* A lock brings back the old value, as a read does; a write only word that it is done. */
	bool data = transaction->type != SMILE_TYPE_WRITE;
	uint64_t bd1 = bd1_pack(transaction->home, transaction->source,
				data ? BLINK_RESPONSE16 : BLINK_RESPONSE00, transaction->id);
	uint64_t bd2 = SMILE_PUT(BLINK_BD2_TRANSACTION, (uint64_t)transaction->id);

	return frame_put(frame, bd1, bd2, data ? TRAFFIC_BLOCK_BYTES : 0);
}

size_t traffic_event(void *frame, unsigned node, unsigned event)
{
	return frame_put(frame, bd1_pack(node, node, BLINK_EVENT00, 0),
			 SMILE_PUT(BLINK_BD2_ADDRESS, (uint64_t)event), 0);
}
