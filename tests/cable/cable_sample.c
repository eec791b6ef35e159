/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A generator of packets: any type, with random valid fields.
 */
#include "tests/cable/cable_sample.h"

#include <string.h>

#include <base/random.h>
#include <hw/blink.h>

/*
 * Commands of the types, ordered by the size of their data: the requests or responses of each size.
 */
static const uint8_t requests[4][3] = {
	{BLINK_READSB, BLINK_NREAD64, BLINK_NREAD256},
	{BLINK_WRITESB, BLINK_LOCKSB, BLINK_NWRITE16},
	{BLINK_NWRITE64, BLINK_DMOVE64, BLINK_NWRITE64},
	{BLINK_NWRITE256, BLINK_DMOVE256, BLINK_NWRITE256},
};
static const uint8_t responses[4] = {BLINK_RESPONSE00, BLINK_RESPONSE16, BLINK_RESPONSE64,
				     BLINK_RESPONSE256};

static void sample_send(uint64_t *state, struct cable_packet *packet)
{
	bool response = packet->type >= CABLE_TYPE_RESPONSE_EXTENDED;
	unsigned int first = response ? CABLE_TYPE_RESPONSE_EXTENDED : CABLE_TYPE_REQUEST_EXTENDED;
	unsigned int size = (packet->type - first) % 4;
	bool extended = packet->type - first < 4;

	packet->command = response ? responses[size] : requests[size][random_below(state, 3)];
	/* These three commands have the offset of their last byte in the low four bits. */
	if (packet->command < BLINK_NREAD64)
		packet->command += (uint8_t)random_below(state, 16);
	packet->trace = random_below(state, 2);
	packet->tod_exponent = (uint8_t)random_below(state, 32);
	packet->tod_mantissa = (uint8_t)random_below(state, 4);
	packet->transaction_priority = (uint8_t)random_below(state, 4);
	if (response)
		packet->status = (uint16_t)random_below(state, 0x10000);
	else
		packet->address = (uint64_t)random_below(state, 0x10000) << 32 |
				  random_below(state, UINT32_MAX);
	for (unsigned int i = 0; extended && i < CABLE_EXTENDED_SYMBOLS; i++)
		packet->extended[i] = (uint16_t)random_below(state, 0x10000);
	for (unsigned int i = 0; i < cable_data_symbols(packet->type); i++)
		packet->data[i] = (uint16_t)random_below(state, 0x10000);
}

void cable_sample(uint64_t *state, unsigned int type, struct cable_packet *packet)
{
	memset(packet, 0, sizeof(*packet));
	packet->type = type;
	if (type == CABLE_TYPE_SYNC)
		return;
	if (type == CABLE_TYPE_IDLES) {
		packet->idle = (uint8_t)random_below(state, 256);
		packet->count = 1 + random_below(state, 100000);
		return;
	}
	packet->target = (uint16_t)random_below(state, 0x10000);
	packet->source = (uint16_t)random_below(state, 0x10000);
	packet->priority = (uint8_t)random_below(state, 4);
	packet->ring_priority = (uint8_t)random_below(state, 4);
	packet->phase = (uint8_t)random_below(state, 4);
	packet->old = random_below(state, 2);
	packet->transaction = (uint8_t)random_below(state, BLINK_TRANSACTIONS);
	if (type == CABLE_TYPE_REQUEST_ECHO || type == CABLE_TYPE_RESPONSE_ECHO)
		packet->busy = random_below(state, 2);
	else
		sample_send(state, packet);
}
