/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks: the begin of each block is looked at, the rest is skipped.
 */
#include "lib/source/pcapng_blocks.h"

#include <string.h>

#define BLOCK_SECTION 0x0a0d0d0aU
#define BLOCK_PACKET_OLD 2U
#define BLOCK_PACKET_SIMPLE 3U
#define BLOCK_PACKET 6U
#define BYTE_ORDER_MAGIC 0x1a2b3c4dU

static uint32_t word(const struct pcapng_blocks *blocks, size_t at)
{
	uint32_t value;

	memcpy(&value, blocks->head + at, sizeof(value));
	return blocks->swapped ? __builtin_bswap32(value) : value;
}

static void packet(struct pcapng_blocks *blocks, uint32_t id)
{
	uint64_t interface = (uint64_t)blocks->section << 32 | id;

	if (!blocks->packets)
		blocks->interface = interface;
	blocks->packets = true;
	blocks->several |= interface != blocks->interface;
}

/* A block of which the begin is there. */
static void block(struct pcapng_blocks *blocks)
{
	uint32_t type, length;
	uint16_t old;

	type = word(blocks, 0);
	if (type == BLOCK_SECTION) {
		blocks->swapped = false;
		blocks->swapped = word(blocks, 8) != BYTE_ORDER_MAGIC;
		blocks->section++;
	}
	length = word(blocks, 4);
	blocks->broken = length < PCAPNG_BLOCKS_HEAD || length % 4;
	blocks->skip = length - PCAPNG_BLOCKS_HEAD;
	blocks->have = 0;
	switch (type) {
	case BLOCK_PACKET:
		packet(blocks, word(blocks, 8));
		break;
	case BLOCK_PACKET_OLD:
		memcpy(&old, blocks->head + 8, sizeof(old));
		packet(blocks, blocks->swapped ? __builtin_bswap16(old) : old);
		break;
	case BLOCK_PACKET_SIMPLE:
		packet(blocks, 0);
		break;
	default:
		break;
	}
}

void smile_pcapng_blocks(struct pcapng_blocks *blocks, const void *data, size_t bytes)
{
	const uint8_t *at = data;

	while (bytes && !blocks->broken) {
		size_t part = PCAPNG_BLOCKS_HEAD - blocks->have;

		if (blocks->skip) {
			part = blocks->skip < bytes ? (size_t)blocks->skip : bytes;
			blocks->skip -= part;
		} else {
			part = part < bytes ? part : bytes;
			memcpy(blocks->head + blocks->have, at, part);
			blocks->have += part;
			if (blocks->have == PCAPNG_BLOCKS_HEAD)
				block(blocks);
		}
		at += part;
		bytes -= part;
	}
}
