/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The frames of each kind of transaction. May use traffic.h.
 */
#include "traffic.h"

struct traffic_shape traffic_shape(unsigned type)
{
	/*
	 * The response to a lock contains the old value, like the response to a read. The response
	 * to a write only reports that the write is done.
	 */
	static const struct traffic_shape shapes[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = {BLINK_READSB, 0xff, 0, BLINK_RESPONSE16, TRAFFIC_BLOCK_BYTES},
		[SMILE_TYPE_WRITE] = {BLINK_WRITESB, 0xff, TRAFFIC_BLOCK_BYTES, BLINK_RESPONSE00,
				      0},
		[SMILE_TYPE_LOCK] = {BLINK_LOCKSB, 0xff, TRAFFIC_BLOCK_BYTES, BLINK_RESPONSE16,
				     TRAFFIC_BLOCK_BYTES},
	};

	return shapes[type];
}

struct traffic_shape traffic_line_shape(unsigned bytes)
{
	switch (bytes) {
	case 64:
		return (struct traffic_shape){BLINK_NREAD64, 0, 0, BLINK_RESPONSE64, 64};
	case 256:
		return (struct traffic_shape){BLINK_NREAD256, 0, 0, BLINK_RESPONSE256, 256};
	default:
		return traffic_shape(SMILE_TYPE_READ);
	}
}

struct traffic_shape traffic_back_shape(unsigned bytes)
{
	switch (bytes) {
	case 64:
		return (struct traffic_shape){BLINK_NWRITE64, 0, 64, BLINK_RESPONSE00, 0};
	case 256:
		return (struct traffic_shape){BLINK_NWRITE256, 0, 256, BLINK_RESPONSE00, 0};
	default:
		return traffic_shape(SMILE_TYPE_WRITE);
	}
}
