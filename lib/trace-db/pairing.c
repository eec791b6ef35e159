// SPDX-License-Identifier: MIT
/*
 * Pairing: finds the requests of responses. See pairing.h. May use frame.h and libc.
 */
#include "lib/trace-db/pairing.h"

#include <errno.h>
#include <stdlib.h>

#define NODES 65536U

/**
 * struct waiting - A packet that waits for another one. It is a request without a response or, on
 * the cable, a response without an echo.
 * @first: number of the packet's first try, plus 1; 0: the slot is free
 * @last: number of the packet's last try, plus 1
 * @target: target of the request
 * @answered: the waiting packet is the response
 */
struct waiting {
	uint64_t first;
	uint64_t last;
	uint16_t target;
	bool answered;
};

struct pairing {
	struct waiting *requesters[NODES];
};

struct pairing *pairing_new(void)
{
	return calloc(1, sizeof(struct pairing));
}

void pairing_free(struct pairing *pairing)
{
	if (!pairing)
		return;
	for (size_t i = 0; i < NODES; i++)
		free(pairing->requesters[i]);
	free(pairing);
}

/*
 * Get the slot of a requester's transaction. If the slot does not exist and @make is true, make it.
 * Return: the slot; NULL if it does not exist, or if memory is missing.
 */
static struct waiting *waiting_of(struct pairing *pairing, unsigned int requester, unsigned int id,
				  bool make)
{
	struct waiting **of = &pairing->requesters[requester];

	if (!*of && make)
		*of = calloc(BLINK_TRANSACTIONS, sizeof(**of));
	return *of ? &(*of)[id] : NULL;
}

/* Return whether the packet is of the cable and its phase field shows that it is sent again. */
static bool comes_again(const struct frame *frame)
{
	return frame_is_cable(frame) &&
	       (frame->bd1 >> 16 & CABLE_COMMAND_PHASE) >= CABLE_PHASE_RETRY_A << 10;
}

static int request_next(struct waiting *slot, const struct frame *frame, uint64_t packet,
			uint64_t *other)
{
	bool again = comes_again(frame) && slot->first && !slot->answered &&
		     slot->target == frame_target(frame);

	slot->last = packet + 1;
	if (again) {
		*other = slot->first - 1;
		return PAIRING_REFUSED;
	}
	slot->first = packet + 1;
	slot->target = (uint16_t)frame_target(frame);
	slot->answered = false;
	return PAIRING_NONE;
}

static int response_next(struct waiting *slot, const struct frame *frame, uint64_t packet,
			 uint64_t *other)
{
	if (!slot || !slot->first || slot->target != frame_source(frame))
		return PAIRING_NONE;
	if (slot->answered && !comes_again(frame))
		return PAIRING_NONE;
	*other = slot->first - 1;
	slot->last = packet + 1;
	if (slot->answered)
		return PAIRING_REFUSED;
	/*
	 * On the B-Link, the response ends the transaction. On the cable, the echo of the response
	 * must still arrive.
	 */
	slot->first = frame_is_cable(frame) ? packet + 1 : 0;
	slot->answered = true;
	return PAIRING_REQUEST;
}

/*
 * Find the request that an echo acknowledges. The target of an echo is the source of the packet
 * that it acknowledges.
 */
static int request_echo_next(const struct waiting *slot, const struct frame *frame, uint64_t *other)
{
	if (!slot || !slot->first || slot->answered || slot->target != frame_source(frame))
		return PAIRING_NONE;
	*other = slot->last - 1;
	return PAIRING_ACKNOWLEDGED;
}

static int response_echo_next(struct waiting *slot, const struct frame *frame, uint64_t *other)
{
	bool busy = frame->bd1 >> 16 & CABLE_COMMAND_BUSY, answered;

	if (!slot || !slot->first || slot->target != frame_target(frame))
		return PAIRING_NONE;
	answered = slot->answered;
	if (busy && !answered)
		return PAIRING_NONE;
	*other = (answered ? slot->last : slot->first) - 1;
	if (!busy)
		slot->first = 0;
	return answered ? PAIRING_ACKNOWLEDGED : PAIRING_REQUEST;
}

int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *other)
{
	unsigned int class = frame_class_of(frame), id = frame_transaction(frame);
	unsigned int source = frame_source(frame), target = frame_target(frame);
	struct waiting *slot;

	switch (class) {
	case FRAME_REQUEST:
		slot = waiting_of(pairing, source, id, true);
		return slot ? request_next(slot, frame, packet, other) : -ENOMEM;
	case FRAME_RESPONSE:
		return response_next(waiting_of(pairing, target, id, false), frame, packet, other);
	case FRAME_ECHO:
		if (frame->type == CABLE_TYPE_REQUEST_ECHO)
			return request_echo_next(waiting_of(pairing, target, id, false), frame,
						 other);
		return response_echo_next(waiting_of(pairing, source, id, false), frame, other);
	default:
		return PAIRING_NONE;
	}
}
