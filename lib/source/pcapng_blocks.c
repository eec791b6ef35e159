/* SPDX-License-Identifier: MIT */
/*
 * pcapng blocks: a parser that reads the beginning of each block and the options of an interface's
 * description, and skips the rest. The parser sets the snap lengths to 0.
 */
#include "lib/source/pcapng_blocks.h"

#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#define BLOCK_SECTION 0x0a0d0d0aU
#define BLOCK_INTERFACE 1U
#define BLOCK_PACKET_OLD 2U
#define BLOCK_PACKET_SIMPLE 3U
#define BLOCK_PACKET 6U
#define BYTE_ORDER_MAGIC 0x1a2b3c4dU
#define DESCRIPTION_OPTIONS 4U /* after the snap length */
#define OPTION_NAME 2U
#define OPTION_HEAD 4U

static uint32_t word(const struct pcapng_blocks *blocks, size_t at)
{
	uint32_t value;

	memcpy(&value, blocks->head + at, sizeof(value));
	return blocks->swapped ? __builtin_bswap32(value) : value;
}

static uint16_t half(const struct pcapng_blocks *blocks, const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return blocks->swapped ? __builtin_bswap16(value) : value;
}

static void packet(struct pcapng_blocks *blocks, size_t id)
{
	struct pcapng_described *interface;

	if (id >= blocks->count - blocks->section || blocks->waits == PCAPNG_BLOCKS_WAITING) {
		blocks->broken = true;
		return;
	}
	interface = &blocks->interfaces[blocks->section + id];
	if (interface->order < 0)
		interface->order = (int)blocks->used++;
	blocks->waiting[(blocks->first + blocks->waits++) % PCAPNG_BLOCKS_WAITING] =
		(uint16_t)interface->order;
}

static void interface_add(struct pcapng_blocks *blocks)
{
	if (blocks->count == PCAPNG_BLOCKS_INTERFACES ||
	    array_reserve(&blocks->interfaces, &blocks->room, blocks->count,
			  sizeof(*blocks->interfaces)) < 0) {
		blocks->broken = true;
		return;
	}
	blocks->interfaces[blocks->count++] = (struct pcapng_described){.order = -1};
	blocks->got = 0;
	blocks->snaplen = DESCRIPTION_OPTIONS;
	blocks->want = blocks->skip < PCAPNG_BLOCKS_DESCRIPTION ? (size_t)blocks->skip
								: PCAPNG_BLOCKS_DESCRIPTION;
}

/*
 * Find the name among the options of an interface's description. The needed part of the description
 * must have arrived.
 */
static void interface_name(struct pcapng_blocks *blocks)
{
	char *name = blocks->interfaces[blocks->count - 1].name;
	const uint8_t *at = blocks->description + DESCRIPTION_OPTIONS;
	const uint8_t *end = blocks->description + blocks->got;
	size_t bytes;

	while (end - at > (ptrdiff_t)OPTION_HEAD) {
		bytes = half(blocks, at + 2);
		if (bytes > (size_t)(end - at) - OPTION_HEAD)
			return;
		if (half(blocks, at) == OPTION_NAME) {
			bytes = bytes < PCAPNG_BLOCKS_NAME ? bytes : PCAPNG_BLOCKS_NAME - 1;
			memcpy(name, at + OPTION_HEAD, bytes);
			break;
		}
		bytes = (bytes + 3) / 4 * 4;
		at += bytes <= (size_t)(end - at) - OPTION_HEAD ? OPTION_HEAD + bytes
								: (size_t)(end - at);
	}
	for (; *name; name++) {
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			*name = '?';
	}
}

/* Parse the beginning of a block, which must have arrived. */
static void block(struct pcapng_blocks *blocks)
{
	uint32_t type, length;

	type = word(blocks, 0);
	if (type == BLOCK_SECTION) {
		blocks->swapped = false;
		blocks->swapped = word(blocks, 8) != BYTE_ORDER_MAGIC;
		blocks->section = blocks->count;
	}
	length = word(blocks, 4);
	if (length < PCAPNG_BLOCKS_HEAD || length % 4) {
		blocks->broken = true;
		return;
	}
	blocks->skip = length - PCAPNG_BLOCKS_HEAD;
	blocks->have = 0;
	switch (type) {
	case BLOCK_INTERFACE:
		interface_add(blocks);
		break;
	case BLOCK_PACKET:
		packet(blocks, word(blocks, 8));
		break;
	case BLOCK_PACKET_OLD:
		packet(blocks, half(blocks, blocks->head + 8));
		break;
	case BLOCK_PACKET_SIMPLE:
		packet(blocks, 0);
		break;
	default:
		break;
	}
}

static void skipped(struct pcapng_blocks *blocks, uint8_t *at, size_t bytes)
{
	size_t part = bytes < blocks->want ? bytes : blocks->want;

	blocks->skip -= bytes;
	for (size_t i = 0; i < bytes && blocks->snaplen; i++, blocks->snaplen--)
		at[i] = 0;
	if (!part)
		return;
	memcpy(blocks->description + blocks->got, at, part);
	blocks->got += part;
	blocks->want -= part;
	if (!blocks->want)
		interface_name(blocks);
}

void smile_pcapng_blocks(struct pcapng_blocks *blocks, void *data, size_t bytes)
{
	uint8_t *at = data;

	while (bytes && !blocks->broken) {
		size_t part = PCAPNG_BLOCKS_HEAD - blocks->have;

		if (blocks->skip) {
			part = blocks->skip < bytes ? (size_t)blocks->skip : bytes;
			skipped(blocks, at, part);
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

int smile_pcapng_blocks_next(struct pcapng_blocks *blocks)
{
	int order;

	if (!blocks->waits)
		return -1;
	order = blocks->waiting[blocks->first];
	blocks->first = (blocks->first + 1) % PCAPNG_BLOCKS_WAITING;
	blocks->waits--;
	return order;
}

const char *smile_pcapng_blocks_name(const struct pcapng_blocks *blocks, unsigned int order)
{
	for (size_t i = 0; i < blocks->count; i++) {
		if (blocks->interfaces[i].order == (int)order)
			return blocks->interfaces[i].name;
	}
	return NULL;
}

void smile_pcapng_blocks_free(struct pcapng_blocks *blocks)
{
	free(blocks->interfaces);
	blocks->interfaces = NULL;
}
