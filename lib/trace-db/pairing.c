// SPDX-License-Identifier: MIT
/*
 * Responses and their requests: see pairing.h. It may use frame.h and libc.
 */
#include "lib/trace-db/pairing.h"

#include <errno.h>
#include <stdlib.h>

#define NODES 65536U

/* A request that waits for its response. @number: of the packet, plus 1; 0: none waits. */
struct waiting {
	uint64_t number;
	uint16_t target;
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

int pairing_next(struct pairing *pairing, const struct frame *frame, uint64_t packet,
		 uint64_t *request)
{
	unsigned int class = frame_class_of(frame), id = frame_transaction(frame);
	struct waiting **of, *slot;

	if (class == FRAME_REQUEST) {
		of = &pairing->requesters[frame_source(frame)];
		if (!*of)
			*of = calloc(BLINK_TRANSACTIONS, sizeof(**of));
		if (!*of)
			return -ENOMEM;
		(*of)[id] = (struct waiting){packet + 1, (uint16_t)frame_target(frame)};
		return 0;
	}
	of = &pairing->requesters[frame_target(frame)];
	if (class != FRAME_RESPONSE || !*of)
		return 0;
	slot = &(*of)[id];
	if (!slot->number || slot->target != frame_source(frame))
		return 0;
	*request = slot->number - 1;
	slot->number = 0;
	return 1;
}
